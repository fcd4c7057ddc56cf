// Finds somebody among many chips: those whose name does not hold what is typed are hidden, chosen ones stay.

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

document.addEventListener("input", ({ target }) => {
  if (!target.matches?.("[data-chip-search]")) return;
  const words = plain(target.value.trim());
  for (const chip of document.getElementById(target.dataset.chipSearch).children) {
    chip.hidden = !chip.querySelector(":checked") && !plain(chip.textContent).includes(words);
  }
});

// Enter looks for somebody and draws no tables.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches?.("[data-chip-search]")) event.preventDefault();
});
