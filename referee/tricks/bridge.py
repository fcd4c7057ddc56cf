"""The Bridge remedy for a revoke: tricks given up, who gets them, and what the others lost (IR-4, IR-6)."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import ClassVar

from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import Note, Penalty, Play, Result, Transfer
from referee.engine.remedied import Owed, Scores
from referee.engine.rules import Rules
from referee.engine.rulings import Certainty, Irregularity, Reason, Verdict, cause
from referee.engine.state import FINISHED, PLAY
from referee.engine.texts import Phrase
from referee.tricks.rules import UNSEEN, TrickRules, resolve
from referee.tricks.state import Taken, TrickState

# --- The remedy of Bridge for a revoke: which tricks are given up, and who gets them instead (IR-4)
# The side that gives up tricks is the offender, or the offender's partnership; they go to the other side. A
# trick is given up once: what was given up for one finding, or stands to be for one before it, is not for another.

Transfers = tuple[Transfer, ...]


def give_up(hand: TrickState, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
    """Return the events that give tricks up, or say when they can be told.

    Where counting shows that one of several acts of a player was unlawful, and not which, they are told only if it
    makes no difference.

    Tricks that are worth points move as tricks. Where an exact bid counts, giving a trick up could help the offender;
    there penalties give the offender the lower, everyone else the higher of both scores (IR-4), after what the findings
    before this one move.
    """
    moved = transfers(hand, found, why)
    offender = found.offender
    if isinstance(moved, Reason) or offender is None or not (hand.EXACT_BIDS and hand.rules.bidding):
        return moved
    after = hand.copy()
    scores = list(hand.points() or ())
    due = [0] * len(scores)
    for loser, shares in (*(each for each in given_before(hand, found) if each[1]), (offender, moved)):
        for transfer in shares:
            after.move(transfer.from_seat, transfer.to_seat, transfer.tricks)
        pairs = list(zip(scores, after.points() or (), strict=True))
        side = hand.rules.sides[loser]
        due = [(min if seat in side else max)(now, then) - now for seat, (now, then) in enumerate(pairs)]
        scores = [now + points for now, points in zip(scores, due, strict=True)]
    return tuple(Penalty(seat, points, why) for seat, points in enumerate(due) if points)


def transfers(hand: TrickState, found: Irregularity, why: str) -> Transfers | Reason:
    """Return how a finding moves tricks to the other side, or say when that can be told; none moves twice."""
    offender = found.offender
    if offender is None:
        return Reason("remedy-nobody", ("REC-18",))
    if hand.rules.bidding and hand.phase is not FINISHED:
        return Reason("remedy-at-end", ("IR-4",))
    done = {place for event, place in hand.given_up if event == found.event}
    outcomes = []
    for tricks in tricks_by_act(hand, found):
        if isinstance(tricks, Reason):
            return tricks
        moves = Counter(giver_and_taker(hand, index) for index in tricks if index not in done)
        shares = sorted((*seats, count) for seats, count in moves.items())
        outcomes.append(tuple(Transfer(*share, why) for share in shares if share[0] != share[1]))
    if any(outcome != outcomes[0] for outcome in outcomes):
        return Reason("remedy-which-trick", ("IR-4", "REC-18"), {"seat": offender})
    return outcomes[0]


def giver_and_taker(hand: TrickState, index: int) -> tuple[int, int]:
    """Return who won a trick, and who gets it when it is given up."""
    return hand.taken[index].winner, heir(hand, hand.taken[index])


def tricks_of(hand: TrickState, found: Irregularity) -> list[int]:
    """Return the numbers of the tricks in which the offence can have been: one, unless it was found by counting."""
    acts = found.claims or (found.event,)
    numbers = [number for number, trick in enumerate(hand.laid(), 1) if any(play[2] in acts for play in trick)]
    return numbers or [found.trick or 0]


def tricks_by_act(hand: TrickState, found: Irregularity) -> list[list[int] | Reason]:
    """Return the tricks to be given up, by their places, for each act that can have been the offence."""
    taken = spoken_for(hand, found)
    return [tricks_given_up(hand, found, number, taken) for number in tricks_of(hand, found)]


def tricks_given_up(hand: TrickState, found: Irregularity, number: int, taken: Set[int]) -> list[int] | Reason:
    """Return the tricks to be given up, by their places (IR-4), ``taken`` ones left out.

    That is one: the trick of the offence if the side won it, else the next one it won. If the offender's own card won
    it, the next one goes with it.
    """
    seat = found.offender
    assert seat is not None
    side = hand.rules.sides[seat]
    waiting = Reason("remedy-next-trick", ("IR-4",), {"seat": seat}, "remedy-next-trick-side" if side[1:] else "")
    if not 0 < number <= len(hand.taken):
        return waiting
    place = number - 1
    later = [index for index in range(place, len(hand.taken)) if index not in taken]
    won = [index for index in later if hand.taken[index].winner in side]
    most = 2 if place in won and hand.taken[place].winner == seat else 1
    if len(won) < most and hand.phase is not FINISHED:
        return waiting
    unseen = sum(hand.won[each] for each in side) > sum(trick.winner in side for trick in hand.taken)
    chosen = won[:most]
    if not all(seen_whole(hand, hand.taken[index]) for index in chosen) or (len(chosen) < most and unseen):
        return Reason("remedy-unseen", ("IR-4", "REC-19"))
    return chosen


def seen_whole(hand: TrickState, trick: Taken) -> bool:
    return len(trick.plays) == hand.rules.players and all(play[1] != UNSEEN for play in trick.plays)


def heir(hand: TrickState, trick: Taken) -> int:
    """Return who would have won a trick if no card of its winner's side could win (IR-4).

    The cards still define the suit led. A trick that no other card could win stays where it is.
    """
    again = hand.laid_again(trick.plays)
    again.trump = trick.trump
    follows, trumps, side = again.follows, again.trumps(), hand.rules.sides[trick.winner]
    others = [p for p in trick.plays if p[0] not in side and (follows[p[0]] | trumps[p[0]]) >> p[1] & 1]
    return resolve(others, follows, trumps, hand.rules.ranks, again.tie_rule)[0][0] if others else trick.winner


def spoken_for(hand: TrickState, found: Irregularity) -> set[int]:
    """Return the tricks that other findings take: those settled so, and those that were found before and are open."""
    gone = {place for event, place in hand.given_up if event != found.event}
    settled = {event for event, _ in hand.given_up}
    for _, other in found_before(hand, found):
        if other.event not in settled:
            tricks = tricks_given_up(hand, other, tricks_of(hand, other)[0], gone)
            gone.update(() if isinstance(tricks, Reason) else tricks)
    return gone


def found_before(hand: TrickState, found: Irregularity) -> Iterator[tuple[int, Irregularity]]:
    """Yield the findings before this one for which tricks are, or may be, given up, each after its offender."""
    for other in takewhile(lambda other: other is not found, hand.irregularities):
        if other.offender is not None and other.event not in hand.waived and gives_tricks(hand, other):
            yield other.offender, other


def gives_tricks(hand: TrickState, found: Irregularity) -> bool:
    """Return whether tricks can be given up for a finding: a revoke that is proved, or was noticed."""
    return found.certainty is not Certainty.SEEN or found.code in hand.AS_PROVED


def given_before(hand: TrickState, found: Irregularity) -> Iterator[tuple[int, Transfers]]:
    """Yield what the findings before this one move, or have moved, with the seats of their offenders."""
    for offender, other in found_before(hand, found):
        done = [place for event, place in hand.given_up if event == other.event]
        tricks = done or tricks_by_act(hand, other)[0]
        if not isinstance(tricks, Reason):
            moves = [giver_and_taker(hand, index) for index in tricks]
            yield offender, tuple(Transfer(giver, taker, 1) for giver, taker in moves if giver != taker)


def settle(hand: TrickState, event: Transfer | Penalty | Note) -> None:
    """Note what an event settles: tricks given up for a finding, or that it costs no tricks.

    An event that does not say what it settles, but moves just the tricks of a finding, settles that one.
    """
    named = (event.extra or {}).get(SETTLES)
    if (named is None and not isinstance(event, Transfer)) or "bridge" not in hand.PROVED_REMEDIES:
        return
    if named is not None and not (isinstance(named, list | tuple) and list(named)[:1] == [hand.setup.index]):
        return
    place = None if named is None else list(named)[-1]
    for found in hand.irregularities:
        if place not in (None, found.event) or found.offender is None or not gives_tricks(hand, found):
            continue
        due = give_up(hand, found, "")
        if not isinstance(due, Reason) and any(moves_alike(each, event) for each in due):
            tricks = tricks_by_act(hand, found)[0]
            done = {trick for _, trick in hand.given_up}
            for index in () if isinstance(tricks, Reason) else tricks:
                giver, taker = giver_and_taker(hand, index)
                # A trick that nobody else could have won stays, but it is given up with the others; penalties where
                # bids are exact stand for all of them.
                moved = not isinstance(event, Transfer) or (event.from_seat, event.to_seat) == (giver, taker)
                if (moved or giver == taker) and index not in done:
                    hand.given_up += ((found.event, index),)
            return
        if place is not None and all(found.event != settled for settled, _ in hand.given_up):
            hand.waived = (*hand.waived, found.event)


def moves_alike(one: Event, other: Event) -> bool:
    """Return whether two events move the same, whatever reasons they give."""
    fields = ("from_seat", "to_seat", "tricks") if isinstance(one, Transfer) else ("seat", "points")
    return type(one) is type(other) and all(getattr(one, name) == getattr(other, name) for name in fields)


def given_tricks(hand: TrickState) -> Iterator[tuple[int, int, Phrase]]:
    """Yield tricks that went to another for an infraction: number, to whom, for what; none if points move."""
    if hand.EXACT_BIDS and hand.rules.bidding:
        return
    why = {found.event: cause(found) for found in hand.irregularities}
    for event, index in hand.given_up:
        giver, taker = giver_and_taker(hand, index)
        if event in why and taker != giver:
            yield index + 1, taker, why[event]


# --- What others lost by a revoke, as the cards lay, beside what giving up tricks makes good (IR-6)
# The offender played a card that did not follow and showed later which cards would have. So the hand is laid out again
# with one of them in the trick of the offence and the other cards of that suit, in the order in which they fell, and at
# last the wrong one, in the places of those. Nobody else's card moves: nobody knows what else would have been played.
# Where that would change a lead, or who leads, or break a rule again, or where a card was not seen, nothing can be
# known or said.


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
    if base is None:
        return Reason("equity-unknown", ("IR-6",), {"seat": seat})
    played, repaired = base.points(), given_up(base, found)
    courses = [laid_out(hand, course) for course in lawful_courses(hand, found, events)]
    scores = [None if course is None else _lawful(course, base, found) for course in courses]
    known = [each for each in scores if each is not None]
    if not known or len(known) < len(courses) or played is None or repaired is None:
        return Reason("equity-unknown", ("IR-6",), {"seat": seat})
    side = hand.rules.sides[seat]
    pairs = list(enumerate(zip(*known, strict=True)))
    worth = hand.rules.worth
    most, least = partial(max, key=worth), partial(min, key=worth)
    lawful = tuple((most if other in side else least)(each) for other, each in pairs)
    better = tuple((least if other in side else most)((repaired[other], each)) for other, each in enumerate(lawful))
    harmed = tuple(
        other for other, now in enumerate(repaired) if other not in side and worth(lawful[other]) > worth(now)
    )
    gives_up = "bridge" in hand.PROVED_REMEDIES
    return Owed(seat, played, repaired, lawful, better if harmed else repaired, harmed, gives_up)


def made_good(hand: TrickState, found: Irregularity, events: Sequence[Event], why: str) -> tuple[Event, ...] | Reason:
    """Return the penalties that give everyone what is due, on top of tricks that were given up already."""
    owed = equity(hand, found, events)
    if isinstance(owed, Reason):
        return owed
    if not owed.harmed:
        return owed.reason
    settled = any(event == found.event for event, _ in hand.given_up)
    pairs = zip(owed.better, owed.repaired if settled else owed.played, strict=True)
    return tuple(Penalty(seat, then - now, why) for seat, (then, now) in enumerate(pairs) if then != now)


def laid_out(hand: TrickState, events: Sequence[Event]) -> TrickState | None:
    """Play a hand out again as it lay, whoever should have led; ``None`` if a card has no place in it."""
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
        codes = {place: hand.rules.pack.cards[card].code for place, card in cards.items()}
        yield [
            replace(event, cards=(codes[place],)) if place in codes and isinstance(event, Play) else event
            for place, event in enumerate(events)
        ]


def _lawful(course: TrickState, base: TrickState, found: Irregularity) -> Scores | None:
    """Return the points of a course with the same leads by whoever is due to lead, and without a new irregularity."""
    tricks = list(zip(course.taken, base.taken, strict=True))
    led = all(one.plays[:1] == other.plays[:1] for one, other in tricks)
    won = all(one.winner == other.winner for one, other in tricks[:-1])  # else another player would have led
    known = {(each.code, each.event) for each in base.irregularities if each.event != found.event}
    revokes = {(each.code, each.event) for each in course.irregularities if each.code in course.REVOKES}
    return course.points() if led and won and revokes <= known else None


def given_up(base: TrickState, found: Irregularity) -> Scores | None:
    """Return a hand's points after giving up tricks for an infraction (IR-4)."""
    if "bridge" not in base.PROVED_REMEDIES:
        return base.points()
    own = (each for each in base.irregularities if (each.code, each.event) == (found.code, found.event))
    moved = give_up(base, next(own, found), "")
    if isinstance(moved, Reason):
        return None
    after = base.copy()
    for event in moved:
        after.take(event)
    return after.scores()


# --- What a hand of tricks answers and does while somebody is led through what went wrong


class TrickGuided(TrickState):
    """Claims of the rest, and guides that only games of tricks have."""

    GUIDES: ClassVar[tuple[str, ...]] = ("tricks",)

    @classmethod
    def guide_applies(cls, needs: str, rules: Rules) -> bool:
        return needs == "bidding" and isinstance(rules, TrickRules) and rules.bidding

    def rest_goes_to(self, seat: int) -> Event | Reason:
        if self.phase is not PLAY:
            return Reason("nothing-to-claim", ("IR-14",))
        rest = self.total - sum(self.won)
        return Result(tricks=tuple(won + (rest if other == seat else 0) for other, won in enumerate(self.won)))

    def owed(self, found: Irregularity, events: Sequence[Event]) -> Owed | Reason | None:
        return equity(self, found, events) if found.code in self.AS_PROVED or found.claims else None

    def make_good(self, found: Irregularity, events: Sequence[Event], why: str) -> tuple[Event, ...] | Reason:
        return made_good(self, found, events, why)
