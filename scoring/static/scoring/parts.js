// What of a table's page travels once. A request says which parts the page has; the answer holds the others, and of these
// only their places in what was said, <!--=first-last-->. A part stands between <!--[mark--> and <!--]-->.
"use strict";

window.cardTable ??= {};

(() => {
  const PART = /<!--\[([\w-]{7})-->(.*?)<!--\]-->/gs;
  const NAMED = /<!--=(\d+)-(\d+)-->/g;
  const VERSIONS = /(name="version" value=")\d+/g;
  // Enough for several answers under way at once.
  const MOST = 600;

  const parts = new Map();
  let latest = [];

  const learn = (html) => {
    const found = [...html.matchAll(PART)];
    if (!found.length) return;
    latest = [...new Set(found.map(([, mark]) => mark))];
    for (const [, mark, part] of found) {
      parts.delete(mark);
      parts.set(mark, part);
    }
    for (const mark of parts.keys()) {
      if (parts.size <= MOST) break;
      parts.delete(mark);
    }
  };

  // Return the answer to a request that said what it has, with everything in it.
  const whole = (answer, said) => {
    const part = (mark) => `<!--[${mark}-->${parts.get(mark) ?? ""}<!--]-->`;
    const filled = answer.replace(NAMED, (_, first, last) => said.slice(first, Number(last) + 1).map(part).join(""));
    // What a form counts on is the version of this answer, in whichever answer it came.
    const [, version] = /data-version="(\d+)"/.exec(answer) ?? [];
    const html = version ? filled.replace(VERSIONS, `$1${version}`) : filled;
    learn(html);
    return html;
  };

  const table = document.getElementById("table");
  if (table) learn(table.outerHTML);

  cardTable.parts = { header: "Table-Parts", known: () => latest, whole };
})();
