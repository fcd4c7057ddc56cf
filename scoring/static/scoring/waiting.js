// Shows what waits: on what was tapped, as a number in the head of the page, and, when the referee or the table did not
// take something, as a sheet with what can be done about it.
"use strict";

(() => {
  // A tap that is answered soon is not worth a word.
  const SOON = 700;

  const { taps } = cardTable;
  const pill = document.getElementById("waiting");
  const sheet = document.getElementById("stopped");
  if (!pill || !sheet) return;
  let since = null;
  let timer;

  const touched = ({ event, button, marks }) => {
    const found = button ? [document.getElementById(button)] : [];
    for (const form of document.querySelectorAll(`#table form[data-event="${CSS.escape(event)}"]`)) {
      for (const [name, value] of marks) {
        found.push(...form.querySelectorAll(`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`));
      }
    }
    return found.filter(Boolean);
  };

  const describe = (element, waits) => {
    const words = (element.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== "waiting-word");
    if (waits) words.push("waiting-word");
    if (words.length) element.setAttribute("aria-describedby", words.join(" "));
    else element.removeAttribute("aria-describedby");
  };

  const mark = () => {
    const standing = taps.standing().filter((entry) => !entry.refused);
    const undoing = taps.entries.filter((entry) => entry.button === "undo" && !entry.refused);
    const wanted = new Set([...standing, ...undoing].flatMap(touched));
    for (const element of document.querySelectorAll("#table .waiting")) {
      if (wanted.has(element)) continue;
      element.classList.remove("waiting");
      describe(element, false);
      element.removeAttribute("aria-disabled");
      if (element.type === "checkbox") element.disabled = false;
    }
    for (const element of wanted) {
      element.classList.add("waiting");
      describe(element, true);
      if (element.name !== "cards" || element.disabled) continue;
      // Not disabled, or a keyboard would lose its place.
      if (element.type === "checkbox") element.disabled = true;
      else element.setAttribute("aria-disabled", "true");
    }
    // What waits here can be taken back, also where nothing that is recorded can.
    const undo = document.getElementById("undo");
    if (undo?.hasAttribute("data-nothing")) undo.disabled = standing.length === 0;
  };

  const setText = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };

  const tell = () => {
    clearTimeout(timer);
    const count = taps.entries.length;
    since = count ? (since ?? performance.now()) : null;
    const stopped = taps.stopped();
    const late = count > 0 && (stopped || taps.failed() || performance.now() - since >= SOON);
    if (count && !late) timer = setTimeout(tell, SOON);
    const state = stopped ? "stopped" : taps.failed() ? "offline" : "sending";
    pill.toggleAttribute("data-sending", taps.sending());
    if (late) {
      setText(pill.querySelector("[data-count]"), String(count));
      for (const words of pill.querySelectorAll("[data-when]")) words.hidden = words.dataset.when !== state;
    }
    pill.classList.toggle("late", late);
    document.body.toggleAttribute("data-waiting", late);
    sheet.hidden = !needsSheet(stopped, count);
    if (!sheet.hidden) fill();
  };

  // The ruling stands on the page, with its choices.
  const isRuled = (status) => [409, 422].includes(status) && document.getElementById("message") !== null;
  const needsSheet = (stopped, count) => stopped !== null && !taps.replacing() && (count > 1 || !isRuled(stopped));

  const fill = () => {
    const [first, ...rest] = taps.entries;
    setText(sheet.querySelector("[data-refused]"), first.label);
    sheet.querySelector("[data-rest]").hidden = rest.length === 0;
    setText(sheet.querySelector("[data-waiting-labels]"), rest.map(({ label }) => label).join(" · "));
    sheet.querySelector("[data-do=dropAll]").hidden = rest.length === 0;
    sheet.querySelector("[data-do=again]").hidden = isRuled(first.refused);
  };

  const refresh = () => {
    mark();
    tell();
  };

  sheet.addEventListener("click", (event) => {
    const act = event.target.closest("[data-do]")?.dataset.do;
    if (act) taps[act]();
  });
  for (const happening of ["outbox-changed", "table-shown"]) document.addEventListener(happening, refresh);
  document.addEventListener("table-shown", mark);
  refresh();
})();
