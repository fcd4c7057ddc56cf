"""Games in which tricks are worth the points of their cards, positive or negative."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Annotated, ClassVar, NamedTuple, Self

from referee.engine.cards import Card
from referee.engine.event_kinds import Event, Unsaid
from referee.engine.events import Ask, Field, Penalty, Play, Result, Transfer, Trick, Turn
from referee.engine.rulings import Certainty, Reason, Refusal, Remedy, ScoreLine, by_seat, impossible
from referee.engine.sheet import PerSeat
from referee.engine.state import FINISHED, PLAY, kept
from referee.tricks.leads import BrokenHand, BrokenParts
from referee.tricks.rules import UNSEEN, Played, TrickRules
from referee.tricks.state import Taken
from referee.tricks.unseen import NOBODY

# --- Whether unseen cards can account for reported points


class Place(NamedTuple):
    """A group of unseen cards: total points, and their maximum number, exact if ``full``.

    In a group that is not ``full``, every ``size`` cards, or a smaller remainder, count as one trick.
    """

    points: int
    room: int
    full: bool = True
    size: int = 0


Cards = tuple[tuple[int, int], ...]
"""Pairs (worth, number of cards), sorted by worth."""


@lru_cache(maxsize=4096)
def can_lie(places: tuple[Place, ...], cards: Cards, tricks: int | None = None) -> bool:
    """Return whether ``cards`` can be distributed over these places.

    If ``tricks`` is given, it limits the tricks available to places that are not full, and all cards worth points must
    be placed.

    >>> can_lie((Place(13, 4), Place(13, 4)), ((0, 38), (1, 13), (13, 1)))
    False
    """
    worths = tuple(worth for worth, _ in cards if worth)
    zeros = dict(cards).get(0, 0)
    states = {(tuple(count for worth, count in cards if worth), zeros, tricks or 0)}
    for place in places:
        found = set()
        for left, plain, rest in states:
            for taken in _ways(worths, left, place.points, place.room):
                count = sum(taken)
                unworthy = place.room - count if place.full else 0
                needed = 0 if place.full else -(-count // place.size)
                if unworthy <= plain and needed <= rest:
                    after = tuple(have - gone for have, gone in zip(left, taken, strict=True))
                    found.add((after, plain - unworthy, rest - needed))
        states = found
    return any(tricks is None or not any(left) for left, _, _ in states)


def _ways(worths: tuple[int, ...], counts: tuple[int, ...], points: int, room: int) -> Iterator[tuple[int, ...]]:
    if not worths:
        if not points:
            yield ()
        return
    for number in range(min(counts[0], room) + 1):
        for rest in _ways(worths[1:], counts[1:], points - number * worths[0], room - number):
            yield (number, *rest)


@dataclass(frozen=True)
class PointRules(TrickRules):
    """Rules of a table in whose game cards are worth points.

    ``card_points[card]`` is what a card is worth, ``whole`` the sum over all cards, ``most`` the sum over cards with
    positive points. The ``leftover`` cards are not dealt and go to the winner of the first trick.
    """

    card_points: tuple[int, ...] = field(init=False)
    whole: int = field(init=False)
    most: int = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        worth = tuple(self.worth_of(card) for card in self.pack.cards)
        object.__setattr__(self, "card_points", worth)
        object.__setattr__(self, "whole", sum(worth))
        object.__setattr__(self, "most", sum(each for each in worth if each > 0))

    def worth_of(self, card: Card) -> int:
        raise NotImplementedError

    @property
    def leftover(self) -> int:
        return len(self.pack) % self.players

    def points_in(self, cards: int) -> int:
        return sum(self.card_points[card] for card in self.pack.members(cards))

    def by_worth(self, cards: int) -> Cards:
        """Number of cards of each worth among ``cards``."""
        worths = [self.card_points[card] for card in self.pack.members(cards)]
        return tuple((worth, worths.count(worth)) for worth in sorted(set(worths)))


class PointParts(BrokenParts):
    """Description of a hand whose tricks are worth the points of their cards."""

    points_taken: Annotated[PerSeat, "Points in each seat’s tricks; null if not recorded."]


WINS = Turn("Who wins this trick, and with how many points?")
COUNTS = Turn("How many points did each player take?")


class PointHand(BrokenHand):
    """A hand whose tricks are worth the points of their cards.

    ``told`` holds the reported points of each finished trick, or ``None``; ``rest`` those of a recorded result. If the
    last trick is complete but points are unknown, the hand stays open until its result is recorded.
    """

    rules: PointRules
    told: tuple[int | None, ...] = kept(())
    rest: tuple[int, ...] | None = kept(None)

    LEAVES_OUT = (Transfer,)
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        **BrokenHand.REMEDIES,
        "equity": Remedy(
            "The others get what they would have had if suit had been followed, with the cards as they were; the"
            " offender keeps the worse score.",
            ("IR-6",),
            "Make up the whole loss",
        ),
        "penalty": Remedy(
            "Agree on a penalty: points that are added to the offender’s score.", ("REC-13",), "Add points"
        ),
    }
    PROVED_REMEDIES = ("correct", "stand", "equity", "hand-zero", "penalty", "redeal")

    # -- worth of tricks -------------------------------------------------------------------------

    def seen(self) -> int:
        """Cards seen in tricks, as a mask."""
        return self.seen_in(self.all_plays())

    def worths(self) -> tuple[int | None, ...]:
        """Points of each finished trick; ``None`` if unseen cards leave them open."""
        rules, hidden, worths = self.rules, iter(self.hidden), []
        out = rules.pack.everything & ~self.seen()
        for trick, worth in zip(self.taken, self.told, strict=True):
            seen = [play[1] for play in trick.plays if play[1] != UNSEEN]
            unseen = rules.players - len(seen)
            could = [cards for _, cards in islice(hidden, unseen)] if trick.plays else [out] * unseen
            if worth is None:
                each = [{rules.card_points[card] for card in rules.pack.members(cards)} for cards in could]
                certain = all(len(points) == 1 for points in each)
                worth = sum(rules.card_points[card] for card in seen) + sum(map(min, each)) if certain else None
            worths.append(worth)
        return tuple(worths)

    def points_taken(self) -> tuple[int | None, ...]:
        """Points in each seat's tricks, or ``None``; in a finished hand, one missing number follows from the total."""
        if self.rest is not None:
            return self.rest
        worths, rules = self.worths(), self.rules
        made = [0] * rules.players
        for trick, worth in zip(self.taken, worths, strict=True):
            made[trick.winner] += worth or 0
        unknown = {trick.winner for trick, worth in zip(self.taken, worths, strict=True) if worth is None}
        if self.is_counted():
            missing = rules.whole - sum(made)
            able = unknown | ({self.taken[0].winner} if rules.leftover else set())
            if len(able) == 1:
                made[able.pop()] += missing
                unknown.clear()
        return tuple(None if seat in unknown else points for seat, points in enumerate(made))

    def left_over(self) -> int:
        """Points of the undealt cards, which go to the winner of the first trick; 0 until known."""
        worths = self.worths()
        if not self.rules.leftover or not self.is_counted() or None in worths:
            return 0
        return self.rules.whole - sum(worth or 0 for worth in worths)

    def untold(self) -> tuple[Place, ...]:
        """Unseen cards of finished tricks whose points were reported, one place per trick."""
        tricks = zip(self.taken, self.told, strict=True)
        return tuple(self.place_of(trick.plays, told) for trick, told in tricks if told is not None)

    def place_of(self, plays: Sequence[Played], points: int) -> Place:
        """The unseen cards of a trick with these plays, worth ``points`` in all."""
        seen = self.seen_in(plays)
        return Place(points - self.rules.points_in(seen), self.rules.players - seen.bit_count())

    def breaks_by_points(self, place: int) -> bool | None:
        told, cards = self.told[place], self.rules.by_worth(self.rules.pack.everything)
        if told is None:
            return None
        breaking = {self.rules.card_points[card] for card in self.rules.pack.members(self.breaking())}
        worths = tuple(worth for worth, _ in cards if worth)
        ways = _ways(worths, tuple(count for worth, count in cards if worth), told, self.rules.players)
        found = {any(n and worth in breaking for n, worth in zip(way, worths, strict=True)) for way in ways}
        return found.pop() if len(found) == 1 else None

    def is_counted(self) -> bool:
        """Return whether every trick is finished; only points can then be missing."""
        return len(self.taken) == self.total

    def explain(self, code: str, card: int) -> Reason:
        """Return why this card won the current trick, and its points."""
        why, points = super().explain(code, card), self.rules.points_in(self.seen_in(self.plays))
        form = "highest-follower-point" if points == 1 else "highest-follower-points"
        return replace(why, facts={**why.facts, "points": points}, phrase=form) if points else why

    # -- tricks and results ------------------------------------------------------------------------

    def gather(self, trick: Taken) -> None:
        super().gather(trick)
        if len(self.told) < len(self.taken):
            self.told += (None,)

    def complete(self) -> None:
        super().complete()
        self.settle_points()

    def give_trick(self, event: Trick, trump: str | Unsaid | None) -> None:
        told = None if event.points is None else event.points[str(event.winner)]
        unseen = any(play[1] == UNSEEN for play in self.plays) or len(self.plays) < self.rules.players
        self.told += (told if unseen else None,)
        super().give_trick(event, trump)
        self.settle_points()

    def settle_points(self) -> None:
        """Keep a finished hand in play until all its points are known, then close it."""
        if self.phase is FINISHED and None in self.points_taken():
            self.phase, self.turn = PLAY, NOBODY
        elif self.phase is FINISHED:
            self.close()

    def close(self) -> None:
        """Hook: called when all points are known."""

    def closed(self) -> bool:
        return self.phase is not PLAY

    def not_between(self, event: Trick | Result) -> Refusal:
        return self.not_now(event)

    def waits_for_winner(self) -> bool:
        return super().waits_for_winner() and not self.is_counted()

    def take_play(self, event: Play) -> Refusal | None:
        return self.points_first(event) or super().take_play(event)

    def take_trick(self, event: Trick) -> Refusal | None:
        return self.points_first(event) or super().take_trick(event)

    def points_first(self, event: Event) -> Refusal | None:
        """Refuse a further card or trick once every trick is finished and only points are missing."""
        if self.phase is not PLAY or not self.is_counted():
            return None
        return impossible("wrong-phase", "REC-2", "REC-19", phrase="points-first")

    def reported_points(self, event: Trick) -> Refusal | None:
        """Refuse reported points that the trick's cards cannot give, counting cards already seen."""
        if event.points is None:
            return None
        if list(event.points) != [str(event.winner)]:
            return impossible("bad-result", "REC-11", phrase="bad-result-winner")
        points = event.points[str(event.winner)]
        out = self.rules.by_worth(self.rules.pack.everything & ~self.seen())
        if can_lie((*self.untold(), self.place_of(self.plays, points)), out):
            return None
        return impossible("bad-result", *self.CITES["tricks"], "REC-11", phrase="bad-result-trick", number=points)

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        """Refuse a card that an earlier trick needs to explain its reported points."""
        untold = self.untold()
        left = self.rules.by_worth(self.rules.pack.everything & ~self.seen() & ~(1 << card))
        if not untold or can_lie(untold, left):
            return super().beyond_deal(seat, card)
        return impossible("already-played", "REC-6", "REC-19", phrase="needed-before", card=self.rules.pack.cards[card])

    def take_totals(self, event: Result) -> Refusal | None:
        """Record the rest of the hand by each seat's total of points."""
        points = event.points
        if points is None or event.tricks is not None or event.cards_left is not None:
            return impossible("bad-result", "REC-11", phrase="bad-result-points-needed")
        if len(points) != self.rules.players:
            return impossible("bad-result", "REC-11", phrase="bad-result-seats")
        if refusal := self.odd_result(points):
            return refusal
        if sum(points) != self.rules.whole:
            facts = {"total": self.rules.whole, "sum": sum(points)}
            return impossible("bad-result", *self.CITES["tricks"], "REC-11", phrase="bad-result-points-sum", **facts)
        if not self.can_end(points):
            return impossible("bad-result", *self.CITES["tricks"], "REC-11", phrase="bad-result-points-cards")
        self.give_points(points)
        return None

    def odd_result(self, points: tuple[int, ...]) -> Refusal | None:
        """Hook: refuse numbers that are evidently scores, not points taken."""
        return None

    def can_end(self, points: tuple[int, ...]) -> bool:
        """Return whether some distribution of the unseen cards gives these points, given the tricks already known."""
        rules, known, own = self.rules, [0] * self.rules.players, [0] * self.rules.players
        for trick, told in zip(self.taken, self.told, strict=True):
            seen = self.seen_in(trick.plays)
            known[trick.winner] += rules.points_in(seen) if told is None else told
            own[trick.winner] += rules.players - seen.bit_count() if told is None else 0
        waiting = self.seen_in(self.plays)  # the cards of a trick that waits for its winner
        loose = rules.pack.everything & ~self.seen() | waiting
        tricks = self.total - len(self.taken)
        for seat in (self.taken[0].winner,) if self.taken else range(rules.players):
            own[seat] += rules.leftover
        ends = [
            Place(made - points_known, room + rules.players * tricks, full=False, size=rules.players)
            for made, points_known, room in zip(points, known, own, strict=True)
        ]
        # Cards of recorded tricks need no further trick: each seat has as many spare tricks as it won without points.
        spare = tricks + sum(-(-room // rules.players) for room in own)
        return can_lie((*self.untold(), *ends), rules.by_worth(loose), spare)

    def give_points(self, points: tuple[int, ...]) -> None:
        self.skip_setup()
        self.blind += self.total - len(self.taken)
        self.rest, self.phase = points, FINISHED
        self.close()

    def places_left(self) -> tuple[int, ...]:
        return self.rules.nobody if self.rest is not None else super().places_left()

    def tricks_won(self) -> tuple[int | None, ...]:
        return super().tricks_won() if self.tells_all_tricks() else (None,) * self.rules.players

    def tells_all_tricks(self) -> bool:
        return self.rest is None or self.is_counted()

    # -- scores ------------------------------------------------------------------------------------

    def points(self) -> tuple[int, ...] | None:
        if None in self.points_taken() or self.phase not in (PLAY, FINISHED):
            return None
        return by_seat(self.point_lines(), self.rules.players)

    def point_lines(self) -> list[ScoreLine]:
        more, lines = self.left_over(), []
        first = self.taken[0].winner if more else None
        for seat, points in enumerate(self.points_taken()):
            own = (points or 0) - (more if seat == first else 0)
            lines += [self.score_line(seat, own, 0)] if own else []
        if first is not None:
            why = Reason("left-over-points", self.deal_clauses()[:1], {"seat": first, "points": more})
            lines.append(ScoreLine(first, more, why))
        return lines

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        return ScoreLine(seat, tricks, Reason("points-taken", self.CITES["tricks"], {"seat": seat, "points": tricks}))

    def unchecked(self) -> list[Reason]:
        reasons = super().unchecked()
        open_ones = self.worths().count(None) if self.rest is None and self.phase is not FINISHED else 0
        more = [Reason("points-unknown", (*self.CITES["tricks"], "REC-19"), {"count": open_ones})] if open_ones else []
        return [*reasons, *more]

    # -- decisions of the table: points are a burden -----------------------------------------------

    def score_nothing(self, offender: int, why: str) -> tuple[Event, ...]:
        """Return penalties that charge the offender every point of the hand and everyone else none.

        Negative scores, and points already charged to another offender, are left as they are.
        """
        scores = self.scores() or self.rules.nobody
        due = [min(score, 0) for score in scores]
        for found in self.irregularities:
            guilty = found.certainty is not Certainty.SEEN or found.code in self.AS_PROVED
            if guilty and found.offender is not None and scores[found.offender] >= self.rules.most:
                due[found.offender] = self.rules.most
        due[offender] = self.rules.most
        moved = [(seat, then - now) for seat, (now, then) in enumerate(zip(scores, due, strict=True))]
        return tuple(Penalty(seat, points, why) for seat, points in moved if points)

    def rest_goes_to(self, seat: int) -> Event | Reason:
        if self.phase is not PLAY or self.is_counted() or None in self.points_taken():
            return Reason("nothing-to-claim", ("IR-14",))
        made = [points or 0 for points in self.points_taken()]
        made[seat] += self.rules.whole - sum(made)
        return Result(points=tuple(made))

    # -- judged under house rules other than those it was played by--------------------------------------

    def as_it_lay(self, event: Event, then: Self) -> Iterator[Event]:
        if isinstance(event, Result) and event.points is not None:
            yield replace(event, points=self.rest_of_points(event.points, then))
            return
        for closest in super().as_it_lay(event, then):
            yield closest
            if isinstance(closest, Trick) and closest.points is not None:
                yield replace(closest, points=None)

    def stands(self, event: Event, then: Self) -> bool:
        if isinstance(event, Result) and event.points is not None:
            self.give_points(self.rest_of_points(event.points, then))
            return True
        return super().stands(event, then)

    def rest_of_points(self, points: tuple[int, ...], then: Self) -> tuple[int, ...]:
        """Totals per seat if reported points go to their original takers.

        Points that differ only because of these rules go to the player who took most.
        """
        pairs = zip(points, then.points_taken(), self.points_taken(), strict=True)
        told = [total - (before or 0) + (now or 0) for total, before, now in pairs]
        told[told.index(max(told))] += self.rules.whole - sum(told)
        return tuple(told)

    # -- description -------------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        asks = []
        for ask in super().asks():
            if ask.event == Trick.type and not self.is_counted():
                points = Field("points", "points", "Points", self.next_worths(), optional=True, none="not known")
                asks.append(replace(ask, fields=(*ask.fields, points), turn=WINS))
            elif ask.event == Result.type:
                asks.append(replace(ask, fields=(self.points_field(), *ask.fields[1:]), turn=COUNTS))
            elif ask.event != Trick.type:
                asks.append(ask)
        return tuple(asks)

    def next_worths(self) -> tuple[str, ...]:
        """Possible points of the current or next trick, as choices."""
        able = range(self.rules.whole - self.rules.most, self.rules.most + 1)
        told = (Trick(winner=0, points={"0": points}) for points in able)
        return tuple(str(points) for points, event in zip(able, told, strict=True) if not self.reported_points(event))

    def points_field(self) -> Field:
        rules, taken, floors = self.rules, self.points_taken(), list(self.rules.nobody)
        out = rules.pack.everything & ~self.seen()
        less = sum(rules.card_points[card] for card in rules.pack.members(out) if rules.card_points[card] < 0)
        for trick, worth in zip(self.taken, self.worths(), strict=True):
            floors[trick.winner] += worth or 0
        floors = [
            floor if self.is_counted() and points is not None else floor + less
            for floor, points in zip(floors, taken, strict=True)
        ]
        return Field(
            "points", "numbers", "Points of each player", least=min(floors), most=rules.most, total=rules.whole,
            floors=tuple(floors),
        )  # fmt: skip

    def describe(self) -> PointParts:
        described, worths = super().describe(), self.worths()
        for trick, entry, worth in zip(self.taken, described["tricks"], worths, strict=False):
            entry["points"] = {} if worth is None else {str(trick.winner): worth}
        return {**described, "points_taken": list(self.points_taken())}
