// Sends what waits, one after the other, in order, each under a key of its own: the same however often it is sent.
//
// The page does that itself, without the browser's background sync: Safari and Firefox have none, it begins when the
// browser sees fit, and what the referee refuses is for whoever tapped to decide, before anything behind it is sent.

import * as outbox from "./outbox.js";
import { code, pocket, shownVersion } from "./page.js";
import { HEADER, OPEN, named, remembered, unfolded } from "./parts.js";
import { LONGEST_PAUSE, SHORTEST_PAUSE, longer, merge, outcome, place, refusal, scattered, take } from "./queue.js";
import { remember, show } from "./render.js";

const PATIENCE = 15_000;

export const entries = [];
// Recorded, but not shown yet: answers wait while one tap follows another.
let unseen = [];
const kept = new Map();
let recorded = -1;
let sending = false;
let failed = false;
let pause = SHORTEST_PAUSE;
let again;
let loaded;

// What was tapped since what the page shows.
export const taps = () => [...unseen.filter(({ version }) => version > shownVersion()), ...entries];
export const isSending = () => sending;
export const hasFailed = () => failed || !(navigator.onLine || pocket);
export const changed = () => document.dispatchEvent(new CustomEvent("outbox-changed"));

const newest = () => Math.max(recorded, shownVersion());

// What tells the server that a form is of this device; answers do not repeat it.
export const pageToken = () => document.getElementById("waiting")?.dataset.token ?? "";
document.addEventListener("submit", ({ target }) => {
  const token = target.elements?.csrfmiddlewaretoken;
  if (token && !token.value) token.value = pageToken();
}, true);

// --- The queue and what is kept of it -------------------------------------------------------------------------------------

export const add = (tap, instead) => {
  const { entry, replaced } = place(entries, tap, { instead, version: newest(), now: Date.now() });
  kept.set(entry.key, outbox.quietly(instead ? outbox.forget(replaced, entry) : outbox.keep(entry)));
};

// What was recorded otherwise than by a tap is recorded all the same: taps count on it.
export const noteVersion = (version) => {
  recorded = Math.max(recorded, version);
};

export const drop = (over, version = newest()) => {
  for (const { key } of over) kept.delete(key);
  outbox.quietly(outbox.forget(over, take(entries, over, version)));
};

export const tryAgain = () => {
  const [entry] = entries;
  Object.assign(entry, { refused: null, expected: newest() });
  outbox.quietly(outbox.keep(entry));
};

const load = async () => {
  const found = merge(entries, await outbox.load(code).catch(() => []));
  for (const { key } of found) kept.set(key, Promise.resolve(true));
  if (found.length) changed();
};

// --- Sending --------------------------------------------------------------------------------------------------------------

const post = async (entry) => {
  const body = new URLSearchParams(entry.fields);
  if (entry.expected !== null) body.set("version", entry.expected);
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), PATIENCE);
  try {
    const token = pageToken() || entry.token;
    const marks = remembered();
    const page = { "HX-Request": "true", "X-CSRFToken": token, [HEADER]: marks.join(), [OPEN]: unfolded() };
    const headers = { "Idempotency-Key": entry.key, ...page };
    const answer = await fetch(entry.action, { method: "POST", body, headers, signal: giveUp.signal });
    return { answer, text: await answer.text(), marks };
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

// Send the first of those that wait. What the referee or the table refuses stays, and everything behind it.
const sendFirst = async () => {
  const entry = entries[0];
  // Another tab of this device may have sent or dropped it.
  if ((await kept.get(entry.key)) && !(await outbox.has(entry.key).catch(() => true))) {
    entries.length = 0;
    return load();
  }
  const { answer, text, marks } = await post(entry);
  await painted();
  const isOfTable = answer.headers.has("Table-Version");
  const html = isOfTable ? named(text, marks) : "";
  const result = outcome(answer.status, isOfTable);
  if (result === "again") {
    throw Object.assign(new Error("not now"), { seconds: Number(answer.headers.get("Retry-After")) });
  }
  failed = false;
  pause = SHORTEST_PAUSE;
  if (result === "recorded") {
    recorded = Number(answer.headers.get("Recorded-Version"));
    drop([entry], recorded);
    unseen = [...taps().filter(({ version }) => version), { ...entry, version: recorded }];
    remember(html);
    document.dispatchEvent(new CustomEvent("tap-recorded", { detail: entry }));
  } else {
    entry.refused = answer.status;
    outbox.quietly(outbox.keep(entry));
    document.dispatchEvent(new CustomEvent("tap-refused", { detail: entry }));
  }
  if (isOfTable) show(html);
  changed();
};

export const deliver = async () => {
  clearTimeout(again);
  if (sending || !code) return;
  sending = true;
  await loaded;
  try {
    while (entries.length && refusal(entries) === null) await sendFirst();
  } catch (problem) {
    failed = true;
    again = setTimeout(deliver, Math.max(scattered(pause), 1000 * (problem.seconds || 0)));
    pause = longer(pause, LONGEST_PAUSE);
  } finally {
    sending = false;
    changed();
  }
};

export const deliverNow = () => {
  pause = SHORTEST_PAUSE;
  if (entries.length) deliver();
};

if (code) {
  const loadAndDeliver = () => load().then(deliverNow);
  loaded = load();
  loaded.then(deliverNow);
  addEventListener("online", deliverNow);
  addEventListener("offline", changed);
  addEventListener("pageshow", (event) => event.persisted && loadAndDeliver());
  document.addEventListener("visibilitychange", () => document.hidden || loadAndDeliver());
  // When the stream of the table is back, so is the server.
  new MutationObserver(() => document.body.dataset.live === "open" && deliverNow()).observe(document.body, {
    attributeFilter: ["data-live"],
  });
}
