// The end of a hand: totals count to their new value, and who goes on finds the first card of the next hand.

const DURATION = 700;
const known = new WeakMap();
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Return what stands there after a share of the time: fast at first, and at the end exactly the total. The clock of a
// frame begins before that of the page, and ends after the time.
export const between = (from, to, share) => {
  const left = 1 - Math.min(Math.max(share, 0), 1);
  return Math.round(to - (to - from) * left ** 3);
};

const written = (total) => String(total).replace("-", "−");

const count = (total, from, to) => {
  const began = performance.now();
  const step = (now) => {
    if (!total.isConnected || total.dataset.countTo !== to) return;
    const share = (now - began) / DURATION;
    total.textContent = written(between(Number(from), Number(to), share));
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};

// A total that came with the page, or was counted, is known.
const look = (news) => {
  for (const total of document.querySelectorAll("[data-count-to]")) {
    const { hand, countFrom, countTo } = total.dataset;
    if (known.get(total) === hand) continue;
    known.set(total, hand);
    if (news && !still.matches) count(total, countFrom, countTo);
  }
};
look(false);
for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, () => look(true));

const FIRST = ".table-main .pad .card:not(:disabled, .gone), .table-main form.ask :is(button, input)";
addEventListener("toggle", ({ target }) => {
  if (!target.matches?.(".next-hand[open]")) return;
  const next = [...document.querySelectorAll(FIRST)].find((control) => control.checkVisibility());
  next?.focus({ preventScroll: true });
}, true);
