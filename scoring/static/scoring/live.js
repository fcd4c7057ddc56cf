// Keeps an open page up to date: <body data-stream="address of the table's stream">.
//
// Fires "table-changed" on the body, with the version as detail, whenever the stream names another version than the one
// shown, which is what an element with data-version says; and again, more and more slowly, until that one is shown.
// <body data-live> says how it stands: "connecting", "open", "reconnecting", "paused", or "ended" where the right to the
// table is gone. Fires "table-revoked" on the body when a right is taken away, and "table-gone" when none is left.
//
// Not htmx's extension for such streams: it asks at each event, even for what the page shows already, notices no
// line that died in silence, and keeps a stream open in a tab that nobody looks at.

import { longer, scattered } from "./queue.js";

const SECOND = 1000;
const SHORTEST_PAUSE = SECOND;
const LONGEST_PAUSE = 15 * SECOND;
// A short gap is not worth a word.
const GAP = 1.5 * SECOND;
// A connection can die without either end noticing, when a phone sleeps or changes the network. A live one says who is
// connected every fifteen seconds.
const LONGEST_SILENCE = 40 * SECOND;
// A browser opens six connections to a server at most, for all its tabs: one that nobody looks at gives its own up.
const HIDDEN = 60 * SECOND;
// How long a request of the page itself, which may bring the same change, is waited for.
const LONGEST_REQUEST = 5 * SECOND;
// What the page is answered where this device may see the table no more.
const GONE = [401, 403, 404, 410];

let source = null;
let pause = SHORTEST_PAUSE;
let heard = 0;
let newest = null;
let ended = false;
let opens = 0;
let connecting, announcing, refreshing, hiding;

const state = (name) => {
  clearTimeout(announcing);
  announcing = undefined;
  document.body.dataset.live = name;
};

// --- The page ------------------------------------------------------------------------------------------------------

const shown = () => document.querySelector("[data-version]")?.dataset.version;

const fire = () =>
  document.body.dispatchEvent(new CustomEvent("table-changed", { detail: { version: Number(newest) } }));

const refresh = (wait = 2 * SECOND, patience = LONGEST_REQUEST) => {
  clearTimeout(refreshing);
  if (newest === null || shown() === newest) return;
  if (patience > 0 && document.querySelector(".htmx-request, [data-sending]")) {
    refreshing = setTimeout(refresh, 100, wait, patience - 100);
    return;
  }
  fire();
  if (shown() === undefined) return;
  refreshing = setTimeout(refresh, scattered(wait), longer(wait, LONGEST_PAUSE));
};

// Nothing comes of asking on: each time would count as a guess at the code.
const end = () => {
  if (ended) return;
  ended = true;
  clearTimeout(refreshing);
  close();
  state("ended");
  document.body.dispatchEvent(new CustomEvent("table-gone", { bubbles: true }));
};

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.requestConfig.triggeringEvent?.type === "table-changed" && GONE.includes(detail.xhr.status)) end();
});

// --- The stream ----------------------------------------------------------------------------------------------------

const close = () => {
  clearTimeout(connecting);
  source?.close();
  source = null;
};

const open = () => {
  close();
  const address = document.body.dataset.stream;
  if (!address || ended) return;
  const opened = new EventSource(address);
  source = opened;
  heard = Date.now();
  // A phone that was away may have been asked something meanwhile, which is no newer version.
  let again = opens++ > 0 && document.querySelector("[data-running]") !== null;
  opened.addEventListener("changed", (event) => {
    heard = Date.now();
    pause = SHORTEST_PAUSE;
    newest = String(JSON.parse(event.data).version);
    state("open");
    if (again) fire();
    else refresh();
    again = false;
  });
  // Said again and again: it tells also that the line is not dead.
  opened.addEventListener("presence", (event) => {
    heard = Date.now();
    document.body.dispatchEvent(new CustomEvent("table-presence", { bubbles: true, detail: JSON.parse(event.data) }));
    // Who waits to be let in must not miss the answer.
    if (document.querySelector("[data-waits]")) fire();
  });
  // The rights here have changed, so redraw even if the version has not.
  opened.addEventListener("revoked", () => {
    document.body.dispatchEvent(new CustomEvent("table-revoked", { bubbles: true }));
    fire();
  });
  // The version is the same, and yet there is something to show: the way to the next table.
  opened.addEventListener("next", fire);
  // Browsers differ in when they give up, so this never leaves it to them.
  opened.addEventListener("error", () => {
    if (source !== opened) return;
    const refused = opened.readyState === EventSource.CLOSED;
    close();
    // A stream does not say why it was refused; the page does.
    if (refused) fire();
    if (ended) return;
    announcing ??= setTimeout(state, GAP, "reconnecting");
    connecting = setTimeout(open, scattered(pause));
    pause = longer(pause, LONGEST_PAUSE);
  });
};

// Who was let in has another page from then on, and a stream by another right.
const records = () => document.querySelector("#table[data-records]") !== null;
const watched = !records();
document.addEventListener("table-shown", () => {
  if (watched && records()) location.reload();
});

const start = () => {
  clearTimeout(hiding);
  pause = SHORTEST_PAUSE;
  open();
};

const hide = () => {
  if (ended) return;
  close();
  state("paused");
};

document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(hide, HIDDEN);
  else if (source === null || Date.now() - heard > HIDDEN) start();
});
addEventListener("online", start);
addEventListener("pagehide", close);
addEventListener("pageshow", (event) => {
  if (event.persisted) start();
});
setInterval(() => {
  if (source !== null && !document.hidden && Date.now() - heard > LONGEST_SILENCE) open();
}, 10 * SECOND);

if (document.body.dataset.stream) {
  state("connecting");
  start();
  if (document.hidden) hiding = setTimeout(hide, HIDDEN);
}
