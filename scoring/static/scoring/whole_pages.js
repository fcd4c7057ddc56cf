// A whole page that answers a form, such as one that says why not, takes the place of the page: in a part of it, or not
// shown at all, nobody would see it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.requestConfig.verb !== "post" || !/^\s*<!doctype/i.test(detail.xhr.responseText)) return;
  detail.shouldSwap = true;
  detail.target = document.body;
  detail.swapOverride = "innerHTML show:window:top";
});
