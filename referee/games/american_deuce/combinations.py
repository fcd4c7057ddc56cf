"""Combinations of French cards (AD-15 .. AD-29): recognising, naming and comparing them."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from referee.engine.rules import Options
from referee.engine.rulings import Reason
from referee.engine.texts import AND, Listing, Phrase, noun, phrase
from referee.packs import Card

# --- Recognising and naming combinations, independent of the order of suits (AD-15 .. AD-29)
# of no account yet (AD-15 .. AD-29)

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
"""Ranks from low to high: the 2 is above the Ace (AD-15)."""
STRAIGHTS = (
    *(RANKS[low : low + 5] for low in range(RANKS.index("J"))),
    ("2", "3", "4", "5", "6"), ("A", "2", "3", "4", "5"), ("J", "Q", "K", "A", "2"),
)  # fmt: skip
"""The eleven straights from low to high, each in display order (AD-20, AD-Q3)."""
SEQUENCES = {frozenset(straight): straight for straight in STRAIGHTS}
RANK_OF = {rank: place for place, rank in enumerate(RANKS)}
PLURALS = {
    "2": "twos", "3": "threes", "4": "fours", "5": "fives", "6": "sixes", "7": "sevens",
    "8": "eights", "9": "nines", "10": "tens", "J": "jacks", "Q": "queens", "K": "kings",
    "A": "aces",
}  # fmt: skip
SINGULARS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}
COLOURS = {"S": "black", "C": "black", "H": "red", "D": "red"}
RIOT_SIZE = 4


class Kind(StrEnum):
    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full-house"
    STRAIGHT_FLUSH = "straight-flush"
    RIOT = "riot"
    FIVE = "five-of-a-kind"


ALIKE = {1: Kind.SINGLE, 2: Kind.PAIR, 3: Kind.TRIPLE, RIOT_SIZE: Kind.RIOT, 5: Kind.FIVE}
"""The kind of N cards of one rank."""


class Combination(NamedTuple):
    """A combination of cards, reduced to what comparing and naming it needs.

    ``ranks`` are indices in ``RANKS``, most significant first; ``heads`` the cards whose best one breaks ties (AD-Q4,
    AD-Q17); ``colour`` the colour of a riot in one colour; ``suit`` the suit of a flush or straight flush.
    """

    kind: Kind
    number: int
    ranks: tuple[int, ...]
    heads: tuple[Card, ...]
    colour: str | None = None
    suit: str | None = None


def recognise(cards: Sequence[Card]) -> Combination | None:
    """Return the combination these cards form, or ``None``.

    >>> from referee.packs import french
    >>> pack = french()
    >>> recognise([pack.cards[pack.find(c)] for c in ("8S", "8H", "8C", "4D", "4S")]).kind
    <Kind.FULL_HOUSE: 'full-house'>
    """
    count = Counter(card.rank for card in cards)
    if len(count) == 1 and len(cards) in ALIKE:
        kind, colours = ALIKE[len(cards)], {COLOURS[card.suits[0]] for card in cards}
        colour = colours.pop() if kind is Kind.RIOT and len(colours) == 1 else None
        return Combination(kind, len(cards), (RANK_OF[cards[0].rank],), tuple(cards), colour)
    if len(cards) != 5:
        return None
    if sorted(count.values()) == [2, 3]:
        triple = max(count, key=lambda rank: count[rank])
        heads = tuple(card for card in cards if card.rank == triple)
        return Combination(Kind.FULL_HOUSE, 5, (RANK_OF[triple],), heads)
    suits = {card.suits[0] for card in cards}
    suit = suits.pop() if len(suits) == 1 else None
    straight = frozenset(count) in SEQUENCES
    if not straight and suit is None:
        return None
    ranks = tuple(sorted((RANK_OF[card.rank] for card in cards), reverse=True))
    heads = tuple(card for card in cards if RANK_OF[card.rank] == ranks[0])
    kind = Kind.FLUSH if not straight else Kind.STRAIGHT_FLUSH if suit else Kind.STRAIGHT
    return Combination(kind, 5, ranks, heads, suit=suit)


def name_combination(combination: Combination) -> Phrase:
    """Name a combination as players do, without an article: ``full house, eights``.

    >>> from referee.packs import french
    >>> pack = french()
    >>> str(name_combination(recognise([pack.cards[pack.find(c)] for c in ("KS", "KD")])))
    'pair of kings'
    """
    kind, head = combination.kind, combination.heads[0]
    if kind is Kind.SINGLE:
        return head.called
    if kind in (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH):
        laid: object = "-".join(SEQUENCES[frozenset(RANKS[rank] for rank in combination.ranks)])
    else:
        laid = phrase(PLURALS[head.rank])
    high = name_rank(head.rank)
    suit = noun(SUITS[combination.suit]) if combination.suit else ""
    text = ONE_COLOUR[combination.colour] if combination.colour else NAMES[kind]
    return phrase(text, ranks=laid, rank=high, suit=suit)


def to_play(combination: Combination) -> Phrase:
    """Label of the button that plays a combination.

    >>> from referee.packs import french
    >>> pack = french()
    >>> str(to_play(recognise([pack.cards[pack.find(c)] for c in ("KS", "KD")])))
    'Play two kings'
    """
    head = combination.heads[0]
    return phrase(TO_PLAY[combination.kind], card=head, ranks=phrase(PLURALS[head.rank]))


def name_rank(rank: str) -> Phrase | str:
    """Spoken name of a rank: ``king`` for K, ``10`` for 10."""
    return phrase(SINGULARS[rank]) if rank in SINGULARS else rank


NAMES = {
    Kind.PAIR: "pair of {ranks}",
    Kind.TRIPLE: "triple of {ranks}",
    Kind.STRAIGHT: "straight, {ranks}",
    Kind.FLUSH: "flush in {suit}, {rank} high",
    Kind.FULL_HOUSE: "full house, {ranks}",
    Kind.STRAIGHT_FLUSH: "straight flush in {suit}, {ranks}",
    Kind.RIOT: "riot of {ranks}",
    Kind.FIVE: "five of a kind, {ranks}",
}
TO_PLAY = {
    Kind.SINGLE: "Play {card:object}",
    Kind.PAIR: "Play two {ranks}",
    Kind.TRIPLE: "Play three {ranks}",
    Kind.STRAIGHT: "Play the straight",
    Kind.FLUSH: "Play the flush",
    Kind.FULL_HOUSE: "Play the full house",
    Kind.STRAIGHT_FLUSH: "Play the straight flush",
    Kind.RIOT: "Play the riot of {ranks}",
    Kind.FIVE: "Play five {ranks}",
}
ONE_COLOUR = {"black": "all-black riot of {ranks} (BLM)", "red": "all-red riot of {ranks} (MAGA rally)"}
"""Names of a riot in one colour (AD-30)."""


def name_play(cards: Sequence[Card]) -> Phrase:
    """Name the combination of these cards, without an article; if there is none, list the cards."""
    combination = recognise(cards)
    return name_combination(combination) if combination else phrase(LOOSE, cards=list_cards(cards))


LOOSE = "cards {cards}"
"""Text for cards that form no combination."""


def list_cards(cards: Sequence[Card]) -> str:
    return " ".join(card.code for card in cards)


def facts_of_none(cards: Sequence[Card]) -> dict[str, object]:
    """Facts of a reason about cards that form no combination."""
    return {"play": list_cards(cards), "cards": Listing(tuple(cards), last=AND)}


def name_cards(cards: Sequence[Card]) -> Phrase | str:
    """Like ``name_play``, but lists only codes if the cards form no combination."""
    combination = recognise(cards)
    return name_combination(combination) if combination else list_cards(cards)


# --- Comparing two combinations under the order of suits named
# The number of cards must match; rank decides, then suit, then the trump deck. Riots beat everything except better
# riots (AD-10, AD-24) and, if of mixed colour, a five of a kind (AD-30).

FIVE_CARDS = (Kind.STRAIGHT, Kind.FLUSH, Kind.FULL_HOUSE, Kind.STRAIGHT_FLUSH, Kind.FIVE)
"""Five-card combinations from low to high (AD-19, AD-29)."""
CLAUSES = {
    Kind.SINGLE: "AD-16", Kind.PAIR: "AD-17", Kind.TRIPLE: "AD-18", Kind.STRAIGHT: "AD-20",
    Kind.FLUSH: "AD-21", Kind.FULL_HOUSE: "AD-22", Kind.STRAIGHT_FLUSH: "AD-23",
    Kind.RIOT: "AD-24", Kind.FIVE: "AD-29",
}  # fmt: skip


class Lying(NamedTuple):
    """The play to beat: its number of cards, and its combination.

    ``combination`` is ``None`` for an accepted play that formed none; any combination of as many cards, and any riot,
    beats it.
    """

    number: int
    combination: Combination | None


class Comparison(NamedTuple):
    """Whether a play beats the last one, and why."""

    beats: bool
    reason: Reason


LAST_PLAY = phrase("last play")


def strength(card: Card, suits: Sequence[str]) -> tuple[int, int, bool]:
    """Sort key of a card: rank, suit, deck (AD-16, AD-28); ``suits`` is the order of suits, highest first."""
    return (RANK_OF[card.rank], -suits.index(card.suits[0]), card.star)


def compare(play: Combination, lying: Lying, *, suits: Sequence[str], options: Options, under_five: bool) -> Comparison:
    """Decide whether ``play`` beats ``lying``; ``under_five``: a five of a kind was played in this trick (AD-Q20)."""
    on = lying.combination
    if play.kind is Kind.RIOT:
        return _riot(play, on, suits=suits, options=options, under_five=under_five)
    if on is not None and on.kind is Kind.RIOT:
        return _answer(play, on, "AD-24", beats=False, phrase="riot-lies")
    riot = phrase(ONE_COLOUR_RIOT if under_five else ANY_RIOT)
    if play.number != lying.number:
        key = "other-number" if lying.number in FITTING else "other-number-riot"
        return _answer(play, on, "AD-10", beats=False, phrase=key, number=lying.number, riot=riot)
    if on is None:
        return _answer(play, on, "AD-10", "IR-15", beats=True, phrase="beats-no-combination")
    if on.kind is not play.kind:
        if options["same_type"]:
            return _answer(play, on, "AD-Q28", beats=False, phrase="other-kind", riot=riot)
        better = FIVE_CARDS.index(play.kind) > FIVE_CARDS.index(on.kind)
        return _answer(play, on, "AD-29" if Kind.FIVE in (play.kind, on.kind) else "AD-19", beats=better)
    if play.ranks == on.ranks:
        return _by_suit(play, on, suits)
    higher = play.ranks > on.ranks
    if play.ranks[0] != on.ranks[0]:
        return _answer(play, on, CLAUSES[play.kind], beats=higher)
    # The highest cards of the two flushes have the same rank (AD-21).
    pairs = zip(play.ranks, on.ranks, strict=True)
    mine, theirs = next((name_rank(RANKS[a]), name_rank(RANKS[b])) for a, b in pairs if a != b)
    key = "beats-lower" if higher else "does-not-beat-lower"
    return _answer(play, on, CLAUSES[play.kind], beats=higher, phrase=key, card=mine, other_card=theirs)


ANY_RIOT, ONE_COLOUR_RIOT = "a riot", "a riot in one color"
"""What beats any other kind and number of cards, before and after a five of a kind (AD-24, AD-Q20)."""
FITTING = (1, 2, 3, 5)
"""Sizes of combinations other than riots."""


def _by_suit(play: Combination, on: Combination, suits: Sequence[str]) -> Comparison:
    """Compare plays of equal rank by suit, then deck, of their best deciding card (AD-6, AD-28)."""
    mine, theirs = (max(each.heads, key=lambda card: strength(card, suits)) for each in (play, on))
    beats = strength(mine, suits) > strength(theirs, suits)
    high, low = (mine, theirs) if beats else (theirs, mine)
    by_suit, by_deck = DECIDES[play.kind]
    if mine.suits == theirs.suits:
        key = "beats-deck" if beats else "does-not-beat-deck"
        return _answer(play, on, *by_deck, beats=beats, phrase=key, card=high)
    facts = {"high": noun(SUITS[high.suits[0]]), "low": noun(SUITS[low.suits[0]])}
    return _answer(play, on, *by_suit, beats=beats, phrase="beats-suit" if beats else "does-not-beat-suit", **facts)


DECIDES = {
    Kind.SINGLE: (("AD-16", "AD-6"), ("AD-28",)),
    Kind.PAIR: (("AD-17", "AD-6"), ("AD-Q17", "AD-28")),
    Kind.TRIPLE: (("AD-Q17", "AD-6"), ("AD-Q17", "AD-28")),
    Kind.STRAIGHT: (("AD-20", "AD-Q4"), ("AD-Q4", "AD-28")),
    Kind.FLUSH: (("AD-21", "AD-6"), ("AD-Q4", "AD-28")),
    Kind.FULL_HOUSE: (("AD-Q17", "AD-6"), ("AD-Q17", "AD-28")),
    Kind.STRAIGHT_FLUSH: (("AD-23", "AD-6"), ("AD-Q4", "AD-28")),
    Kind.RIOT: (("AD-Q18", "AD-6"), ("AD-Q18", "AD-28")),
    Kind.FIVE: (("AD-29",), ("AD-29", "AD-28")),
}
"""Clauses that break ties of equal rank: by suit, and by deck."""


def _riot(
    play: Combination, on: Combination | None, *, suits: Sequence[str], options: Options, under_five: bool
) -> Comparison:
    """Compare a riot: by rank, then (unless equal riots never beat each other) by colour and best card (AD-Q18)."""
    over = on is not None and on.kind is Kind.FIVE
    after_five = ("AD-30",) if over else ("AD-30", "AD-Q20") if under_five else ()
    if under_five and play.colour is None:
        return _answer(play, on, *after_five, beats=False, phrase="riot-too-weak")
    if on is None or on.kind is not Kind.RIOT:
        phrase = "riot-beats-five" if under_five else "riot-beats"
        return _answer(play, on, *(() if over else ("AD-24",)), *after_five, beats=True, phrase=phrase)
    if play.ranks != on.ranks:
        low, high = sorted((play, on), key=lambda riot: riot.ranks)
        colour = ("AD-Q19",) if low.colour and not high.colour else ()
        return _answer(play, on, "AD-24", *colour, beats=play is high)
    if options["riot_equal"] == "never":
        return _answer(play, on, "AD-24", "AD-Q18", beats=False, phrase="riot-of-equal-rank")
    if play.colour == on.colour:  # both mixed: the two riots of a rank are either both in one colour or both mixed
        return _by_suit(play, on, suits)
    beats = play.colour == COLOURS[suits[0]]
    phrase = "beats-trump-colour" if beats else "does-not-beat-trump-colour"
    return _answer(play, on, "AD-Q18", "AD-31", beats=beats, phrase=phrase)


def _answer(
    play: Combination, on: Combination | None, *clauses: str, beats: bool, phrase: str = "", **facts: object
) -> Comparison:
    facts |= {"play": name_combination(play), "on": name_combination(on) if on else LAST_PLAY}
    code = "beats" if beats else "does-not-beat"
    return Comparison(beats, Reason(code, clauses, facts, phrase))
