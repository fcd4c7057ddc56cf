// The numbers of a hand's result, one for every player: what is left to give, and the last one as soon as it follows.

// What the numbers come to: how many are missing (null), and what is left of their total, where the rules fix it.
export const tally = (numbers, total) => ({
  missing: numbers.filter((number) => number === null).length,
  left: total === null ? null : total - numbers.reduce((sum, number) => sum + (number ?? 0), 0),
});

// Whose number follows from the others, and which: what is left of the total, or what the one left out always has.
export const implied = (numbers, { total, rest }) => {
  const { missing, left } = tally(numbers, total);
  const number = left ?? rest;
  return missing === 1 && number !== null && number >= 0 ? { seat: numbers.indexOf(null), number } : null;
};

// How it stands: "none" is there, numbers are "missing", the sum is "over" or has something "left", or all is "full".
export const standing = (numbers, total) => {
  const { missing, left } = tally(numbers, total);
  if (missing === numbers.length) return "none";
  if (left !== null && left !== 0) return left < 0 ? "over" : "left";
  return missing ? "missing" : "full";
};

const whole = (text) => (text === undefined || text.trim() === "" ? null : Number(text));
const inputs = (each) => [...each.querySelectorAll("input:not([type=hidden])")];
const isChip = (input) => input.type === "radio";
const numberOf = (each) => whole(inputs(each).find((input) => !isChip(input) || input.checked)?.value);
const setNumber = (each, number) => {
  for (const input of inputs(each)) {
    if (isChip(input)) input.checked = number !== null && input.value === String(number);
    else input.value = number ?? "";
  }
};

const update = (form, results) => {
  const players = [...results.querySelectorAll(".each")];
  const rule = { total: whole(results.dataset.total), rest: whole(results.dataset.rest) };
  const chosen = players.map((each) => (each.hasAttribute("data-implied") ? null : numberOf(each)));
  const follows = implied(chosen, rule);
  for (const [seat, each] of players.entries()) {
    if (follows?.seat === seat) {
      each.dataset.implied = "";
      setNumber(each, follows.number);
    } else if (each.hasAttribute("data-implied")) {
      delete each.dataset.implied;
      setNumber(each, null);
    }
  }
  const numbers = players.map(numberOf);
  const shown = form.querySelector(".tally");
  if (!shown) return;
  const state = standing(numbers, rule.total);
  const { missing, left } = tally(numbers, rule.total);
  const facts = { missing, left, over: -left, total: rule.total };
  shown.textContent = shown.dataset[state].replace(/\{(\w+)\}/g, (place, name) => facts[name]);
  shown.classList.toggle("counted", state !== "none");
  shown.classList.toggle("over", state === "over");
  form.querySelector(".submit .primary").setCustomValidity(state === "full" ? "" : shown.textContent);
};

const follow = ({ target }) => {
  const form = target.matches?.("form") ? target : target.form;
  const results = form?.querySelector(".result-entry");
  if (!results) return;
  // Whoever says a number has said it: it no longer follows from the others.
  if (target !== form) delete target.closest(".each")?.dataset.implied;
  update(form, results);
};
// Whoever opens them sees them all.
document.addEventListener("toggle", ({ target }) => {
  if (target.open && target.matches(".others > details:has(.result-entry)")) target.scrollIntoView({ block: "start" });
}, true);
// A tap on the button comes first, so that the browser knows whether it may send.
for (const happening of ["click", "input", "change"]) document.addEventListener(happening, follow, true);
