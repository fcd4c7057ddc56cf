// Names change places by a finger that drags them, or by the arrows of a keyboard; who deals goes along.

const places = () => [...document.querySelectorAll(".places .place")];
const nameIn = (place) => place.querySelector("input[name=name]");
const dealerIn = (place) => place.querySelector("input[name=dealer]");

// Return a list with what stood at one place put to another.
export const moved = (list, from, to) => {
  const rest = list.filter((_, place) => place !== from);
  return [...rest.slice(0, to), list[from], ...rest.slice(to)];
};

const move = (from, to) => {
  const rows = places();
  if (to < 0 || to >= rows.length || from === to) return false;
  const sitting = rows.map((row) => ({ name: nameIn(row).value, deals: dealerIn(row)?.checked }));
  moved(sitting, from, to).forEach(({ name, deals }, place) => {
    nameIn(rows[place]).value = name;
    if (deals) dealerIn(rows[place]).checked = true;
  });
  const said = document.getElementById("moved");
  const words = rows[to].parentElement.dataset.moved ?? "";
  if (said) said.textContent = words.replace("{name}", nameIn(rows[to]).value).replace("{number}", to + 1);
  return true;
};

const STEPS = { ArrowUp: -1, ArrowDown: 1 };
document.addEventListener("keydown", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip || !(event.key in STEPS)) return;
  event.preventDefault();
  const from = places().indexOf(grip.closest(".place"));
  const to = from + STEPS[event.key];
  if (move(from, to)) places()[to].querySelector(".grip").focus();
});

// A tap on the handle does what it does without this, but keeps the page.
document.addEventListener("click", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip) return;
  event.preventDefault();
  if (event.detail === 0) move(places().indexOf(grip.closest(".place")), places().indexOf(grip.closest(".place")) - 1);
});

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip) return;
  let from = places().indexOf(grip.closest(".place"));
  const mark = (on) => places().forEach((row, place) => row.classList.toggle("dragged", on && place === from));
  const drag = ({ clientY }) => {
    const to = places().findIndex((row) => clientY < row.getBoundingClientRect().bottom);
    if (move(from, to === -1 ? places().length - 1 : to)) from = to === -1 ? places().length - 1 : to;
    mark(true);
  };
  const drop = () => {
    mark(false);
    removeEventListener("pointermove", drag);
  };
  mark(true);
  addEventListener("pointermove", drag);
  addEventListener("pointerup", drop, { once: true });
  addEventListener("pointercancel", drop, { once: true });
});
