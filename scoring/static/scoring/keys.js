// What is marked on the keys of a pad. The keys travel once; an answer says which cards are gone by now, which would say
// something if they were played, and which beat nothing, at all or by themselves.

// Mark the keys of every pad as it says itself.
export const markKeys = (page) => {
  for (const pad of page.querySelectorAll("fieldset.pad")) {
    const { gone = "", claims = "", weak = "", alone = "", tells } = pad.dataset;
    const [outs, claimed, low, lowAlone] = [gone, claims, weak, alone].map((codes) => new Set(codes.split(" ")));
    for (const card of pad.querySelectorAll(".card")) {
      const key = card.querySelector("input") ?? card;
      const [out, claim] = [outs.has(key.value), claimed.has(key.value)];
      card.classList.toggle("weak", low.has(key.value));
      card.classList.toggle("weak-alone", lowAlone.has(key.value));
      if (card.classList.contains("gone") === out && card.classList.contains("claims") === claim) continue;
      card.classList.toggle("gone", out);
      card.classList.toggle("claims", claim);
      // It may wait here to be played: whatever waits is marked again afterwards.
      key.classList.remove("waiting");
      key.disabled = out && tells === undefined;
      const says = { "aria-disabled": out && !key.disabled && "true" };
      if (key === card) {
        says["aria-describedby"] = claim && pad.querySelector(".pad-legend").id;
        says.type = says["aria-disabled"] && "button";
      }
      for (const [name, value] of Object.entries(says)) {
        if (value) key.setAttribute(name, value);
        else key.removeAttribute(name);
      }
    }
  }
};
