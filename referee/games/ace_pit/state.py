"""State of a hand of Ace Pit, and the points possible in tricks whose cards were not recorded."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

from referee.engine.hand import Hand
from referee.engine.rules import Options
from referee.engine.rulings import Feat, Reason
from referee.engine.state import FINISHED, PLAY, added, kept, per_seat
from referee.games.ace_pit.sets import ACE, LEADER, RESPONSE_OPTIONS, Item, breakdown, kinds
from referee.packs import Card, french
from referee.packs.french import RANKS

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
Switches = tuple[tuple[str, int], ...]
"""House rules that affect points, hashable."""


class Untold(NamedTuple):
    """A trick recorded without cards: whether its leader won it, its points, and whether it was the last."""

    led: bool
    points: int
    last: bool


def switches(options: Options) -> Switches:
    return tuple((key, int(options[key])) for key in (*RESPONSE_OPTIONS, "ace_lead"))


@cache
def shapes(rules: Switches, *, single: bool) -> Mapping[tuple[bool, int], tuple[tuple[int, ...], ...]]:
    """Cards laid (of the first suit) and responses, by (leader wins, points); ``single``: only one-card responses."""
    options: Options = {key: bool(value) if key != "ace_lead" else value for key, value in rules}
    found: dict[tuple[bool, int], list[tuple[int, ...]]] = {}
    for laid in french().cards[: len(RANKS)]:
        for response in kinds(laid):
            if len(response) == 1 or not single:
                outcome = breakdown(laid, response, options)
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


# --- The state of a hand of Ace Pit

TRICKS = 7
"""Tricks in a hand, and cards dealt to each player (AP-2, AP-17)."""
LONGEST_RESPONSE = 2


class PitTrick(NamedTuple):
    """A finished trick; ``laid`` is ``None`` if only winner and points were recorded."""

    leader: int
    laid: int | None
    response: tuple[int, ...]
    winner: int
    points: int
    items: tuple[Item, ...]


class PitState(Hand):
    """State of one hand of Ace Pit.

    Card sets are bit masks. ``laid`` is the card awaiting a response, ``gone`` the cards that left the hands. Per seat,
    ``drawn`` counts cards drawn (AP-14), ``foreign`` cards played that were not in an entered hand, and ``rest`` holds
    the points that a result added to the recorded tricks.
    """

    drawn: tuple[int, ...] = per_seat(0)
    foreign: tuple[int, ...] = per_seat(0)
    gone: int = kept(0)
    laid: int | None = kept(None)
    leader: int = kept(0)
    rest: tuple[int, ...] | None = kept(None)
    taken: tuple[PitTrick, ...] = kept(())

    def begin(self) -> None:
        self.leader = 1 - self.setup.dealer

    def draw(self, seat: int) -> None:
        """Count a card drawn unseen (AP-14)."""
        self.drawn = added(self.drawn, seat, 1)

    def gather(self, trick: PitTrick) -> None:
        """Finish a trick; the winner leads next (AP-15)."""
        self.taken += (trick,)
        self.laid = None
        self.leader = trick.winner
        if len(self.taken) == TRICKS:
            self.phase = FINISHED

    def instructions(self) -> tuple[Reason, ...]:
        last = self.taken[-1] if self.taken else None
        if last is None or self.laid is not None or self.phase is not PLAY or len(last.response) < LONGEST_RESPONSE:
            return ()
        return (Reason("draws", ("AP-14",), {"seat": 1 - last.leader}),)

    def hides_points(self) -> bool:
        return self.rules.game.hides_points(self.rules.options)

    def recorded(self) -> tuple[int, ...]:
        sums = [0, 0]
        for trick in self.taken:
            sums[trick.winner] += trick.points
        return tuple(sums)

    def tricks_won(self) -> tuple[int | None, ...]:
        if self.rest is not None:
            return (None, None)
        won = [trick.winner for trick in self.taken]
        return (won.count(0), won.count(1))

    def tells_all_tricks(self) -> bool:
        return self.rest is None

    def feats(self) -> tuple[Feat, ...]:
        return tuple(
            Feat(
                trick.winner, trick.points, number, self.card(trick.laid).code,
                tuple(self.card(card).code for card in trick.response),
            )
            for number, trick in enumerate(self.taken, 1)
            if trick.laid is not None and trick.winner != trick.leader
        )  # fmt: skip

    def possible(self, winner: int) -> frozenset[int]:
        """Possible points for this winner of the next trick; the last trick is one card each (AP-Q11)."""
        rules, led, last = switches(self.rules.options), winner == self.leader, len(self.taken) + 1 == TRICKS
        tricks = (Untold(led, points, last) for won, points in worths(rules, single=last) if won == led)
        return frozenset(trick.points for trick in tricks if fit(rules, (*self.untold(), trick), self.gone))

    def untold(self) -> tuple[Untold, ...]:
        return tuple(
            Untold(trick.winner == trick.leader, trick.points, number == TRICKS)
            for number, trick in enumerate(self.taken, 1)
            if trick.laid is None
        )

    def trick_number(self) -> int | None:
        return len(self.taken) + 1 if self.phase is PLAY else None

    def to_act(self) -> tuple[int, ...]:
        if self.phase is not PLAY:
            return ()
        return (self.leader if self.laid is None else 1 - self.leader,)

    def cards_left(self) -> tuple[int, ...]:
        """Cards in each hand; drawing keeps both hands equal (AP-14)."""
        if self.rest is not None:
            return (0, 0)
        left = TRICKS - len(self.taken)
        return tuple(left - (self.laid is not None and seat == self.leader) for seat in range(2))

    def card(self, index: int) -> Card:
        return self.rules.pack.cards[index]

    def known_hands(self) -> tuple[int | None, ...]:
        """Entered hands as masks, ``None`` for unknown ones."""
        return self.setup.known or (None,) * self.rules.players
