// Cards by their names and from the keyboard; everything works without them.
//
// Typing a code or the beginning of a name picks a card of the pad ("8ms", "dipl"), Enter plays it, Escape forgets it.
// "?" and the button show the names on the cards; a long press says the name of one.

const LONG_PRESS = 450;
const NAME_STAYS = 2500;
const echo = document.getElementById("typed");
let typed = "";
let pressing, forgetting;
let pressed = false;

const showText = (text, forget = false) => {
  clearTimeout(forgetting);
  if (echo) echo.textContent = text;
  if (forget) forgetting = setTimeout(showText, NAME_STAYS, "");
};

// --- Typing --------------------------------------------------------------------------------------------------------

const code = (card) => (card.matches("button") ? card : card.querySelector("input")).value.toLowerCase();
const cards = () =>
  [...document.querySelectorAll(".table-main > form.ask .pad .card")].filter(
    (card) => !card.matches(":disabled, .gone"),
  );

const search = () => {
  const there = cards();
  const name = (card) => (card.dataset.name ?? card.title).toLowerCase();
  return fitting(typed, there.map((card) => ({ code: code(card), name: name(card) }))).map((place) => there[place]);
};

// A card may be in the deck that is out of sight.
const name = (card) => {
  card.classList.add("named");
  const number = /deck-(\d)/.exec(card.closest(".deck")?.className)?.[1];
  const tab = card.closest(".two-decks")?.querySelector(`.deck-tab-${number}`);
  if (tab) tab.checked = true;
};

const show = () => {
  for (const card of document.querySelectorAll(".card.named")) card.classList.remove("named");
  if (!typed) return showText("");
  const found = search();
  if (found.length === 1) name(found[0]);
  const names = found.length > 3 ? "…" : found.map((card) => card.title).join(", ") || echo?.dataset.none;
  showText(`${typed} – ${names}`);
};

const forget = () => {
  typed = "";
  show();
};

const play = () => {
  const found = search();
  if (found.length !== 1) return;
  forget();
  found[0].click();
};

const elsewhere = (target) =>
  target.closest("textarea, select, summary, [contenteditable], input:not([type=radio], [type=checkbox])");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || elsewhere(event.target)) return;
  if (event.key === "?") return names();
  if (event.key === "Escape" && typed) return forget();
  if (event.key === "Enter" && typed) {
    event.preventDefault();
    return play();
  }
  if (event.key === "Backspace" && typed) typed = typed.slice(0, -1);
  else if (/^[\p{L}\d*]$/u.test(event.key) && cards().length) typed += event.key.toLowerCase();
  else return;
  show();
});

// --- Names ---------------------------------------------------------------------------------------------------------

const shown = () => document.body.classList.contains("names");

const ready = () => {
  const button = document.getElementById("names");
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(shown()));
};

const names = () => {
  document.body.classList.toggle("names");
  localStorage.setItem("names", shown() ? "1" : "");
  ready();
};

document.addEventListener("pointerdown", (event) => {
  pressed = false;
  clearTimeout(pressing);
  const card = event.target.closest(".pad .card");
  if (!card || event.pointerType === "mouse") return;
  pressing = setTimeout(() => {
    pressed = true;
    showText(card.title, true);
  }, LONG_PRESS);
});
for (const over of ["pointerup", "pointercancel", "pointermove"]) {
  document.addEventListener(over, (event) => {
    if (over !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) clearTimeout(pressing);
  });
}
// A long press asks for the name: it plays nothing.
document.addEventListener(
  "click",
  (event) => {
    if (event.target.closest("#names")) names();
    if (!pressed || !event.target.closest(".pad .card")) return;
    pressed = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

if (localStorage.getItem("names")) document.body.classList.add("names");
for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, ready);
ready();

// --- Which cards are meant ------------------------------------------------------------------------------------------
// A code, with its suits in any order, or the beginning of a code or name.

const inOrder = (code) => code.replace(/[a-z*]+$/, (suits) => [...suits].sort().join(""));

// Return the places of those that fit, of cards with a code and a name, all in small letters.
export const fitting = (typed, cards) => {
  const places = (fits) => cards.flatMap((card, place) => (fits(card) ? [place] : []));
  const exact = places(({ code }) => inOrder(code) === inOrder(typed));
  return exact.length ? exact : places(({ code, name }) => code.startsWith(typed) || name.startsWith(typed));
};
