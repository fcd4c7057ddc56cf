// What a page draws anew when a field is left waits for the finger that left it: a button that is another one by the time it is
// released was never pressed.

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
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const event = detail.requestConfig?.triggeringEvent;
  if (!pressed || event?.type !== "change") return;
  detail.shouldSwap = false;
  late = event.target;
});
