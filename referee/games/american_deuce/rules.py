"""House rules of American Deuce, and what they determine: seats, hand sizes, and the score of a round."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from referee.engine.rules import REVOKE, Option, Options, Rules, switch
from referee.engine.rulings import Reason, ScoreLine, by_seat
from referee.games.american_deuce.combinations import RANKS, strength
from referee.packs import Pack

OPTIONS = (
    Option(
        "scoring", "Scoring", "Whether the losers’ points are also taken from their scores.", ("AD-26", "AD-A1"),
        ("zero-sum", "winner-only"), ("losers pay the winner", "only the winner scores"),
        says=("losers paying the winner", "only the winner scoring"),
    ),
    Option(
        "reseat", "Changing seats", "Whether the losers move by score after each round.", ("AD-A2", "AD-Q23"),
        ("no", "round", "total"), ("nobody moves", "by what each owes for the round", "by total scores"),
        says=("", "seats changing by what each owes", "seats changing by total scores"),
    ),
    Option(
        "count_lock", "Number of cards", "How long the number of cards of the first lead holds.",
        ("AD-Q1",), ("trick", "round"), ("for the trick", "for the whole round"),
        says=("", "the number of cards fixed for the whole round"),
    ),
    switch(
        "same_type", "Same kind only", "Whether only the same kind beats five cards, except for riots.",
        "AD-Q28", says="five cards beaten only by the same kind",
    ),
    Option(
        "riot_lead", "Leading a riot", "When four of a kind may be led.", ("AD-24", "AD-Q12"),
        ("quads-only", "never", "always"), ("with nothing but fours of a kind left", "never", "always"),
        says=("", "no riot led", "riots led at any time"),
    ),
    Option(
        "riot_equal", "Riots of one rank", "Whether a riot can beat another of the same rank.", ("AD-Q18",),
        ("colour", "never"), ("by color, then best card", "never"), says=("", "no riot beating another of its rank"),
    ),
    Option(
        "deal", "Dealing two packs", "Whether all cards are dealt, or the same number to each player.", ("AD-Q14",),
        ("all", "even"), ("all cards", "equal hands, the rest set aside"), says=("", "equal hands from the two packs"),
    ),
    Option(
        "bands", "Double penalty", "From how many cards left each one costs double.", ("AD-Q15",), ("flat", "scaled"),
        ("from ten cards", "from 10/13 of the hand dealt"), says=("", "double penalty by the size of the hand"),
    ),
)  # fmt: skip
PROVED = replace(
    REVOKE,
    label="When a rule break is proved",
    labels=(
        "ask us", "let it stand", "ask us: tricks are worth no points here",
        "a loser pays double, a winner gets nothing", "deal again",
    ),
    says=(
        "", "a proved rule break left standing", "",
        "a proved rule break doubling a loss, or making a win worth nothing", "a proved rule break meaning a new deal",
    ),
)  # fmt: skip
"""The house rule on proved infractions, reworded: no suit is followed, and tricks score nothing (IR-4)."""
TWO_DECKS = ("riot_equal", "deal")
"""Options that apply only with two packs."""


@dataclass(frozen=True)
class ClimbingRules(Rules):
    """Rules of a table, with masks of the cards of each rank, of the twos, and of the King that counts."""

    of_rank: tuple[int, ...] = field(init=False)
    twos: int = field(init=False)
    king: int = field(init=False)

    def __post_init__(self) -> None:
        ranks = tuple(self.pack.mask(card.index for card in self.pack.cards if card.rank == rank) for rank in RANKS)
        king = "KD*" if self.two_decks else "KD"  # with two packs, the one of the trump deck (AD-Q16)
        derived = {"of_rank": ranks, "twos": ranks[RANKS.index("2")], "king": 1 << self.pack.codes[king]}
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def two_decks(self) -> bool:
        return self.pack.cards[-1].star


@lru_cache(maxsize=64)
def ladder(pack: Pack, suits: tuple[str, ...]) -> tuple[int, ...]:
    """Return card indices from lowest to highest under this order of suits (AD-Q8)."""
    cards = sorted(pack.cards, key=lambda card: strength(card, suits))
    return tuple(card.index for card in cards)


@lru_cache(maxsize=64)
def below(pack: Pack, suits: tuple[str, ...]) -> tuple[int, ...]:
    """Return, per card, the mask of lower cards: by rank, then suit, then the plain deck (AD-Q8)."""
    lower = [0] * len(pack)
    passed = 0
    for card in ladder(pack, suits):
        lower[card] = passed
        passed |= 1 << card
    return tuple(lower)


# --- Seats and hand sizes

TITLES = ("President-Elect", "Vice", "Secretary")
"""Titles clockwise from the President-Elect; the last seat is the Deplorable (AD-4, AD-A3)."""
LAST_TITLE = "Deplorable"
BRIEF_TITLES = {title: title.removesuffix("-Elect") for title in (*TITLES, LAST_TITLE)}
"""The titles as they fit on a plate."""
PACK = 52
ONE_PACK = 4
"""Players who share one pack; more need two (AD-1, AD-A3)."""


def titles(seating: tuple[int, ...]) -> tuple[str | None, ...]:
    """Return each seat's title; ``None`` for middle seats of a large table (AD-4, AD-A3).

    >>> titles((2, 3, 0, 1))
    ('Secretary', 'Deplorable', 'President-Elect', 'Vice')
    """
    held = {seating[-1]: LAST_TITLE} | dict(zip(seating, TITLES, strict=False))
    return tuple(held.get(seat) for seat in range(len(seating)))


def seats_from(seating: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Return the seats clockwise from ``first`` (AD-14).

    >>> seats_from((0, 1, 2, 3), 2)
    (2, 3, 0, 1)
    """
    place = seating.index(first)
    return seating[place:] + seating[:place]


def reseated(seating: tuple[int, ...], worst: Sequence[int]) -> tuple[int, ...]:
    """Return the seating with the losers ordered by ``worst``, lowest first (AD-A2, AD-Q23)."""
    return (seating[0], *sorted(seating[1:], key=lambda seat: worst[seat]))


def cards_each(players: int, options: Options) -> tuple[int, ...]:
    """Return hand sizes from the dealer's left; the dealer is last (AD-Q14).

    >>> cards_each(7, {"deal": "all"})
    (15, 15, 15, 15, 15, 15, 14)
    """
    each, over = divmod(PACK if players == ONE_PACK else 2 * PACK, players)
    return tuple(each + (place < over and options["deal"] != "even") for place in range(players))


def hand_sizes(seating: tuple[int, ...], options: Options) -> tuple[int, ...]:
    """Return hand sizes by seat (AD-Q5)."""
    from_left = (*seating[1:], seating[0])
    sizes = dict(zip(from_left, cards_each(len(seating), options), strict=True))
    return tuple(sizes[seat] for seat in range(len(seating)))


# --- The score of a round: losers pay for every card left, the winner is paid (AD-25, AD-26)

DOUBLE_FROM = 10
FULL_HAND = 13
DOUBLE, TRIPLE = 2, 3


def multiplier(left: int, dealt: int, *, bands: str) -> int:
    """Return the cost of each card left: triple for an untouched hand (AD-25, AD-Q15).

    >>> multiplier(10, 13, bands="flat"), multiplier(16, 21, bands="scaled")
    (2, 1)
    """
    if left == dealt:
        return TRIPLE
    scaled = -(-DOUBLE_FROM * dealt // FULL_HAND)  # rounded up
    return DOUBLE if left >= (scaled if bands == "scaled" else DOUBLE_FROM) else 1


def owed(left: Sequence[int], dealt: Sequence[int], options: Options) -> tuple[int, ...]:
    """Return what each seat owes for cards left, even if no one is paid (AD-25, AD-Q15)."""
    bands = options["bands"]
    return tuple(cards * multiplier(cards, size, bands=bands) for cards, size in zip(left, dealt, strict=True))


def round_lines(left: Sequence[int], dealt: Sequence[int], options: Options) -> list[ScoreLine]:
    """Score lines of a finished round, by seat; exactly one entry of ``left`` must be 0."""
    lines = []
    dues = owed(left, dealt, options)
    quick = options["scoring"] == "winner-only"
    clauses = ("AD-25", *(("AD-Q15",) if set(dealt) != {FULL_HAND} else ()), "AD-A1" if quick else "AD-26")
    for seat, (cards, due) in enumerate(zip(left, dues, strict=True)):
        if cards:
            facts = {"seat": seat, "cards": cards, "times": due // cards, "sum": due}
            reason = Reason("cards-left", clauses, facts, "cards-left-quick" if quick else "")
            lines.append(ScoreLine(seat, 0 if quick else -due, reason))
    winner, paid = left.index(0), sum(dues)
    cites = ("AD-26", "AD-A1") if quick else ("AD-26",)
    lines.append(ScoreLine(winner, paid, Reason("round-won", cites, {"seat": winner, "sum": paid})))
    return sorted(lines, key=lambda line: line.seat)


def double_loss(offender: int, left: Sequence[int], dealt: Sequence[int], options: Options) -> tuple[int, ...]:
    """Points moved per seat when an offender who lost pays double, or one who won is paid nothing (IR-4)."""
    winner = left.index(0)
    made = by_seat(round_lines(left, dealt, options), len(left))
    if offender == winner:
        return tuple(-points for points in made)
    moved = [0] * len(left)
    moved[offender] = made[offender]
    moved[winner] = owed(left, dealt, options)[offender]
    return tuple(moved)
