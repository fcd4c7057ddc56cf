// What of a table's page travels once. A request says which parts the page has; the answer holds the others, and of these
// only their places in that list, <!--=first-last-->. A part stands between <!--[mark--> and <!--]-->.

import { table } from "./page.js";

export const HEADER = "Table-Parts";
const PART = /<!--\[([\w-]{7})-->(.*?)<!--\]-->/gs;
const PLACES = /<!--=(\d+)-(\d+)-->/g;
const NAMED = /<!--=([\w-]{7})-->/g;
const VERSIONS = /(name="version" value=")\d+/g;
// Enough for several answers under way at once.
const MOST = 600;
// What was there a trick ago comes again: whose turn it is, and what they may do. So many of those are worth naming.
const OLDER = 60;

const parts = new Map();
let latest = [];

// What the page has. All who look on have the same, and are answered alike.
export const known = () => latest;

// What it has, and had lately.
export const remembered = () => [...latest, ...[...parts.keys()].filter((mark) => !latest.includes(mark)).slice(-OLDER)];

export const part = (mark) => `<!--[${mark}-->${parts.get(mark) ?? ""}<!--]-->`;

// Remember the parts of an answer, and which there are now.
export const learn = (html) => {
  for (const [, mark, text] of html.matchAll(PART)) parts.set(mark, text);
  const marks = [...html.matchAll(/<!--[[=]([\w-]{7})-->/g)].map(([, mark]) => mark);
  if (marks.length) latest = [...new Set(marks)];
  // The latest are the last of them.
  for (const mark of latest.filter((each) => parts.has(each))) {
    const text = parts.get(mark);
    parts.delete(mark);
    parts.set(mark, text);
  }
  for (const mark of parts.keys()) {
    if (parts.size <= MOST) break;
    if (!latest.includes(mark)) parts.delete(mark);
  }
};

// Return the answer to a request that named these parts, with the marks of what it does not hold: <!--=mark-->.
export const named = (answer, marks) => {
  const mark = (each) => `<!--=${each}-->`;
  const html = answer.replace(PLACES, (_, first, last) => marks.slice(first, Number(last) + 1).map(mark).join(""));
  learn(html);
  return html;
};

// Return the same with everything in it. What a form counts on is the version of this answer, wherever it came from.
export const whole = (html) => {
  const filled = html.replace(NAMED, (_, mark) => part(mark));
  const [, version] = /data-version="(\d+)"/.exec(html) ?? [];
  return version ? filled.replace(VERSIONS, `$1${version}`) : filled;
};

if (table()) learn(table().outerHTML);

// --- Folds ----------------------------------------------------------------------------------------------------------
// What lies folded is asked for when somebody opens it, and comes with every answer while it stays open.

export const OPEN = "Table-Open";
export const openFolds = (root) => [...root.querySelectorAll("details[data-fold][open]")].map((fold) => fold.dataset.fold);
export const unfolded = () => openFolds(table()).join();

// It says so before its answer is there; a link stands in it for a browser without scripts.
addEventListener("toggle", ({ target }) => {
  if (target.matches?.("#table details[data-fold][open]") && target.querySelector(":scope > [data-folded]")) {
    document.body.dispatchEvent(new CustomEvent("table-changed"));
  }
}, true);
