// What a page asks of its device: to work without a network, and to stay awake while a hand runs.
"use strict";

(() => {
  // --- Offline: the service worker keeps files and the pages of this device -----------------------------------------------

  const address = document.querySelector("meta[name=worker]")?.content;

  const kept = async (path) => (await caches.match(path))?.text() ?? "";
  const keep = async (path) => (await navigator.serviceWorker.ready).active?.postMessage({ keep: path });

  // The worker keeps every page that is opened; the one that brought it was there before. And the copy of the front page,
  // where the app on a home screen begins, may be older than this table.
  const keepThisPage = async () => {
    await navigator.serviceWorker.ready;
    const path = location.pathname;
    if (!/^\/(t\/[^/]+\/)?$/.test(path)) return;
    if (!(await kept(path))) await keep(path);
    if (!(await kept("/")).includes(path)) await keep("/");
  };

  // Addresses in a home network have no certificate, and browsers then have no service worker.
  if (address && "serviceWorker" in navigator) {
    navigator.serviceWorker.register(address).then(keepThisPage).catch((problem) => console.warn("Not offline:", problem));
  }

  // --- Forgetting: when a right to a table is gone, or somebody wants it -----------------------------------------------------

  const quietly = (work) => work.catch((problem) => console.warn("Not forgotten:", problem));

  const dropCopies = async (table) => {
    await window.cardTable?.outbox?.forgetShown(table);
    if (!("caches" in window)) return;
    const pages = await caches.open("pages");
    for (const request of await pages.keys()) {
      const { pathname } = new URL(request.url);
      if (pathname === "/" || pathname.startsWith(`/t/${table}/`)) await pages.delete(request);
    }
  };

  const here = /^\/t\/([^/]+)\//.exec(location.pathname)?.[1];
  document.addEventListener("table-revoked", () => quietly(dropCopies(here)));
  document.addEventListener("table-gone", async () => {
    document.getElementById("secret")?.remove();
    await quietly(dropCopies(here));
    // What waits to be sent stays on the page, for somebody to read.
    if (!window.cardTable?.taps?.entries.length) location.reload();
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-forget]");
    if (!form) return;
    event.preventDefault();
    await quietly(window.cardTable.outbox.forgetTable(form.dataset.forget));
    await quietly(dropCopies(form.dataset.forget));
    form.submit();
  });

  // --- Awake while a hand runs, but not all night -------------------------------------------------------------------------

  const LONGEST_IDLE = 15 * 60 * 1000;
  let lock = null;
  let asking = false;
  let stirred = Date.now();

  const wanted = () =>
    document.querySelector("[data-running]") !== null &&
    document.visibilityState === "visible" &&
    Date.now() - stirred < LONGEST_IDLE;

  const watch = async () => {
    if (asking || wanted() === (lock !== null)) return;
    asking = true;
    try {
      if (lock) {
        await lock.release();
      } else {
        lock = await navigator.wakeLock.request("screen");
        lock.addEventListener("release", () => {
          lock = null;
          watch();
        });
      }
    } catch {
      // A nearly empty battery says no.
    } finally {
      asking = false;
    }
  };

  const stir = () => {
    stirred = Date.now();
    watch();
  };

  if ("wakeLock" in navigator) {
    for (const happening of ["visibilitychange", "htmx:afterSwap", "table-shown", "pointerdown", "keydown"]) {
      document.addEventListener(happening, stir);
    }
    setInterval(watch, 60 * 1000);
    watch();
  }
})();
