// House rules that are chosen: a word of the sentence opens what there is, a tap on a choice closes it; by the keyboard one chooses on.

let byKeyboard = false;
addEventListener("keydown", () => (byKeyboard = true), true);
addEventListener("pointerdown", () => (byKeyboard = false), true);

const picked = (word) => document.getElementById(word.hash.slice(1));
document.addEventListener("click", (event) => {
  const word = event.target.closest?.("a.word");
  if (word) {
    event.preventDefault();
    picked(word)?.showPopover();
  } else if (event.target.closest?.(".pick .primary")) event.target.closest(".pick").hidePopover();
});
document.addEventListener("keydown", (event) => {
  const word = event.key === " " && event.target.closest?.("a.word");
  if (!word) return;
  event.preventDefault();
  picked(word)?.showPopover();
});

// Beside some choices a number is typed.
document.addEventListener("change", ({ target }) => {
  const pick = target.closest?.(".pick");
  if (!pick) return;
  const said = document.querySelector(`[data-picked="${pick.id}"]`);
  if (said) said.textContent = target.type === "radio" ? target.closest("label").textContent.trim() : target.value || target.placeholder;
  if (byKeyboard || target.type !== "radio") return;
  const number = target.closest(".end")?.querySelector("input[type=number]");
  if (number) number.focus();
  else if (pick.matches(":popover-open")) pick.hidePopover();
}, true);
