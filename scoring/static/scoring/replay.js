// A hand looked at again, by the arrow keys, Home and End, and by a swipe across the felt.

const KEYS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const FAR = 60;

const addressOf = (step) => {
  const links = [...document.querySelectorAll(".all-tricks a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  const place = { prev: at - 1, next: at + 1, first: 0, last: links.length - 1 }[step];
  const wanted = links[place];
  return wanted && place !== at ? wanted.href : null;
};

const go = (step) => {
  const address = addressOf(step);
  if (address) location.assign(address);
  return address !== null;
};

// Which way a swipe goes, mostly sideways and far enough: 1 is back, -1 on, 0 none.
export const swiped = (from, to) => {
  const [across, down] = [to.x - from.x, to.y - from.y];
  return Math.abs(across) < FAR || Math.abs(across) < 2 * Math.abs(down) ? 0 : Math.sign(across);
};

if (document.querySelector(".all-tricks")) {
  document.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    if (!step || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, .scroll")) return;
    if (go(step)) event.preventDefault();
  });
  const felt = document.querySelector(".replay .felted");
  const point = ({ changedTouches: [touch] }) => ({ x: touch.clientX, y: touch.clientY });
  let from = null;
  felt.addEventListener("touchstart", (event) => (from = event.touches.length === 1 ? point(event) : null), {
    passive: true,
  });
  felt.addEventListener("touchend", (event) => {
    const way = from ? swiped(from, point(event)) : 0;
    from = null;
    if (way) go(way > 0 ? "prev" : "next");
  });
}
