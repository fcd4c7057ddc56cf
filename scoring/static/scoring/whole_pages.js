// What htmx does with an answer, told before it looks at the page; it runs no code out of attributes.
Object.assign(window.htmx?.config ?? {}, {
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  attributesToSettle: [],
  responseHandling: [
    { code: "204", swap: false },
    { code: "[23]..", swap: true },
    { code: "403|409|412|422", swap: true, error: false },
    { code: "[45]..", swap: false, error: true },
  ],
});

// A whole page that answers a form, such as one that says why not, takes the place of the page: in a part of it, or not
// shown at all, nobody would see it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.requestConfig.verb !== "post" || !/^\s*<!doctype/i.test(detail.xhr.responseText)) return;
  detail.shouldSwap = true;
  detail.target = document.body;
  detail.swapOverride = "innerHTML show:window:top";
});
