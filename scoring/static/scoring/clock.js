// Says moments by the clock of this device; without this file they stand there in UTC.
"use strict";

(() => {
  const ways = {
    time: { timeStyle: "short" },
    day: { dateStyle: "medium" },
    moment: { dateStyle: "medium", timeStyle: "short" },
  };

  const say = () => {
    for (const moment of document.querySelectorAll("time[data-clock]")) {
      const told = new Intl.DateTimeFormat(document.documentElement.lang, ways[moment.dataset.clock]);
      moment.textContent = told.format(new Date(moment.dateTime));
    }
  };

  for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, say);
  say();
})();
