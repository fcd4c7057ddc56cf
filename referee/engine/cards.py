"""Cards and packs, and how a pack finds the card a person typed.

Inside the referee a card is its index in the pack, and a set of cards is an integer used as a bit mask (bit ``i``
stands for card ``i``); ``Card`` objects and codes appear only at the edges.
"""

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from referee.engine.texts import ENGLISH, OBJECT, START, Language, Phrase, Translatable, capital

UNSEEN = "?"
"""The code of a card that nobody saw."""


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit; ``words`` are the normalised texts that name it."""

    code: str
    name: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card(Translatable):
    """One card of a pack.

    ``suits`` are in printed order, from the rank downwards (DK-2). ``star`` marks the trump deck when two French decks
    are in play. ``words`` is the name as a phrase, if it consists of parts.
    """

    index: int
    code: str
    name: str
    rank: str
    suits: tuple[str, ...]
    title: str = ""
    star: bool = False
    words: Phrase | None = field(default=None, compare=False, repr=False)

    @property
    def called(self) -> Phrase:
        return self.words or Phrase(self.name)

    def rendered(self, language: Language, form: str = "") -> str:
        """Return the card as a player would say it: ``the Sea (Crown of Waves)``."""
        if language is ENGLISH:
            return _in_english(self, form)
        return self._in(language, form)

    def _in(self, language: Language, form: str) -> str:
        called = self.called
        named = language.fill(f"the {called.text}", called.facts, OBJECT if form == OBJECT else "")
        text = f"{named} ({language.translate(self.title)})" if self.title else named
        return capital(text) if form == START else text


@lru_cache(maxsize=2048)
def _in_english(card: Card, form: str) -> str:
    """Cached ``Card._in`` for English: all tricks of a hand are described again after every event."""
    return card._in(ENGLISH, form)


def normalise(text: str) -> str:
    """Fold case, width and punctuation: ``The  Light-Keeper`` becomes ``light keeper``."""
    folded = unicodedata.normalize("NFKC", text).replace("\ufe0f", "").casefold()
    words = "".join(c if c.isalnum() or c in "*♠♥♦♣♤♡♢♧" else " " for c in folded).split()
    return " ".join(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The cards in use at a table, and how to recognise them.

    ``interpret`` turns normalised text into the code it means, whether or not this pack holds the card, or ``None``;
    ``describe`` names the existing cards nearest to what was typed. ``ranks`` go from low to high; a card of any other
    rank is below them all.
    """

    id: str
    name: str
    suits: tuple[Suit, ...]
    cards: tuple[Card, ...]
    interpret: Callable[[str], str | None]
    describe: Callable[["Pack", str], Phrase | str]
    ranks: tuple[str, ...]
    codes: dict[str, int] = field(init=False)
    everything: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", {card.code: card.index for card in self.cards})
        object.__setattr__(self, "everything", (1 << len(self.cards)) - 1)

    def __len__(self) -> int:
        return len(self.cards)

    def find(self, text: str) -> int | None:
        """Return the index of the card that ``text`` names, or ``None``.

        >>> from referee.packs import decktet
        >>> pack = decktet()
        >>> pack.cards[pack.find("8 of Suns and Moons")].code
        '8MS'
        """
        index = self.codes.get(text)
        if index is not None:
            return index
        if len(text) > MAX_CARD_TEXT:
            return None
        code = self.interpret(normalise(text))
        return self.codes.get(code) if code else None

    def explain(self, text: str) -> Phrase | str:
        """Return why ``text`` names no card of this pack, with the cards that do exist."""
        return self.describe(self, text[:MAX_CARD_TEXT])

    def suit(self, text: str) -> str | None:
        """Return the code of the suit that ``text`` names, or ``None``."""
        for suit in self.suits:
            if text == suit.code:
                return suit.code
        folded = normalise(text[:MAX_CARD_TEXT])
        for suit in self.suits:
            if folded in suit.words:
                return suit.code
        return None

    def mask(self, indices: Iterable[int]) -> int:
        mask = 0
        for index in indices:
            mask |= 1 << index
        return mask

    def members(self, mask: int) -> tuple[int, ...]:
        """Return the card indices in a bit mask, in pack order."""
        return tuple(i for i in range(len(self.cards)) if mask >> i & 1)


MAX_CARD_TEXT = 60
"""Longer texts cannot name a card and are refused unread."""
