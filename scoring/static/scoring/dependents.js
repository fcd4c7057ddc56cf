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
