// Shows who is connected, as the stream tells it: on elements with data-present="seat-0", "scorekeepers", "spectators" or
// "link-17", and on what belongs to them, with data-presence; and what is only for who is left, with data-absent="scorekeepers".

let company = null;

// How many of these are connected.
export const count = (wanted, company) => {
  const [kind, which] = wanted.split("-");
  if (kind === "seat") return Number(company.seats.includes(Number(which)));
  if (kind === "link") return Number(company.links?.includes(Number(which)) ?? false);
  return company[kind] ?? 0;
};

// The server does not know this, so a redrawn page starts without it.
const show = () => {
  if (company === null) return;
  for (const element of document.querySelectorAll("[data-presence]")) element.hidden = false;
  for (const element of document.querySelectorAll("[data-present]")) {
    const there = count(element.dataset.present, company);
    element.hidden = there === 0;
    const shown = element.querySelector("[data-number]");
    if (shown) shown.textContent = there;
  }
  for (const element of document.querySelectorAll("[data-absent]")) {
    element.hidden = count(element.dataset.absent, company) > 0;
  }
};

document.addEventListener("table-presence", (event) => {
  company = event.detail;
  show();
});
for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, show);
