// A card said, or typed in words: the page shows how it was understood, and one more tap records it.
//
// Browsers understand speech at secure addresses, and some not at all; the field can be typed in everywhere, and the
// keyboard of a phone can be spoken to.

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
const PAUSE = 200;
const sheet = document.getElementById("saying");
const field = document.getElementById("said-card");
const listen = document.getElementById("listen");
const understood = document.getElementById("understood");
let hearing = null;
let typing, latest;

const ask = async (texts) => {
  const query = new URLSearchParams(texts.map((text) => ["text", text]));
  const question = (latest = `${field.dataset.address}?${query}`);
  try {
    const answer = await fetch(question);
    if (answer.ok && question === latest) understood.innerHTML = await answer.text();
  } catch {
    // Without a network cards are tapped.
  }
};

// --- Listening -----------------------------------------------------------------------------------------------------

const stop = () => {
  hearing?.abort();
  hearing = null;
  listen.setAttribute("aria-pressed", "false");
};

const start = () => {
  hearing = new Recognition();
  Object.assign(hearing, { lang: document.documentElement.lang, maxAlternatives: 5 });
  const mine = hearing;
  hearing.onresult = ({ results }) => {
    const texts = [...results[0]].map(({ transcript }) => transcript);
    field.value = texts[0];
    ask(texts);
  };
  hearing.onerror = ({ error }) => {
    if (mine === hearing && error !== "aborted") understood.textContent = understood.dataset.deaf;
  };
  hearing.onend = () => {
    if (mine === hearing) stop();
  };
  listen.setAttribute("aria-pressed", "true");
  hearing.start();
};

// --- What was understood -------------------------------------------------------------------------------------------

const record = ({ card, seat }) => {
  const control = document.querySelector(`.table-main > form.ask .pad :is([name=cards], [name=card])[value="${CSS.escape(card)}"]`);
  if (!control || control.matches(":disabled, [aria-disabled=true]")) {
    understood.textContent = understood.dataset.gone;
    return;
  }
  sheet.hidePopover();
  if (seat !== undefined) control.form.querySelector(`input[name=seat][value="${seat}"]`)?.click();
  control.click();
};

if (sheet) {
  listen.hidden = !Recognition;
  listen.addEventListener("click", () => (hearing ? stop() : start()));
  field.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => ask([field.value]), PAUSE);
  });
  field.addEventListener("keydown", (event) => {
    const found = understood.querySelectorAll("[data-card]");
    if (event.key === "Enter" && found.length === 1) record(found[0].dataset);
  });
  understood.addEventListener("click", ({ target }) => {
    const offered = target.closest("[data-card]");
    if (offered) record(offered.dataset);
  });
  sheet.addEventListener("toggle", ({ newState }) => {
    if (newState === "closed") return stop();
    field.value = "";
    understood.replaceChildren();
    if (Recognition) start();
    else field.focus();
  });
}

const ready = () => {
  const button = document.getElementById("dictate");
  if (button) button.hidden = !sheet;
};
for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, ready);
ready();
