// The end of a hand: totals count to their new value, it is seen from its top, and who goes on finds the first card of
// the next hand; to undo that goes back to it.

import { entries } from "./sending.js";

const known = new WeakMap();
const duration = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--m-trick"));

// Return what stands there after a share of the time: fast at first, and at the end exactly the total. The clock of a
// frame begins before that of the page, and ends after the time.
export const between = (from, to, share) => {
  const left = 1 - Math.min(Math.max(share, 0), 1);
  return Math.round(to - (to - from) * left ** 3);
};

const written = (total) => String(total).replace("-", "−");

const count = (total, from, to, time) => {
  const began = performance.now();
  const step = (now) => {
    if (!total.isConnected || total.dataset.countTo !== to) return;
    const share = (now - began) / time;
    total.textContent = written(between(Number(from), Number(to), share));
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};

// A total that came with the page, or was counted, is known.
const look = (news) => {
  const time = duration();
  for (const total of document.querySelectorAll("[data-count-to]")) {
    const { hand, countFrom, countTo } = total.dataset;
    if (known.get(total) === hand) continue;
    known.set(total, hand);
    if (news && time) count(total, countFrom, countTo, time);
  }
};

// Who has recorded a result far below sees what came of it.
let over = null;
const begin = (news) => {
  const scene = document.querySelector("#scene, .winners");
  if (scene && scene !== over && news && scene.getBoundingClientRect().top < 0) scrollTo({ top: 0 });
  over = scene;
};

look(false);
begin(false);
for (const happening of ["htmx:afterSwap", "table-shown"]) {
  document.addEventListener(happening, () => {
    look(true);
    begin(true);
  });
}

const FIRST = [".table-main .pad .card:not(:disabled, .gone)", ".table-main form.ask :is(button, input:not(.who *))"];
addEventListener("toggle", ({ target }) => {
  if (!target.matches?.(".next-hand[open]")) return;
  const controls = FIRST.flatMap((each) => [...document.querySelectorAll(each)]);
  const next = controls.find((control) => control.checkVisibility());
  next?.focus({ preventScroll: true });
}, true);

// Nothing of the next hand is recorded yet: what was done last is to go on.
addEventListener("submit", (event) => {
  const begun = document.querySelector(".next-hand[open]");
  if (!begun || entries.length || !/\/undo\/$/.test(event.target.action)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  begun.open = false;
  begun.querySelector("summary").focus();
}, true);
