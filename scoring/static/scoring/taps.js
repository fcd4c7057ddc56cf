// Records what is tapped: shown at once, kept on this device, and sent. No tap waits for the answer to the one before.
//
// A tap that was not aimed at somebody means "whoever's turn it is", which only the server knows; and it holds only if
// nothing else was recorded since the tap before, which is why it names the version that must still stand.

import { code } from "./page.js";
import { isInstead, newKey, refusal } from "./queue.js";
import { add, changed, deliver, deliverNow, drop, entries, pageToken, tryAgain } from "./sending.js";

const RECORDS = /\/t\/([^/]+)\/(record|undo|redo|settle|guide\/carry-out|hands\/\d+\/confirm)\/$/;
// The same button or the same place again, so soon: a finger that shook. It acts once, for whoever it was aimed at, however
// soon the page shows whose turn it is next. People who tell one player from the next take longer to look.
const SHAKE = 350;
const SAME_PLACE = 12;
// What does something else each time it is done.
const ONCE = /\/(undo|redo|settle|guide\/carry-out|hands\/\d+\/confirm)\/$/;

let replacing = false;
// When a finger came down, what it then clicked, and the last click that did something.
let down = 0;
let pressed = { at: -SHAKE };
let done = pressed;

export const isReplacing = () => replacing;

// --- A tap ----------------------------------------------------------------------------------------------------------------

const labelOf = (control) =>
  (control.getAttribute("aria-label") ?? (control.labels?.[0] ?? control).textContent).trim().replace(/\s+/g, " ");

const read = (form, button) => {
  const data = new FormData(form, button?.name ? button : undefined);
  const fields = [...data].filter(([name]) => !["csrfmiddlewaretoken", "version"].includes(name));
  const inTurn = form.hasAttribute("data-in-turn") && !form.hasAttribute("data-chosen");
  const cards = [...form.querySelectorAll("input[name=cards]:checked")];
  const marks = cards.map(({ name, value }) => [name, value]);
  if (button?.name) marks.push([button.name, button.value]);
  const who = form.hasAttribute("data-chosen") ? form.querySelector("input[name=seat]:checked") : null;
  const named = [who, ...(cards.length ? cards : [button])].filter(Boolean);
  return {
    event: form.dataset.event ?? "",
    button: button?.id ?? "",
    fields: fields.map(([name, value]) => [name, inTurn && name === "seat" ? "" : value]),
    marks,
    label: named.map(labelOf).join(", "),
  };
};

// One undo at a time: of which entry another one would be, only the answer tells.
const isWaiting = ({ action }) => /\/(undo|redo)\/$/.test(action) && entries.some((entry) => entry.action === action);

addEventListener("pointerdown", ({ timeStamp }) => (down = timeStamp), true);
// By the clock of the events: on a page that is busy, they wait.
addEventListener("click", (event) => {
  const { isTrusted, detail, clientX: x, clientY: y, target, timeStamp: at } = event;
  // A label clicks its input in turn.
  if (isTrusted && target.matches("label > input")) return;
  const control = isTrusted ? target.closest("button,summary,a,label") : null;
  pressed = isTrusted && detail ? { control, at, x, y } : { control, at };
  const near = Math.hypot(pressed.x - done.x, pressed.y - done.y) < SAME_PLACE;
  if ((near || control && control === done.control) && (detail ? down : at) - done.at < SHAKE) {
    done = { ...done, at };
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  // Back from another button, it is no shake: cards ticked for the next player, and the same button plays them.
  if (control) done = { at: done.at, action: done.action };
  // The cards of the next hand come under the finger.
  if (control?.matches(":is(.next-hand, .end-game) > summary")) done = pressed;
}, true);
// A key that is held clicks its button again and again.
addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.matches("button")) event.preventDefault();
}, true);

const tap = (form, button) => {
  if (button?.classList.contains("waiting") && button.name === "cards") return;
  const once = ONCE.test(form.action);
  if (once && (isWaiting(form) || form.action === done.action && pressed.at - done.at < SHAKE)) return;
  done = { ...pressed, action: form.action };
  const accepts = form.matches("#all-the-same, #goes-back");
  const entry = { ...read(form, button), key: newKey(), table: code, action: form.action, token: pageToken() };
  add(entry, isInstead(entries, { replacing, accepts }));
  replacing = false;
  makeReady(form);
  const announce = document.getElementById("announce");
  const noted = document.getElementById("waiting")?.dataset.noted ?? "";
  if (announce) announce.textContent = `${entry.label}: ${noted}`;
  // Under way before the page is told: what the stream says meanwhile is not worth a request of its own.
  deliver();
  changed();
};

// Make the form ready for the next tap.
const makeReady = (form) => {
  form.reset();
  form.dispatchEvent(new Event("change"));
  form.closest(":popover-open")?.hidePopover();
  // Whoever was chosen was chosen for this tap.
  document.querySelectorAll("form[data-chosen]").forEach(unchoose);
};

const unchoose = (form) => {
  delete form.dataset.chosen;
  for (const seat of form.querySelectorAll("input[name=seat]")) seat.checked = seat.defaultChecked;
};

// A plate chooses whose the next tap is; a second tap on it takes that back, and so does one on whoever is next.
const choose = (seat) => {
  const back = seat.form.dataset.chosen === seat.value || (seat.defaultChecked && entries.length === 0);
  if (back) unchoose(seat.form);
  else seat.form.dataset.chosen = seat.value;
};

// What was chosen for a tap that is to be put right is chosen again.
const chooseAgain = ({ event, fields }) => {
  const form = document.querySelector(`#table form[data-event="${CSS.escape(event)}"]`);
  const controls = [...(form?.elements ?? [])].filter((control) => control.matches("input:not([type=hidden]), select"));
  for (const [name, value] of fields.filter(([name]) => name !== "seat")) {
    for (const control of controls.filter((control) => control.name === name)) {
      if (!["radio", "checkbox"].includes(control.type)) control.value = value;
      else if (control.value === value && !control.disabled) control.checked = true;
    }
  }
  form?.dispatchEvent(new Event("change"));
};

// --- What is decided about a tap that was refused -------------------------------------------------------------------------

const dismiss = () => {
  document.getElementById("message")?.remove();
  changed();
};

export const decisions = {
  again: () => {
    tryAgain();
    dismiss();
    deliverNow();
  },
  replace: () => {
    replacing = true;
    dismiss();
  },
  leave: () => {
    drop([entries[0]]);
    dismiss();
    deliverNow();
  },
  dropAll: () => {
    drop([...entries]);
    dismiss();
  },
};

if (code) {
  // The form keeps its values for correction; cards are chosen again after the ruling is answered.
  document.addEventListener("tap-refused", ({ detail }) => detail.marks.length || chooseAgain(detail));
  document.addEventListener(
    "submit",
    (event) => {
      if (RECORDS.exec(new URL(event.target.action).pathname)?.[1] !== code) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      tap(event.target, event.submitter);
    },
    true,
  );
  document.addEventListener("click", (event) => {
    const seat = event.target.closest?.("form[data-in-turn] input[name=seat]");
    if (seat) choose(seat);
    if (event.target.closest?.("#back") && refusal(entries) !== null) {
      event.preventDefault();
      const [refused] = entries;
      // To put it right means another tap in its place, before what waits behind it.
      if (entries.length > 1 && document.getElementById("as-it-was")) decisions.replace();
      else decisions.leave();
      chooseAgain(refused);
    }
  });
}
