// The forms that record something at a table.

import { table } from "./page.js";

// --- A form far down the page ---------------------------------------------------------------------------------------
// Where it was recorded, the page shows what became of it: the folds close, the scores come into view.

document.addEventListener("tap-recorded", ({ detail: { event, action } }) => {
  const form = table()?.querySelector(`form[data-event="${CSS.escape(event)}"]`);
  const isFarDown = form?.matches("#more *, :has(.results)");
  if (!isFarDown && !action.endsWith("/settle/")) return;
  for (let fold = form?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = false;
  scrollTo({ top: 0 });
});

// --- One tap plays --------------------------------------------------------------------------------------------------
// Where one card is played at a time, a tap on it plays it; where several are put together, they are ticked first.

const plays = (form) => form?.querySelector(".single-or-several [value=single]:checked");

document.addEventListener(
  "change",
  (event) => {
    const card = event.target;
    if (card.name !== "cards" || !card.checked || !plays(card.form)) return;
    // What it would be needs no look before it is played.
    event.stopImmediatePropagation();
    card.form.requestSubmit();
  },
  true,
);

// --- Choices that depend on others ----------------------------------------------------------------------------------
// What depends on a choice is asked for once that choice is made, and not before: nothing is recorded by mistake.

const settle = (form) => {
  const opened = form.querySelector("input.opens:checked") !== null;
  for (const field of form.querySelectorAll("fieldset.after")) {
    field.disabled = !opened;
    for (const choice of field.querySelectorAll("input[type=radio]")) choice.required = opened;
  }
  for (const choice of form.querySelectorAll("[data-goes-with] :checked")) {
    if (choice.closest("label").offsetParent === null) choice.checked = false;
  }
};

document.addEventListener("change", ({ target }) => {
  const form = target.form ?? target;
  if (form.matches?.("form:has(input.opens)")) settle(form);
});

// What was begun on a sheet that is closed is forgotten.
document.addEventListener(
  "toggle",
  ({ target, newState }) => {
    const form = newState === "closed" && target.querySelector?.(":scope > form:has(input.opens)");
    if (!form) return;
    form.reset();
    settle(form);
  },
  true,
);
