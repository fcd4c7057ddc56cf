// The taps that wait, oldest first: what becomes of them, without page, disk or network.
//
// A tap holds until something else was recorded since the tap before. So the first names the version that must still
// stand (`expected`), and each of the others counts on what comes of the one before it.

export const SHORTEST_PAUSE = 500;
export const LONGEST_PAUSE = 15_000;
const PASSING = [408, 425, 429];

// The status with which the first of them was refused: everything behind it waits for a decision.
export const refusal = (entries) => entries[0]?.refused ?? null;

// What waits and is not taken back again by what waits behind it.
export const standing = (entries) =>
  entries.reduce((left, entry) => (entry.button === "undo" ? left.slice(0, -1) : [...left, entry]), []);

// Only pages with a certificate have crypto.randomUUID.
export const newKey = (bytes = crypto.getRandomValues(new Uint8Array(16))) => {
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};

// Does a new tap take the place of one that was refused? Everything else waits its turn.
export const isInstead = (entries, { replacing, accepts }) =>
  refusal(entries) !== null && (replacing || entries.length === 1 || accepts);

// Put a tap where it belongs; return its entry, and what it takes the place of.
export const place = (entries, tap, { instead, version, now }) => {
  const before = entries.at(-1);
  const entry = {
    ...tap,
    order: instead ? entries[0].order : Math.max(now, (before?.order ?? 0) + 1),
    expected: instead || !before ? version : null,
    refused: null,
  };
  const replaced = instead ? entries.splice(0, 1, entry) : [];
  if (!instead) entries.push(entry);
  return { entry, replaced };
};

// Take these out; what comes next then counts on this version, and is returned.
export const take = (entries, over, version) => {
  for (const entry of over) entries.splice(entries.indexOf(entry), 1);
  const [next] = entries;
  if (next) next.expected = version;
  return next;
};

// Put in what the disk has besides; return what that was.
export const merge = (entries, stored) => {
  const known = new Set(entries.map(({ key }) => key));
  const found = stored.filter(({ key }) => !known.has(key));
  entries.push(...found);
  entries.sort((one, other) => one.order - other.order);
  if (found.length) for (const entry of entries.slice(1)) entry.expected = null;
  return found;
};

// What an answer means for the first of them: "again" later, "recorded", or "refused" by the referee or the table. What
// comes from elsewhere, such as a page of a network that wants a password, has recorded nothing.
export const outcome = (status, isOfTable) => {
  if (status >= 500 || PASSING.includes(status)) return "again";
  return status >= 200 && status < 300 && isOfTable ? "recorded" : "refused";
};

// --- Pauses ---------------------------------------------------------------------------------------------------------
// How long to wait before something is tried again: longer each time, and no two devices alike.

export const scattered = (span, chance = Math.random()) => span * (0.5 + chance);
export const longer = (span, longest) => Math.min(2 * span, longest);
