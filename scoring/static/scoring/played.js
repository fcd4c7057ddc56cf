// A card that was played says whose it was, and is corrected over the table: one that lies there, or a grey one of the keys.

const over = document.getElementById("correction");

const codeOf = (key) => (key.matches("button") ? key : key.querySelector("input")).value;

const within = ({ clientX, clientY }) => (key) => {
  const { left, right, top, bottom } = key.getBoundingClientRect();
  return left <= clientX && clientX < right && top <= clientY && clientY < bottom;
};

// The key of the card that was touched, where that card was played. A grey key takes no tap itself: it goes to what the
// keys lie on. A tap that plays a card costs nothing here.
const played = (event) => {
  const touched = event.target.closest(".card");
  const keys = (which) => [...document.querySelectorAll(`#table .pad .card${which}`)];
  if (touched?.closest("#table .plays-link")) return keys("").find((key) => key.title === touched.title);
  if (touched?.matches("#table .pad .gone")) return touched;
  if (touched || !event.target.closest("#table .pad")) return undefined;
  return keys(":disabled").find(within(event));
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
    const key = played(event);
    if (!key) return;
    event.preventDefault();
    open(codeOf(key), event.target.closest("a"));
  });
  document.addEventListener("corrected", () => {
    over.hidePopover();
    document.body.dispatchEvent(new CustomEvent("table-changed"));
  });
}
