// Shows moments by the clock of this device, as its people write them; without it they stand there in UTC.

const WAYS = {
  time: { timeStyle: "short" },
  day: { dateStyle: "medium" },
  moment: { dateStyle: "medium", timeStyle: "short" },
};

// English is written in one way here and in another there.
const own = ({ lang }) => navigator.languages.find((each) => each.split("-")[0] === lang) ?? lang;

export const tellMoments = () => {
  for (const moment of document.querySelectorAll("time[data-clock]")) {
    const format = new Intl.DateTimeFormat(own(document.documentElement), WAYS[moment.dataset.clock]);
    moment.textContent = format.format(new Date(moment.dateTime));
  }
};

// In whose evening a table or a group is counted: that of the device that opens it.
for (const field of document.querySelectorAll("input[type=hidden][name=time_zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, tellMoments);
tellMoments();
