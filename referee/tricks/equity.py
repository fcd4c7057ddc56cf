"""What others lost by a revoke, as the cards lay, beside what giving up tricks makes good (IR-6).

The offender played a card that did not follow and showed later which cards would have. So the hand is laid out again
with one of them in the trick of the offence and the other cards of that suit, in the order in which they fell, and at
last the wrong one, in the places of those. Nobody else's card moves: nobody knows what else would have been played.
Where that would change a lead, or who leads, or break a rule again, or where a card was not seen, nothing can be known
or said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.engine.event_kinds import Event
from referee.engine.events import Penalty, Play
from referee.engine.guided import Owed, Scores
from referee.engine.phases import FINISHED
from referee.engine.rulings import Irregularity, Reason, Verdict
from referee.tricks.bridge import give_up, seen_whole, tricks_of
from referee.tricks.state import TrickState


def equity(hand: TrickState, found: Irregularity, events: Sequence[Event]) -> Owed | Reason:
    """Compare what others lost by a revoke with what is given up for it; a reason says why that cannot be known."""
    seat = found.offender
    if seat is None:
        return Reason("remedy-nobody", ("REC-18",))
    if hand.phase is not FINISHED:
        return Reason("equity-at-end", ("IR-6",))
    if found.code not in hand.REVOKES:
        return Reason("equity-unknown", ("IR-6",), {"seat": seat})
    if len(tricks_of(hand, found)) != 1:
        return Reason("remedy-which-trick", ("IR-4", "REC-18"), {"seat": seat})
    first = tricks_of(hand, found)[0] - 1
    if len(hand.taken) != hand.total or not all(seen_whole(hand, trick) for trick in hand.taken[first:]):
        return Reason("equity-unseen", ("IR-6", "REC-19"))
    base = laid_out(hand, events)
    repaired = None if base is None else given_up(base, found)
    courses = [] if base is None else [laid_out(hand, course) for course in lawful_courses(hand, found, events)]
    scores = [_lawful(course, base, found) for course in courses if course is not None and base is not None]
    known = [each for each in scores if each is not None]
    played = None if base is None else base.points()
    if not known or len(known) < len(courses) or played is None or repaired is None:
        return Reason("equity-unknown", ("IR-6",), {"seat": seat})
    side = hand.rules.sides[seat]
    pairs = list(enumerate(zip(*known, strict=True)))
    lawful = tuple(max(each) if other in side else min(each) for other, each in pairs)
    better = tuple(
        (min if other in side else max)(pair) for other, pair in enumerate(zip(repaired, lawful, strict=True))
    )
    harmed = tuple(
        other for other, scored in enumerate(repaired) if other not in side and lawful[other] > scored
    )  # fmt: skip
    return Owed(seat, played, repaired, lawful, better if harmed else repaired, harmed)


def made_good(hand: TrickState, found: Irregularity, events: Sequence[Event], why: str) -> tuple[Event, ...] | Reason:
    """Return the penalties that give everybody what is due, on top of tricks that were given up already."""
    owed = equity(hand, found, events)
    if isinstance(owed, Reason):
        return owed
    if not owed.harmed:
        return owed.reason
    settled = any(event == found.event for event, _ in hand.given_up)
    before = owed.repaired if settled else owed.played
    due = [then - now for then, now in zip(owed.better, before, strict=True)]
    return tuple(Penalty(seat, points, why) for seat, points in enumerate(due) if points)


# -- the hand laid out again ------------------------------------------------------------------


def laid_out(hand: TrickState, events: Sequence[Event]) -> TrickState | None:
    """Play a hand out again as it lay, whoever should have led; ``None`` where a card has no place in it."""
    again = type(hand)(hand.rules, replace(hand.setup, known=(None,) * hand.rules.players))
    again.count_later()
    for event in events:
        if event.kind.aside:  # remarks and what the table decided: the cards lay the same
            again.events += 1
            continue
        refusal = again.take(event)
        if refusal is not None and refusal.verdict is Verdict.IRREGULAR:
            refusal = again.take(replace(event, accepted=True))
        if refusal is not None:
            return None
    return again


def lawful_courses(hand: TrickState, found: Irregularity, events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """Yield the record with each card that would have followed in the trick of the offence, and those after it."""
    own = [play for trick in hand.taken for play in trick.plays if play[0] == found.offender]
    wrong = next((card for _, card, event, _ in own if event == found.event), None)
    before = laid_out(hand, events[: found.event])
    if wrong is None or before is None or not before.plays or found.offender is None:
        return
    denied = before.denial(found.offender, wrong)
    kept = [(event, card) for _, card, event, _ in own if event > found.event and denied >> card & 1]
    places = [event for event, _ in kept]
    for chosen in range(len(kept)):
        cards = {found.event: kept[chosen][1], **dict(kept[:chosen])}
        following = [card for _, card in kept[chosen + 1 :]] + [wrong]
        cards |= dict(zip(places[chosen:], following, strict=True))
        yield [_with_card(hand, event, cards.get(place)) for place, event in enumerate(events)]


def _with_card(hand: TrickState, event: Event, card: int | None) -> Event:
    if card is None or not isinstance(event, Play):
        return event
    return replace(event, cards=(hand.rules.pack.cards[card].code,))


def _lawful(course: TrickState, base: TrickState, found: Irregularity) -> Scores | None:
    """Return the points of a course with the same leads by who is due to lead, and without a new irregularity."""
    tricks = list(zip(course.taken, base.taken, strict=True))
    if any(one.plays[:1] != other.plays[:1] for one, other in tricks):
        return None
    if any(one.winner != other.winner for one, other in tricks[:-1]):
        return None  # another player would have led
    known = {(each.code, each.event) for each in base.irregularities}
    new = (each for each in course.irregularities if each.code in course.REVOKES)
    if any((each.code, each.event) not in known or each.event == found.event for each in new):
        return None
    return course.points()


def given_up(base: TrickState, found: Irregularity) -> Scores | None:
    """Return the points of a hand once tricks are given up for an infraction (IR-4)."""
    own = (each for each in base.irregularities if (each.code, each.event) == (found.code, found.event))
    moved = give_up(base, next(own, found), "")
    if isinstance(moved, Reason):
        return None
    after = base.copy()
    for event in moved:
        after.take(event)
    return after.scores()
