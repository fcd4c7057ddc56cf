// A tap on a name seats it at the first empty place; without this the chip is a link that does the same.

document.addEventListener("click", (event) => {
  const chip = event.target.closest("a[data-name]");
  if (!chip) return;
  const empty = [...document.querySelectorAll(".place input[name=name]")].find((place) => place.value.trim() === "");
  if (!empty) return;
  event.preventDefault();
  empty.value = chip.dataset.name;
  chip.parentElement.hidden = true;
  const next = document.querySelector("a[data-name]:not([hidden] *)");
  (next ?? empty).focus({ preventScroll: true });
});
