// The settings of the *Display* sheet. A tap takes effect at once; the server keeps it in the cookie that pages are
// drawn by. Pages that come from a cache, or were open in another tab, follow the cookie.

import { base } from "./page.js";

const root = document.documentElement;
const YEAR = 365 * 24 * 3600;
const NAMES = ["theme", "deck", "cards", "hand", "sound"];

export const chosenDisplay = (cookie) => {
  const [, kept = ""] = /(?:^|; )display=([\w.-]*)/.exec(cookie) ?? [];
  const pairs = kept.split(".").map((part) => part.split("-"));
  return Object.fromEntries(pairs.filter(([name, value]) => NAMES.includes(name) && value));
};

export const displayCookie = (chosen) =>
  NAMES.filter((name) => chosen[name])
    .map((name) => `${name}-${chosen[name]}`)
    .join(".");

const show = (chosen) => {
  for (const name of NAMES) {
    const value = chosen[name] ?? "";
    if (value) root.dataset[name] = value;
    else delete root.dataset[name];
    for (const button of document.querySelectorAll(`[data-display] [name=${name}]`)) {
      if (name === "theme") {
        button.ariaPressed = String(button.value === value);
      } else {
        button.ariaChecked = String(Boolean(value));
        button.value = value ? "" : button.dataset.value;
      }
    }
  }
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    const { theme } = meta.dataset;
    meta.media = chosen.theme ? (chosen.theme === theme ? "all" : "(width < 0)") : `(prefers-color-scheme: ${theme})`;
  }
};
const follow = () => show(chosenDisplay(document.cookie));

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-display]");
  if (!form) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  const chosen = { ...chosenDisplay(document.cookie), [event.submitter.name]: event.submitter.value };
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `display=${displayCookie(chosen)}; path=${base}; max-age=${YEAR}; samesite=lax${secure}`;
  show(chosen);
  // Without a network the cookie alone holds it.
  fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
});
addEventListener("pageshow", follow);
document.addEventListener("visibilitychange", () => document.hidden || follow());

// --- Text size ------------------------------------------------------------------------------------------------------
// Says on the page how large the reader's text is against the window: media queries know what the browser is set to, but not
// what enlarges text alone.

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
