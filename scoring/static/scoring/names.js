// A tap on a name seats it at the first empty place; without this file the chip is a link that does the same.
"use strict";

document.addEventListener("click", (event) => {
  const chip = event.target.closest("[data-name]");
  if (!chip) return;
  const empty = [...document.querySelectorAll(".place input[name=name]")].find((place) => place.value.trim() === "");
  if (!empty) return;
  event.preventDefault();
  empty.value = chip.dataset.name;
  chip.parentElement.hidden = true;
  const next = document.querySelector("[data-name]:not([hidden] *)");
  (next ?? empty).focus({ preventScroll: true });
});
