// Puts an answer of the server on the page, without taking anything from under a finger.

import * as outbox from "./outbox.js";
import { morph } from "./morph.js";
import { code, language, shownVersion, table, versionOf } from "./page.js";
import { whole } from "./parts.js";

// What showing an answer costs, a moment on a quick device, is a while on a slow one. In times that cost, and no longer
// than these milliseconds: answers that come in quick succession are shown together; and while one tap follows another,
// answers wait, for whoever taps sees the taps.
const REST = { times: 3, longest: 250 };
const QUIET = { times: 4, longest: 300 };
const LONGEST_WAIT = { times: 12, longest: 900 };
// On a touch screen the click comes a moment after the finger has left.
const CLICK = 80;
const LONGEST_PRESS = 3000;

let pressed = 0;
let touched = -Infinity;
let came = 0;
let last = -Infinity;
// Until it is known: as on a slow device, where the first answer costs the most.
let cost = 75;
let coming = null;
let read = {};
let timer;

// When to show an answer: it came, the last one was shown, the finger touched, at these milliseconds.
export const whenToShow = ({ cost, came, last, touched }) => {
  const inTimes = ({ times, longest }) => Math.min(times * cost, longest);
  return Math.max(last + inTimes(REST), Math.min(touched + inTimes(QUIET), came + inTimes(LONGEST_WAIT)));
};

const elements = (html) => {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  return [...parsed.content.children];
};

// An answer is the table, and what else on the page is to say something new.
const replace = (fresh) => {
  for (const element of fresh) {
    const old = document.getElementById(element.id);
    if (!old) continue;
    if (element.getAttribute("hx-swap-oob") === "innerHTML") {
      if (old.innerHTML !== element.innerHTML) old.replaceChildren(...element.childNodes);
    } else morph(old, element).forEach((added) => window.htmx.process(added));
  }
  // What a form counts on is what is shown, also in the parts that stayed.
  for (const input of table().querySelectorAll("input[name=version]")) input.value = shownVersion();
};

const put = () => {
  clearTimeout(timer);
  // A version never goes back: an answer may come later than one to a later question.
  if (!table() || coming === null || versionOf(coming) < shownVersion()) return (coming = null);
  if (pressed && performance.now() - pressed < LONGEST_PRESS) return (timer = setTimeout(put, REST.longest));
  const early = whenToShow({ cost, came, last, touched }) - performance.now();
  if (early > 0) return (timer = setTimeout(put, early));
  if (read.html !== coming) {
    read = { html: coming, fresh: elements(coming) };
    // A slow phone takes its time to read an answer; a finger that comes meanwhile goes first.
    return (timer = setTimeout(put));
  }
  const { fresh } = read;
  coming = null;
  read = {};
  const began = performance.now();
  replace(fresh);
  last = performance.now();
  requestAnimationFrame(() => setTimeout(() => (cost = performance.now() - began)));
  document.dispatchEvent(new CustomEvent("table-shown"));
};

// Is this of a later version than what is shown, or about to be?
export const isNews = (html) => versionOf(html) > Math.max(shownVersion(), coming === null ? -1 : versionOf(coming));

export const show = (html) => {
  if (coming !== null && versionOf(html) < versionOf(coming)) return;
  if (coming === null) came = performance.now();
  coming = html;
  put();
};

addEventListener("pointerdown", () => (pressed = touched = performance.now()), true);
for (const released of ["pointerup", "pointercancel"]) {
  addEventListener(released, () => setTimeout(() => { pressed = 0; put(); }, CLICK), true);
}

// --- The last page shown --------------------------------------------------------------------------------------------
// The last thing this table showed; a page that comes out of a cache may be older.

export const remember = (html) =>
  outbox.quietly(outbox.keepShown({ table: code, version: versionOf(html), language, html: whole(html) }));

const recall = async () => {
  const state = await outbox.shown(code).catch(() => null);
  if (state && state.language === language && state.version > shownVersion()) show(state.html);
};

if (code) recall();
