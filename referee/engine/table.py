"""A table: hand after hand, from the first deal to the end, and each hand's tally for statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add
from typing import NamedTuple

from referee.engine.event_kinds import Event
from referee.engine.events import HouseRules
from referee.engine.hand import Hand
from referee.engine.rules import BY_HANDS, BY_SCORE, BY_TIME, OPEN, Problem, Refused, Rules, Setup
from referee.engine.rulings import Certainty, Feat, Irregularity, Reason, Refusal, Undertaken, Verdict, impossible
from referee.engine.state import FINISHED, VOID
from referee.engine.texts import phrase

# ``judge(table, event)`` returns a ruling with the next state; the given state is never changed. A state keeps only
# what later rulings need (sums of earlier hands and the hand in progress), so an event costs the same in the first and
# in the thousandth hand.


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of a table.

    ``rules`` are those of the hand in play, or of the next one if the table has changed them since. ``hand`` is the
    last hand dealt (``None`` before the first deal); ``earned`` is what each seat made in the hands before it,
    ``counted`` how many of those count towards an end by hands. ``before`` and ``bags`` come from an earlier table: how
    many hands of the course were played there, and each seat's bags.
    """

    rules: Rules
    first_dealer: int
    carried: tuple[int, ...]
    earned: tuple[int, ...]
    counted: int = 0
    hand: Hand | None = None
    before: int = 0
    bags: tuple[int, ...] = ()

    @property
    def opening(self) -> Rules:
        return self.rules if self.hand is None else self.hand.opening or self.hand.rules

    @property
    def changed(self) -> bool:
        return self.opening is not self.rules and self.opening.options != self.rules.options

    def made(self) -> tuple[int, ...]:
        return self.earned if self.hand is None else tuple(map(add, self.earned, self.hand.earned()))

    def brought(self) -> tuple[int, ...]:
        """Return the totals carried in, regrouped by side if sides have changed since (``partners_change``)."""
        began = self.opening.sides
        if began == self.rules.sides:
            return self.carried
        return tuple(sum(self.carried[min(old)] for old in {began[seat] for seat in side}) for side in self.rules.sides)

    def totals_before(self) -> tuple[int, ...]:
        return add_up(self.rules, self.brought(), self.earned)

    def totals(self) -> tuple[int, ...]:
        return add_up(self.rules, self.brought(), self.made())

    def bags_now(self) -> tuple[int, ...]:
        """Return each seat's bags (overtricks on its side's account); ``()`` in games without bags."""
        return self.bags if self.hand is None else self.hand.bags_after()

    def hands_left(self) -> int | None:
        """Return how many hands remain; ``None`` unless the table is played for a number of hands and not over."""
        end = self.rules.end
        if end.kind != BY_HANDS.name or end.value is None or self.finished():
            return None
        return max(0, end.value - self.hands_done())

    def hands_done(self) -> int:
        """Return how many hands count towards an end by hands: those that are finished and not void."""
        return self.counted + (self.hand is not None and self.hand.phase is FINISHED)

    def finished(self) -> bool:
        hand, end = self.hand, self.rules.end
        if hand is None:
            return False
        if hand.ended or hand.phase is not FINISHED:
            return hand.ended
        game, totals = self.rules.game, self.totals()
        if end.kind == BY_SCORE.name:
            reached = max(totals) >= (end.value or 0)
        elif end.kind == BY_HANDS.name:
            reached = self.hands_done() >= (end.value or 0)
        else:
            own = end.kind not in (OPEN.name, BY_TIME.name)
            reached = own and game.ends_with(self.rules, self.before + self.hands_done(), totals)
        return (reached or game.ends_early(self.rules, totals)) and not game.plays_on(self.rules, totals)

    def hides_points(self) -> bool:
        """Return whether points (of tricks, hands and totals) are hidden now."""
        return self.rules.game.hides_points(self.rules.options) and not self.finished()

    def winners(self) -> tuple[int, ...]:
        return self.hand.won_by(self.totals()) if self.hand and self.finished() else ()

    def coming(self) -> Setup | None:
        """Return the setup of the next hand; ``None`` while one is in progress or after the end."""
        hand = self.hand
        if hand is None:
            return self.first()
        if self.finished():
            return None
        if hand.phase is VOID:
            return self.rules.game.dealt_again(hand, self.rules)
        if hand.phase is FINISHED:
            finished = self.before + self.counted + 1
            return replace(self.rules.game.following(hand, self.totals(), self.rules), finished=finished)
        return None

    def first(self) -> Setup:
        setup = replace(self.rules.game.first(self.rules, self.first_dealer), bags=self.bags)
        return self.rules.game.further_on(self.rules, setup, self.before) if self.before else setup

    def with_hand(self, hand: Hand) -> "TableState":
        """Return the table with its last hand in another state, and with the rules this hand leaves for the next."""
        rules = hand.coming or self.rules
        told = self.first_dealer, self.carried, self.earned, self.counted
        return TableState(rules, *told, hand, self.before, self.bags)


class Ruling(NamedTuple):
    """The referee's answer to one event.

    ``table`` is the state after the event; if it is refused, the state before, and ``reason`` says why.
    ``irregularities`` became known with this event: recorded with it as accepted, or proved by it.
    """

    verdict: Verdict
    table: TableState
    reason: Reason | None = None
    irregularities: tuple[Irregularity, ...] = ()


def add_up(rules: Rules, carried: Sequence[int], made: Sequence[int]) -> tuple[int, ...]:
    """Return totals per seat from points carried in and made; partners share one total (REC-15)."""
    return tuple(start + sum(made[seat] for seat in side) for start, side in zip(carried, rules.sides, strict=True))


def next_setup(table: TableState) -> Setup:
    """Return the setup of the next hand as if the game went on; a void hand keeps its own."""
    hand = table.hand
    if hand is None:
        return table.first()
    if hand.phase is FINISHED:
        return table.rules.game.following(hand, table.totals(), table.rules)
    return hand.setup


def next_dealer(table: TableState, stayed: Sequence[int | None] | None = None) -> int:
    """Return the first dealer at a follow-up table, as if this table went on.

    ``stayed`` gives, for each seat there, the seat its player has here; ``None`` for a newcomer. If the next dealer has
    left, it is the next player clockwise who stayed, or seat 0 if nobody did.
    """
    setup = next_setup(table)
    if stayed is None:
        return setup.dealer
    place = setup.seating.index(setup.dealer)
    clockwise = setup.seating[place:] + setup.seating[:place]
    return next((stayed.index(seat) for seat in clockwise if seat in stayed), 0)


def open_table(
    rules: Rules,
    *,
    first_dealer: int,
    carried: Sequence[int] | None = None,
    before: int = 0,
    bags: Sequence[int] = (),
) -> TableState:
    nothing = (0,) * rules.players
    begins = tuple(carried) if carried else nothing
    return TableState(rules, first_dealer, begins, nothing, before=before, bags=tuple(bags))


def course_place(table: TableState, rules: Rules) -> int:
    if table.finished():
        return 0
    return rules.game.course_place(table.rules, table.before + table.hands_done(), rules)


def deal(table: TableState, known: Mapping[int, int] | None = None) -> TableState | Refusal:
    """Begin the next hand; raises ``Refused`` if a ``known`` hand (a bit mask) cannot have been dealt."""
    setup = table.coming()
    hand = table.hand
    if setup is None:
        if table.finished():
            return impossible("hand-finished", "REC-1", "REC-16", phrase="game-over")
        return impossible("wrong-phase", "REC-2", phrase="hand-running")
    if setup.sizes is None:
        return impossible("wrong-phase", *table.rules.game.hand_class.SIZE_CLAUSES, "REC-19", phrase="size-unknown")
    if known:
        _check_known(table.rules, setup, known)
        setup = replace(setup, known=tuple(known.get(seat) for seat in range(table.rules.players)))
    opened = table.rules.game.hand_class(table.rules, replace(setup, totals=table.totals()))
    opened.holds = hand is not None and hand.holds
    if table.changed:
        opened.opening = table.opening
    return replace(table, earned=table.made(), counted=table.hands_done(), hand=opened)


def hand_for(table: TableState, event: Event | None = None) -> TableState | Refusal:
    """Return the table with the hand that an event belongs to: the one in progress, or the next one, just dealt.

    Events that stay with a finished hand (remarks, score changes) belong to that hand. Without an event it is the hand
    in which play goes on. The refusal says why no further hand can be dealt.
    """
    hand = table.hand
    if hand is not None and (not hand.is_over() or (event is not None and hand.keeps(event))):
        return table
    return deal(table)


def end_by_time(table: TableState) -> TableState:
    """Return the table once its agreed time is up: between two hands it has ended (REC-16)."""
    hand = table.hand
    if hand is None or hand.ended or not hand.is_over():
        return table
    if hand.phase is FINISHED and table.rules.game.plays_on(table.rules, table.totals()):
        return table
    over = hand.copy()
    over.ended = True
    return replace(table, hand=over)


def _check_known(rules: Rules, setup: Setup, known: Mapping[int, int]) -> None:
    problems = []
    seen = 0
    for seat, cards in known.items():
        pointer = f"/hands/{setup.index}/known/{seat}"
        if seat >= rules.players:
            detail = phrase("There is no seat {number} at this table.", number=seat)
            problems.append(Problem(pointer, "bad-known", detail))
            continue
        size, entered = setup.sizes[seat] if setup.sizes else 0, cards.bit_count()
        if entered != size:
            detail = phrase("Cards dealt to this hand: {dealt}; entered: {entered}.", dealt=size, entered=entered)
            problems.append(Problem(pointer, "bad-known", detail))
        elif not rules.game.can_hold(rules, cards):
            problems.append(Problem(pointer, "bad-known", "No deal can give this hand."))
        if cards & seen:
            problems.append(Problem(pointer, "bad-known", "A card is in two hands."))
        seen |= cards
    if problems:
        raise Refused(problems)


def judge(table: TableState, event: Event) -> Ruling:
    """Judge one event in the hand in progress; ``deal`` begins a new hand."""
    if table.hand is None:
        refusal = impossible("wrong-phase", "REC-2", phrase="not-dealt")
        return Ruling(refusal.verdict, table, refusal.reason)
    hand, before = table.hand.copy(), table.hand.irregularities
    refused = too_late(table, event) or hand.take(event)
    if refused is not None:
        return Ruling(refused.verdict, table, refused.reason)
    # New findings come last. An old one may have been replaced by a better proof, while the others keep their order;
    # usually none was, and then nothing needs to be compared.
    now, known = hand.irregularities, len(before)
    if not known or (known <= len(now) and now[known - 1] is before[-1]):
        news = now[known:]
    else:
        news = tuple(found for found in now if all(found is not old for old in before))
    return Ruling(Verdict.ACCEPTED, table.with_hand(hand), None, news)


def too_late(table: TableState, event: Event) -> Refusal | None:
    if event.__class__ is HouseRules and table.finished():
        return impossible("hand-finished", "REC-1", "REC-16", "REC-23", phrase="game-over-rules")
    return None


# --- Tallies of finished hands, for a group's statistics


class SeatTally(NamedTuple):
    """The result of a finished hand for one seat.

    ``score`` includes penalties; ``tricks`` is ``None`` if a recorded result leaves them open, ``bid`` if nothing is
    bid. ``revokes`` are those that were proved against this seat, or accepted as recorded. ``feat`` is its best single
    feat, in games that count them.
    """

    score: int
    tricks: int | None
    bid: Undertaken | None
    revokes: int
    feat: Feat | None


class HandTally(NamedTuple):
    """The result of a finished hand; ``complete``: the record says who won every trick."""

    number: int
    seats: tuple[SeatTally, ...]
    complete: bool


def tally(hand: Hand) -> HandTally | None:
    """Return the result of a hand; ``None`` if it is in progress or void. Joint findings count against nobody."""
    if hand.phase is not FINISHED:
        return None
    scores = hand.scores()
    assert scores is not None, "a finished hand is settled"
    tricks, bids, feats = hand.tricks_won(), hand.undertaken(), hand.feats()
    revokes = [
        found.seat
        for found in hand.irregularities
        if found.code in hand.REVOKES and found.certainty is not Certainty.JOINT
    ]
    seats = []
    for seat in range(hand.rules.players):
        best = max((feat for feat in feats if feat.seat == seat), key=lambda feat: feat.points, default=None)
        seats.append(SeatTally(scores[seat], tricks[seat], bids[seat], revokes.count(seat), best))
    return HandTally(hand.setup.index, tuple(seats), hand.tells_all_tricks())
