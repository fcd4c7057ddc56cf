// What lies folded is asked for when somebody opens it, and comes with every answer while it stays open.

import { table } from "./page.js";

export const OPEN = "Table-Open";
export const openFolds = (root) => [...root.querySelectorAll("details[data-fold][open]")].map((fold) => fold.dataset.fold);
export const unfolded = () => openFolds(table()).join();

// It says so before its answer is there; a link stands in it for a browser without scripts.
addEventListener("toggle", ({ target }) => {
  if (target.matches?.("#table details[data-fold][open]") && target.querySelector(":scope > [data-folded]")) {
    document.body.dispatchEvent(new CustomEvent("table-changed"));
  }
}, true);
