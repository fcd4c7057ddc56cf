// Shows moments by the clock of this device; without it they stand there in UTC.

const WAYS = {
  time: { timeStyle: "short" },
  day: { dateStyle: "medium" },
  moment: { dateStyle: "medium", timeStyle: "short" },
};

const show = () => {
  for (const moment of document.querySelectorAll("time[data-clock]")) {
    const format = new Intl.DateTimeFormat(document.documentElement.lang, WAYS[moment.dataset.clock]);
    moment.textContent = format.format(new Date(moment.dateTime));
  }
};

for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, show);
show();
