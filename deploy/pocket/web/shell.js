// The pocket's document. It never navigates: it owns the worker that runs Python, and shows pages in a frame. A lock
// allows one tab at a time; a page's path is kept in the document's URL fragment.

const ALL = "__WORDS__";
const BASE = new URL("./", location).pathname;
const KEY = `pocket:${BASE}`;
const PAGES = `pocket-pages:${BASE}`;
const LANGUAGES = "__LANGUAGES__";
const spoken = [...navigator.languages, "en"].map((each) => each.split("-")[0]).find((each) => LANGUAGES.includes(each));
// The chosen language, else the browser's.
const language = () => /(?:^|; )language=(\w+)/.exec(document.cookie)?.[1] ?? spoken;
const WORDS = ALL[spoken];

const [cover, words, progress, button, bar] = ["cover", "words", "progress", "button", "bar"].map((id) => document.getElementById(id));
const frame = Object.assign(document.createElement("iframe"), { id: "page", title: document.title });
const kept = (name) => localStorage.getItem(`${KEY}${name}`);
const keep = (name, value) => localStorage.setItem(`${KEY}${name}`, value);
const channel = new BroadcastChannel(KEY);
let worker = null;
let offered = null;

const show = (text, value, act = null) => {
  cover.hidden = false;
  words.textContent = WORDS[text];
  progress.hidden = value === null;
  if (value !== null) progress.value = value;
  button.hidden = act === null;
  if (act) [button.textContent, button.onclick] = [WORDS[act[0]], act[1]];
};
const reload = () => location.reload();

// --- The page in the frame ------------------------------------------------------------------------------------------------

const shown = () => frame.contentWindow.location;
const follow = () => {
  const { pathname, search, hash } = shown();
  if (!pathname.startsWith(BASE)) return;
  const path = pathname.slice(BASE.length) + search + hash;
  history.replaceState(null, "", path ? `#${path}` : BASE);
  const page = frame.contentDocument;
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dataset.theme = page.documentElement.dataset.theme ?? "";
  if (copied) copied.page ??= page;
  cover.hidden = true;
  frame.inert = false;
  if (!performance.getEntriesByName("page").length) performance.mark("page");
  if (offered) frame.contentWindow.dispatchEvent(offered);
};
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offered = event;
  frame.contentWindow?.dispatchEvent(event);
});
addEventListener("hashchange", () => open(location.hash.slice(1)));
const open = (path) => {
  if (frame.isConnected) return frame.contentWindow.location.replace(BASE + path);
  frame.src = BASE + path; // set before it is inserted, so that no empty page is loaded first
  document.body.prepend(frame);
};

// A cached page shown before Python was ready may be out of date.
let copied = null;
const isUsed = (page) => page.querySelector(":popover-open, dialog[open]") || page.activeElement !== page.body;
const catchUp = async () => {
  const { name, page } = copied;
  copied = null;
  if (name) (page ?? frame.contentDocument).body.dispatchEvent(new CustomEvent("table-changed"));
  else {
    while (isUsed(frame.contentDocument)) await pause(500);
    if (frame.contentDocument !== page) return; // the user has opened another page
    const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
    shown().reload();
    await loaded;
  }
};
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
// Whether the service worker forwards requests to Python; before that it serves cached copies.
let isForwarding = false;
const replaceCopy = async () => {
  for (let turn = 1; !isForwarding; turn++) {
    if (turn % 20 === 0) connect(); // the browser stopped the service worker, which lost its port
    await pause(50);
  }
  if (copied) await catchUp();
};
const isReady = async (how) => {
  performance.mark("python");
  await replaceCopy();
  document.documentElement.dataset.ready = how;
};
const noteCopy = async (name) => {
  copied = { name, page: null };
  if (!("ready" in document.documentElement.dataset)) return;
  isForwarding = false;
  await new Promise((done) => frame.addEventListener("load", done, { once: true }));
  connect();
  await replaceCopy();
};

// A service worker of the server at the same host may control this document at first.
const controller = () => {
  const found = navigator.serviceWorker.controller;
  return found && new URL(found.scriptURL).pathname === `${BASE}sw.js` ? found : null;
};

// --- Python ---------------------------------------------------------------------------------------------------------------

const connect = () => {
  if (!worker) return;
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({}, [port1]);
  controller().postMessage({ port: true }, [port2]);
};

const versionOf = (controller) =>
  new Promise((resolve) => {
    const hear = ({ data }) => data.version && resolve(data.version);
    navigator.serviceWorker.addEventListener("message", hear);
    controller.postMessage({ version: true });
  });

const startPython = (options) => {
  performance.mark("worker");
  worker = new Worker(`${BASE}worker.js`, { type: "module" });
  worker.onmessage = ({ data }) => {
    for (const cookie of data.visible ?? []) document.cookie = cookie;
    if (data.mark) performance.mark(data.mark);
    if (data.restart) frame.addEventListener("load", reload, { once: true });
    if (data.stage === "python" && !cover.hidden) show("starting", 0.8);
    if (data.stage === "ready") {
      isReady(data.snapshot ? "snapshot" : "loaded");
      if (!data.snapshot) makeSnapshot(options);
    }
    if (data.unlearned) tellAway();
    if ("full" in data) tellBar(data.full ? "full" : update ? "update" : null);
    if (data.broken) {
      console.error(data.broken);
      if (data.snapshot) keep("snapshot", "");
      show(data.lacking ? "noRoom" : "broken", null, ["again", reload]);
    }
  };
  worker.postMessage(options);
};

const IDLE = 4000;
const makeSnapshot = (options) =>
  setTimeout(() => {
    const maker = new Worker(`${BASE}worker.js`, { type: "module" });
    maker.onmessage = ({ data }) => {
      if (data.made) keep("snapshot", data.made);
      else console.warn("No snapshot:", data.unmade);
      maker.terminate();
    };
    maker.postMessage({ ...options, making: true, snapshot: options.name });
  }, IDLE);

// The service worker caches every page of a table it serves; of the browser's stores, this one is written first.
const keptPages = async () => {
  const pages = (await caches.has(PAGES)) ? await (await caches.open(PAGES)).keys() : null;
  return pages?.map(({ url }) => new URL(url).pathname.slice(BASE.length)) ?? null;
};
const pagesThen = "caches" in window ? keptPages() : null; // started first, because the frame waits for it

const optionsOf = async () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const version = await versionOf(controller());
  const name = `${version}-${zone}-${BASE}`.replace(/\W/g, "_");
  return { base: BASE, zone, name, place: KEY.replace(/\W/g, "_"), snapshot: kept("snapshot") === name ? name : "", language: language() };
};

const run = async () => {
  const pages = await pagesThen;
  const path = location.hash.slice(1) || (pages?.at(-1) ?? "");
  const isShown = pages ? pages.includes(path) : path === "";
  frame.addEventListener("load", follow);
  if (isShown) {
    // Show the last page first; Python and the page compete for the processor. Without its scripts it takes no taps.
    frame.inert = true;
    const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
    open(path);
    await Promise.race([loaded, pause(2000)]);
    await pause(100);
  } else show("starting", 0.7);
  startPython(await optionsOf());
  connect();
  if (!isShown) open(path);
  navigator.storage?.persist?.();
};

// --- One tab at a time, and new versions ------------------------------------------------------------------------------------

const controlled = async () => {
  while (!controller()) {
    await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  }
};

let update = null;
const tellBar = (text) => {
  const [words, restart] = bar.children;
  bar.hidden = text === null;
  words.textContent = WORDS[text] ?? "";
  restart.textContent = WORDS.restart;
  restart.hidden = text !== "update";
};
const offerUpdate = (waiting) => {
  update = waiting;
  bar.lastElementChild.onclick = () => {
    navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
    update.postMessage({ skip: true });
  };
  tellBar("update");
};
const tellAway = () => {
  const [text, close] = bar.children;
  const words = ALL[document.documentElement.lang] ?? WORDS;
  text.textContent = words.away;
  close.textContent = words.close;
  close.onclick = () => (update ? offerUpdate(update) : tellBar(null));
  close.hidden = bar.hidden = false;
};

let lacking = "offline";

const install = async () => {
  const registration = await navigator.serviceWorker.register(`${BASE}sw.js`, { scope: BASE, updateViaCache: "none" });
  if (registration.waiting) offerUpdate(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing.addEventListener("statechange", () => {
      if (installing.state === "installed" && registration.active) offerUpdate(installing);
      if (installing.state === "redundant" && !registration.active) show(lacking, null, ["again", reload]);
    });
  });
  await controlled();
  performance.mark("installed");
};

const hold = () => {
  channel.onmessage = () => reload(); // another tab takes over: release the lock
  return run()
    .then(install)
    .catch(console.error)
    .then(() => new Promise(() => {}));
};
const takeOver = () => {
  channel.postMessage("mine");
  navigator.locks.request(KEY, hold);
};

const begin = async () => {
  if (!("serviceWorker" in navigator && navigator.locks && "DecompressionStream" in window)) return show("old", null);
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.installed && !worker && button.hidden) show("getting", 0.7 * data.installed);
    if (data.full) lacking = "noRoom";
    if (data.full && !button.hidden) show(lacking, null, ["again", reload]);
    if (data.wanted) connect();
    if (data.ready) isForwarding = true;
    if ("copy" in data) noteCopy(data.copy);
    if (data.waits && worker && performance.getEntriesByName("page").length) show("starting", 0.9);
  });
  if (!controller()) {
    show("getting", 0);
    try {
      await install();
    } catch (problem) {
      console.error(problem);
      return show("offline", null, ["again", reload]);
    }
  }
  await navigator.locks.request(KEY, { ifAvailable: true }, (lock) =>
    lock ? hold() : show("elsewhere", null, ["here", takeOver]),
  );
};
begin();
