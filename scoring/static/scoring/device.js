// What a page asks of its device: to work without a network, and to stay awake while a hand runs.
"use strict";

(() => {
  // --- Offline: the service worker keeps files and the pages of this device -----------------------------------------------

  const address = document.querySelector("meta[name=worker]")?.content;

  const kept = async (path) => (await caches.match(path))?.text() ?? "";
  const keep = async (path) => {
    const answer = await fetch(path);
    if (answer.ok) await (await caches.open("pages")).put(path, answer);
  };

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
