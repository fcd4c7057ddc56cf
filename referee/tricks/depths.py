"""Partial records (tricks by winner, hands by result), and replay of a hand under other rules."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Self

from referee.engine.event_kinds import UNSAID, Event, Unsaid
from referee.engine.events import Play, Result, Transfer, Trick
from referee.engine.rulings import Reason, Refusal, impossible
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID, takes
from referee.tricks.bridge import settle
from referee.tricks.rules import UNSEEN
from referee.tricks.state import Taken, Way
from referee.tricks.unseen import Unseen


class Depths(Unseen):
    """Accepts tricks without cards, results, and tricks moved by the table."""

    @takes(Trick)
    def take_trick(self, event: Trick) -> Refusal | None:
        """Record a trick by its winner, with none or only some of its cards."""
        if self.closed():
            return self.not_between(event)
        refusal = self.no_such_seat(event.winner) or self.bad_last(event.last)
        if refusal:
            return refusal
        trump = event.trump
        if isinstance(trump, str):
            trump = self.rules.pack.suit(trump) or trump
        if not isinstance(trump, Unsaid):
            refusal = self.unfit_trump(trump)
        refusal = refusal or self.reported_points(event) or self.cannot_win(event, trump)
        if refusal is None:
            self.give_trick(event, trump)
        return refusal

    def give_trick(self, event: Trick, trump: str | Unsaid | None) -> None:
        """Give the current or next trick to the reported winner."""
        found = self.told_ways(event.winner, trump)
        fallen = self.fallen(found)
        self.skip_setup()
        self.phase = PLAY
        if trump is not UNSAID:
            self.reported_trump(trump)
        if self.plays:
            self.unseen += self.rules.players - len(self.plays)
        else:
            self.blind += 1
        self.filled = found or self.filled  # the report rules the others out
        self.gather(self.unseen_trick(event.winner, found))
        self.narrow_hidden(fallen)
        self.conclude(found)
        if self.phase is FINISHED:
            self.reported_last(event.last)

    def unseen_trick(self, winner: int, found: Iterable[Way] = ()) -> Taken:
        """The current trick, or one without cards, won by the reported winner."""
        phrase = "recorded-winner-half" if self.plays else ""
        trump = self.trump_told(found) if self.plays else self.trump
        reason = Reason("recorded-winner", ("REC-19",), {"seat": winner}, phrase)
        return Taken(self.leader, self.plays, winner, trump, reason)

    def reported_points(self, event: Trick) -> Refusal | None:
        """Refuse points reported with a trick; games in which tricks carry points override this."""
        return None if event.points is None else impossible("bad-result", "REC-11", phrase="bad-result-points")

    def not_between(self, event: Trick | Result) -> Refusal:
        """Refuse a trick or result because the hand is over or bids are missing."""
        if self.phase in (FINISHED, VOID):
            return self.not_now(event)
        return impossible("wrong-phase", "REC-2", phrase="bids-first")

    def closed(self) -> bool:
        """Return whether tricks and results are refused: the hand is over, or bids are missing."""
        if self.phase is FINISHED or self.phase is VOID:
            return True
        return self.rules.bidding and None in self.bids

    def unfit_trump(self, trump: str | None) -> Refusal | None:
        """Refuse a reported trump that the trick cannot have left."""
        if self.trump_fits(trump):
            return None
        if trump is not None and (unknown := self.not_a_suit(trump)):
            return unknown
        kind, facts = self.why_no_trump(trump)
        return impossible("bad-suit", *self.trump_clauses(), "REC-9", phrase=kind, suit=self.suit_name(trump), **facts)

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        """Key and facts of the sentence that says why this cannot be trump after a trick."""
        facts: dict[str, object] = {"trump": self.suit_name(self.trump)}
        if trump is None:
            return ("there-is-trump", facts) if self.trump else ("trump-to-be-named", {})
        return ("trump-is-known", facts) if self.trump else ("there-is-no-trump", {})

    def reported_trump(self, trump: str | None) -> None:
        self.trump = trump

    def miss_trump(self) -> None:
        """Called when a result skips the rest of a hand: trump after it is unknown."""

    def bad_last(self, last: str | None) -> Refusal | None:
        """Refuse a reported last card that does not exist or was played earlier."""
        card = None if last is None else self.rules.pack.find(last)
        if card is None:
            return None if last is None else self.not_in_deck(last)
        played = self.gone >> card & 1 and all(play[1] != card for play in self.plays)
        return self.gone_already(card) if played else None

    def reported_last(self, last: str | None) -> None:
        """Record the last card of a hand entered without cards, in games that need it."""

    @takes(Result)
    def take_result(self, event: Result) -> Refusal | None:
        """Record the rest of the hand by each seat's total."""
        if self.closed():
            return self.not_between(event)
        if self.plays and not self.waits_for_winner():
            return impossible("wrong-phase", "REC-2", "REC-19", phrase="trick-first")
        return self.bad_last(event.last) or self.take_totals(event)

    def take_totals(self, event: Result) -> Refusal | None:
        """Record each seat's tricks at the end of the hand; games in which tricks carry points override this."""
        tricks = event.tricks
        if tricks is None or event.cards_left is not None or event.points is not None:
            return impossible("bad-result", "REC-11", phrase="bad-result-tricks")
        if len(tricks) != self.rules.players:
            return impossible("bad-result", "REC-11", phrase="bad-result-seats")
        tricks, pooled = self.apportioned(tricks)
        if any(a < b for a, b in zip(tricks, self.won, strict=True)):
            return impossible("bad-result", "REC-11", phrase="bad-result-fewer")
        if sum(tricks) != self.total:
            facts = {"total": self.total, "sum": sum(tricks)}
            return impossible("bad-result", "REC-11", phrase="bad-result-sum", **facts)
        more = {seat for seat, count in enumerate(tricks) if count > self.won[seat] or pooled >> seat & 1}
        if self.plays and more.isdisjoint(self.possible_winners()):
            return impossible("bad-result", "REC-11", "REC-19", phrase="bad-result-open-trick")
        self.give_rest(event, tricks, pooled)
        return None

    def apportioned(self, tricks: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """Return each seat's tricks by a result, and a mask of seats for which only the side's total is known.

        A side's total may be entered at either seat, with 0 at the other. Tricks already recorded keep their winner.
        """
        given, pooled = list(tricks), 0
        for side in self.pooled_sides():
            told = [seat for seat in side if tricks[seat]]
            rest = sum(tricks[seat] - self.won[seat] for seat in side)
            if len(told) == 1 < len(side) and rest >= 0:
                for seat in side:
                    given[seat] = self.won[seat] + (rest if seat in told else 0)
                    pooled |= 1 << seat if rest else 0
        return tuple(given), pooled

    def pooled_sides(self) -> tuple[tuple[int, ...], ...]:
        """Sides for which a result may give one combined number."""
        return tuple(dict.fromkeys(self.rules.sides)) if self.POOLS else ()

    def give_rest(self, event: Result, tricks: tuple[int, ...], pooled: int) -> None:
        self.pooled = pooled
        self.skip_setup()
        self.miss_trump()
        self.blind += self.total - len(self.taken)
        self.won = tricks
        self.phase = FINISHED
        self.reported_last(event.last)

    @takes(Transfer)
    def take_transfer(self, event: Transfer) -> Refusal | None:
        """Move tricks between seats, as the table decided (REC-13)."""
        if self.phase is VOID or self.ended:
            return self.not_now(event)
        refusal = self.no_such_seat(event.from_seat) or self.no_such_seat(event.to_seat)
        if refusal:
            return refusal
        if event.from_seat == event.to_seat:
            return impossible("bad-result", "REC-13", phrase="bad-transfer-self")
        if event.tricks < 1:
            return impossible("bad-result", "REC-13", phrase="bad-transfer-none")
        giver, counted = event.from_seat, self.tricks_counted()
        givers = self.rules.sides[giver] if self.pooled >> giver & 1 else (giver,)
        if event.tricks > sum(counted[seat] for seat in givers):
            return impossible("bad-result", "REC-13", phrase="bad-transfer-more")
        settle(self, event)
        self.move(event.from_seat, event.to_seat, event.tricks)
        return None

    def unchecked(self) -> list[Reason]:
        unknown = self.rules.players - sum(k is not None for k in self.setup.known)
        empty = sum(not trick.plays for trick in self.taken)
        told = self.blind - empty if self.phase is FINISHED else 0
        counts = (
            ("hands-unknown", ("REC-17", "REC-19"), unknown),
            ("tricks-without-cards", ("REC-19",), empty),
            ("result-only", ("REC-19",), told),
            ("cards-unseen", ("REC-19",), self.unseen),
        )
        reasons = [Reason(code, clauses, {"count": count}) for code, clauses, count in counts if count > 0]
        return [*reasons, Reason("no-counting", ("REC-18", "REC-19"))] if self.blind or self.unseen else reasons

    # -- judged under house rules other than those it was played by: tricks keep their cards -----------------------

    def make_way(self, event: Event, then: Self) -> None:
        if isinstance(event, Play | Trick | Result) and self.phase is BIDDING:
            self.phase = PLAY
        if isinstance(event, Trick) and not self.plays and self.turn >= 0:
            self.leader = self.turn = then.leader

    def as_it_lay(self, event: Event, then: Self) -> Iterator[Event]:
        match event:
            case Play():
                yield event
                if event.suit is not None:
                    yield replace(event, suit=None)
            case Trick():
                if then.plays and not self.plays:
                    return  # under these rules the cards decide who won
                if self.rules.options.get("trump") == then.rules.options.get("trump"):
                    yield event
                yield replace(event, trump=UNSAID)
            case Result(tricks=tuple() as tricks):
                yield replace(event, tricks=self.rest_of(tricks, then))
            case _:
                yield event

    def stands(self, event: Event, then: Self) -> bool:
        match event:
            case Trick() if len(self.taken) == len(then.taken):
                self.give_trick(event, UNSAID)
            case Result(tricks=tuple() as tricks):
                self.give_rest(event, self.rest_of(tricks, then), then.apportioned(tricks)[1])
            case _:
                return len(self.taken) > len(then.taken) and isinstance(event, Trick)
        return True

    def follow(self, then: Self) -> None:
        if self.waits_for_winner() and len(then.taken) > len(self.taken):
            self.gather(self.unseen_trick(then.taken[len(self.taken)].winner))

    def rest_of(self, tricks: tuple[int, ...], then: Self) -> tuple[int, ...]:
        """Totals per seat if tricks recorded without cards go to their original winners."""
        told, _pooled = then.apportioned(tricks)
        rest = [total - won for total, won in zip(told, then.won, strict=True)]
        if len(self.taken) > len(then.taken):  # only these rules give the current trick a winner
            able = [self.taken[-1].winner, *then.possible_winners()]
            rest[next(seat for seat in able if rest[seat] > 0)] -= 1
        return tuple(won + more for won, more in zip(self.won, rest, strict=True))

    def hands_shown(self) -> tuple[int | None, ...]:
        """The hand each seat was dealt, as a mask: as entered, or as revealed by its cards; ``None`` if unknown."""
        shown = [0 if card is None else 1 << card for card in self.aside() or (None,) * self.rules.players]
        for plays in self.laid():
            for seat, card, *_ in plays:
                shown[seat] |= 0 if card == UNSEEN else 1 << card
        sizes = self.setup.sizes or (0,) * self.rules.players
        entered = self.setup.known or (None,) * self.rules.players
        return tuple(
            cards if known is None and cards.bit_count() == size else known
            for cards, known, size in zip(shown, entered, sizes, strict=True)
        )

    def unscored(self) -> Reason | None:
        if not self.rules.bidding or None not in self.bids or self.phase not in (PLAY, FINISHED):
            return None
        return Reason("bids-missing", (*self.CITES.get("bid", self.CITES["tricks"])[-1:], "REC-22"))
