// Puts an answer of the server on the page, without taking anything from under a finger.
"use strict";

window.cardTable ??= {};

(() => {
  // What showing an answer costs, a moment on a quick device, is a while on a slow one. In times that cost, and no longer
  // than these milliseconds: answers that come in quick succession are shown together; and while one tap follows
  // another, answers wait, for whoever taps sees the taps.
  const REST = { times: 3, longest: 250 };
  const QUIET = { times: 4, longest: 300 };
  const LONGEST_WAIT = { times: 12, longest: 900 };
  // On a touch screen the click comes a moment after the finger has left.
  const CLICK = 80;
  const LONGEST_PRESS = 3000;

  let pressed = 0;
  let touched = -Infinity;
  let came = 0;
  let last = -Infinity;
  // Until it is known: as on a slow device, where the first answer costs the most.
  let cost = 75;
  let coming = null;
  let read = {};
  let timer;

  const place = () => document.getElementById("table");
  const version = (html) => Number(/data-version="(\d+)"/.exec(html)?.[1] ?? -1);
  const shown = () => Number(place()?.dataset.version ?? -1);

  const elements = (html) => {
    const parsed = document.createElement("template");
    parsed.innerHTML = html;
    return [...parsed.content.children];
  };

  // An answer is the table, and what else on the page is to say something new.
  const replace = (fresh) => {
    for (const element of fresh) {
      const old = document.getElementById(element.id);
      if (!old) continue;
      if (element.getAttribute("hx-swap-oob") === "innerHTML") old.replaceChildren(...element.childNodes);
      else cardTable.change(old, element).forEach((added) => htmx.process(added));
    }
    // What a form counts on is what is shown, also in the parts that stayed.
    for (const input of place().querySelectorAll("input[name=version]")) input.value = shown();
  };

  const inTimes = ({ times, longest }) => Math.min(times * cost, longest);
  const whenToShow = () =>
    Math.max(last + inTimes(REST), Math.min(touched + inTimes(QUIET), came + inTimes(LONGEST_WAIT)));

  const put = () => {
    clearTimeout(timer);
    const table = place();
    // A version never goes back: an answer may come later than one to a later question.
    if (!table || coming === null || version(coming) < shown()) return (coming = null);
    if (pressed && performance.now() - pressed < LONGEST_PRESS) return (timer = setTimeout(put, REST.longest));
    const early = whenToShow() - performance.now();
    if (early > 0) return (timer = setTimeout(put, early));
    if (read.html !== coming) {
      read = { html: coming, fresh: elements(coming) };
      // A slow phone takes its time to read an answer; a finger that comes meanwhile goes first.
      return (timer = setTimeout(put));
    }
    const { fresh } = read;
    coming = null;
    read = {};
    const began = performance.now();
    replace(fresh);
    last = performance.now();
    requestAnimationFrame(() => setTimeout(() => (cost = performance.now() - began)));
    document.dispatchEvent(new CustomEvent("table-shown"));
  };

  cardTable.show = (html) => {
    if (coming !== null && version(html) < version(coming)) return;
    if (coming === null) came = performance.now();
    coming = html;
    put();
  };
  cardTable.version = version;
  cardTable.shownVersion = shown;

  addEventListener("pointerdown", () => (pressed = touched = performance.now()), true);
  for (const released of ["pointerup", "pointercancel"]) {
    addEventListener(released, () => setTimeout(() => { pressed = 0; put(); }, CLICK), true);
  }

  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.target?.id === "table" && detail.verb === "get") detail.headers[cardTable.parts.header] = cardTable.parts.known().join();
  });

  // What other phones record comes by the same door.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, requestConfig, xhr } = event.detail;
    if (target?.id !== "table" || requestConfig?.verb !== "get" || xhr.status !== 200) return;
    event.detail.shouldSwap = false;
    // Nothing new, and a ruling waits for its decision, or to be shown: it stays where it is.
    const newest = Math.max(shown(), coming === null ? -1 : version(coming));
    const html = cardTable.parts.named(xhr.responseText, requestConfig.headers[cardTable.parts.header]?.split(",") ?? []);
    if (cardTable.taps?.stopped() && version(html) <= newest) return;
    cardTable.show(html);
    cardTable.remember?.(html);
  });
})();
