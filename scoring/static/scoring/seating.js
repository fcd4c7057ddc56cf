// Who sits where: names are typed at their places, tapped in, dragged from place to place or moved by the arrows of a keyboard; who
// deals goes along. Named places come first, then those at which somebody can still be added.

const ASIDE = 4;

const table = () => document.querySelector(".table-top");
const places = () => [...table().querySelectorAll(".place")];
const nameIn = (place) => place.querySelector(":scope > input");
const dealerIn = (place) => place.querySelector("input[name=dealer]");
const madeIn = (place) => place.querySelector(".had");
const named = (place) => nameIn(place).value.trim() !== "";
const menu = document.getElementById("seat-menu");

// Return a list with what stood at one place put to another.
export const moved = (list, from, to) => {
  const rest = list.filter((_, place) => place !== from);
  return [...rest.slice(0, to), list[from], ...rest.slice(to)];
};

// Return how each of so many empty places is offered, and among how many the ring is shared out.
export const offered = (taken, least, most) => {
  const aside = taken >= least && taken <= ASIDE;
  const open = taken < least ? least - taken : Number(taken < most);
  return { open, aside: aside && open > 0, ring: aside ? taken : taken + open };
};

const sitting = () =>
  places()
    .filter(named)
    .map((place) => ({
      name: nameIn(place).value,
      mark: place.querySelector(".person").textContent,
      made: madeIn(place)?.textContent,
      deals: dealerIn(place)?.checked,
    }));

// Seat these people from the first place on, and offer the places after them.
const seat = (people) => {
  const rows = places();
  const { open, aside, ring } = offered(people.length, Number(table().dataset.least), rows.length);
  table().className = `table-top ring-${ring}`;
  rows.forEach((row, place) => {
    const { name = "", mark, made = "" } = people[place] ?? {};
    if (nameIn(row).value.trim() !== name.trim()) nameIn(row).value = name;
    row.querySelector(".person").textContent = mark || name.trim().slice(0, 1).toUpperCase();
    if (madeIn(row)) madeIn(row).textContent = made;
    const empty = place - people.length;
    row.classList.toggle("taken", empty < 0);
    row.classList.toggle("open", empty >= 0 && empty < open && !aside);
    row.classList.toggle("aside", empty === 0 && aside);
  });
  const dealer = people.findIndex(({ deals }) => deals);
  const before = rows.findIndex((row) => dealerIn(row)?.checked);
  const now = dealerIn(rows[dealer === -1 ? Math.min(Math.max(before, 0), Math.max(people.length - 1, 0)) : dealer]);
  if (now) now.checked = true;
};

const tell = () => table().dispatchEvent(new Event("change", { bubbles: true }));

const move = (from, to) => {
  const people = sitting();
  if (to < 0 || to >= people.length || from === to) return false;
  seat(moved(people, from, to));
  const said = document.getElementById("moved");
  const words = table().dataset.moved ?? "";
  if (said) said.textContent = words.replace("{name}", people[from].name).replace("{number}", to + 1);
  return true;
};

const placeOf = (element) => places().indexOf(element.closest(".place"));
const next = () => places().find((place) => !named(place) && place.matches(".open, .aside"));

const STEPS = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.(".place > input");
  if (field && event.key === "Enter") {
    event.preventDefault();
    const typed = field.value.trim() !== "";
    field.dispatchEvent(new Event("change", { bubbles: true }));
    const free = typed && next();
    (free ? nameIn(free) : document.querySelector(".dock .primary"))?.focus({ preventScroll: !free });
    return;
  }
  const grip = event.target.closest?.(".grip");
  if (!grip || !(event.key in STEPS)) return;
  event.preventDefault();
  const from = placeOf(grip);
  const to = from + STEPS[event.key];
  if (!move(from, to)) return;
  places()[to].querySelector(".grip").focus();
  tell();
});

// Another name has another mark, and points of its own.
const forget = (place) => {
  place.querySelector(".person").textContent = "";
  if (madeIn(place)) madeIn(place).textContent = "";
};

// With its first letter a name has its seat, and the next one is offered; who is left without a name leaves with the field.
const typed = ({ target, type }) => {
  if (!target.matches?.(".place > input")) return;
  const place = target.closest(".place");
  if (type === "input" && !named(place)) return;
  forget(place);
  seat(sitting());
};
for (const type of ["input", "change"]) document.addEventListener(type, typed, true);

// An answer does not know the names that were typed since it was asked for.
document.addEventListener("redrawn", () => {
  const field = document.activeElement;
  if (field?.matches(".place > input") && field.value.trim() === "") return;
  for (const place of places()) {
    if (nameIn(place).value !== nameIn(place).defaultValue) forget(place);
  }
  seat(sitting());
});

document.addEventListener("click", (event) => {
  const chip = event.target.closest?.("a[data-name]");
  if (!chip) return;
  const empty = places().find((place) => !named(place));
  if (!empty) return;
  event.preventDefault();
  nameIn(empty).value = chip.dataset.name;
  if (madeIn(empty)) madeIn(empty).textContent = chip.querySelector("small")?.textContent ?? "";
  seat(sitting());
  chip.parentElement.hidden = true;
  const other = document.querySelector("a[data-name]:not([hidden] *)");
  (other ?? empty.querySelector(".grip")).focus({ preventScroll: true });
  tell();
});

// A tap on a seat shows what can be done with it; on an empty one, somebody is added.
let dragged = false;
document.addEventListener("click", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip) return;
  event.preventDefault();
  if (dragged) return;
  const place = grip.closest(".place");
  if (!named(place) || !menu) return nameIn(place).focus();
  menu.dataset.place = placeOf(grip);
  document.getElementById("seat-menu-name").textContent = nameIn(place).value;
  menu.showPopover();
});
menu?.addEventListener("click", ({ target }) => {
  const { seat: wanted } = target.dataset;
  if (!wanted) return;
  const place = places()[menu.dataset.place];
  menu.hidePopover();
  if (wanted === "rename") return nameIn(place).select();
  if (wanted === "dealer") dealerIn(place).checked = true;
  else seat(sitting().filter((_, at) => at !== Number(menu.dataset.place)));
  tell();
});

const FAR = 6;
document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest?.(".grip");
  dragged = false;
  if (!grip || !named(grip.closest(".place"))) return;
  const rows = places().filter(named);
  const centres = rows.map((row) => {
    const { x, y, width, height } = row.querySelector(".grip").getBoundingClientRect();
    return [x + width / 2 + scrollX, y + height / 2 + scrollY];
  });
  let at = placeOf(grip);
  const mark = (x = 0, y = 0) => rows.forEach((row, place) => {
    row.classList.toggle("dragged", dragged && place === at);
    row.style.translate = dragged && place === at ? `${x}px ${y}px` : "";
  });
  const drag = ({ pageX, pageY }) => {
    const far = centres.map(([x, y]) => Math.hypot(pageX - x, pageY - y));
    dragged ||= far[at] > FAR + Math.hypot(event.pageX - centres[at][0], event.pageY - centres[at][1]);
    if (!dragged) return;
    const to = far.indexOf(Math.min(...far));
    if (move(at, to)) at = to;
    mark(pageX - centres[at][0], pageY - centres[at][1]);
  };
  const drop = () => {
    const told = dragged;
    dragged = false;
    mark();
    dragged = told;
    removeEventListener("pointermove", drag);
    if (told) tell();
  };
  addEventListener("pointermove", drag);
  addEventListener("pointerup", drop, { once: true });
  addEventListener("pointercancel", drop, { once: true });
});
