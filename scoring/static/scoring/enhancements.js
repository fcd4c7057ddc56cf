// Progressive enhancements of every page.

// A number typed beside a choice makes that choice.
document.addEventListener("input", (event) => {
  const choice = event.target.closest(".end")?.querySelector("input[type=radio]");
  if (choice) choice.checked = true;
});

// A page that comes out of the browser's memory, or was open in another tab, follows a language chosen since.
export const chosenLanguage = (cookie) => /(?:^|; )language=([\w-]+)/.exec(cookie)?.[1];
const speaksAsChosen = () => {
  const chosen = chosenLanguage(document.cookie);
  return !chosen || chosen === document.documentElement.lang || !document.querySelector("[data-languages]");
};
addEventListener("pageshow", (event) => event.persisted && !speaksAsChosen() && location.reload());
document.addEventListener("visibilitychange", () => document.hidden || speaksAsChosen() || location.reload());

// A ruling asks for a decision: bring it into view and read it out.
const bringIntoView = () => {
  const message = document.getElementById("message");
  if (message) {
    message.focus({ preventScroll: true });
    message.scrollIntoView({ block: "nearest" });
  }
};
for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, bringIntoView);

// --- Search among chips ---------------------------------------------------------------------------------------------
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
