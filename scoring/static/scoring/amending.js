// Corrections made over the table.

import { code } from "./page.js";
import { newKey } from "./queue.js";
import { add, changed, deliverNow, noteVersion, pageToken } from "./sending.js";

// --- A card that was played -----------------------------------------------------------------------------------------
// A tap or a key press on a card on the table, or on its gray key, shows who played it and opens its correction.

const over = document.getElementById("amendment");

const codeOf = (key) => (key.matches("button") ? key : key.querySelector("input")).value;

// The key of the card that was touched, where that card was played. A tap that plays a card costs nothing here.
const played = (event) => {
  const touched = event.target.closest(".card");
  const keys = () => [...document.querySelectorAll("#table .pad .card")];
  if (touched?.closest("#table .plays-link")) return keys().find((key) => key.title === touched.title);
  return touched?.matches("#table .pad .gone") ? touched : undefined;
};

const open = async (code, otherwise) => {
  const address = `${over.dataset.address}?card=${encodeURIComponent(code)}`;
  const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return otherwise?.click();
  const fragment = document.createElement("template");
  fragment.innerHTML = await answer.text();
  document.getElementById("amend").replaceWith(fragment.content);
  window.htmx.process(document.getElementById("amend"));
  for (const sheet of document.querySelectorAll(":popover-open")) sheet.hidePopover();
  over.showPopover();
};

if (over) {
  document.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    const link = event.target.closest("a");
    const key = played(event);
    const wrong = link?.dataset.amends ?? (key && codeOf(key));
    if (!wrong) return;
    event.preventDefault();
    open(wrong, link);
  });
  document.addEventListener("amended", () => {
    over.hidePopover();
    document.body.dispatchEvent(new CustomEvent("table-changed"));
  });
}

// --- Cards that a correction struck ---------------------------------------------------------------------------------
// Cards that a correction struck are taps again, and wait in their order: the first that does not fit asks what it was.

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
