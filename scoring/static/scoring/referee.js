// The referee's sheet opens over the table, and each step of a case takes the place of the one before. Without this, and
// where it cannot be fetched, a link leads to the page.

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
