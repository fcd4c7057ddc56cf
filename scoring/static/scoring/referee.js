// What the referee shows over the table: a case, a rule, and an infraction that was caught.

import { code } from "./page.js";

// --- A case ---------------------------------------------------------------------------------------------------------
// The sheet opens over the table, and each step takes the place of the one before. Without this, and where it cannot be
// fetched, a link leads to the page.

const over = document.getElementById("referee");
const sheet = document.getElementById("referee-sheet");

const open = async (link) => {
  const answer = await fetch(link.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return location.assign(link.href);
  sheet.innerHTML = await answer.text();
  window.htmx.process(sheet);
  for (const other of document.querySelectorAll(":popover-open")) if (other !== over) other.hidePopover();
  over.showPopover();
  over.scrollTop = 0;
  (sheet.querySelector(".verdict") ?? sheet.querySelector(".asked"))?.scrollIntoView({ block: "nearest" });
};

if (over) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href*='/guide/']");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });
  // What is decided on the felt lies below.
  sheet.addEventListener("click", ({ target }) => target.closest("[data-caught]") && over.hidePopover(), true);
}

// --- A rule over the page -------------------------------------------------------------------------------------------
// A rule opens over the page: what is decided below stays. Without this, its link leads to the rulebook.

const RULE = /^\/games\/[\w-]+\/$/;
const NUMBER = /^#[A-Z]{2,3}-\w+$/;
const BY_ITSELF = /^\/games\/[\w-]+\/[A-Z]{2,3}-\w+\/$/;

// Return where the rule that a link leads to stands by itself; the table's own house rules are told with it.
export const sheetAddress = (link, here) => {
  const { pathname, hash, search, origin } = new URL(link, here);
  const page = new URL(here);
  if (origin === page.origin && BY_ITSELF.test(pathname)) return pathname + search;
  if (origin !== page.origin || pathname === page.pathname || !RULE.test(pathname) || !NUMBER.test(hash)) return null;
  const table = /^\/t\/([^/]+)\//.exec(page.pathname)?.[1] ?? page.searchParams.get("table");
  return `${pathname}${hash.slice(1)}/${table ? `?table=${encodeURIComponent(table)}` : ""}`;
};

// One that lies over another would close it, were it not a part of it.
const showRule = (html) => {
  const sheet = document.createElement("dialog");
  sheet.className = "rule-sheet";
  sheet.setAttribute("aria-labelledby", "clause-title");
  sheet.innerHTML = html;
  ([...document.querySelectorAll(":popover-open")].at(-1) ?? document.body).append(sheet);
  sheet.addEventListener("click", ({ target }) => target === sheet && sheet.close());
  sheet.addEventListener("close", () => sheet.remove());
  sheet.showModal();
};

const openRule = async (link, address) => {
  const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return location.assign(link.href);
  const html = await answer.text();
  document.querySelector("dialog.rule-sheet")?.close();
  showRule(html);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href*='/games/']");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = sheetAddress(link.href, location.href);
  if (!address || link.closest("dialog.rule-sheet")) return;
  event.preventDefault();
  openRule(link, address);
});

// --- Infractions ----------------------------------------------------------------------------------------------------
// An infraction that was caught lies in the felt's place until it is decided, or put aside on this device; its note brings it
// back.
// What is put aside stays so when the page is opened again, until something about it changes.

const KEPT = `aside-${code}`;
const caughtHere = () => [...document.querySelectorAll("#table .caught")];

// What of it is not on the page any more was decided or undone: should it come again, it is new.
const asideNow = () => {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  const still = caughtHere().filter(({ id, dataset }) => kept[id] === dataset.about);
  return Object.fromEntries(still.map(({ id, dataset }) => [id, dataset.about]));
};
const keep = (aside) => {
  if (Object.keys(aside).length) localStorage.setItem(KEPT, JSON.stringify(aside));
  else localStorage.removeItem(KEPT);
};
const putAside = ({ id, dataset }) => keep({ ...asideNow(), [id]: dataset.about });
const takeUp = ({ id }) => {
  const { [id]: _, ...others } = asideNow();
  keep(others);
};

const look = () => {
  const aside = code ? asideNow() : {};
  for (const caught of caughtHere()) caught.querySelector(".put-aside").open = caught.id in aside;
  if (code) keep(aside);
};
look();
document.addEventListener("table-shown", look);

document.addEventListener("click", (event) => {
  const later = event.target.closest?.(".put-aside > summary");
  if (later) putAside(later.closest(".caught"));
  const note = event.target.closest?.("[data-caught]");
  const caught = note && document.getElementById(note.dataset.caught);
  if (!caught) return;
  event.preventDefault();
  takeUp(caught);
  caught.querySelector(".put-aside").open = false;
  scrollTo({ top: 0 });
  caught.querySelector(":is(button, summary)").focus({ preventScroll: true });
});
