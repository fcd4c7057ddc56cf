// An infraction that was caught lies over the table until it is decided, or put aside on this device; its note brings it back.

const seen = new Set();

// One that is new is felt, where the phone lets it.
const look = (news) => {
  for (const caught of document.querySelectorAll(".caught[data-fresh]")) {
    if (seen.has(caught.id)) continue;
    seen.add(caught.id);
    if (news && caught.checkVisibility()) navigator.vibrate?.(60);
  }
};
look(false);
document.addEventListener("table-shown", () => look(true));

document.addEventListener("click", (event) => {
  const note = event.target.closest?.("[data-caught]");
  const caught = note && document.getElementById(note.dataset.caught);
  if (!caught) return;
  event.preventDefault();
  caught.querySelector(".put-aside").open = false;
  caught.querySelector(".deciding").open = true;
  caught.scrollIntoView({ block: "nearest" });
  caught.querySelector(".deciding summary").focus({ preventScroll: true });
});
