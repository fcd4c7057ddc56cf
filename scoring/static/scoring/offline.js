// Registers the service worker, which keeps files and the pages of this device for when there is no network.

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
  if (path !== "/" && !(await kept("/")).includes(path)) await keep("/");
};

// Addresses in a home network have no certificate, and browsers then have no service worker.
if (address && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(address).then(keepThisPage).catch((problem) => console.warn("Not offline:", problem));
}
