// Cards that a correction struck are taps again, and wait in their order: the first that does not fit asks what it was.

import { code } from "./page.js";
import { newKey } from "./queue.js";
import { add, changed, deliverNow, noteVersion, pageToken } from "./sending.js";

const KEPT = "struck";

const entryOf = ({ event, cards, label }) => {
  const marks = cards.map((card) => ["cards", card]);
  const fields = [["event", event], ["seat", ""], ...marks];
  const action = `${location.origin}${location.pathname}record/`;
  return { event, button: "", fields, marks, label, key: newKey(), table: code, action, token: pageToken() };
};

const takeUp = () => {
  const { address, version, taps } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  if (address !== location.pathname) return;
  sessionStorage.removeItem(KEPT);
  noteVersion(version);
  for (const tap of taps) add(entryOf(tap), false);
  changed();
  deliverNow();
};

// A correction is made over the table, or on a page of its own that leads back to it.
document.addEventListener("amended", ({ detail: { address, version, taps } }) => {
  if (!taps.length) return;
  sessionStorage.setItem(KEPT, JSON.stringify({ address, version, taps }));
  takeUp();
});
if (code) takeUp();
