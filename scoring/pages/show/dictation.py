"""A card told in words, as a microphone or a keyboard gives them: "Ben, nine of Waves and Wyrms"."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from django.utils.translation import gettext as _

from referee.engine.cards import normalise
from referee.packs import Pack
from scoring.pages.show.cards import Face, face, faces

ALIKE = 0.7
"""How much of a word must be right: a microphone that knows no Wyrms writes worms."""
MOST_WORDS = 12
"""Longer than any card with a name before it: that was talk, not a card."""


class Fact(NamedTuple):
    """What was understood: the card, and whose it is where a name was said before it; ``None``: whoever's turn it is.

    Where several cards may be meant, ``card`` is ``None`` and ``choice`` holds them.
    """

    card: Face | None
    seat: int | None = None
    choice: tuple[Face, ...] = ()


NOTHING = Fact(None)
MOST_OFFERED = 4


def understand(texts: Iterable[str], *, pack: Pack, names: Sequence[str]) -> Fact:
    """Return the first of some texts that is a card of the pack, else the first that may be one of a few."""
    heard = [_understand(text, pack, names) for text in texts]
    clear = (found for found in heard if found.card)
    unclear = (found for found in heard if found.choice)
    return next(clear, None) or next(unclear, NOTHING)


def _understand(text: str, pack: Pack, names: Sequence[str]) -> Fact:
    words = normalise(text).split()
    if len(words) > MOST_WORDS:
        return NOTHING
    seat, words = _named(words, names)
    place = pack.find(" ".join(words)) if words else None
    if place is None:
        meant = _by_words(_without_fillers(words), pack)
    else:  # of two packs each has one
        named = pack.cards[place]
        twins = [card for card in pack.cards if (card.rank, card.suits) == (named.rank, named.suits)]
        meant = tuple(face(pack, card.code) for card in twins)
    if len(meant) == 1:
        return Fact(meant[0], seat)
    return Fact(None, seat, meant) if len(meant) <= MOST_OFFERED else NOTHING


def _named(words: list[str], names: Sequence[str]) -> tuple[int | None, list[str]]:
    """Part the name of a seat from what follows; the longest fits first, for an Ann may sit beside an Ann Lee."""
    by_length = sorted(enumerate(normalise(name).split() for name in names), key=lambda each: -len(each[1]))
    for seat, name in by_length:
        if name and words[: len(name)] == name:
            return seat, words[len(name) :]
    return None, words


def _without_fillers(words: list[str]) -> list[str]:
    """Leave out what only joins, and write numbers as cards have them."""
    # Translators: words that join the name of a card and say nothing themselves
    fillers = _("of and the a").split()
    # Translators: the numbers from two to ten, as they are said
    numbers = _("two three four five six seven eight nine ten").split()
    digits = {word: str(number) for number, word in enumerate(numbers, 2)}
    return [digits.get(word, word) for word in words if word not in fillers]


def _by_words(words: list[str], pack: Pack) -> tuple[Face, ...]:
    """Return the cards whose name in this language holds all words that were said; the best, where some fit."""
    if not words:
        return ()
    fits = {}
    for one in faces(pack).values():
        if fit := _fit(words, _without_fillers(normalise(one.name).split())):
            fits[one] = fit
    best = max(fits.values(), default=0)
    return tuple(one for one, fit in fits.items() if fit == best)


def _fit(words: list[str], name: list[str]) -> float:
    """Return how well words fit a name that has more: 0 where one of them is not in it."""
    likenesses = [max((_likeness(word, other) for other in name), default=0) for word in words]
    return sum(likenesses) / len(words) if min(likenesses) >= ALIKE else 0


def _likeness(word: str, other: str) -> float:
    if word == other:
        return 1
    if len(word) < len("suns"):  # of a short word nothing may be wrong
        return 0
    return SequenceMatcher(None, word, other).ratio()
