"""Parser of dictated or typed cards: "Ben, nine of Waves and Wyrms"."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from django.utils.translation import gettext as _

from referee.engine.cards import normalise
from referee.packs import Pack
from scoring.tables.presenters.cards import Face, faces, faces_of
from scoring.tables.presenters.formats import cached_by_language, spoken

ALIKE = 0.7
"""Minimum similarity of a word: speech recognition writes "worms" for Wyrms."""
MOST_WORDS = 12
"""Maximum number of words; longer texts are conversation, not a card."""


class Fact(NamedTuple):
    """A match: the card, and the player if named; ``None`` for the player to act.

    If ambiguous, ``card`` is ``None``, ``choice`` are the possible cards and ``seats`` their players.
    """

    card: Face | None
    seat: int | None = None
    choice: tuple[Face, ...] = ()
    seats: tuple[int | None, ...] = ()


NOTHING = Fact(None)
MOST_OFFERED = 4


def understand(texts: Iterable[str], *, pack: Pack, names: Sequence[str]) -> Fact:
    """Return the first text that names a card of the pack, or else the first ambiguous one."""
    heard = [_understand(text, pack, names) for text in texts]
    clear = (found for found in heard if found.card)
    unclear = (found for found in heard if found.choice)
    return next(clear, None) or next(unclear, NOTHING)


def _understand(text: str, pack: Pack, names: Sequence[str]) -> Fact:
    """Match a text to a card, optionally after a player's name, which may also be a word of the pack."""
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
    """Return the possible cards, and whether the words are exactly one card's name.

    Without an exact name, these are the best matches of all words in the page's language.
    """
    place = pack.find(" ".join(words)) if words and not _is_said_here(words, pack) else None
    if place is not None:
        named = pack.cards[place]  # with two packs, each has one
        twins = [card for card in pack.cards if (card.rank, card.suits) == (named.rank, named.suits)]
        return faces_of((card.code for card in twins), pack), True
    wanted = _as_printed(words, pack)
    fits = {one: _fit(wanted, _words_of(one, pack)) for one in faces(pack).values()}
    best = max(fits.values(), default=0)
    return tuple(one for one, fit in fits.items() if 0 < fit == best), best == 1


def _is_said_here(words: Sequence[str], pack: Pack) -> bool:
    """Return whether a word is a rank or suit in the page's language, although it could be a card's code.

    "As" is an ace in French, but AS is the code of the ace of spades.
    """
    return len(words) == 1 and spoken() != "en" and words[0] in _known(pack) | _others(pack).keys()


def _named(words: list[str], names: Sequence[str]) -> tuple[int | None, list[str]]:
    """Split off a player's name, longest match first, as in Ann and Ann Lee."""
    by_length = sorted(enumerate(normalise(name).split() for name in names), key=lambda each: -len(each[1]))
    for seat, name in by_length:
        if name and words[: len(name)] == name:
            return seat, words[len(name) :]
    return None, words


def _as_printed(words: Iterable[str], pack: Pack) -> list[str]:
    """Normalize a card's words: without fillers, numbers as digits, compounds split.

    Compounds are words such as the German "Herzbube", or "R♥" for the French "roi de cœur".
    """
    known = _known(pack)
    meant = _others(pack) | _digits()
    parts, said = list[str](), list(words)
    initial = said[:1] if len(said) == 2 and said[0] in meant and meant.get(said[1], said[1]) in _suits(pack) else []
    for word in initial + _without_fillers(said[len(initial) :]):
        halves = [] if word in known | meant.keys() else [[word[:end], word[end:]] for end in range(1, len(word))]
        parts += next((pair for pair in halves if known | meant.keys() >= {*pair}), [word])
    return [part if part in known else meant.get(part, part) for part in parts]


@cached_by_language(maxsize=64)
def _known(pack: Pack) -> set[str]:
    return {word for one in faces(pack).values() for word in _words_of(one, pack)}


def _words_of(one: Face, pack: Pack) -> list[str]:
    """Return the words of a card's name without fillers, splitting suit and rank of compounds ("hartenaas")."""
    suits, words = _suits(pack), list[str]()
    for word in _without_fillers(normalise(one.name).split()):
        suit = next((suit for suit in suits if word.startswith(suit)), word)
        words += [suit, word.removeprefix(suit)] if suit != word else [word]
    return words


def _suits(pack: Pack) -> set[str]:
    return {word for suit in pack.suits for word in normalise(_(suit.name)).split()}


@cached_by_language(maxsize=64)
def _others(pack: Pack) -> dict[str, str]:
    """Return synonyms of words in card names: other names, suit symbols, initials of court cards and aces."""
    # Translators: words for which the names of cards have others, and what a microphone writes for a number: said=meant
    others = _("deuce=2 trey=3 tree=3 knave=jack to=2 too=2 for=4 fore=4 ate=8 club=clubs heart=hearts spade=spades")
    meant = {normalise(said): normalise(word) for said, word in (each.split("=") for each in others.split())}
    signs = {sign: normalise(_(suit.name)) for suit in pack.suits for sign in suit.words if not sign.isalpha()}
    return _initials(pack, meant) | signs | meant


def _initials(pack: Pack, others: Mapping[str, str]) -> dict[str, str]:
    """Return the initials of ranks in the page's language that are unambiguous."""
    suits, ranks = _suits(pack), dict[str, set[str]]()
    for one in faces(pack).values():
        if len(one.suits) == 1 and one.rank.isalpha():
            called = [word for word in _words_of(one, pack) if word not in suits]
            if len(called) == 1:
                ranks.setdefault(called[0][:1], set()).add(called[0])
    ranked = {word for words in ranks.values() for word in words}
    also = dict[str, set[str]]()
    for said, word in others.items():
        if word in ranked:
            also.setdefault(said[:1], set()).add(word)
    return {letter: words.pop() for letter, words in (also | ranks).items() if len(words) == 1}


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
    """Return how well words match a card's name, from 0 to 1; 0 if any word doesn't match or is repeated."""
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
    if len(word) < len("suns"):  # short words must match exactly
        return 0
    return SequenceMatcher(None, word, other).ratio()
