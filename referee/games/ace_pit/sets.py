"""What a response to a laid card is worth, and why (AP-6 .. AP-13, AP-20).

A response is one or two cards. Its points are always the sum of named items.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from referee.engine.rules import Options
from referee.engine.rulings import Reason
from referee.engine.texts import AND, Listing, phrase
from referee.packs import Card, french
from referee.packs.french import RANKS

SPOON = 15
EVEN_STEVENS = 20
PIN = 25
DOUBLE_FORK = 30
ACE_PIT = 50
FLUSH = 20
THROW_AWAY = 10
ACE = "A"
LEADER = "leader"
RESPONDER = "responder"

NAMES = {
    "spoon": "Spoon", "even-stevens": "Even Stevens", "pin": "Pin", "double-fork": "Double Fork",
    "ace-pit": "Ace Pit", "flush": "Flush", "throw-away": "Throw Away", "ace-laid": "Ace laid",
}  # fmt: skip
CLAUSES = {
    "spoon": "AP-6", "even-stevens": "AP-7", "pin": "AP-8", "double-fork": "AP-9", "ace-pit": "AP-10",
    "flush": "AP-11", "throw-away": "AP-12", "ace-laid": "AP-20",
}  # fmt: skip
"""Items of a trick in display order, and the clauses behind them."""
BEATS_ACE = ("even-stevens", "double-fork", "ace-pit")
"""Items that beat a laid Ace (AP-20): no Pin can surround it, and a Flush alone wins nothing."""

NUMBERS = {rank: number for number, rank in enumerate(RANKS, 2)}
"""2 to 10 at face value, then jack, queen, king and Ace (AP-19, AP-Q1)."""

Response = Sequence[Card]
Items = dict[str, int]


class Item(NamedTuple):
    """One item of a trick's score: the set and its points."""

    item: str
    points: int


class Outcome(NamedTuple):
    """Winner of a trick, ``leader`` or ``responder``, and its items; ``None`` if two cards make no set."""

    winner: str | None
    items: tuple[Item, ...]

    @property
    def points(self) -> int:
        return sum(item.points for item in self.items)


def spoons(laid: Card, response: Response) -> int:
    """Count the cards of the laid card's suit that are next to it in rank (AP-6)."""
    return sum(card.suits == laid.suits and abs(NUMBERS[card.rank] - NUMBERS[laid.rank]) == 1 for card in response)


def is_pin(laid: Card, response: Response) -> bool:
    """Return whether two cards of one suit have the laid card's rank between them (AP-8)."""
    if len(response) != 2 or response[0].suits != response[1].suits:
        return False
    low, high = sorted(NUMBERS[card.rank] for card in response)
    return low < NUMBERS[laid.rank] < high


def is_fork(response: Response) -> bool:
    """Return whether these are two cards of one rank (AP-9)."""
    return len(response) == 2 and response[0].rank == response[1].rank


def items_of(laid: Card, response: Response, options: Options) -> Items:
    """Return the items of a response that is one card, a Pin or a Double Fork.

    By house rule, Spoons in a Double Fork do not count (AP-Q3), and two Aces score once (AP-10, AP-Q5). A one-card
    Spoon has no Flush (AP-11), except an Ace next to the king (AP-Q16).
    """
    next_to, fork = spoons(laid, response), is_fork(response)
    aces = sum(card.rank == ACE for card in response)
    plain_spoon = len(response) == 1 and next_to == 1 and not aces
    points = {
        "spoon": 0 if fork and not options["fork_spoon"] else SPOON * next_to,
        "even-stevens": EVEN_STEVENS * sum(card.rank == laid.rank for card in response),
        "pin": PIN * is_pin(laid, response),
        "double-fork": DOUBLE_FORK * fork,
        "ace-pit": ACE_PIT * (min(aces, 1) if options["ace_pit_once"] else aces),
        "flush": 0 if plain_spoon else FLUSH * sum(card.suits == laid.suits for card in response),
    }
    return {item: worth for item, worth in points.items() if worth}


def wins(laid: Card, items: Items, options: Options) -> bool:
    """Return whether these items win the trick (AP-12, AP-13, AP-20, AP-Q7)."""
    if laid.rank != ACE:
        return any(item != "flush" for item in items)
    if options["spoon_beats_ace"] and "spoon" in items:
        return True
    return any(item in items for item in BEATS_ACE)


def breakdown(laid: Card, response: Response, options: Options) -> Outcome:
    """Return the winner against this response, and the items scored.

    >>> from referee.packs import french
    >>> from referee.games.ace_pit.game import GAME
    >>> card = lambda code: french().cards[french().codes[code]]
    >>> options = GAME.rules({}, 2).options
    >>> breakdown(card("8H"), [card("7H"), card("9H")], options).points
    95
    """
    if len(response) == 2 and not is_pin(laid, response) and not is_fork(response):
        items = free_pair(laid, response, options) if options["free_pairs"] else None
        if items is None:
            return Outcome(None, ())
    else:
        items = items_of(laid, response, options)
        if not wins(laid, items, options):
            return Outcome(LEADER, (unanswered(laid, options),))
    return Outcome(RESPONDER, tuple(Item(item, items[item]) for item in CLAUSES if item in items))


def free_pair(laid: Card, response: Response, options: Options) -> Items | None:
    """Items of two cards that would each win alone; ``None`` unless both would (AP-Q4)."""
    items: Items = {}
    for card in response:
        alone = items_of(laid, (card,), options)
        if not wins(laid, alone, options):
            return None
        items = {item: items.get(item, 0) + alone.get(item, 0) for item in items | alone}
    return items


def unanswered(laid: Card, options: Options) -> Item:
    """The leader's item when no set beats the laid card (AP-12, AP-20, AP-Q8)."""
    if laid.rank == ACE:
        return Item("ace-laid", options["ace_lead"])
    return Item("throw-away", THROW_AWAY)


RESPONSE_OPTIONS = ("free_pairs", "ace_pit_once", "fork_spoon", "spoon_beats_ace")
"""House rules that affect a responder's points."""


def responder_scores(options: Options, *, single: bool = False) -> frozenset[int]:
    """All possible scores of a winning response; ``single``: of one card, as in the last trick (AP-Q11)."""
    return _responder_scores(tuple(bool(options[key]) for key in RESPONSE_OPTIONS), single=single)


@cache
def _responder_scores(switches: tuple[bool, ...], *, single: bool) -> frozenset[int]:
    options = dict(zip(RESPONSE_OPTIONS, switches, strict=True)) | {"ace_lead": ACE_PIT}
    outcomes = (
        breakdown(laid, response, options)
        for laid in french().cards[: len(RANKS)]
        for response in kinds(laid)
        if not single or len(response) == 1
    )
    return frozenset(outcome.points for outcome in outcomes if outcome.winner == RESPONDER)


def kinds(laid: Card) -> Iterator[Response]:
    """Yield one response of each kind; suits other than the laid one are interchangeable."""
    same = [card for card in french().cards[: len(RANKS)] if card is not laid]
    other = french().cards[len(RANKS) : 2 * len(RANKS)]
    third = french().cards[2 * len(RANKS) : 3 * len(RANKS)]
    yield from ((card,) for card in (*same, *other))
    yield from combinations(same, 2)
    yield from combinations(other, 2)
    yield from product(same, other)
    yield from product(other, third)


def outcome_reason(
    laid: Card, response: Sequence[Card], outcome: Outcome, options: Options, *, leader: object, responder: object
) -> Reason:
    """Reason for a trick's outcome; ``leader`` and ``responder`` are seats, or words for them."""
    if outcome.winner == RESPONDER:
        facts = {"seat": responder, "sets": listed(outcome.items), "names": named(outcome.items), "sum": outcome.points}
        return Reason("set", clauses(laid, response, outcome.items), facts)
    unbeaten = ("AP-20", "AP-Q8") if laid.rank == ACE else ("AP-12",)
    if outcome.winner is None:  # two cards that make no set were accepted
        facts = {"seat": leader, "cards": both(response), "sum": unanswered(laid, options).points}
        return Reason("no-set", (*unbeaten, "AP-Q4", "REC-21"), facts)
    facts = {"seat": leader, "laid": laid, "card": response[0], "sum": outcome.points}
    failed = ("AP-Q7",) if laid.rank == ACE and spoons(laid, response) else ()
    return Reason(outcome.items[0].item, (*unbeaten, *failed), facts)


def no_set_reason(laid: Card, response: Sequence[Card], options: Options) -> Reason:
    """Reason why two cards make no set (AP-5, AP-Q4).

    With free pairs and a laid Ace, it also cites what beats the Ace (AP-20, AP-Q7).
    """
    facts = {"cards": both(response)}
    if not options["free_pairs"]:
        return Reason("no-combination", ("AP-5", "AP-Q4"), facts, "no-set-pair")
    ace = () if laid.rank != ACE else ("AP-20", "AP-Q7") if spoons(laid, response) else ("AP-20",)
    return Reason("no-combination", ("AP-5", "AP-Q4", *ace), facts, "no-set-free")


def both(response: Sequence[Card]) -> Listing:
    return Listing(tuple(response), last=AND)


def listed(items: Sequence[Item]) -> Listing:
    """Items with their points, for a sentence.

    >>> str(listed((Item("pin", 25), Item("flush", 40))))
    'Pin 25 + Flush 40'
    """
    named = tuple(Listing((phrase(NAMES[item.item]), item.points), between=" ") for item in items)
    return Listing(named, between=" + ")


def named(items: Sequence[Item]) -> Listing:
    """Items without their points, for a sentence.

    >>> str(named((Item("pin", 25), Item("flush", 40))))
    'Pin and Flush'
    """
    return Listing(tuple(phrase(NAMES[item.item]) for item in items), last=AND)


WITHOUT_POINTS = {
    "set": "set-without-points", "throw-away": "throw-away-without-points",
    "ace-laid": "ace-laid-without-points", "no-set": "no-set-without-points",
}  # fmt: skip


def without_points(reason: Reason) -> Reason:
    """The same reason in words that reveal no points (AP-18)."""
    return replace(reason, phrase=WITHOUT_POINTS[reason.code]) if reason.code in WITHOUT_POINTS else reason


def clauses(laid: Card, response: Sequence[Card], items: Sequence[Item]) -> tuple[str, ...]:
    """Clauses that decided a trick won by the responder.

    AP-Q3 and AP-Q5 are cited for a Spoon in a Double Fork and a second Ace whether or not they counted. A laid Ace is
    beaten by a set (AP-20) or a Spoon (AP-Q7); a free pair may do both.
    """
    cites, fork = [CLAUSES[item.item] for item in items], is_fork(response)
    if fork:
        cites += ["AP-Q3"] if spoons(laid, response) else []
        cites += ["AP-Q5"] if response[0].rank == ACE else []
    elif len(response) > 1 and not is_pin(laid, response):
        cites.append("AP-Q4")
    cites.append("AP-13")
    if laid.rank == ACE:
        cites += sorted({"AP-Q7" if not fork and spoons(laid, (card,)) else "AP-20" for card in response})
    return tuple(cites)
