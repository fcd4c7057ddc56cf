// The pocket's service worker. It caches all files on the first visit and forwards page requests to the worker that
// runs Python, which the shell introduces. Until that is ready, it serves the cached copy of a page.
"use strict";

const VERSION = "__VERSION__";
const FILES = "__FILES__";
const POLICY = "__POLICY__";
const PAGE_POLICY = POLICY.replace(" 'wasm-unsafe-eval'", "");
const BASE = new URL("./", location).pathname;
const CACHE = `pocket:${BASE}:${VERSION}`;
const PAGES = `pocket-pages:${BASE}`;
const NAMES = new Map(FILES.map((file) => [file[0], file]));
const NAMED = ["static/*", "icon.*", "worker.js", "disk.js"];
const KEPT = /^(t\/[A-Z0-9]+\/)?$/;
const AT_ONCE = 4;
const STEPS = 25; // at most, in which the progress bar grows: each is drawn while there is much else to do
const PATIENCE = 30_000;

let port = null;
let owner = null;
let ready = false;

addEventListener("install", (event) => {
  event.waitUntil(install().catch(giveUp));
  // Where supported, the browser reads these files from the cache directly, without running this worker.
  if (!event.addRoutes) return;
  const patterns = NAMED.map((name) => ({ urlPattern: new URLPattern({ pathname: BASE + name, baseURL: location.href }) }));
  const shell = { urlPattern: new URLPattern({ pathname: BASE, baseURL: location.href }), requestDestination: "document" };
  event.waitUntil(event.addRoutes({ condition: { or: [shell, ...patterns] }, source: { cacheName: CACHE } }));
});
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", ({ data, ports: [given], source }) => {
  if (data.port) use(given, source.id);
  if (data.skip) skipWaiting();
  if (data.version) source.postMessage({ version: VERSION });
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || !pathname.startsWith(BASE)) return;
  const name = pathname.slice(BASE.length);
  if (NAMES.has(name) && request.method === "GET" && name) event.respondWith(file(name));
  else if (request.mode === "navigate" && !["iframe", "frame"].includes(request.destination)) event.respondWith(shell(request));
  else event.respondWith(page(event, name));
});

// --- Files --------------------------------------------------------------------------------------------------------------

const tell = async (message) => {
  for (const client of await clients.matchAll({ type: "window", includeUncontrolled: true })) client.postMessage(message);
};

// Fetch files that no earlier version has. Files are stored gzipped on the host and unpacked before caching.
async function keep([name, digest, kind], old = []) {
  const cache = await caches.open(CACHE);
  const key = BASE + name;
  let kept = (await cache.match(key)) ?? null;
  for (const other of old) kept ??= await (await caches.open(other)).match(key);
  if (kept?.headers.get("Digest") !== digest) {
    const answer = await fetch(`files/${digest}.bin`);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const headers = { "Content-Type": kind, Digest: digest, "X-Content-Type-Options": "nosniff" };
    if (!kind.startsWith("text/html")) headers["Content-Security-Policy"] = POLICY; // documents name their own
    if (name.startsWith("static/")) headers["Cache-Control"] = "max-age=31536000, immutable"; // the name contains a hash
    kept = new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers });
  }
  await cache.put(key, kept);
}

// Languages to install: the browser's, and those an earlier version has; others are fetched and cached when chosen.
const LANGUAGE = /^(first|languages)\/(\w+)\./;
const spoken = () => [...navigator.languages, "en"].map((each) => each.split("-")[0]).find((each) => NAMES.has(`first/${each}.html`));
const wantedFrom = async (old) => {
  const languages = new Set(["en", spoken()]);
  for (const other of old) {
    for (const { url } of await (await caches.open(other)).keys()) {
      const found = LANGUAGE.exec(new URL(url).pathname.slice(BASE.length));
      if (found?.[1] === "languages") languages.add(found[2]);
    }
  }
  if (languages.size > 1) languages.add("texts");
  return FILES.filter(([name]) => !LANGUAGE.test(name) || languages.has(LANGUAGE.exec(name)[2]));
};

async function install() {
  const old = (await caches.keys()).filter((name) => name.startsWith(`pocket:${BASE}:`) && name !== CACHE);
  const left = await wantedFrom(old);
  const total = left.reduce((sum, [, , , size]) => sum + size, 0);
  let there = 0;
  let told = 0;
  const line = async () => {
    while (left.length) {
      const each = left.shift();
      await keep(each, old);
      there += each[3];
      if (there - told > total / STEPS) tell({ installed: (told = there) / total });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
}

// A partly installed version would only take space from records.
async function giveUp(problem) {
  if (problem?.name === "QuotaExceededError") {
    await caches.delete(CACHE);
    await tell({ full: true });
  }
  throw problem;
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(`pocket:${BASE}:`) && name !== CACHE) {
      await caches.delete(name);
      await caches.delete(PAGES); // they refer to files of the old version
    }
  }
  await clients.claim();
}

let files = null;
const file = async (name) => {
  files ??= caches.open(CACHE);
  const kept = async () => (await files).match(BASE + name);
  return (await kept()) ?? (await keep(NAMES.get(name)), kept());
};

const shell = ({ url }) => {
  const { pathname, search } = new URL(url);
  const rest = pathname.slice(BASE.length) + search;
  return rest ? Response.redirect(`${BASE}#${rest}`, 302) : file("index.html");
};

// --- Pages --------------------------------------------------------------------------------------------------------------

let asked = 0;
const waiting = new Map();

function use(given, shell) {
  port = given;
  owner = shell;
  ready = false;
  port.onmessage = ({ data }) => {
    if (data.ready) tell({ ready: (ready = true) });
    else waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
}

// A stopped service worker loses its state; ask the shell for a new port.
const wanted = async () => {
  for (let waits = 0; port === null && waits < PATIENCE; waits += 50) {
    if (waits % 1000 === 0) await tell({ wanted: true });
    await new Promise((done) => setTimeout(done, 50));
  }
  return port;
};

const ask = async (request) => {
  const { method, url, referrer } = request;
  const isOwn = referrer.startsWith(location.origin + BASE);
  if (method !== "GET" && !isOwn) return new Response("", { status: 403 }); // instead of a CSRF token
  const body = await request.arrayBuffer();
  const id = ++asked;
  const known = { "accept-language": navigator.languages.join(), ...(isOwn ? { referer: referrer } : {}) };
  const headers = JSON.stringify({ ...known, ...Object.fromEntries(request.headers) });
  const to = await wanted();
  if (!to) return new Response("", { status: 503 });
  const { status, headers: sent, body: content } = await new Promise((resolve) => {
    waiting.set(id, resolve);
    to.postMessage({ id, method, url, headers, body }, [body]);
  });
  const empty = [204, 205, 304].includes(status);
  return new Response(empty ? null : content, { status, headers: sent.filter(([name]) => name !== "Content-Length") });
};

// The front page of a phone that has no cached pages yet.
const first = async (name) => {
  if (name !== "" || (await caches.has(PAGES))) return null;
  const found = await file(`first/${spoken()}.html`);
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": PAGE_POLICY };
  return new Response((await found.text()).replaceAll("__BASE__", BASE), { headers });
};

async function page(event, name) {
  const { request } = event;
  // Without the shell that owns it, the port is dead; another shell sends its own.
  if (port && request.mode === "navigate" && !(await clients.get(owner))) [port, ready] = [null, false];
  const isKept = request.mode === "navigate" && request.method === "GET" && KEPT.test(name);
  const copy = isKept && !ready && ((await caches.match(BASE + name, { cacheName: PAGES })) ?? (await first(name)));
  if (copy) {
    tell({ copy: name });
    return copy;
  }
  if (!ready && request.mode === "navigate") tell({ waits: true });
  if (!isKept) return ask(request);
  const pages = await caches.open(PAGES);
  const answer = await ask(request);
  if (answer.ok) event.waitUntil(pages.put(BASE + name, answer.clone()));
  else if ([403, 404, 410].includes(answer.status)) event.waitUntil(pages.delete(BASE + name));
  return answer;
}
