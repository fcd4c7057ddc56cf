// What is marked on the keys of a pad. The keys travel once; an answer says which cards are gone by now, and which would say
// something if they were played.

const set = (element, name, value) =>
  value === null ? element.removeAttribute(name) : element.setAttribute(name, value);

const mark = (card, { gone, claims, tells, words }) => {
  const key = card.matches("button") ? card : card.querySelector("input");
  const [out, claim] = [gone.has(key.value), claims.has(key.value)];
  if (card.classList.contains("gone") === out && card.classList.contains("claims") === claim) return;
  card.classList.toggle("gone", out);
  card.classList.toggle("claims", claim);
  // It may wait here to be played: whatever waits is marked again afterwards.
  key.classList.remove("waiting");
  key.disabled = out && !tells;
  set(key, "aria-disabled", out && tells ? "true" : null);
  if (key !== card) return;
  set(key, "aria-describedby", claim ? words : null);
  set(key, "type", out && tells ? "button" : null);
};

// Mark the keys of every pad as it says itself.
export const markKeys = (page) => {
  for (const pad of page.querySelectorAll("fieldset.pad")) {
    const [gone, claims] = [pad.dataset.gone, pad.dataset.claims].map((codes) => new Set((codes ?? "").split(" ")));
    const marks = { gone, claims, tells: "tells" in pad.dataset, words: pad.querySelector(".pad-legend")?.id ?? "" };
    for (const card of pad.querySelectorAll(".card")) mark(card, marks);
  }
};
