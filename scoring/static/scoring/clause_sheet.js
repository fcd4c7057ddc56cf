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
const show = (html) => {
  const sheet = document.createElement("dialog");
  sheet.className = "rule-sheet";
  sheet.setAttribute("aria-labelledby", "clause-title");
  sheet.innerHTML = html;
  ([...document.querySelectorAll(":popover-open")].at(-1) ?? document.body).append(sheet);
  sheet.addEventListener("click", ({ target }) => target === sheet && sheet.close());
  sheet.addEventListener("close", () => sheet.remove());
  sheet.showModal();
};

const open = async (link, address) => {
  const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return location.assign(link.href);
  const html = await answer.text();
  document.querySelector("dialog.rule-sheet")?.close();
  show(html);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href*='/games/']");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = sheetAddress(link.href, location.href);
  if (!address || link.closest("dialog.rule-sheet")) return;
  event.preventDefault();
  open(link, address);
});
