// Offers to put the app on the home screen: by a button where the browser has one, in words on an iPhone, which has not.

const offer = document.querySelector("[data-install]");
const show = (when) => {
  if (!offer) return;
  for (const each of offer.querySelectorAll("[data-when]")) each.hidden = each.dataset.when !== when;
  offer.hidden = !when;
};

// Only Safari on an iPhone or iPad says whether it was opened from the home screen.
if (navigator.standalone === false) show("by-hand");
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  show("offered");
  offer?.querySelector("button").addEventListener("click", () => event.prompt(), { once: true });
});
addEventListener("appinstalled", () => show(""));
