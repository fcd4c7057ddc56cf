// Says on the page how large the reader's text is against the window: media queries know what the browser is set to, but not
// what enlarges text alone.

const root = document.documentElement;
const LARGE = 18.5;
const LARGEST = 16.5;

export const sizeOf = (ems) => (ems < LARGEST ? "largest" : ems < LARGE ? "large" : "");

const look = () => {
  const size = sizeOf(innerWidth / parseFloat(getComputedStyle(root).fontSize));
  if (size) root.dataset.text = size;
  else delete root.dataset.text;
};
new ResizeObserver(look).observe(document.querySelector(".site .icon") ?? document.body);
addEventListener("resize", look);
