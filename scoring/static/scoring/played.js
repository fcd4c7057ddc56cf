// A card that was played says whose it was, and is corrected over the table: one that lies there, or a grey one of the keys,
// by a tap or from the keyboard.

const over = document.getElementById("amendment");

const codeOf = (key) => (key.matches("button") ? key : key.querySelector("input")).value;

// The key of the card that was touched, where that card was played. A tap that plays a card costs nothing here.
const played = (event) => {
  const touched = event.target.closest(".card");
  const keys = () => [...document.querySelectorAll("#table .pad .card")];
  if (touched?.closest("#table .plays-link")) return keys().find((key) => key.title === touched.title);
  return touched?.matches("#table .pad .gone") ? touched : undefined;
};

const open = async (code, otherwise) => {
  const address = `${over.dataset.address}?card=${encodeURIComponent(code)}`;
  const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) return otherwise?.click();
  const fragment = document.createElement("template");
  fragment.innerHTML = await answer.text();
  document.getElementById("amend").replaceWith(fragment.content);
  window.htmx.process(document.getElementById("amend"));
  for (const sheet of document.querySelectorAll(":popover-open")) sheet.hidePopover();
  over.showPopover();
};

if (over) {
  document.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    const link = event.target.closest("a");
    const key = played(event);
    const wrong = link?.dataset.amends ?? (key && codeOf(key));
    if (!wrong) return;
    event.preventDefault();
    open(wrong, link);
  });
  document.addEventListener("amended", () => {
    over.hidePopover();
    document.body.dispatchEvent(new CustomEvent("table-changed"));
  });
}
