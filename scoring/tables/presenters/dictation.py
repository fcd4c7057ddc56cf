"""A card told in words, as a microphone or a keyboard gives them: "Ben, nine of Waves and Wyrms"."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from django.utils.translation import gettext as _

from referee.engine.cards import normalise
from referee.packs import Pack
from scoring.tables.presenters.cards import Face, faces, faces_of

ALIKE = 0.7
"""How much of a word must be right: a microphone that knows no Wyrms writes worms."""
MOST_WORDS = 12
"""Longer than any card with a name before it: that was talk, not a card."""


class Fact(NamedTuple):
    """What was understood: the card, and whose it is where a name was said before it; ``None``: whoever's turn it is.

    Where several cards may be meant, or someone's name is a word of the pack, ``card`` is ``None``: ``choice`` holds
    the cards, and ``seats`` whose each of them would be.
    """

    card: Face | None
    seat: int | None = None
    choice: tuple[Face, ...] = ()
    seats: tuple[int | None, ...] = ()


NOTHING = Fact(None)
MOST_OFFERED = 4


def understand(texts: Iterable[str], *, pack: Pack, names: Sequence[str]) -> Fact:
    """Return the first of some texts that is a card of the pack, else the first that may be one of a few."""
    heard = [_understand(text, pack, names) for text in texts]
    clear = (found for found in heard if found.card)
    unclear = (found for found in heard if found.choice)
    return next(clear, None) or next(unclear, NOTHING)


def _understand(text: str, pack: Pack, names: Sequence[str]) -> Fact:
    """Understand a text as a card, or as a card with a name before it; a name may be a word of the pack, too."""
    words = normalise(text).split()
    if len(words) > MOST_WORDS:
        return NOTHING
    alone, sure = _meant(words, pack)
    seat, rest = _named(words, names)
    theirs = () if seat is None else _meant(rest, pack)[0]
    if theirs and not (alone and sure):
        alone = ()
    elif len(alone) == 1 and len(theirs) > 1:
        theirs = ()
    meant = [(one, None) for one in alone] + [(one, seat) for one in theirs]
    if len(meant) == 1:
        return Fact(*meant[0])
    if not meant or len(meant) > MOST_OFFERED:
        return NOTHING
    cards, seats = zip(*meant, strict=True)
    return Fact(None, seats[0] if len(set(seats)) == 1 else None, cards, seats)


def _meant(words: list[str], pack: Pack) -> tuple[tuple[Face, ...], bool]:
    """Return the cards that words may mean, and whether every word is one of their names as it was said.

    Else they are those whose name in this language holds all words that were said, the best.
    """
    place = pack.find(" ".join(words)) if words else None
    if place is not None:
        named = pack.cards[place]  # of two packs each has one
        twins = [card for card in pack.cards if (card.rank, card.suits) == (named.rank, named.suits)]
        return faces_of((card.code for card in twins), pack), True
    wanted = _as_printed(words, pack)
    fits = {one: _fit(wanted, _without_fillers(normalise(one.name).split())) for one in faces(pack).values()}
    best = max(fits.values(), default=0)
    return tuple(one for one, fit in fits.items() if 0 < fit == best), best == 1


def _named(words: list[str], names: Sequence[str]) -> tuple[int | None, list[str]]:
    """Part the name of a seat from what follows; the longest fits first, for an Ann may sit beside an Ann Lee."""
    by_length = sorted(enumerate(normalise(name).split() for name in names), key=lambda each: -len(each[1]))
    for seat, name in by_length:
        if name and words[: len(name)] == name:
            return seat, words[len(name) :]
    return None, words


def _as_printed(words: Iterable[str], pack: Pack) -> list[str]:
    """Return the words of a card's name as cards have them: without what joins, numbers as digits, compounds apart.

    A compound is one such as the German "Herzbube".
    """
    known = {word for one in faces(pack).values() for word in _without_fillers(normalise(one.name).split())}
    # Translators: words for which the names of cards have others, and what a microphone writes for a number: said=meant
    others = _("deuce=2 trey=3 tree=3 knave=jack to=2 too=2 for=4 fore=4 ate=8 club=clubs heart=hearts spade=spades")
    meant = dict(each.split("=") for each in others.split()) | _digits()
    parts: list[str] = []
    for word in _without_fillers(words):
        halves = [] if word in known | meant.keys() else [[word[:end], word[end:]] for end in range(1, len(word))]
        parts += next((pair for pair in halves if known | meant.keys() >= {*pair}), [word])
    return [part if part in known else meant.get(part, part) for part in parts]


def _without_fillers(words: Iterable[str]) -> list[str]:
    # Translators: words that join the name of a card and say nothing themselves
    fillers = _("of and the a").split()
    digits = _digits()
    return [digits.get(word, word) for word in words if word not in fillers]


def _digits() -> dict[str, str]:
    # Translators: the numbers from two to ten, as they are said
    numbers = _("two three four five six seven eight nine ten").split()
    return {word: str(number) for number, word in enumerate(numbers, 2)}


def _fit(words: list[str], name: list[str]) -> float:
    """Return how well words fit a name that has more: 0 where one of them is not in it, or is said once too often."""
    likenesses, left = [], list(name)
    for word in words:
        likeness, nearest = max(((_likeness(word, other), other) for other in left), default=(0, ""))
        if likeness < ALIKE:
            return 0
        likenesses.append(likeness)
        left.remove(nearest)
    return sum(likenesses) / len(words) if words else 0


def _likeness(word: str, other: str) -> float:
    if word == other:
        return 1
    if len(word) < len("suns"):  # of a short word nothing may be wrong
        return 0
    return SequenceMatcher(None, word, other).ratio()
