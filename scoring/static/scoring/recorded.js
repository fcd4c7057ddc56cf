// Where a form far down the page was recorded, the page shows what became of it: the folds close, the scores come into view.

import { table } from "./page.js";

document.addEventListener("tap-recorded", ({ detail: { event, action } }) => {
  const form = table()?.querySelector(`form[data-event="${CSS.escape(event)}"]`);
  const isFarDown = form?.matches("#more *, :has(.results)");
  if (!isFarDown && !action.endsWith("/settle/")) return;
  for (let fold = form?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = false;
  scrollTo({ top: 0 });
});
