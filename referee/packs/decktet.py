"""The Decktet: 36 basic cards, plus Pawns, Courts and the Excuse (DK-1 .. DK-8)."""

from functools import cache

from referee.engine.cards import Card, Pack, Suit, normalise
from referee.engine.texts import Listing, Phrase, noun, phrase

SUITS = (
    Suit("M", "Moons", ("m", "moon", "moons")),
    Suit("S", "Suns", ("s", "sun", "suns")),
    Suit("W", "Waves", ("w", "v", "wave", "waves")),
    Suit("L", "Leaves", ("l", "leaf", "leaves", "wood", "woods")),
    Suit("Y", "Wyrms", ("y", "wyrm", "wyrms")),
    Suit("K", "Knots", ("k", "knot", "knots")),
)
"""The six suits in printed order, top to bottom (DK-2)."""

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "P", "C", "X")
"""Ranks from low to high (DK-7); the Excuse has none."""

EXCUSE = "E"
PAWN = "P"
COURT = "C"
CROWN = "X"
ACE = "A"

# code, rank, name; the letters after the rank are the suits in printed order
CARDS = (
    ("AM", "A", "Ace of Moons"),
    ("AS", "A", "Ace of Suns"),
    ("AW", "A", "Ace of Waves"),
    ("AL", "A", "Ace of Leaves"),
    ("AY", "A", "Ace of Wyrms"),
    ("AK", "A", "Ace of Knots"),
    ("2MK", "2", "Author"),
    ("2SY", "2", "Desert"),
    ("2WL", "2", "Origin"),
    ("3MW", "3", "Journey"),
    ("3SK", "3", "Painter"),
    ("3LY", "3", "Savage"),
    ("4MS", "4", "Mountain"),
    ("4WL", "4", "Sailor"),
    ("4YK", "4", "Battle"),
    ("5ML", "5", "Forest"),
    ("5SW", "5", "Discovery"),
    ("5YK", "5", "Soldier"),
    ("6MW", "6", "Lunatic"),
    ("6SY", "6", "Penitent"),
    ("6LK", "6", "Market"),
    ("7ML", "7", "Chance Meeting"),
    ("7SK", "7", "Castle"),
    ("7WY", "7", "Cave"),
    ("8MS", "8", "Diplomat"),
    ("8WL", "8", "Mill"),
    ("8YK", "8", "Betrayal"),
    ("9MS", "9", "Pact"),
    ("9WY", "9", "Darkness"),
    ("9LK", "9", "Merchant"),
    ("XM", "X", "Huntress"),
    ("XS", "X", "Bard"),
    ("XW", "X", "Sea"),
    ("XL", "X", "End"),
    ("XY", "X", "Calamity"),
    ("XK", "X", "Windfall"),
    ("E", "E", "Excuse"),
    ("PMSL", "P", "Harvest"),
    ("PMYK", "P", "Watchman"),
    ("PSWK", "P", "Light Keeper"),
    ("PWLY", "P", "Borderland"),
    ("CMWK", "C", "Consul"),
    ("CMLY", "C", "Rite"),
    ("CSLK", "C", "Window"),
    ("CSWY", "C", "Island"),
)

RANK_NAMES = {"A": "Ace", "P": "Pawn", "C": "Court", "X": "Crown"} | {r: r for r in "23456789"}
RANK_WORDS = {
    "1": "A", "a": "A", "ace": "A", "p": "P", "pawn": "P", "c": "C", "t": "C", "court": "C",
    "x": "X", "n": "X", "crown": "X", "two": "2", "three": "3", "four": "4", "five": "5",
    "six": "6", "seven": "7", "eight": "8", "nine": "9",
} | {r: r for r in "23456789"}  # fmt: skip
PLURALS = {"A": "Aces", "P": "Pawns", "C": "Courts", "X": "Crowns"}
SUIT_OF = {word: suit.code for suit in SUITS for word in suit.words}
SUIT_NAMES = {suit.code: suit.name for suit in SUITS}
ORDER = "".join(SUIT_NAMES)
CODES = {code: name for code, _, name in CARDS}
BY_NAME = {name.casefold().replace(" ", ""): code for code, _, name in CARDS}


def _title(code: str, rank: str) -> str:
    if rank in (ACE, EXCUSE):
        return ""
    names = [suit.name for suit in SUITS if suit.code in code[1:]]
    suits = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"{RANK_NAMES[rank]} of {suits}"


def _assemble(rank: str, letters: str) -> str | None:
    """Code of a rank and suit letters; ``None`` if a letter is no suit or is repeated."""
    suits = "".join(s for s in ORDER if s in letters)
    if len(suits) != len(letters) or not suits:
        return None
    return rank + suits


def _rank(word: str, suits: int) -> str:
    return CROWN if word == "c" and suits == 1 else RANK_WORDS[word]


def interpret(text: str) -> str | None:
    """Parse normalised text into a card code: a name, "8 of moons and suns", "8ms"."""
    joined = text.replace(" ", "")
    if joined in BY_NAME:
        return BY_NAME[joined]
    if joined in ("0", "e"):
        return EXCUSE
    words = [word for word in text.split() if word not in ("of", "and")]
    if len(words) > 1 and words[0] in RANK_WORDS:
        if all(word in SUIT_OF for word in words[1:]):
            return _assemble(_rank(words[0], len(words) - 1), "".join(SUIT_OF[w] for w in words[1:]))
        if len(words) > 2:
            return None
    if joined[:1] in RANK_WORDS and all(letter in SUIT_OF for letter in joined[1:]):
        return _assemble(_rank(joined[0], len(joined) - 1), "".join(SUIT_OF[c] for c in joined[1:]))
    return None


def describe(pack: Pack, text: str) -> Phrase:
    """Explain why ``text`` is no card of the pack, listing the cards of its rank."""
    code = interpret(normalise(text))
    if code in CODES:
        missing = phrase("the " + CODES[code])
        return phrase("{card:The} ({code}) is not in the pack used at this table.", card=missing, code=code)
    words = normalise(text).split()
    rank = code[0] if code else RANK_WORDS.get(words[0][:1] if words else "")
    if rank is None or rank == EXCUSE:
        return phrase(
            "“{text}” is not a Decktet card. Enter a rank (A, 2-9, P, C, X) and suit letters"
            " (M S W L Y K), such as 8MS, or a name, such as Diplomat.",
            text=text,
        )
    those = Listing(tuple(Listing((c.code, c.called), between=" ") for c in pack.cards if c.rank == rank))
    return phrase(
        "There is no card “{text}”. The {ranks} in this pack are: {cards}.",
        text=text,
        ranks=noun(plural(rank)),
        cards=those if those.parts else phrase("none"),
    )


def plural(rank: str) -> str:
    """Plural of a rank: ``Crowns``, ``8s``."""
    return PLURALS.get(rank, f"{rank}s")


@cache
def decktet(*, excuse: bool = False, pawns: bool = False, courts: bool = False) -> Pack:
    """The basic deck of 36, with any extra cards."""
    wanted = {EXCUSE: excuse, PAWN: pawns, COURT: courts}
    chosen = [(c, r, n) for c, r, n in CARDS if wanted.get(r, True)]
    cards = tuple(
        Card(i, code, name, rank, tuple(code[1:]), _title(code, rank)) for i, (code, rank, name) in enumerate(chosen)
    )
    return Pack("decktet", "Decktet", SUITS, cards, interpret, describe, RANKS)
