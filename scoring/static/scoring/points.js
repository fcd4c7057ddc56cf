// Points and other numbers that are typed.

// --- Points that the table takes from a score or gives it -----------------------------------------------------------
// What comes of them stands beside the names before anybody taps.

// The points by which a score changes, below nothing where they are taken away; null while no number is chosen.
export const changeOf = ({ chosen, typed, way }) => {
  const text = typed.trim() || chosen || "";
  if (!/^\d{1,9}$/.test(text)) return null;
  return way === "gives" ? Number(text) : -Number(text);
};

// The totals that move when these points change the score of a seat: those of all on its side.
export const moved = (totals, side, change) =>
  totals.flatMap(({ name, total }, seat) =>
    side.includes(seat) && total !== null ? [{ name, before: total, after: total + change }] : [],
  );

const MINUS = "−";
export const written = (number) => String(number).replace("-", MINUS);
export const readTotal = (text) => Number(text.trim().replace(MINUS, "-"));

const totalsShown = () =>
  [...document.querySelectorAll("#table .seat")].map((seat) => {
    const total = seat.querySelector(".seat-total");
    return { name: seat.querySelector(".seat-name").textContent, total: total && readTotal(total.textContent) };
  });

// What a finding says of each point, or what follows from the totals on the page.
const foresee = (form, { sides, each }, change) => {
  if (each) {
    return JSON.parse(each).map(([name, before, step]) => ({ name, before, after: before - change * step }));
  }
  const seat = form.querySelector("input[name=seat]:checked");
  return seat ? moved(totalsShown(), JSON.parse(sides)[Number(seat.value)], change) : [];
};

const lineOf = ({ name, before, after }) => {
  const line = document.createElement("span");
  const total = document.createElement("strong");
  total.textContent = written(after);
  line.append(`${name} ${written(before)} → `, total);
  line.className = "change";
  return line;
};

// What stands there without a number.
const unchosen = new WeakMap();

const update = (form) => {
  const points = form.querySelector(".adjustment");
  const shown = form.querySelector(".foreseen");
  const typed = points.querySelector("input[type=number]");
  const chosen = points.querySelector(".amounts input:checked")?.value;
  const way = points.querySelector("input[value=gives]:checked")?.value;
  const change = changeOf({ chosen, typed: typed.value, way });
  typed.setCustomValidity(change === null ? points.dataset.needed : "");
  if (!shown) return;
  unchosen.set(shown, unchosen.get(shown) ?? [...shown.childNodes]);
  const lines = change === null ? [] : foresee(form, shown.dataset, change).map(lineOf);
  shown.replaceChildren(...(lines.length ? lines : unchosen.get(shown)));
};

const follow = ({ target }) => {
  const form = target.matches?.("form") ? target : target.form;
  const points = form?.querySelector(".adjustment");
  if (!points) return;
  // Of a number chosen and one typed the later counts.
  if (target.matches(".amounts input")) points.querySelector("input[type=number]").value = "";
  else if (target.matches("input[type=number]") && target.value) {
    for (const chosen of points.querySelectorAll(".amounts input")) chosen.checked = false;
  }
  update(form);
};
// A tap on the button comes first, so that the browser knows whether it may send.
for (const happening of ["click", "input", "change"]) document.addEventListener(happening, follow, true);

// --- A keypad -------------------------------------------------------------------------------------------------------
// A number typed on large keys: digits, its sign, and steps that are added to it. The button says what it will record.

const LONGEST = 4;

// What stands there after a key: a digit, "sign", "delete", or a step such as "+10".
export const pressed = (text, key) => {
  const minus = /^[-−]/.test(text) ? MINUS : "";
  const digits = text.replace(/\D/g, "").replace(/^0+(?=.)/, "");
  if (key === "delete") return digits.length > 1 ? minus + digits.slice(0, -1) : "";
  if (key === "sign") return (minus ? "" : MINUS) + digits;
  if (!/^\d$/.test(key)) {
    const sum = written((digits ? readTotal(minus + digits) : 0) + readTotal(key));
    return sum.replace(/\D/g, "").length > LONGEST ? text : sum;
  }
  return digits.length < LONGEST ? minus + (digits === "0" ? key : digits + key) : text;
};

const tellButton = (form) => {
  const does = form?.querySelector("[data-does]");
  const typed = form?.querySelector(".keypad-number");
  if (!does || !typed) return;
  does.dataset.plain ??= does.textContent;
  does.textContent = typed.value ? does.dataset.does.replace("{number}", typed.value) : does.dataset.plain;
};

document.addEventListener("click", ({ target }) => {
  const key = target.closest?.("[data-key]");
  if (!key) return;
  const typed = key.closest(".keypad").querySelector(".keypad-number");
  typed.value = pressed(typed.value, key.dataset.key);
  tellButton(typed.form);
});
document.addEventListener("input", ({ target }) => {
  if (!target.matches?.(".keypad-number")) return;
  target.value = target.value.replace(/^-/, MINUS);
  tellButton(target.form);
});
// A form that was sent is empty again.
document.addEventListener("change", ({ target }) => target.matches?.(".by-keypad") && tellButton(target), true);
// With these keys nobody needs those of the phone.
document.addEventListener("pointerdown", ({ target }) => {
  if (target.matches?.(".keypad-number")) target.inputMode = "none";
}, true);
