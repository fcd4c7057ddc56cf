// Shows what waits: on what was tapped, as a number in the head of the page, and, when the referee or the table did not
// take something, as a sheet with what can be done about it.

import { refusal, standing } from "./queue.js";
import { entries, hasFailed, isSending, taps } from "./sending.js";
import { decisions, isReplacing } from "./taps.js";

// A tap that is answered soon is not worth a word.
const SOON = 700;

const pill = document.getElementById("waiting");
const sheet = document.getElementById("stopped");
let since = null;
let timer;

const touched = ({ event, button, marks }) => {
  const found = button ? [document.getElementById(button)] : [];
  for (const form of document.querySelectorAll(`#table form[data-event="${CSS.escape(event)}"]`)) {
    for (const [name, value] of marks) {
      found.push(...form.querySelectorAll(`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`));
    }
  }
  return found.filter(Boolean);
};

const describe = (element, waits) => {
  const words = (element.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== "waiting-word");
  if (waits) words.push("waiting-word");
  if (words.length) element.setAttribute("aria-describedby", words.join(" "));
  else element.removeAttribute("aria-describedby");
};

const mark = () => {
  // Also what is recorded by now, until the page says so itself: a key that is free again would be tapped again.
  const waiting = standing(taps()).filter((entry) => !entry.refused);
  const undoing = entries.filter((entry) => entry.button === "undo" && !entry.refused);
  const wanted = new Set([...waiting, ...undoing].flatMap(touched));
  for (const element of document.querySelectorAll("#table .waiting")) {
    if (wanted.has(element)) continue;
    element.classList.remove("waiting");
    describe(element, false);
    element.removeAttribute("aria-disabled");
    if (element.type === "checkbox") element.disabled = false;
  }
  for (const element of wanted) {
    element.classList.add("waiting");
    describe(element, true);
    if (element.name !== "cards" || element.disabled) continue;
    // Not disabled, or a keyboard would lose its place.
    if (element.type === "checkbox") element.disabled = true;
    else element.setAttribute("aria-disabled", "true");
  }
  // What waits here can be taken back, also where nothing that is recorded can.
  const undo = document.getElementById("undo");
  if (undo?.hasAttribute("data-nothing")) undo.disabled = waiting.length === 0;
  if (undo && waiting.length) for (const name of ["aria-label", "title"]) undo.removeAttribute(name);
};

const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

const showCount = () => {
  clearTimeout(timer);
  const count = entries.length;
  since = count ? (since ?? performance.now()) : null;
  const status = refusal(entries);
  const late = count > 0 && (status !== null || hasFailed() || performance.now() - since >= SOON);
  if (count && !late) timer = setTimeout(showCount, SOON);
  const state = status !== null ? "stopped" : hasFailed() ? "offline" : "sending";
  pill.toggleAttribute("data-sending", isSending());
  setText(pill.querySelector("[data-count]"), String(count));
  if (late) {
    for (const words of pill.querySelectorAll("[data-when]")) words.hidden = words.dataset.when !== state;
  }
  pill.classList.toggle("late", late);
  document.body.toggleAttribute("data-waiting", late);
  sheet.hidden = isReplacing() || !needsSheet(status, count, isRuledHere());
  if (!sheet.hidden) fill();
};

// The ruling stands on the page, with its choices.
const isRuledHere = () => document.getElementById("message") !== null;
const isRuled = (status, ruledHere) => [409, 422].includes(status) && ruledHere;
export const needsSheet = (status, count, ruledHere) => status !== null && (count > 1 || !isRuled(status, ruledHere));

const fill = () => {
  const [first, ...rest] = entries;
  setText(sheet.querySelector("[data-refused]"), first.label);
  sheet.querySelector("[data-rest]").hidden = rest.length === 0;
  setText(sheet.querySelector("[data-waiting-labels]"), rest.map(({ label }) => label).join(" · "));
  sheet.querySelector("[data-do=dropAll]").hidden = rest.length === 0;
  sheet.querySelector("[data-do=again]").hidden = isRuled(first.refused, isRuledHere());
};

const refresh = () => {
  mark();
  showCount();
};

if (pill && sheet) {
  sheet.addEventListener("click", (event) => {
    const act = event.target.closest("[data-do]")?.dataset.do;
    if (act) decisions[act]();
  });
  for (const happening of ["outbox-changed", "table-shown"]) document.addEventListener(happening, refresh);
  refresh();
}
