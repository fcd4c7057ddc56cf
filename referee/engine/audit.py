"""A hand checked in full: where every card of it is known, each infraction is certain, or there was none (REC-19).

Played to its last card a hand shows what everybody was dealt. It is judged once more with these hands as entered ones,
so that every card is judged against the hand it came from; whatever is irregular is noted and play goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.engine.bounds import STEP, Watch, no_watch
from referee.engine.event_kinds import Event
from referee.engine.events import Bid, Play
from referee.engine.guided import Owed
from referee.engine.hand import Hand, class_of
from referee.engine.records import Record, Replay, replay
from referee.engine.rulings import Certainty, Irregularity, Reason, Verdict


@dataclass(frozen=True, slots=True)
class Audit:
    """What a full check of a hand found.

    ``infractions`` are irregular acts with the certainty that the record gives them; ``unchecked`` says what could
    not be checked, nothing where the hand is ``complete``. ``plays`` and ``bids`` is how many were looked at.
    """

    judged: Hand
    infractions: tuple[Irregularity, ...]
    unchecked: tuple[Reason, ...]
    plays: int
    bids: int
    owed: tuple[Owed | Reason | None, ...] = ()
    """For each infraction what the others lost by it beside what is made good (IR-6), or why nobody can know."""

    @property
    def complete(self) -> bool:
        """Return whether the hand is over and nothing in it was left unchecked."""
        return self.judged.is_over() and not self.unchecked

    @property
    def clean(self) -> bool | None:
        """Return whether nothing was irregular, as far as could be checked; ``None`` where no card could be."""
        return None if not (self.infractions or self.plays or self.complete) else not self.infractions

    @property
    def verdict(self) -> Reason:
        """Return in a sentence what the check comes to."""
        count = len(self.infractions)
        if self.clean is None:
            return Reason("audit-no-cards", ("REC-19",), {}, "audit-bids-only" if self.bids else "")
        code = VERDICTS[self.complete, bool(count)]
        return Reason(code, ("REC-19",), {"count": count} if count else {})


VERDICTS = {
    (True, False): "audit-clean",
    (True, True): "audit-found",
    (False, False): "audit-so-far-clean",
    (False, True): "audit-so-far-found",
}
"""What a check comes to, by whether it is complete and whether anything was irregular."""


def audit(record: Record, watch: Watch = no_watch) -> tuple[Replay, tuple[Audit, ...]]:
    """Check every hand of a record as far as it is taken; raises what ``replay`` raises."""
    judged = replay(record, watch)
    pairs = zip(judged.hands, record.hands, strict=False)
    return judged, tuple(audit_hand(hand, written.events[: hand.events], watch) for hand, written in pairs)


def audit_hand(judged: Hand, events: Sequence[Event], watch: Watch = no_watch) -> Audit:
    """Check one hand that was judged with these events; raises what ``watch`` raises."""
    known = judged.hands_shown()
    again = judged
    if known != judged.setup.known and any(known):
        again = class_of(judged.rules)(judged.rules, replace(judged.setup, known=known))
        for place, event in enumerate(events):
            if place % STEP == 0:
                watch()
            refusal = again.take(event)
            if refusal is not None and refusal.verdict is Verdict.IRREGULAR:
                refusal = again.take(replace(event, accepted=True))
            if refusal is not None:  # the hands do not fit the record after all: what was judged before stands
                again = judged
                break
    looked_at = [event for event in events if isinstance(event, Play) and UNSEEN not in event.cards]
    infractions = tuple(_as_known(found, judged) for found in again.irregularities)
    return Audit(
        again,
        infractions,
        tuple(again.unchecked()),
        plays=len(looked_at),
        bids=sum(isinstance(event, Bid) for event in events),
        owed=tuple(judged.owed(found, events) for found in infractions),
    )


UNSEEN = "?"
"""How a card is written that nobody saw."""


def _as_known(found: Irregularity, judged: Hand) -> Irregularity:
    """Return an infraction as the record itself proves it, where a later card does."""
    before = (each for each in judged.irregularities if (each.code, each.event) == (found.code, found.event))
    return next((each for each in before if each.certainty is Certainty.PROVED), found)
