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

// --- On the home screen ---------------------------------------------------------------------------------------------
// Offers to put the app on the home screen: by a button where the browser has one, in words on an iPhone, which has not.

const offer = document.querySelector("[data-install]");
const showOffer = (when) => {
  if (!offer) return;
  for (const each of offer.querySelectorAll("[data-when]")) each.hidden = each.dataset.when !== when;
  offer.hidden = !when;
};

// Only Safari on an iPhone or iPad says whether it was opened from the home screen.
if (navigator.standalone === false) showOffer("by-hand");
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  showOffer("offered");
  offer?.querySelector("button").addEventListener("click", () => event.prompt(), { once: true });
});
addEventListener("appinstalled", () => showOffer(""));
