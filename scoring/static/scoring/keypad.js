// A number typed on large keys: digits, its sign, and steps that are added to it. The button says what it will record.

import { readTotal, written } from "./adjustment.js";

const LONGEST = 4;
const MINUS = "−";

// What stands there after a key: a digit, "sign", "delete", or a step such as "+10".
export const pressed = (text, key) => {
  const minus = /^[-−]/.test(text) ? MINUS : "";
  const digits = text.replace(/\D/g, "").replace(/^0+(?=.)/, "");
  if (key === "delete") return digits.length > 1 ? minus + digits.slice(0, -1) : "";
  if (key === "sign") return (minus ? "" : MINUS) + digits;
  if (!/^\d$/.test(key)) {
    const sum = written((digits ? readTotal(minus + digits) : 0) + readTotal(key));
    return sum.replace(/\D/g, "").length > LONGEST ? text : sum;
  }
  return digits.length < LONGEST ? minus + (digits === "0" ? key : digits + key) : text;
};

const show = (form) => {
  const does = form?.querySelector("[data-does]");
  const typed = form?.querySelector(".keypad-number");
  if (!does || !typed) return;
  does.dataset.plain ??= does.textContent;
  does.textContent = typed.value ? does.dataset.does.replace("{number}", typed.value) : does.dataset.plain;
};

document.addEventListener("click", ({ target }) => {
  const key = target.closest?.("[data-key]");
  if (!key) return;
  const typed = key.closest(".keypad").querySelector(".keypad-number");
  typed.value = pressed(typed.value, key.dataset.key);
  show(typed.form);
});
document.addEventListener("input", ({ target }) => {
  if (!target.matches?.(".keypad-number")) return;
  target.value = target.value.replace(/^-/, MINUS);
  show(target.form);
});
// A form that was sent is empty again.
document.addEventListener("change", ({ target }) => target.matches?.(".by-keypad") && show(target), true);
// With these keys nobody needs those of the phone.
document.addEventListener("pointerdown", ({ target }) => {
  if (target.matches?.(".keypad-number")) target.inputMode = "none";
}, true);
