// Records what is tapped: shown at once, kept on this device, and sent one after the other, in order, each under a key
// of its own that is the same however often it is sent. No tap waits for the answer to the one before.
//
// A tap that was not aimed at somebody means "whoever's turn it is", which only the server knows; and it holds only if
// nothing else was recorded since the tap before, which is why it names the version that must still stand.
"use strict";

window.cardTable ??= {};

(() => {
  const { outbox } = cardTable;
  const RECORDS = /\/t\/([^/]+)\/(record|undo|settle)\/$/;
  // The same button again, so soon, and nothing has changed: a finger that shook.
  const SHAKE = 350;
  const PATIENCE = 15_000;
  const SHORTEST_PAUSE = 500;
  const LONGEST_PAUSE = 15_000;
  const PASSING = [408, 425, 429];

  const code = /\/t\/([^/]+)\/$/.exec(location.pathname)?.[1];
  const language = document.documentElement.lang;
  const entries = [];
  const kept = new Map();
  let recorded = -1;
  let sending = false;
  let failed = false;
  let pause = SHORTEST_PAUSE;
  let again;
  let replacing = false;
  let touched, touchedAt;
  let loaded;

  const changed = () => document.dispatchEvent(new CustomEvent("outbox-changed"));
  // A device that keeps nothing still sends; whether something is on the disk is what comes of it.
  const quietly = (work) => work.then(() => true, (problem) => (console.warn("Not kept on this device:", problem), false));
  const stopped = () => entries[0]?.refused ?? null;
  // What waits and is not taken back again by what waits behind it.
  const standing = () =>
    entries.reduce((left, entry) => (entry.button === "undo" ? left.slice(0, -1) : [...left, entry]), []);
  const now = () => Math.max(recorded, cardTable.shownVersion());

  // Only pages with a certificate have crypto.randomUUID.
  const newKey = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };

  // What tells the server that a form is of this device; answers do not repeat it.
  const pageToken = () => document.getElementById("waiting")?.dataset.token ?? "";

  // --- A tap ----------------------------------------------------------------------------------------------------------

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
    const said = [who, ...(cards.length ? cards : [button])].filter(Boolean).map(labelOf);
    return {
      event: form.dataset.event ?? "",
      button: button?.id ?? "",
      fields: fields.map(([name, value]) => [name, inTurn && name === "seat" ? "" : value]),
      marks,
      label: said.join(", "),
    };
  };

  const tap = (form, button) => {
    if (button?.classList.contains("waiting") && button.name === "cards") return;
    if (button && button === touched && performance.now() - touchedAt < SHAKE) return;
    [touched, touchedAt] = [button, performance.now()];
    const asked = cardTable.shownVersion();
    const before = entries.at(-1);
    // What takes the place of a tap that was refused goes first; everything else waits its turn.
    const instead = stopped() && (replacing || entries.length === 1 || form.querySelector("[name=accepted]"));
    const entry = {
      ...read(form, button),
      key: newKey(),
      table: code,
      action: form.action,
      token: pageToken(),
      order: instead ? entries[0].order : Math.max(Date.now(), (before?.order ?? 0) + 1),
      expected: instead || !before ? Math.max(asked, recorded) : null,
      refused: null,
    };
    replacing = false;
    const replaced = instead ? entries.splice(0, 1, entry) : (entries.push(entry), []);
    kept.set(entry.key, quietly(instead ? outbox.forget(replaced, entry) : outbox.keep(entry)));
    settle(form);
    const announce = document.getElementById("announce");
    const noted = document.getElementById("waiting")?.dataset.noted ?? "";
    if (announce) announce.textContent = `${entry.label}: ${noted}`;
    // Under way before the page is told: what the stream says meanwhile is not worth a request of its own.
    deliver();
    changed();
  };

  // The form is ready for the next tap.
  const settle = (form) => {
    form.reset();
    form.dispatchEvent(new Event("change"));
    // Whoever was chosen was chosen for this tap.
    for (const chosen of document.querySelectorAll("form[data-chosen]")) {
      delete chosen.dataset.chosen;
      for (const seat of chosen.querySelectorAll("input[name=seat]")) seat.checked = seat.defaultChecked;
      for (const who of chosen.querySelectorAll("details.who")) who.open = false;
    }
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

  // --- Sending --------------------------------------------------------------------------------------------------------

  const post = async (entry) => {
    const body = new URLSearchParams(entry.fields);
    if (entry.expected !== null) body.set("version", entry.expected);
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), PATIENCE);
    try {
      const token = pageToken() || entry.token;
      const headers = { "Idempotency-Key": entry.key, "HX-Request": "true", "X-CSRFToken": token };
      const known = cardTable.parts.known();
      headers[cardTable.parts.header] = known.join();
      const answer = await fetch(entry.action, { method: "POST", body, headers, signal: giveUp.signal });
      const text = await answer.text();
      return { answer, read: () => cardTable.parts.named(text, known) };
    } finally {
      clearTimeout(timer);
    }
  };

  // What was tapped shows before the answer does, however soon that comes.
  const painted = () =>
    new Promise((done) => {
      setTimeout(done, 100);
      requestAnimationFrame(() => setTimeout(done));
    });

  const isFragment = (answer) => answer.headers.has("Table-Version");

  // Send the first of those that wait. What the referee or the table refuses stays, and everything behind it.
  const sendFirst = async () => {
    const entry = entries[0];
    // Another tab of this device may have sent or dropped it.
    if ((await kept.get(entry.key)) && !(await outbox.has(entry.key).catch(() => true))) {
      entries.length = 0;
      return load();
    }
    const { answer, read } = await post(entry);
    await painted();
    const html = isFragment(answer) ? read() : "";
    if (answer.status >= 500 || PASSING.includes(answer.status)) {
      throw Object.assign(new Error("not now"), { seconds: Number(answer.headers.get("Retry-After")) });
    }
    failed = false;
    pause = SHORTEST_PAUSE;
    if (answer.ok && isFragment(answer)) {
      recorded = Number(answer.headers.get("Recorded-Version"));
      drop([entry], recorded);
      cardTable.remember(html);
    } else {
      entry.refused = answer.status;
      quietly(outbox.keep(entry));
    }
    if (isFragment(answer)) cardTable.show(html);
    changed();
  };

  const deliver = async () => {
    clearTimeout(again);
    if (sending || !code) return;
    sending = true;
    await loaded;
    try {
      while (entries.length && !stopped()) await sendFirst();
    } catch (problem) {
      failed = true;
      again = setTimeout(deliver, Math.max(pause * (0.5 + Math.random()), 1000 * (problem.seconds || 0)));
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    } finally {
      sending = false;
      changed();
    }
  };

  const deliverNow = () => {
    pause = SHORTEST_PAUSE;
    if (entries.length) deliver();
  };

  // Take these out; what comes next then counts on this version.
  const drop = (dropped, version = now()) => {
    for (const entry of dropped) {
      entries.splice(entries.indexOf(entry), 1);
      kept.delete(entry.key);
    }
    const next = entries[0];
    if (next) next.expected = version;
    quietly(outbox.forget(dropped, next));
  };

  const load = async () => {
    const stored = await outbox.load(code).catch(() => []);
    const known = new Set(entries.map(({ key }) => key));
    const found = stored.filter(({ key }) => !known.has(key));
    if (!found.length) return;
    for (const entry of found) kept.set(entry.key, Promise.resolve(true));
    entries.push(...found);
    entries.sort((one, other) => one.order - other.order);
    for (const entry of entries.slice(1)) entry.expected = null;
    changed();
  };

  // --- What the rest of the page asks for -------------------------------------------------------------------------------

  const dismiss = () => document.getElementById("message")?.remove();

  cardTable.taps = {
    entries,
    standing,
    stopped,
    sending: () => sending,
    failed: () => failed || !navigator.onLine,
    replacing: () => replacing,
    again: () => {
      const entry = entries[0];
      Object.assign(entry, { refused: null, expected: now() });
      dismiss();
      quietly(outbox.keep(entry));
      deliverNow();
    },
    replace: () => {
      replacing = true;
      dismiss();
      changed();
    },
    leave: () => {
      drop([entries[0]]);
      dismiss();
      changed();
      deliverNow();
    },
    dropAll: () => {
      drop([...entries]);
      dismiss();
      changed();
    },
  };

  // The last thing this table showed; a page that comes out of a cache may be older.
  cardTable.remember = (html) => {
    const shown = { table: code, version: cardTable.version(html), language, html: cardTable.parts.whole(html) };
    quietly(outbox.keepShown(shown));
  };

  const recall = async () => {
    const state = await outbox.shown(code).catch(() => null);
    if (state && state.language === language && state.version > cardTable.shownVersion()) cardTable.show(state.html);
  };

  document.addEventListener(
    "submit",
    (event) => {
      if (RECORDS.exec(new URL(event.target.action).pathname)?.[1] !== code || !code) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      tap(event.target, event.submitter);
    },
    true,
  );
  document.addEventListener("table-shown", () => (touched = undefined));
  document.addEventListener("click", (event) => {
    const seat = event.target.closest?.("form[data-in-turn] input[name=seat]");
    if (seat) seat.form.dataset.chosen = "";
    if (event.target.closest?.("#back") && stopped()) {
      event.preventDefault();
      const [refused] = entries;
      // To put it right means another tap in its place, before what waits behind it.
      if (entries.length > 1 && document.getElementById("as-it-was")) cardTable.taps.replace();
      else cardTable.taps.leave();
      chooseAgain(refused);
    }
  });

  if (code) {
    loaded = load();
    loaded.then(deliverNow);
    recall();
    addEventListener("online", deliverNow);
    addEventListener("offline", changed);
    addEventListener("pageshow", (event) => event.persisted && load().then(deliverNow));
    document.addEventListener("visibilitychange", () => document.hidden || load().then(deliverNow));
    // When the stream of the table is back, so is the server.
    new MutationObserver(() => document.body.dataset.live === "open" && deliverNow()).observe(document.body, {
      attributeFilter: ["data-live"],
    });
  }
})();
