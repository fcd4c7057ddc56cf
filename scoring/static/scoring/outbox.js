// Keeps what was tapped on this device until the server has it, and what a table showed last.
//
// A tap is on the disk before it is sent, under the key that it is always sent with: whatever dies in between, the
// browser, the phone or the server, it is sent again and recorded once. The page keeps it, and not a service worker
// for the browser's background sync, which Safari and Firefox do not have.

import { base } from "./page.js";

// What only the own phone shows is never kept: it may lie on a table when the right to it is gone.
const OWN = /<details class="peek" id="peek">.*?<\/details>/s;
export const withoutOwn = (html) => html.replace(OWN, "");

let opened = null;

const open = () =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(base === "/" ? "card-table" : `card-table${base}`, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("taps", { keyPath: "key" }).createIndex("table", "table");
      opening.result.createObjectStore("shown", { keyPath: "table" });
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const base = opening.result;
      // A phone may close it in its sleep; another tab may bring a newer form of it.
      base.onclose = () => (opened = null);
      base.onversionchange = () => {
        base.close();
        opened = null;
      };
      resolve(base);
    };
  });

// Do one thing, wholly or not at all, and return its result.
const act = async (store, mode, work, durability = "strict") => {
  opened ??= open();
  let base;
  try {
    base = await opened;
  } catch (problem) {
    opened = null;
    throw problem;
  }
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(store, mode, { durability });
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error);
  });
};

// A device that keeps nothing still sends; whether something is on the disk is what comes of it.
export const quietly = (work) =>
  work.then(() => true, (problem) => (console.warn("Not kept on this device:", problem), false));

// The taps of a table that wait, oldest first.
export const load = async (table) => {
  const found = await act("taps", "readonly", (taps) => taps.index("table").getAll(table));
  return found.sort((one, other) => one.order - other.order);
};

export const has = async (key) => (await act("taps", "readonly", (taps) => taps.count(key))) > 0;

export const keep = (entry) => act("taps", "readwrite", (taps) => taps.put(entry));

// These are over; what comes next changes with them or not at all.
export const forget = (entries, next) =>
  act("taps", "readwrite", (taps) => {
    entries.forEach((entry) => taps.delete(entry.key));
    if (next) taps.put(next);
  });

export const shown = (table) => act("shown", "readonly", (all) => all.get(table));

export const keepShown = (state) =>
  act("shown", "readwrite", (all) => all.put({ ...state, html: withoutOwn(state.html) }), "relaxed");

export const forgetShown = (table) => act("shown", "readwrite", (all) => all.delete(table));

export const forgetAll = async () => {
  await act("taps", "readwrite", (taps) => taps.clear());
  await act("shown", "readwrite", (all) => all.clear());
};

// Everything of a table goes, what waits included.
export const forgetTable = async (table) => {
  await forgetShown(table);
  await forget(await load(table));
};
