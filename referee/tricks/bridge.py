"""The remedy of Bridge for a revoke: tricks given up, who gets them, what others lost (IR-4, IR-6)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
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

    Where counting shows that one of several acts of a player was unlawful, and not which, they are told
    only if it makes no difference.

    Tricks that are worth points move as tricks. Where an exact bid counts, giving a trick up could
    help the offender; there the offender gets the lower, everybody else the higher of both scores.
    """
    moved = transfers(hand, found, why)
    offender = found.offender
    if isinstance(moved, Reason) or offender is None or not (hand.EXACT_BIDS and hand.rules.bidding):
        return moved
    before = [(other, shares) for other, shares in given_before(hand, found) if shares]
    return lower_and_higher(hand, [*before, (offender, moved)], why)


def transfers(hand: TrickState, found: Irregularity, why: str) -> Transfers | Reason:
    """Return the tricks that a finding moves, or say when they can be told."""
    offender = found.offender
    if offender is None:
        return Reason("remedy-nobody", ("REC-18",))
    if hand.rules.bidding and hand.phase is not FINISHED:
        return Reason("remedy-at-end", ("IR-4",))
    outcomes = [moved_for(hand, found, tricks, why) for tricks in tricks_by_act(hand, found)]
    waiting = next((outcome for outcome in outcomes if isinstance(outcome, Reason)), None)
    if waiting is not None:
        return waiting
    if any(outcome != outcomes[0] for outcome in outcomes):
        return Reason("remedy-which-trick", ("IR-4", "REC-18"), {"seat": offender})
    return outcomes[0]


def tricks_of(hand: TrickState, found: Irregularity) -> list[int]:
    """Return the numbers of the tricks in which the offence can have been: one, unless it was found by counting."""
    acts = found.claims or (found.event,)
    plays = [*(trick.plays for trick in hand.taken), hand.plays]
    numbers = [number for number, trick in enumerate(plays, 1) if any(play[2] in acts for play in trick)]
    return numbers or [found.trick or 0]


def tricks_by_act(hand: TrickState, found: Irregularity) -> list[list[int] | Reason]:
    """Return the tricks to be given up, by their places, for each act that can have been the offence."""
    taken = spoken_for(hand, found)
    return [tricks_given_up(hand, found, number, taken) for number in tricks_of(hand, found)]


def tricks_given_up(hand: TrickState, found: Irregularity, number: int, taken: frozenset[int]) -> list[int] | Reason:
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
    """Return whether every card of a trick was seen."""
    return len(trick.plays) == hand.rules.players and all(play[1] != UNSEEN for play in trick.plays)


def moved_for(hand: TrickState, found: Irregularity, tricks: list[int] | Reason, why: str) -> Transfers | Reason:
    """Return how these tricks move to the other side; those that moved already do not move again."""
    if isinstance(tricks, Reason):
        return tricks
    done = {place for event, place in hand.given_up if event == found.event}
    moves = Counter((hand.taken[index].winner, heir(hand, hand.taken[index])) for index in tricks if index not in done)
    return tuple(
        Transfer(giver, taker, count, why) for (giver, taker), count in sorted(moves.items()) if giver != taker
    )


def heir(hand: TrickState, trick: Taken) -> int:
    """Return who would have won a trick if no card of its winner's side could win (IR-4).

    The cards still define the suit led. A trick that no other card could win stays where it is.
    """
    replayed = hand.copy()
    replayed.trump, replayed.plays, replayed.lead, replayed.follows = trick.trump, (), None, hand.rules.nobody
    for play in trick.plays:
        if replayed.lead is None:
            replayed.open_suit(play[0], play[1], play[3])
        replayed.plays += (play,)
    follows, trumps, side = replayed.follows, replayed.trumps(), hand.rules.sides[trick.winner]
    others = [p for p in trick.plays if p[0] not in side and (follows[p[0]] | trumps[p[0]]) >> p[1] & 1]
    if not others:
        return trick.winner
    return resolve(others, follows, trumps, hand.rules.ranks, replayed.tie_rule())[0][0]


# -- tricks that are given up already -----------------------------------------------------------


def spoken_for(hand: TrickState, found: Irregularity) -> frozenset[int]:
    """Return the tricks that other findings take: those settled so, and those that were found before and are open."""
    gone = {place for event, place in hand.given_up if event != found.event}
    for other in open_before(hand, found):
        for number in tricks_of(hand, other):
            tricks = tricks_given_up(hand, other, number, frozenset(gone))
            gone.update(() if isinstance(tricks, Reason) else tricks)
            break
    return frozenset(gone)


def open_before(hand: TrickState, found: Irregularity) -> Iterator[Irregularity]:
    """Yield the findings before this one for which tricks may still be given up."""
    settled = {event for event, _ in hand.given_up} | set(hand.waived)
    for other in hand.irregularities:
        if other is found:
            return
        if other.offender is not None and other.event not in settled and gives_tricks(hand, other):
            yield other


def gives_tricks(hand: TrickState, found: Irregularity) -> bool:
    """Return whether tricks can be given up for a finding: a revoke that is proved, or was noticed."""
    return found.certainty is not Certainty.SEEN or found.code in hand.AS_PROVED


def given_before(hand: TrickState, found: Irregularity) -> Iterator[tuple[int, Transfers]]:
    """Yield what the findings before this one move, or have moved, with the seats of their offenders."""
    waived = set(hand.waived)
    for other in hand.irregularities:
        if other is found:
            return
        if other.offender is None or other.event in waived or not gives_tricks(hand, other):
            continue
        done = [place for event, place in hand.given_up if event == other.event]
        open_tricks = None if done else tricks_by_act(hand, other)[0]
        tricks = done if open_tricks is None else open_tricks
        if not isinstance(tricks, Reason):
            moves = [(hand.taken[index].winner, heir(hand, hand.taken[index])) for index in tricks]
            yield other.offender, tuple(Transfer(a, b, 1) for a, b in moves if a != b)


def settle(hand: TrickState, event: Transfer | Penalty | Note) -> None:
    """Note what an event settles: tricks given up for a finding, or that it costs no tricks.

    An event that does not say what it settles, but moves just the tricks of a finding, settles that one.
    """
    named = (event.extra or {}).get(SETTLES)
    if named is None and not isinstance(event, Transfer):
        return
    if named is not None and not (isinstance(named, list | tuple) and list(named)[:1] == [hand.setup.index]):
        return
    place = None if named is None else list(named)[-1]
    for found in hand.irregularities:
        if found.event != place and place is not None:
            continue
        if found.offender is None or not gives_tricks(hand, found):
            continue
        if carries_out(hand, found, event):
            tricks = tricks_by_act(hand, found)[0]
            done = {trick for _, trick in hand.given_up}
            if not isinstance(tricks, Reason):
                moved = moved_by(hand, tricks, event)
                hand.given_up += tuple((found.event, index) for index in moved if index not in done)
            return
        if place is not None and all(found.event != settled for settled, _ in hand.given_up):
            hand.waived = (*hand.waived, found.event)


def carries_out(hand: TrickState, found: Irregularity, event: Event) -> bool:
    """Return whether an event is among those that give up the tricks of a finding."""
    due = give_up(hand, found, "")
    if isinstance(due, Reason):
        return False
    return any(moves_alike(each, event) for each in due)


def moves_alike(one: Event, other: Event) -> bool:
    """Return whether two events move the same, whatever reasons they give."""
    if isinstance(one, Transfer) and isinstance(other, Transfer):
        return (one.from_seat, one.to_seat, one.tricks) == (other.from_seat, other.to_seat, other.tricks)
    if isinstance(one, Penalty) and isinstance(other, Penalty):
        return (one.seat, one.points) == (other.seat, other.points)
    return False


def moved_by(hand: TrickState, tricks: list[int], event: Event) -> list[int]:
    """Return which of the tricks an event moves; penalties where bids are exact stand for all of them."""
    if not isinstance(event, Transfer):
        return tricks
    moves = [(index, hand.taken[index].winner, heir(hand, hand.taken[index])) for index in tricks]
    # A trick that nobody else could have won stays, but it is given up with the others.
    return [
        index for index, giver, taker in moves if (giver, taker) == (event.from_seat, event.to_seat) or giver == taker
    ]


def given_tricks(hand: TrickState) -> Iterator[tuple[int, int, Phrase]]:
    """Yield the tricks that went to somebody else for an infraction: their numbers, to whom, and for what.

    Where bids are exact, points move in their stead, and the tricks stay.
    """
    if hand.EXACT_BIDS and hand.rules.bidding:
        return
    why = {found.event: cause(found) for found in hand.irregularities}
    for event, place in hand.given_up:
        taker = heir(hand, hand.taken[place])
        if event in why and taker != hand.taken[place].winner:
            yield place + 1, taker, why[event]


# -- exact bids ---------------------------------------------------------------------------------


def lower_and_higher(hand: TrickState, steps: list[tuple[int, Transfers]], why: str) -> tuple[Event, ...]:
    """Return penalties that give the last offender the lower, the others the higher of both scores (IR-4).

    Steps are offenders and the tricks they give up, one after the other; only the last one is paid for here.
    """
    after = hand.copy()
    scores = list(hand.points() or ())
    due = [0] * len(scores)
    for offender, moved in steps:
        for transfer in moved:
            after.move(transfer.from_seat, transfer.to_seat, transfer.tricks)
        pairs = list(zip(scores, after.points() or (), strict=True))
        due = [(min if seat == offender else max)(now, then) - now for seat, (now, then) in enumerate(pairs)]
        scores = [now + points for now, points in zip(scores, due, strict=True)]
    return tuple(Penalty(seat, points, why) for seat, points in enumerate(due) if points)


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


# --- What a hand of tricks answers and does while somebody is led through what went wrong


class TrickGuided(TrickState):
    """Claims of the rest, and guides that only games of tricks have."""

    GUIDES: ClassVar[tuple[str, ...]] = ("tricks",)

    @classmethod
    def guide_applies(cls, needs: str, rules: Rules) -> bool:
        """Return whether the house rules have what a guide needs: bids."""
        return needs == "bidding" and isinstance(rules, TrickRules) and rules.bidding

    def rest_goes_to(self, seat: int) -> Event | Reason:
        """Return the result in which a seat wins all tricks that are left (IR-14)."""
        if self.phase is not PLAY:
            return Reason("nothing-to-claim", ("IR-14",))
        rest = self.total - sum(self.won)
        return Result(tricks=tuple(won + (rest if other == seat else 0) for other, won in enumerate(self.won)))

    def owed(self, found: Irregularity, events: Sequence[Event]) -> Owed | Reason | None:
        """Return what others lost by a revoke, as the cards lay (IR-6)."""
        return equity(self, found, events) if found.code in self.AS_PROVED or found.claims else None

    def make_good(self, found: Irregularity, events: Sequence[Event], why: str) -> tuple[Event, ...] | Reason:
        """Return the penalties that give the others what they would have had, as the cards lay (IR-6)."""
        return made_good(self, found, events, why)
