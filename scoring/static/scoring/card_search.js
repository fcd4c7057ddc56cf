// Which cards may be meant by what is typed: a code, with its suits in any order, or the beginning of a code or name.

const inOrder = (code) => code.replace(/[a-z*]+$/, (suits) => [...suits].sort().join(""));

// Return the places of those that fit, of cards with a code and a name, all in small letters.
export const fitting = (typed, cards) => {
  const places = (fits) => cards.flatMap((card, place) => (fits(card) ? [place] : []));
  const exact = places(({ code }) => inOrder(code) === inOrder(typed));
  return exact.length ? exact : places(({ code, name }) => code.startsWith(typed) || name.startsWith(typed));
};
