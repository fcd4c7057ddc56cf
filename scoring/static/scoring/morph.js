// Turns one piece of a page into another by touching only what differs.
//
// What stays is the same element as before: a button keeps its finger and its focus, a form what was ticked and typed in
// it, a fold stays open; and a slow phone has little to do.
//
// Home-made, because an answer only names the parts that the page has: idiomorph has to be given all of them, and then keeps
// a slowed phone busy for two to four times as long (65 to 120 ms of script for a card, where this takes 27 to 38).

import { part } from "./parts.js";

// What a page adds by itself; the server says nothing about it.
const OWN = new Set(["open", "data-chosen", "data-implied"]);

// Another card is another element, and no longer the old one with other marks on it.
const keyOf = (element) =>
  element.id || element.dataset?.event || element.getAttribute("action") || element.title || element.classList[0] || "";
const alike = (one, other) =>
  one.nodeName === other.nodeName && (one.nodeType !== Node.ELEMENT_NODE || keyOf(one) === keyOf(other));

const changeAttributes = (old, fresh) => {
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OWN.has(name)) old.removeAttribute(name);
  }
};

// Return the next of these siblings that is to become the fresh one; texts are not looked for any further.
const find = (from, fresh) => {
  let found = from;
  while (found && !alike(found, fresh)) found = fresh.nodeType === Node.ELEMENT_NODE ? found.nextSibling : null;
  return found;
};

const isComment = (node, data) => node.nodeType === Node.COMMENT_NODE && node.data === data;

// Return the first node after the part that this comment begins.
const afterPart = (start) => {
  let node = start;
  while (node && !isComment(node, "]")) node = node.nextSibling;
  return node?.nextSibling ?? null;
};

// Return the nodes of a part that an answer only names, and the page does not show.
const drawn = (mark) => {
  const parsed = document.createElement("template");
  parsed.innerHTML = part(mark);
  return [...parsed.content.childNodes];
};

// Put them into an element that is new as a whole.
const fill = (element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_COMMENT);
  const named = [];
  while (walker.nextNode()) if (walker.currentNode.data.startsWith("=")) named.push(walker.currentNode);
  for (const comment of named) comment.replaceWith(...drawn(comment.data.slice(1)));
};

const changeChildren = (old, fresh, added) => {
  let here = old.firstChild;
  const remove = (end) => {
    while (here !== end) {
      const gone = here;
      here = here.nextSibling;
      gone.remove();
    }
  };
  const insert = (node) => {
    old.insertBefore(node, here);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    fill(node);
    added.push(node);
  };
  for (const wanted of [...fresh.childNodes]) {
    if (wanted.nodeType === Node.COMMENT_NODE && wanted.data.startsWith("=")) {
      // A part that the page has: it stays as it is.
      const mark = wanted.data.slice(1);
      let start = here;
      while (start && !isComment(start, `[${mark}`)) start = start.nextSibling;
      if (start) {
        remove(start);
        here = afterPart(start);
      } else drawn(mark).forEach(insert);
      continue;
    }
    const found = find(here, wanted);
    if (found) {
      remove(found);
      here = found.nextSibling;
      change(found, wanted, added);
    } else insert(wanted);
  }
  remove(null);
};

const change = (old, fresh, added) => {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  // Most cards are as they were, and the browser sees that faster than any script.
  if (old.isEqualNode(fresh)) return;
  changeAttributes(old, fresh);
  changeChildren(old, fresh, added);
};

// Make the old element like the fresh one; return the elements that are new.
export const morph = (old, fresh) => {
  const added = [];
  const ticks = () => [...old.querySelectorAll("input:is([type=radio], [type=checkbox])")];
  const ticked = ticks().filter((control) => control.checked && !control.defaultChecked);
  change(old, fresh, added);
  markKeys(old);
  // A new attribute does not tick what was ticked or unticked before: say it in so many words.
  for (const control of ticks()) control.checked = control.defaultChecked;
  const still = ticked.filter((control) => control.isConnected && !control.matches(":disabled, [aria-disabled]"));
  for (const control of still) control.checked = true;
  for (const form of new Set(still.map((control) => control.form))) form?.dispatchEvent(new Event("change"));
  return added;
};

// --- Keys of a pad --------------------------------------------------------------------------------------------------
// What is marked on the keys of a pad. The keys travel once; an answer says which cards are gone by now, which would say
// something if they were played, and which beat nothing, at all or by themselves.

// Mark the keys of every pad as it says itself.
export const markKeys = (page) => {
  for (const pad of page.querySelectorAll("fieldset.pad")) {
    const { gone = "", claims = "", weak = "", alone = "", tells } = pad.dataset;
    const [outs, claimed, low, lowAlone] = [gone, claims, weak, alone].map((codes) => new Set(codes.split(" ")));
    for (const card of pad.querySelectorAll(".card")) {
      const key = card.querySelector("input") ?? card;
      const [out, claim] = [outs.has(key.value), claimed.has(key.value)];
      card.classList.toggle("weak", low.has(key.value));
      card.classList.toggle("weak-alone", lowAlone.has(key.value));
      if (card.classList.contains("gone") === out && card.classList.contains("claims") === claim) continue;
      card.classList.toggle("gone", out);
      card.classList.toggle("claims", claim);
      // It may wait here to be played: whatever waits is marked again afterwards.
      key.classList.remove("waiting");
      key.disabled = out && tells === undefined;
      const says = { "aria-disabled": out && !key.disabled && "true" };
      if (key === card) {
        says["aria-describedby"] = claim && pad.querySelector(".pad-legend").id;
        says.type = says["aria-disabled"] && "button";
      }
      for (const [name, value] of Object.entries(says)) {
        if (value) key.setAttribute(name, value);
        else key.removeAttribute(name);
      }
    }
  }
};
