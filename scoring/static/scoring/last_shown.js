// The last thing this table showed; a page that comes out of a cache may be older.

import * as outbox from "./outbox.js";
import { code, language, shownVersion, versionOf } from "./page.js";
import { whole } from "./parts.js";
import { show } from "./render.js";

export const remember = (html) =>
  outbox.quietly(outbox.keepShown({ table: code, version: versionOf(html), language, html: whole(html) }));

const recall = async () => {
  const state = await outbox.shown(code).catch(() => null);
  if (state && state.language === language && state.version > shownVersion()) show(state.html);
};

if (code) recall();
