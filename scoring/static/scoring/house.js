// House rules that are chosen: a tap closes what it was chosen from, and the sentence says it; by the keyboard one chooses on.

let byKeyboard = false;
let open = "";
let back = "";
let unfolded = [];
addEventListener("keydown", () => (byKeyboard = true), true);
addEventListener("pointerdown", () => (byKeyboard = false), true);

const close = (pick) => {
  back = pick.id.replace("pick-", "word-");
  if (pick.matches(":popover-open")) pick.hidePopover();
};

// Beside some choices a number is typed.
document.addEventListener("change", ({ target }) => {
  const pick = target.closest(".pick");
  if (!pick || byKeyboard || target.type !== "radio") return;
  const number = target.closest(".end")?.querySelector("input[type=number]");
  if (number) number.focus();
  else close(pick);
}, true);
document.addEventListener("click", ({ target }) => {
  if (target.closest(".pick .primary")) close(target.closest(".pick"));
}, true);

// The sentence comes anew with all that can be chosen beside it; what is open stays open. An answer from before a number
// was typed comes too late: the next one knows it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const typing = document.activeElement;
  if (typing?.matches?.("#house input[type=number]") && (detail.requestConfig?.parameters?.[typing.name] ?? "") !== typing.value) {
    detail.shouldSwap = false;
    return;
  }
  const pick = document.querySelector("#house .pick:popover-open");
  open = pick?.id ?? "";
  unfolded = [...document.querySelectorAll("#house details[open]")].map(({ id }) => id);
  if (pick) back = document.activeElement?.id ?? "";
});
document.addEventListener("htmx:afterSwap", () => {
  const house = document.getElementById("house");
  if (!house) return;
  for (const id of unfolded) house.querySelector(`#${id}`)?.setAttribute("open", "");
  if (open) document.getElementById(open)?.showPopover();
  const word = back && document.getElementById(back);
  if (word && !house.querySelector("[autofocus]")) {
    const fold = word.closest("details");
    if (fold) fold.open = true;
    word.focus({ preventScroll: true });
  }
  open = back = "";
});
