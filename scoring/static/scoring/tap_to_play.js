// Where one card is played at a time, a tap on it plays it; where several are put together, they are ticked first.

const plays = (form) => form?.querySelector(".single-or-several [value=single]:checked");

document.addEventListener(
  "change",
  (event) => {
    const card = event.target;
    if (card.name !== "cards" || !card.checked || !plays(card.form)) return;
    // What it would be needs no look before it is played.
    event.stopImmediatePropagation();
    card.form.requestSubmit();
  },
  true,
);
