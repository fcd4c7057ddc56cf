"""What a response to a laid card is worth, and why (AP-6 .. AP-13, AP-20); the best one, and which points can be made.

A response is one or two cards. Its points are always the sum of named items.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

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

Switches = tuple[tuple[str, Any], ...]
"""The house rules that affect points, hashable."""
Response = Sequence[Card]
Items = dict[str, int]


def switches(options: Options) -> Switches:
    keys = ("free_pairs", "ace_pit_once", "fork_spoon", "spoon_beats_ace", "ace_lead")
    return tuple((key, options[key]) for key in keys)


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


# --- The best responses to a laid card
# During a hand no one's cards are used: only the rules and the cards shown so far. Once it is over, every card a player
# held has been shown; only the time a card was drawn may be unknown (AP-14).


class Answer(NamedTuple):
    """A winning response and its score."""

    cards: tuple[Card, ...]
    points: int
    items: tuple[Item, ...]


@lru_cache(maxsize=4096)
def best_answer(rules: Switches, laid: int, among: int, *, single: bool) -> Answer | None:
    """The best response from these cards (a mask); ``single``: of one card (AP-Q11)."""
    options, pack = dict(rules), french()
    lay, cards = pack.cards[laid], [pack.cards[card] for card in pack.members(among)]
    ways: list[tuple[Card, ...]] = [(card,) for card in cards]
    if not single:  # of equal answers, one that is a set comes before two cards that each win alone (AP-Q4)
        ways += sorted(combinations(cards, 2), key=lambda pair: not is_pin(lay, pair) and not is_fork(pair))
    outcomes = ((way, breakdown(lay, way, options)) for way in ways)
    answers = (Answer(way, made.points, made.items) for way, made in outcomes if made.winner == RESPONDER)
    return max(answers, key=lambda answer: answer.points, default=None)


# --- Points possible in tricks recorded without cards, given four Aces and 52 cards for the whole hand
# Every trick has a laid card and a response; its winner leads the next (AP-15), and in the last both play one card
# (AP-Q11). Two steps decide whether points are possible: counting all sums that need no fifth Ace, then laying out
# actual cards for one way to reach the sum, without using a card twice.
#
# Points are counted in steps of five. A set of pairs of sums is one integer, with the bit of pair ``(a, b)`` at
# ``a * WIDTH + b``, so one shift adds a trick to all pairs.

STEP = 5
"""Every score of the game is a multiple of this."""
WIDTH = 256
"""More steps than one player can score in a hand: 7 × 170 points are 238 steps."""
ACES = 4
MOST_LAID = 20_000
"""Limit on card sets tried; what remains after it counts as possible."""
MOST_WAYS = 20
"""Limit on the ways to make a sum that are checked with actual cards."""
SUITS = 4
ALL_ACES = french().mask(card.index for card in french().cards if card.rank == ACE)


class Untold(NamedTuple):
    """A trick recorded without cards: whether its leader won it, its points, and whether it was the last."""

    led: bool
    points: int
    last: bool


@cache
def shapes(rules: Switches, *, single: bool) -> Mapping[tuple[bool, int], tuple[tuple[int, ...], ...]]:
    """Cards laid (of the first suit) and responses, by (leader wins, points); ``single``: only one-card responses."""
    found: dict[tuple[bool, int], list[tuple[int, ...]]] = {}
    for laid in french().cards[: len(RANKS)]:
        for response in kinds(laid):
            if len(response) == 1 or not single:
                outcome = breakdown(laid, response, dict(rules))
                if outcome.winner is not None:
                    key = outcome.winner == LEADER, outcome.points
                    found.setdefault(key, []).append((laid.index, *(card.index for card in response)))
    return {key: tuple(cards) for key, cards in found.items()}


@cache
def worths(rules: Switches, *, single: bool) -> Mapping[tuple[bool, int], int]:
    """Least number of Aces in a trick, by (leader wins, points)."""
    ace = len(RANKS) - 1
    return {
        worth: min(sum(card % len(RANKS) == ace for card in each) for each in cards)
        for worth, cards in shapes(rules, single=single).items()
    }


@cache
def laid_as(rules: Switches, trick: Untold) -> tuple[int, ...]:
    """All card sets, as masks, that give a trick these points."""
    found: dict[int, None] = {}
    for cards in shapes(rules, single=trick.last).get((trick.led, trick.points), ()):
        for suits in permutations(range(SUITS), 3):
            moved = [suits[card // len(RANKS)] * len(RANKS) + card % len(RANKS) for card in cards]
            found[sum(1 << card for card in moved)] = None
    return tuple(found)


def aces_of(rules: Switches, trick: Untold) -> int:
    """Least number of Aces in a trick with these points; more than exist if it is impossible."""
    return worths(rules, single=trick.last).get((trick.led, trick.points), ACES + 1)


def fit(rules: Switches, tricks: Sequence[Untold], gone: int) -> bool:
    """Return whether cards that are not ``gone`` can make up all these tricks at once."""
    if sum(aces_of(rules, trick) for trick in tricks) > ACES - (gone & ALL_ACES).bit_count():
        return False
    if len(tricks) == 1:
        return any(not cards & gone for cards in laid_as(rules, tricks[0]))
    able = sorted(([cards for cards in laid_as(rules, trick) if not cards & gone] for trick in tricks), key=len)
    tried = 0

    def lay(place: int, out: int) -> bool:
        nonlocal tried
        if place == len(able):
            return True
        for cards in able[place]:
            tried += 1
            if tried > MOST_LAID or (not cards & out and lay(place + 1, out | cards)):
                return True
        return False

    return lay(0, 0)


def can_be_made(
    made: tuple[int, int], options: Options, *, tricks: int,
    leader: int = 0, before: Sequence[Untold] = (), gone: int = 0,
) -> bool:  # fmt: skip
    """Return whether this many tricks, up to the last of the hand, can give the two players these points.

    ``leader`` leads the first of them; ``before`` are earlier tricks without cards, ``gone`` the cards seen. Since an
    accepted lead out of turn stands, either player may have led any trick; the upper bound for one player, given the
    other's points, is still the one with winners leading.

    >>> from referee.games.ace_pit.game import GAME
    >>> options = GAME.rules({}, 2).options
    >>> can_be_made((95, 0), options, tricks=1), can_be_made((95, 10), options, tricks=2)
    (False, True)
    >>> can_be_made((0, 230), options, tricks=7, leader=1), can_be_made((0, 235), options, tricks=7, leader=1)
    (True, False)
    """
    if min(made) < 0 or any(points % STEP for points in made) or max(made) >= STEP * WIDTH:
        return False
    rules = switches(options)
    aces = ACES - (gone & ALL_ACES).bit_count() - sum(aces_of(rules, trick) for trick in before)
    first, second = made[leader] // STEP, made[1 - leader] // STEP
    if aces < 0:
        return False
    for order, own, other in ((False, first, second), (True, second, first)):
        able = _sums(rules, tricks, aces, first=order) >> other * WIDTH & (1 << WIDTH) - 1
        if able and own >= able.bit_length():
            return False  # no one can have this much if the other has only that
    for count, way in enumerate(_ways(rules, tricks, aces, first, second)):
        if count >= MOST_WAYS or fit(rules, (*before, *way), gone):
            return True
    return False


def most_made(options: Options, *, tricks: int) -> int:
    """The most points for one player in this many tricks, up to the last of the hand."""
    rules = switches(options)
    sums = _sums(rules, tricks, ACES, first=True) | _sums(rules, tricks, ACES, first=False)
    return STEP * ((sums.bit_length() - 1) // WIDTH)


def _ways(rules: Switches, tricks: int, aces: int, first: int, second: int) -> Iterator[tuple[Untold, ...]]:
    """Yield sequences of tricks that give the players this many steps of points."""
    if min(first, second) < 0 or aces < 0 or not _sums(rules, tricks, aces) >> first * WIDTH + second & 1:
        return
    if tricks == 0:
        yield ()
        return
    for (led, points), needed in worths(rules, single=tricks == 1).items():
        steps = points // STEP
        for rest in ((first - steps, second), (first, second - steps)):
            for way in _ways(rules, tricks - 1, aces - needed, *rest):
                yield (Untold(led, points, last=tricks == 1), *way)


@cache
def _sums(rules: Switches, tricks: int, aces: int, *, first: bool | None = None) -> int:
    """Bit set of the pairs of sums possible in this many tricks with at most this many Aces.

    By default, anyone may lead each trick. With ``first``, winners lead, and the first sum of a pair is the leader's
    (``True``) or the other player's (``False``).
    """
    if tricks == 0:
        return 1
    after = 0
    for (led, points), needed in worths(rules, single=tricks == 1).items():
        for wins in (True, False) if first is None else (first == led,):
            if needed <= aces:
                rest = _sums(rules, tricks - 1, aces - needed, first=None if first is None else wins)
                after |= rest << points // STEP * (WIDTH if wins else 1)
    return after
