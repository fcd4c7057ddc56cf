// How answers that htmx fetches take their place on a page.

import { tellMoments } from "./clock.js";
import { morph } from "./morph.js";

// Told to htmx before it looks at the page; it runs no code out of attributes.
Object.assign(window.htmx?.config ?? {}, {
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  attributesToSettle: [],
  responseHandling: [
    { code: "204", swap: false },
    { code: "[23]..", swap: true },
    { code: "403|409|412|422", swap: true, error: false },
    { code: "[45]..", swap: false, error: true },
  ],
});

// A whole page that answers a form, such as one that says why not, takes the place of the page: in a part of it, or not
// shown at all, nobody would see it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.requestConfig.verb !== "post" || !/^\s*<!doctype/i.test(detail.xhr.responseText)) return;
  detail.shouldSwap = true;
  detail.target = document.body;
  detail.swapOverride = "innerHTML show:window:top";
});

// --- Parts that are redrawn while taps go on ------------------------------------------------------------------------

const RELEASED = 50;
let pressed = false;
let late;

addEventListener("pointerdown", () => (pressed = true), true);
for (const over of ["pointerup", "pointercancel"]) {
  addEventListener(over, () => setTimeout(() => {
    pressed = false;
    const changed = late;
    late = undefined;
    if (changed?.isConnected) changed.dispatchEvent(new Event("change", { bubbles: true }));
  }, RELEASED), true);
}

// A form that stays (`data-stays`) is made like the answer: each button is the same element as before, so that a finger on it
// presses it, a sheet stays open and a field keeps its focus. What is ticked and which numbers stand there, the answer says.
const TICKS = "input:is([type=radio], [type=checkbox])";
const redraw = (old, html) => {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  for (const control of old.querySelectorAll(TICKS)) control.defaultChecked = control.checked;
  for (const added of morph(old, parsed.content.firstElementChild)) window.htmx.process(added);
  for (const number of old.querySelectorAll("input[type=number]")) {
    if (number !== document.activeElement) number.value = number.defaultValue;
  }
  old.querySelector("[autofocus]")?.focus();
  old.dispatchEvent(new Event("redrawn", { bubbles: true }));
};

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.shouldSwap && detail.target.matches?.("[data-stays]")) {
    detail.shouldSwap = false;
    // An answer from before a number was typed comes too late: the next one knows it.
    const typing = document.activeElement;
    const sent = typing?.type === "number" && detail.requestConfig.parameters?.[typing.name];
    if (typing?.type !== "number" || (sent ?? "") === typing.value) redraw(detail.target, detail.xhr.responseText);
    return;
  }
  // Elsewhere a button that is another one by the time it is released was never pressed: the answer waits for the finger.
  const event = detail.requestConfig?.triggeringEvent;
  if (!pressed || event?.type !== "change") return;
  detail.shouldSwap = false;
  late = event.target;
});

// --- The page of an evening -----------------------------------------------------------------------------------------
// The page of an evening follows its tables without taking anything from under a finger: what is open stays open.

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "evening" || detail.xhr.status !== 200) return;
  const parsed = document.createElement("template");
  parsed.innerHTML = detail.serverResponse;
  const fresh = parsed.content.querySelector("#evening");
  if (fresh === null) return;
  detail.shouldSwap = false;
  morph(detail.target, fresh);
  tellMoments();
});
