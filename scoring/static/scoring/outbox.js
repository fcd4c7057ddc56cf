// Keeps what was tapped on this device until the server has it, and what a table showed last.
//
// A tap is on the disk before it is sent, under the key that it is always sent with: whatever dies in between, the
// browser, the phone or the server, it is sent again and recorded once.
"use strict";

window.cardTable ??= {};

(() => {
  // What only the own phone shows is never kept: it may lie on a table when the right to it is gone.
  const OWN = /<details class="peek" id="peek">.*?<\/details>/s;

  let opened = null;

  const open = () =>
    new Promise((resolve, reject) => {
      const asked = indexedDB.open("card-table", 1);
      asked.onupgradeneeded = () => {
        asked.result.createObjectStore("taps", { keyPath: "key" }).createIndex("table", "table");
        asked.result.createObjectStore("shown", { keyPath: "table" });
      };
      asked.onerror = () => reject(asked.error);
      asked.onsuccess = () => {
        const base = asked.result;
        // A phone may close it in its sleep; another tab may bring a newer form of it.
        base.onclose = () => (opened = null);
        base.onversionchange = () => {
          base.close();
          opened = null;
        };
        resolve(base);
      };
    });

  // Do one thing, wholly or not at all, and return what was asked for in it.
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
      const asked = work(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(asked?.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };

  cardTable.outbox = {
    // The taps of a table that wait, oldest first.
    load: async (table) => {
      const found = await act("taps", "readonly", (taps) => taps.index("table").getAll(table));
      return found.sort((one, other) => one.order - other.order);
    },
    has: async (key) => (await act("taps", "readonly", (taps) => taps.count(key))) > 0,
    keep: (...entries) => act("taps", "readwrite", (taps) => entries.forEach((entry) => taps.put(entry))),
    // These are over; what comes next changes with them or not at all.
    forget: (entries, next) =>
      act("taps", "readwrite", (taps) => {
        entries.forEach((entry) => taps.delete(entry.key));
        if (next) taps.put(next);
      }),
    shown: (table) => act("shown", "readonly", (shown) => shown.get(table)),
    keepShown: (state) =>
      act("shown", "readwrite", (shown) => shown.put({ ...state, html: state.html.replace(OWN, "") }), "relaxed"),
    forgetShown: (table) => act("shown", "readwrite", (shown) => shown.delete(table)),
    // Everything of a table goes, what waits included.
    forgetTable: async (table) => {
      await cardTable.outbox.forgetShown(table);
      await cardTable.outbox.forget(await cardTable.outbox.load(table));
    },
  };
})();
