"""Remedies for a revoke: tricks given up as in Bridge, three tricks, and equity for the other side (IR-4, IR-6)."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import ClassVar

from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import Note, Penalty, Play, Result, Transfer
from referee.engine.remedied import Owed, Scores
from referee.engine.rules import REVOKE, Option, Rules
from referee.engine.rulings import Certainty, Irregularity, Reason, Remedy, Verdict, cause
from referee.engine.state import FINISHED, PLAY
from referee.engine.texts import Phrase
from referee.tricks.playing import Playing
from referee.tricks.rules import UNSEEN, TrickRules, resolve
from referee.tricks.state import Taken

# --- The Bridge remedy for a revoke: which tricks are given up, and to whom (IR-4)
# The offender's side gives up tricks to the other side. No trick is given up twice: one that was given up for another
# finding, or is due for an earlier one, is skipped.

Transfers = tuple[Transfer, ...]


def give_up(hand: Playing, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
    """Return the events that give up tricks for a finding, or the reason why they are not known yet.

    If counting proves that one of several acts was unlawful but not which, events are returned only if every act leads
    to the same ones. With exact bids, losing a trick could help the offender, so penalties replace the transfers: the
    offender's side gets the lower and everyone else the higher of the scores before and after the transfer (IR-4), with
    the transfers of earlier findings applied first.
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


def transfers(hand: Playing, found: Irregularity, why: str) -> Transfers | Reason:
    """Return the transfers due for a finding, minus those already made, or the reason why they are not known yet."""
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


def giver_and_taker(hand: Playing, index: int) -> tuple[int, int]:
    """The winner of a trick (by index), and the seat that receives it if it is given up."""
    return hand.taken[index].winner, heir(hand, hand.taken[index])


def tricks_of(hand: Playing, found: Irregularity) -> list[int]:
    """Numbers (from 1) of the tricks that may contain the offence; more than one only if counting proved it."""
    acts = found.claims or (found.event,)
    numbers = [number for number, trick in enumerate(hand.laid(), 1) if any(play[2] in acts for play in trick)]
    return numbers or [found.trick or 0]


def tricks_by_act(hand: Playing, found: Irregularity) -> list[list[int] | Reason]:
    """For each act that may have been the offence, the indices of the tricks to give up, or why they are not known."""
    taken = spoken_for(hand, found)
    return [tricks_given_up(hand, found, number, taken) for number in tricks_of(hand, found)]


def tricks_given_up(hand: Playing, found: Irregularity, number: int, taken: Set[int]) -> list[int] | Reason:
    """Return the indices of the tricks to give up (IR-4), skipping those already ``taken`` for other findings.

    This is the trick of the offence if the side won it, else the next one it won. If the offender's own card won the
    trick of the offence, the next trick the side won is given up too.
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


def seen_whole(hand: Playing, trick: Taken) -> bool:
    return len(trick.plays) == hand.rules.players and all(play[1] != UNSEEN for play in trick.plays)


def heir(hand: Playing, trick: Taken) -> int:
    """Return who would have won a trick if the winning side's cards could not win (IR-4).

    Those cards still determine the suit led. If no other card could win, the trick stays with its winner.
    """
    again = hand.laid_again(trick.plays)
    again.trump = trick.trump
    follows, trumps, side = again.follows, again.trumps(), hand.rules.sides[trick.winner]
    others = [p for p in trick.plays if p[0] not in side and (follows[p[0]] | trumps[p[0]]) >> p[1] & 1]
    return resolve(others, follows, trumps, hand.rules.ranks, again.tie_rule)[0][0] if others else trick.winner


def spoken_for(hand: Playing, found: Irregularity) -> set[int]:
    """Indices of tricks already given up for other findings, or due for earlier open ones."""
    gone = {place for event, place in hand.given_up if event != found.event}
    settled = {event for event, _ in hand.given_up}
    for _, other in found_before(hand, found):
        if other.event not in settled:
            tricks = tricks_given_up(hand, other, tricks_of(hand, other)[0], gone)
            gone.update(() if isinstance(tricks, Reason) else tricks)
    return gone


def found_before(hand: Playing, found: Irregularity) -> Iterator[tuple[int, Irregularity]]:
    """Yield earlier findings that do or may cost tricks, each as (offender, finding)."""
    for other in takewhile(lambda other: other is not found, hand.irregularities):
        if other.offender is not None and other.event not in hand.waived and gives_tricks(hand, other):
            yield other.offender, other


def gives_tricks(hand: Playing, found: Irregularity) -> bool:
    """Return whether a finding can cost tricks: it is proved, or is a revoke noticed at the table."""
    return found.certainty is not Certainty.SEEN or found.code in hand.AS_PROVED


def given_before(hand: Playing, found: Irregularity) -> Iterator[tuple[int, Transfers]]:
    """Yield the transfers, made or due, of each earlier finding, as (offender, transfers)."""
    for offender, other in found_before(hand, found):
        done = [place for event, place in hand.given_up if event == other.event]
        tricks = done or tricks_by_act(hand, other)[0]
        if not isinstance(tricks, Reason):
            moves = [giver_and_taker(hand, index) for index in tricks]
            yield offender, tuple(Transfer(giver, taker, 1) for giver, taker in moves if giver != taker)


def settle(hand: Playing, event: Transfer | Penalty | Note) -> None:
    """Record which finding an event settles: tricks given up for it, or none by agreement.

    An event that names no finding settles the first one whose transfers it matches.
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
                # A trick that no one else could have won stays where it is but counts as given up. Penalties, used with
                # exact bids, settle all tricks at once.
                moved = not isinstance(event, Transfer) or (event.from_seat, event.to_seat) == (giver, taker)
                if (moved or giver == taker) and index not in done:
                    hand.given_up += ((found.event, index),)
            return
        if place is not None and all(found.event != settled for settled, _ in hand.given_up):
            hand.waived = (*hand.waived, found.event)


def moves_alike(one: Event, other: Event) -> bool:
    """Return whether two events move the same tricks or points; their reasons are ignored."""
    fields = ("from_seat", "to_seat", "tricks") if isinstance(one, Transfer) else ("seat", "points")
    return type(one) is type(other) and all(getattr(one, name) == getattr(other, name) for name in fields)


def given_tricks(hand: Playing) -> Iterator[tuple[int, int, Phrase]]:
    """Yield each trick given up: its number, the new owner, and the cause. Yields nothing if points moved instead."""
    if hand.EXACT_BIDS and hand.rules.bidding:
        return
    why = {found.event: cause(found) for found in hand.irregularities}
    for event, index in hand.given_up:
        giver, taker = giver_and_taker(hand, index)
        if event in why and taker != giver:
            yield index + 1, taker, why[event]


# --- The price of a revoke as a house rule of partnership games: three tricks

THREE_TRICKS = "three-tricks"
PRICE = 3
"""Tricks a revoke costs; fewer if the side has fewer."""


def revoke_option(*clauses: str) -> Option:
    """The house rule on proved revokes with three tricks as an extra choice, explained by ``clauses``."""
    return replace(
        REVOKE,
        clauses=(*REVOKE.clauses, *clauses),
        values=(*REVOKE.values, THREE_TRICKS),
        labels=(*REVOKE.labels, "three tricks to the other side"),
        says=(*REVOKE.says, "a proved revoke costing three tricks"),
    )


def three_tricks(*clauses: str) -> Remedy:
    return Remedy("Three tricks, or all if there are fewer, go to the other side.", clauses, "Three tricks")


def give_three(hand: Playing, offender: int, why: str) -> Iterator[Transfer]:
    """Yield transfers of up to three tricks from the offender's side, the offender's own first, to the other side."""
    side, counted, left = hand.rules.sides[offender], hand.tricks_counted(), PRICE
    taker = next(seat for seat in range(hand.rules.players) if seat not in side)
    for seat in sorted(side, key=lambda seat: seat != offender):
        given = min(left, counted[seat])
        if given > 0:
            yield Transfer(seat, taker, given, why)
            left -= given


# --- Equity: what the others lost by a revoke beyond the tricks given up (IR-6)
# The offender played a card that did not follow and later showed cards that would have. The hand is replayed with one
# of those in the trick of the offence; the offender's other cards of that suit keep their order, and the wrong card
# comes last, in their places. No one else's cards move, since no one knows how play would have gone. If this would
# change a lead or a leader, or break a rule again, or if a card was unseen, equity is unknown.


def equity(hand: Playing, found: Irregularity, events: Sequence[Event]) -> Owed | Reason:
    """Compare the others' scores with those a lawful play would have given them, or return why that is unknown."""
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


def laid_out(hand: Playing, events: Sequence[Event]) -> Playing | None:
    """Replay a hand with its cards as played, even if others should have led; ``None`` if a card cannot be played."""
    again = type(hand)(hand.rules, replace(hand.setup, known=(None,) * hand.rules.players))
    again.count_later()
    for event in events:
        if event.kind.aside:  # notes and decisions do not change the cards played
            again.events += 1
            continue
        refusal = again.take(event)
        if refusal is not None and refusal.verdict is Verdict.IRREGULAR:
            refusal = again.take(replace(event, accepted=True))
        if refusal is not None:
            return None
    return again


def lawful_courses(hand: Playing, found: Irregularity, events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """Yield one record for each later card that would have followed suit, played in the trick of the offence instead.

    The offender's other cards of that suit keep their order, and the wrong card is played last in their places.
    """
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


def _lawful(course: Playing, base: Playing, found: Irregularity) -> Scores | None:
    """Return a course's points; ``None`` unless every lead and leader is unchanged and it adds no revoke."""
    tricks = list(zip(course.taken, base.taken, strict=True))
    led = all(one.plays[:1] == other.plays[:1] for one, other in tricks)
    won = all(one.winner == other.winner for one, other in tricks[:-1])  # otherwise another player would have led
    known = {(each.code, each.event) for each in base.irregularities if each.event != found.event}
    revokes = {(each.code, each.event) for each in course.irregularities if each.code in course.REVOKES}
    return course.points() if led and won and revokes <= known else None


def given_up(base: Playing, found: Irregularity) -> Scores | None:
    """Return a hand's points after giving up tricks for a finding (IR-4); ``None`` if those are not known."""
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


# --- Guides through an infraction


class TrickGuided(Playing):
    """Claims, equity, and guide steps specific to trick-taking games."""

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
        """Return the penalties that restore equity, counting tricks already given up."""
        owed = equity(self, found, events)
        if isinstance(owed, Reason):
            return owed
        if not owed.harmed:
            return owed.reason
        settled = any(event == found.event for event, _ in self.given_up)
        pairs = zip(owed.better, owed.repaired if settled else owed.played, strict=True)
        return tuple(Penalty(seat, then - now, why) for seat, (then, now) in enumerate(pairs) if then != now)
