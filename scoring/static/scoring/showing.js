// Puts an answer of the server on the page, without taking anything from under a finger or out of a form.
"use strict";

window.cardTable ??= {};

(() => {
  // Answers that come in quick succession are shown together.
  const REST = 250;
  // On a touch screen the click comes a moment after the finger has left.
  const CLICK = 80;
  const LONGEST_PRESS = 3000;

  let pressed = 0;
  let last = 0;
  let coming = null;
  let timer;

  const place = () => document.getElementById("table");
  const version = (html) => Number(/data-version="(\d+)"/.exec(html)?.[1] ?? -1);
  const shown = () => Number(place()?.dataset.version ?? -1);

  // --- What somebody is in the middle of ------------------------------------------------------------------------------

  const isTicked = (control) => control.type === "checkbox" || control.type === "radio";
  const changed = (control) => {
    if (control.type === "hidden") return false;
    if (isTicked(control)) return control.checked && !control.defaultChecked;
    if (control.tagName === "SELECT") return control.selectedIndex > 0;
    return control.tagName === "INPUT" && control.value !== control.defaultValue;
  };
  const formOf = (element) => element.closest("form")?.dataset.event ?? "";
  const foldOf = (details) => `${formOf(details)} ${details.querySelector("summary")?.textContent.trim()}`;
  const selector = ({ name, value }, ticked) =>
    `[name="${CSS.escape(name)}"]` + (ticked ? `[value="${CSS.escape(value)}"]` : "");

  const takeNote = (table) => ({
    folds: new Set([...table.querySelectorAll("details[open]")].map(foldOf)),
    chosen: new Set([...table.querySelectorAll("form[data-chosen]")].map((form) => form.dataset.event)),
    entries: [...table.querySelectorAll("form[data-event] :is(input, select)")].filter(changed).map((control) => ({
      event: formOf(control),
      name: control.name,
      value: control.value,
      ticked: isTicked(control),
      place: [...control.form.querySelectorAll(selector(control, isTicked(control)))].indexOf(control),
    })),
  });

  const putBack = (table, note) => {
    for (const details of table.querySelectorAll("details")) if (note.folds.has(foldOf(details))) details.open = true;
    for (const event of note.chosen) {
      const form = table.querySelector(`form[data-event="${CSS.escape(event)}"]`);
      if (form) form.dataset.chosen = "";
    }
    for (const entry of note.entries) {
      const form = table.querySelector(`form[data-event="${CSS.escape(entry.event)}"]`);
      const control = form?.querySelectorAll(selector(entry, entry.ticked))[entry.place];
      if (!control || control.disabled) continue;
      if (entry.ticked) control.checked = true;
      else control.value = entry.value;
    }
  };

  // --- Showing ----------------------------------------------------------------------------------------------------------

  const put = () => {
    clearTimeout(timer);
    const table = place();
    // A version never goes back: an answer may come later than one to a later question.
    if (!table || coming === null || version(coming) < shown()) return (coming = null);
    if (pressed && performance.now() - pressed < LONGEST_PRESS) return (timer = setTimeout(put, REST));
    const early = last + REST - performance.now();
    if (early > 0) return (timer = setTimeout(put, early));
    const html = coming;
    coming = null;
    const note = takeNote(table);
    htmx.swap(table, html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
    putBack(place(), note);
    last = performance.now();
    document.dispatchEvent(new CustomEvent("table-shown"));
  };

  cardTable.show = (html) => {
    if (coming !== null && version(html) < version(coming)) return;
    coming = html;
    put();
  };
  cardTable.version = version;
  cardTable.shownVersion = shown;

  addEventListener("pointerdown", () => (pressed = performance.now()), true);
  for (const released of ["pointerup", "pointercancel"]) {
    addEventListener(released, () => setTimeout(() => { pressed = 0; put(); }, CLICK), true);
  }

  // What other phones record comes by the same door.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, requestConfig, xhr } = event.detail;
    if (target?.id !== "table" || requestConfig?.verb !== "get" || xhr.status !== 200) return;
    event.detail.shouldSwap = false;
    cardTable.show(xhr.responseText);
    cardTable.remember?.(xhr.responseText);
  });
})();
