// What other phones record comes by the same door as the answers to own taps: on a table's page htmx asks, and swaps nothing.

import { table } from "./page.js";
import { HEADER, OPEN, known, named, unfolded } from "./parts.js";
import { refusal } from "./queue.js";
import { isNews, remember, show } from "./render.js";
import { entries } from "./sending.js";

const follows = ({ requestConfig }) => table() !== null && requestConfig.triggeringEvent?.type === "table-changed";

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (table() !== null && detail.triggeringEvent?.type === "table-changed") {
    Object.assign(detail.headers, { [HEADER]: known().join(), [OPEN]: unfolded() });
  }
});

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { requestConfig, xhr } = event.detail;
  if (!follows(event.detail) || xhr.status !== 200) return;
  event.preventDefault();
  const html = named(xhr.responseText, requestConfig.headers[HEADER].split(","));
  // Nothing new, and a ruling waits for its decision, or to be shown: it stays where it is.
  if (refusal(entries) !== null && !isNews(html)) return;
  show(html);
  remember(html);
});
