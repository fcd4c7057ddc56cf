// How long to wait before something is tried again: longer each time, and no two devices alike.

export const scattered = (span, chance = Math.random()) => span * (0.5 + chance);
export const longer = (span, longest) => Math.min(2 * span, longest);
