// The page of an evening follows its tables without taking anything from under a finger: what is open stays open.

import { tellMoments } from "./clock.js";
import { morph } from "./morph.js";

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "evening" || detail.xhr.status !== 200) return;
  const parsed = document.createElement("template");
  parsed.innerHTML = detail.serverResponse;
  const fresh = parsed.content.querySelector("#evening");
  if (fresh === null) return;
  detail.shouldSwap = false;
  morph(detail.target, fresh);
  tellMoments();
});
