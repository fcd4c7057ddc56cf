// Redraws parts of a page in place while taps go on.

import { morph } from "./morph.js";

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
