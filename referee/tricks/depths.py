"""The other two depths of a record: a trick by its winner, the rest of a hand by its result."""

from collections.abc import Iterable

from referee.engine.event_kinds import UNSAID, Unsaid
from referee.engine.events import Result, Transfer, Trick
from referee.engine.phases import FINISHED, PLAY, VOID
from referee.engine.rulings import Reason, Refusal, impossible
from referee.engine.state import takes
from referee.tricks.bridge import settle
from referee.tricks.state import Taken, Way
from referee.tricks.unseen import Unseen


class Depths(Unseen):
    """Takes tricks without cards, results, and tricks that the table moved."""

    @takes(Trick)
    def take_trick(self, event: Trick) -> Refusal | None:
        """Take a trick by its winner, without its cards, or without all of them."""
        if self.closed():
            return self.not_between(event)
        refusal = self.no_such_seat(event.winner) or self.bad_last(event.last)
        if refusal:
            return refusal
        trump = event.trump
        if trump is not UNSAID and trump is not None:
            trump = self.rules.pack.suit(trump) or trump
        refusal = None if trump is UNSAID else self.unfit_trump(trump)
        refusal = refusal or self.reported_points(event) or self.cannot_win(event, trump)
        if refusal:
            return refusal
        self.give_trick(event, trump)
        return None

    def give_trick(self, event: Trick, trump: str | Unsaid | None) -> None:
        """Give the trick that runs, or the next one, to the winner who was told."""
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
        self.filled = found or self.filled  # what is told rules the others out
        self.gather(self.unseen_trick(event.winner, found))
        self.narrow_hidden(fallen)
        self.conclude(found)
        if self.phase is FINISHED:
            self.reported_last(event.last)

    def unseen_trick(self, winner: int, found: Iterable[Way] = ()) -> Taken:
        """Return the trick on the table, or one without cards, as won by whom somebody told."""
        phrase = "recorded-winner-half" if self.plays else ""
        reason = Reason("recorded-winner", ("REC-19",), {"seat": winner}, phrase)
        return Taken(self.leader, self.plays, winner, self.told_trump(found), reason)

    def told_trump(self, found: Iterable[Way]) -> str | None:
        """Return trump for a trick whose winner was told: after it where it has no cards, else what decided it."""
        return self.trump_told(found) if self.plays else self.trump

    def reported_points(self, event: Trick) -> Refusal | None:
        """Take the points that a recorded trick reports; where every trick is worth the same it carries none."""
        return None if event.points is None else impossible("bad-result", "REC-11", phrase="bad-result-points")

    def not_between(self, event: Trick | Result) -> Refusal:
        """Refuse a trick or a result where none can come: the hand is over, or bids are missing."""
        if self.phase in (FINISHED, VOID):
            return self.not_now(event)
        return impossible("wrong-phase", "REC-2", phrase="bids-first")

    def closed(self) -> bool:
        """Return whether no trick or result can come now: hand over, or bids still missing."""
        if self.phase is FINISHED or self.phase is VOID:
            return True
        return self.rules.bidding and None in self.bids

    def unfit_trump(self, trump: str | None) -> Refusal | None:
        """Refuse a trump that a recorded trick cannot have left."""
        if self.trump_fits(trump):
            return None
        unknown = None if trump is None else self.not_a_suit(trump)
        if unknown:
            return unknown
        kind, facts = self.why_no_trump(trump)
        return impossible("bad-suit", *self.trump_clauses(), "REC-9", phrase=kind, suit=self.suit_name(trump), **facts)

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        """Return the sentence that says why this cannot be trump after a trick, and its facts."""
        facts: dict[str, object] = {"trump": self.suit_name(self.trump)}
        if trump is None:
            return ("there-is-trump", facts) if self.trump else ("trump-to-be-named", {})
        return ("trump-is-known", facts) if self.trump else ("there-is-no-trump", {})

    def trump_fits(self, trump: str | None) -> bool:
        """Return whether a trick can have left this trump, by what is known."""
        return trump == self.trump

    def reported_trump(self, trump: str | None) -> None:
        """Take the trump that a recorded trick reports."""
        self.trump = trump

    def miss_trump(self) -> None:
        """Go past the rest of a hand that nobody saw, and of which nobody said what trump is after it."""

    def bad_last(self, last: str | None) -> Refusal | None:
        """Refuse a last card that does not exist or has been played."""
        if last is None:
            return None
        card = self.rules.pack.find(last)
        if card is None:
            return self.not_in_deck(last)
        if self.gone >> card & 1 and all(play[1] != card for play in self.plays):
            return self.gone_already(card)
        return None

    def reported_last(self, last: str | None) -> None:
        """Take the last card of a hand recorded without cards, where a game needs it."""

    @takes(Result)
    def take_result(self, event: Result) -> Refusal | None:
        """Take the rest of the hand by the tricks that each seat won in all of it."""
        if self.closed():
            return self.not_between(event)
        if self.plays and not self.waits_for_winner():
            return impossible("wrong-phase", "REC-2", "REC-19", phrase="trick-first")
        refusal = self.bad_last(event.last)
        if refusal:
            return refusal
        tricks = event.tricks
        if tricks is None or event.cards_left is not None or event.points is not None:
            return impossible("bad-result", "REC-11", phrase="bad-result-tricks")
        if len(tricks) != self.rules.players:
            return impossible("bad-result", "REC-11", phrase="bad-result-seats")
        if any(a < b for a, b in zip(tricks, self.won, strict=True)):
            return impossible("bad-result", "REC-11", phrase="bad-result-fewer")
        if sum(tricks) != self.total:
            facts = {"total": self.total, "sum": sum(tricks)}
            return impossible("bad-result", "REC-11", phrase="bad-result-sum", **facts)
        refusal = self.cannot_add_up(tricks) if self.plays else None
        if refusal:
            return refusal
        self.give_rest(event, tricks)
        return None

    def give_rest(self, event: Result, tricks: tuple[int, ...]) -> None:
        """End the hand with so many tricks for each seat."""
        self.skip_setup()
        self.miss_trump()
        self.blind += self.total - len(self.taken)
        self.won = tricks
        self.phase = FINISHED
        self.reported_last(event.last)

    @takes(Transfer)
    def take_transfer(self, event: Transfer) -> Refusal | None:
        """Move tricks from one seat to another, as the table decided (REC-13)."""
        if self.phase is VOID or self.ended:
            return self.not_now(event)
        refusal = self.no_such_seat(event.from_seat) or self.no_such_seat(event.to_seat)
        if refusal:
            return refusal
        if event.from_seat == event.to_seat:
            return impossible("bad-result", "REC-13", phrase="bad-transfer-self")
        if event.tricks < 1:
            return impossible("bad-result", "REC-13", phrase="bad-transfer-none")
        if event.tricks > self.tricks_won()[event.from_seat]:
            return impossible("bad-result", "REC-13", phrase="bad-transfer-more")
        settle(self, event)
        self.move(event.from_seat, event.to_seat, event.tricks)
        return None

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked from what was recorded (REC-19)."""
        reasons = []
        unknown = self.rules.players - sum(k is not None for k in self.setup.known)
        if unknown:
            reasons.append(Reason("hands-unknown", ("REC-17", "REC-19"), {"count": unknown}))
        empty = sum(not trick.plays for trick in self.taken)
        if empty:
            reasons.append(Reason("tricks-without-cards", ("REC-19",), {"count": empty}))
        if self.phase is FINISHED and self.blind > empty:
            reasons.append(Reason("result-only", ("REC-19",), {"count": self.blind - empty}))
        if self.unseen:
            reasons.append(Reason("cards-unseen", ("REC-19",), {"count": self.unseen}))
        if self.blind or self.unseen:
            reasons.append(Reason("no-counting", ("REC-18", "REC-19")))
        return reasons
