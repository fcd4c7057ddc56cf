// What the page of a table says of itself.

// Where the product stands: at the root of a server, below any path in a pocket. What is kept of both lies side by side.
export const base = new URL("../../", import.meta.url).pathname;
export const pocket = "pocket" in document.documentElement.dataset;
export const copies = pocket ? `pocket-pages:${base}` : "pages";

export const language = document.documentElement.lang;
export const code = /\/t\/([^/]+)\/$/.exec(location.pathname)?.[1];

export const table = () => document.getElementById("table");

// The version that an answer shows; -1 where it is of no table.
export const versionOf = (html) => Number(/data-version="(\d+)"/.exec(html)?.[1] ?? -1);
export const shownVersion = () => Number(table()?.dataset.version ?? -1);
