// Small courtesies; everything works without this file.
"use strict";

(() => {
  // When an answer does not come, what was tapped is not recorded: say so.
  const trouble = (shown) => {
    const banner = document.getElementById("trouble");
    if (banner) banner.hidden = !shown;
  };
  document.addEventListener("htmx:sendError", () => trouble(true));
  document.addEventListener("htmx:responseError", () => trouble(true));
  // A number typed beside a choice makes that choice.
  document.addEventListener("input", (event) => {
    const choice = event.target.closest(".end")?.querySelector("input[type=radio]");
    if (choice) choice.checked = true;
  });
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
