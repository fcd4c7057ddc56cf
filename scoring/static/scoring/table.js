// Says so when an answer does not come: what was tapped is not recorded then. Everything else works without this file.
"use strict";

(() => {
  const trouble = (shown) => {
    const banner = document.getElementById("trouble");
    if (banner) banner.hidden = !shown;
  };
  document.addEventListener("htmx:sendError", () => trouble(true));
  document.addEventListener("htmx:responseError", () => trouble(true));
  document.addEventListener("htmx:afterSwap", () => {
    trouble(false);
    // A ruling asks for a decision: bring it into view and read it out.
    const message = document.getElementById("message");
    if (message) {
      message.focus({ preventScroll: true });
      message.scrollIntoView({ block: "nearest" });
    }
  });
})();
