// What the page of a table says of itself.

export const language = document.documentElement.lang;
export const code = /\/t\/([^/]+)\/$/.exec(location.pathname)?.[1];

export const table = () => document.getElementById("table");

// The version that an answer shows; -1 where it is of no table.
export const versionOf = (html) => Number(/data-version="(\d+)"/.exec(html)?.[1] ?? -1);
export const shownVersion = () => Number(table()?.dataset.version ?? -1);
