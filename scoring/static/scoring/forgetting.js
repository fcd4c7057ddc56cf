// Drops what this device keeps of a table: when the right to it is gone, or somebody wants it.

import { base, copies } from "./page.js";
import { forgetAll, forgetShown, forgetTable } from "./outbox.js";
import { entries } from "./sending.js";

const quietly = (work) => work.catch((problem) => console.warn("Not forgotten:", problem));

const dropCopies = async (table) => {
  localStorage.removeItem(`aside-${table}`);
  await quietly(forgetShown(table));
  if (!("caches" in window)) return;
  const pages = await caches.open(copies);
  for (const request of await pages.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname === base || pathname.startsWith(`${base}t/${table}/`)) await pages.delete(request);
  }
};

const here = /\/t\/([^/]+)\//.exec(location.pathname)?.[1];
document.addEventListener("table-revoked", () => quietly(dropCopies(here)));
document.addEventListener("table-gone", async () => {
  document.getElementById("secret")?.remove();
  await quietly(dropCopies(here));
  // What waits to be sent stays on the page, for somebody to read.
  if (!entries.length) location.reload();
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-forget]");
  if (!form) return;
  event.preventDefault();
  await quietly(forgetTable(form.dataset.forget));
  await quietly(dropCopies(form.dataset.forget));
  form.submit();
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-forget-all]");
  if (!form) return;
  event.preventDefault();
  localStorage.clear();
  await quietly(forgetAll());
  if ("caches" in window) await quietly(caches.delete(copies));
  form.submit();
});
