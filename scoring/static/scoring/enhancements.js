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
