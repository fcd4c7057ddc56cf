// Keeps the files of the pages and the tables of this device, for when there is no network.
//
// Files carry a hash of their content in their names, so what is kept is what is meant; a page comes from the network
// whenever that answers, and then no copy is shown.
"use strict";

const FILES = {{ files|safe }};
const STATIC = {{ static|safe }};
const CHOICES = {{ choices|safe }};
const OFFLINE = {{ offline|safe }};
// Copies of a table go by its address when they have to go, so a code typed in another way keeps nothing.
const KEPT = /^\/(t\/[A-Z0-9]+\/(log\/)?|games\/[^/]+\/)?$/;
const OF_A_TABLE = /^\/t\/[^/]+\/(share|screen|continue)\/$/;
const FORGET = /^\/t\/[^/]+\/forget\/$/;
// What a table answers that this device may see no more.
const GONE = [401, 403, 404, 410];
// What only the own phone shows is never kept.
const OWN = /<details class="peek" id="peek">.*?<\/details>/s;
const MOST_PAGES = 30;
const PATIENCE = 4000;

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", (event) => {
  if (KEPT.test(event.data.keep)) event.waitUntil(keepNow(event.data.keep));
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin) return;
  const answer = (found) => event.respondWith(found.catch(offline));
  if (request.method === "POST" && CHOICES.includes(pathname)) event.respondWith(switched(event));
  if (request.method === "POST" && FORGET.test(pathname)) answer(forgotten(request, pathname));
  if (request.method !== "GET") return;
  if (pathname.startsWith(STATIC)) event.respondWith(file(request));
  else if (request.mode !== "navigate" || pathname.startsWith("/api/")) return;
  else if (KEPT.test(pathname)) answer(search ? searched(request, pathname) : page(event, pathname));
  else if (OF_A_TABLE.test(pathname)) answer(watched(request, pathname));
  else answer(fetch(request));
});

async function install() {
  const files = await caches.open("files");
  const there = new Set((await files.keys()).map(({ url }) => new URL(url).pathname));
  await files.addAll(FILES.filter((name) => !there.has(name)));
  await keepOffline();
  // An open page has all it needs already: nobody has to close it for the new worker to begin.
  await skipWaiting();
}

async function activate() {
  await clients.claim();
  await prune();
}

// Files that no page kept here names, and that do not belong to the present pages, go.
async function prune() {
  const pages = await caches.open("pages");
  const files = await caches.open("files");
  const kept = await pages.matchAll();
  const texts = await Promise.all(kept.map((answer) => answer.text()));
  for (const request of await files.keys()) {
    const { pathname } = new URL(request.url);
    if (!FILES.includes(pathname) && !texts.some((text) => text.includes(pathname))) await files.delete(request);
  }
}

async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function page(event, pathname) {
  const pages = await caches.open("pages");
  const copy = await pages.match(pathname, { ignoreVary: true });
  const answer = fetch(event.request).then((fresh) => {
    event.waitUntil(keep(pages, pathname, fresh.clone()));
    return fresh;
  });
  if (!copy) return answer;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  const fresh = await Promise.race([answer.catch(() => null), late]);
  return fresh && fresh.status < 500 ? fresh : copy;
}

// An address that chooses something: without a network the page stays as it was.
async function searched(request, pathname) {
  const copy = await (await caches.open("pages")).match(pathname, { ignoreVary: true });
  return copy ? fetch(request).catch(() => copy) : fetch(request);
}

// What to say when there is no network and no copy.
async function offline() {
  return (await caches.match(OFFLINE, { ignoreVary: true })) ?? Response.error();
}

const keepOffline = async () => (await caches.open("offline")).add(OFFLINE);

// Cached pages have the earlier language and theme: drop them, and fetch them again while there is a network.
async function switched(event) {
  let answer;
  try {
    answer = await fetch(event.request);
  } catch {
    const { referrer } = event.request;
    return Response.redirect(referrer.startsWith(`${location.origin}/`) ? referrer : "/", 303);
  }
  // A form that is not of this device is refused, and nothing is chosen by it.
  if (answer.type !== "opaqueredirect" && !answer.redirected) return answer;
  const pages = await caches.open("pages");
  const kept = (await pages.keys()).map(({ url }) => new URL(url).pathname);
  await caches.delete("pages");
  event.waitUntil(keepAgain(kept));
  return answer;
}

async function keepAgain(kept) {
  await keepOffline();
  const pages = await caches.open("pages");
  for (const pathname of kept) await keep(pages, pathname, await fetch(pathname));
}

async function keepNow(pathname) {
  await keep(await caches.open("pages"), pathname, await fetch(pathname));
}

// A page of a table that is not kept tells, too, that the right to it is gone.
async function watched(request, pathname) {
  const answer = await fetch(request);
  if (GONE.includes(answer.status)) await forget(pathname);
  return answer;
}

async function forgotten(request, pathname) {
  const answer = await fetch(request);
  if (answer.type === "opaqueredirect" || answer.redirected) await forget(pathname);
  return answer;
}

// Every copy of a table goes, and that of the front page, which names it.
async function forget(pathname) {
  const pages = await caches.open("pages");
  const [table] = /^\/t\/[^/]+\//.exec(pathname) ?? [];
  for (const { url } of await pages.keys()) {
    const other = new URL(url).pathname;
    if (other === pathname || (table && (other === "/" || other.startsWith(table)))) await pages.delete(url);
  }
}

async function withoutOwn(answer) {
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response((await answer.text()).replace(OWN, ""), { headers });
}

async function keep(pages, pathname, answer) {
  if (GONE.includes(answer.status)) await forget(pathname);
  if (!answer.ok || answer.redirected) return;
  const copy = pathname.startsWith("/t/") ? await withoutOwn(answer) : answer;
  // Deleted first, so that the oldest stand first.
  await pages.delete(pathname);
  await pages.put(pathname, copy);
  for (const { url } of (await pages.keys()).slice(0, -MOST_PAGES)) await pages.delete(url);
}
