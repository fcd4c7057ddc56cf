"""French cards: one pack of 52, or two packs distinguished by their backs (AD-1, AD-A3, AP-1)."""

from functools import cache

from referee.engine.cards import Card, Pack, Suit, normalise
from referee.engine.texts import Phrase, phrase

SUITS = (
    Suit("S", "Spades", ("s", "spade", "spades", "♠", "♤")),
    Suit("H", "Hearts", ("h", "heart", "hearts", "♥", "♡")),
    Suit("C", "Clubs", ("c", "club", "clubs", "♣", "♧")),
    Suit("D", "Diamonds", ("d", "diamond", "diamonds", "♦", "♢")),
)
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""Ranks from low to high; games with a low ace define their own order."""
STAR = "*"
"""Marks a card of the second pack, the trump deck."""

RANK_NAMES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"} | {r: r for r in RANKS[:9]}
NUMERALS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_WORDS = (
    {r.casefold(): r for r in RANKS}
    | {"t": "10", "1": "A"}
    | {name: rank for rank, name in RANK_NAMES.items()}
    | dict(zip(NUMERALS, RANKS, strict=False))
)
SUIT_OF = {word: suit.code for suit in SUITS for word in suit.words}
SUIT_NAMES = {suit.code: suit.name.casefold() for suit in SUITS}


def interpret(text: str) -> str | None:
    """Parse normalised text into a card code: "king of spades", "10♦", "9s*"."""
    star = STAR if text.endswith(STAR) else ""
    words = [w for w in text.removesuffix(STAR).split() if w != "of"]
    if len(words) == 2 and words[0] in RANK_WORDS and words[1] in SUIT_OF:
        return RANK_WORDS[words[0]] + SUIT_OF[words[1]] + star
    joined = "".join(words)
    rank, suit = RANK_WORDS.get(joined[:-1]), SUIT_OF.get(joined[-1:])
    return rank + suit + star if rank and suit else None


def describe(pack: Pack, text: str) -> Phrase:
    """Explain why ``text`` is no card of the pack."""
    code = interpret(normalise(text))
    if code and not code.endswith(STAR) and pack.id == "french":
        return phrase("{code} is not in the pack at this table.", code=code)
    if code and code.endswith(STAR):
        return phrase("There is no {code}: only one pack is in play, so no card has a star.", code=code)
    return phrase(NO_CARD_OF_TWO if any(card.star for card in pack.cards) else NO_CARD, text=text)


NO_CARD = "“{text}” is not a card. Enter a rank (2-10, J, Q, K, A) and a suit letter (S, H, C, D), such as 10S or KD."
NO_CARD_OF_TWO = (
    "“{text}” is not a card. Enter a rank (2-10, J, Q, K, A) and a suit letter (S, H, C, D), such as 10S or KD,"
    " with a star for the trump deck (9S*)."
)
STARRED = " of the trump deck"


@cache
def french(*, decks: int = 1, without: tuple[str, ...] = ()) -> Pack:
    """One pack of 52, or two (104 cards, the second pack starred), minus the codes in ``without``."""
    cards: list[Card] = []
    for deck in range(decks):
        for suit in SUITS:
            for rank in RANKS:
                star = deck == 1
                code = rank + suit.code + (STAR if star else "")
                if code in without:
                    continue
                text = f"{RANK_NAMES[rank]} of {{suit}}{STARRED if star else ''}"
                words = phrase(text, suit=phrase(SUIT_NAMES[suit.code]))
                cards.append(Card(len(cards), code, str(words), rank, (suit.code,), star=star, words=words))
    return Pack("french" if decks == 1 else "french-2", "French cards", SUITS, tuple(cards),
                interpret, describe, RANKS)  # fmt: skip
