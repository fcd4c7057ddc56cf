// An infraction that was caught lies in the felt's place until it is decided, or put aside on this device; its note brings it
// back.
// What is put aside stays so when the page is opened again, until something about it changes.

import { code } from "./page.js";

const KEPT = `aside-${code}`;
const caughtHere = () => [...document.querySelectorAll("#table .caught")];

// What of it is not on the page any more was decided or undone: should it come again, it is new.
const asideNow = () => {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  const still = caughtHere().filter(({ id, dataset }) => kept[id] === dataset.about);
  return Object.fromEntries(still.map(({ id, dataset }) => [id, dataset.about]));
};
const keep = (aside) => {
  if (Object.keys(aside).length) localStorage.setItem(KEPT, JSON.stringify(aside));
  else localStorage.removeItem(KEPT);
};
const putAside = ({ id, dataset }) => keep({ ...asideNow(), [id]: dataset.about });
const takeUp = ({ id }) => {
  const { [id]: _, ...others } = asideNow();
  keep(others);
};

const look = () => {
  const aside = code ? asideNow() : {};
  for (const caught of caughtHere()) caught.querySelector(".put-aside").open = caught.id in aside;
  if (code) keep(aside);
};
look();
document.addEventListener("table-shown", look);

document.addEventListener("click", (event) => {
  const later = event.target.closest?.(".put-aside > summary");
  if (later) putAside(later.closest(".caught"));
  const note = event.target.closest?.("[data-caught]");
  const caught = note && document.getElementById(note.dataset.caught);
  if (!caught) return;
  event.preventDefault();
  takeUp(caught);
  caught.querySelector(".put-aside").open = false;
  scrollTo({ top: 0 });
  caught.querySelector(":is(button, summary)").focus({ preventScroll: true });
});
