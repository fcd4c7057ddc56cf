"""The hand of Ace Pit: seven tricks of a laid card and a response, at every depth, and what can have gone wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

from referee.engine.event_kinds import Event
from referee.engine.events import Play, Result, Trick
from referee.engine.remedied import Charge
from referee.engine.rulings import Oddity, Reason, Refusal, impossible
from referee.engine.state import FINISHED, PLAY, added, takes
from referee.games.ace_pit.sets import (
    RESPONDER,
    THROW_AWAY,
    both,
    breakdown,
    clauses,
    named,
    no_set_reason,
    responder_scores,
    unanswered,
)
from referee.games.ace_pit.state import (
    ACES,
    ALL_ACES,
    LONGEST_RESPONSE,
    STEP,
    TRICKS,
    PitState,
    PitTrick,
    Untold,
    aces_of,
    can_be_made,
    fit,
    switches,
)
from referee.games.ace_pit.view import View

# --- A hand of Ace Pit at other depths: tricks without their cards, the rest by its result


class Depths(PitState):
    """Takes tricks by winner and points, and the rest of a hand by its points."""

    @takes(Trick)
    def take_trick(self, event: Trick) -> Refusal | None:
        """Take a trick by its winner and the points, without its cards.

        The responder may have drawn a card, except in the last trick, where one card is left.
        """
        if self.phase is not PLAY or self.laid is not None:
            return self.not_now(event)
        winner = event.winner
        refusal = self.no_such_seat(winner) or self.bad_last(event.last) or self.bad_trump(event.trump)
        if refusal:
            return refusal
        points = event.points or {}
        if list(points) != [str(winner)]:
            return impossible("bad-result", "REC-11", phrase="bad-result-winner")
        worth = points[str(winner)]
        tricks = (*self.untold(), Untold(winner == self.leader, worth, last=len(self.taken) + 1 == TRICKS))
        if not fit(switches(self.rules.options), tricks, self.gone):
            return self.bad_worth(winner, worth)
        self.give_trick(winner, worth)
        return None

    def give_trick(self, winner: int, worth: int) -> None:
        """Give the next trick to the winner who was told, for so many points; the responder may have drawn a card."""
        if len(self.taken) + 1 < TRICKS:
            self.draw(1 - self.leader)
        self.gather(PitTrick(self.leader, None, (), winner, worth, ()))

    def bad_worth(self, winner: int, worth: int) -> Refusal:
        """Refuse the points of a trick that no lay and no response can give."""
        options, last = self.rules.options, len(self.taken) + 1 == TRICKS
        if aces_of(switches(options), Untold(winner == self.leader, worth, last)) <= ACES:
            return impossible("bad-result", "AP-1", "REC-11", phrase="bad-result-cards", number=worth)
        if winner == self.leader:
            return impossible("bad-result", "AP-12", "AP-Q8", "REC-11", phrase="bad-result-leader", number=worth)
        if worth in responder_scores(self.rules.options):
            return impossible("bad-result", "AP-Q11", "REC-11", phrase="bad-result-single", number=worth)
        return impossible("bad-result", "AP-13", "REC-11", phrase="bad-result-responder", number=worth)

    def bad_last(self, last: str | None) -> Refusal | None:
        """Refuse a last card that does not exist or has been played; otherwise it says nothing."""
        if last is None:
            return None
        pack = self.rules.pack
        card = pack.find(last)
        if card is None:
            return impossible("not-in-deck", "REC-5", why=pack.explain(last))
        if self.gone >> card & 1:
            return impossible("already-played", "REC-6", card=pack.cards[card])
        return None

    def bad_trump(self, trump: object) -> Refusal | None:
        """Refuse a trump: there is none in this game."""
        if isinstance(trump, str):
            return impossible("bad-suit", "REC-9", phrase="has-no-trump")
        return None

    @takes(Result)
    def take_result(self, event: Result) -> Refusal | None:
        """Take the rest of the hand by the points that each seat made in all of it."""
        if self.phase is not PLAY or self.laid is not None:
            return self.not_now(event)
        refusal = self.bad_last(event.last)
        if refusal:
            return refusal
        points = event.points
        if points is None or event.tricks is not None or event.cards_left is not None:
            return impossible("bad-result", "REC-11", phrase="bad-result-points-needed")
        if len(points) != self.rules.players:
            return impossible("bad-result", "REC-11", phrase="bad-result-seats")
        rest = tuple(a - b for a, b in zip(points, self.recorded(), strict=True))
        if any(made < 0 or made % STEP for made in points) or min(rest) < 0:
            return impossible("bad-result", "REC-11", phrase="bad-result-points-made")
        refusal = self.bad_rest(*rest)
        if refusal is None:
            self.rest = rest
            self.phase = FINISHED
        return refusal

    def bad_rest(self, first: int, second: int) -> Refusal | None:
        """Refuse points that the tricks left cannot bring to the two players; how many they are may be hidden."""
        tricks = TRICKS - len(self.taken)
        least = THROW_AWAY * tricks
        hidden = self.hides_points()
        if first + second < least:
            facts = {"least": least, "sum": first + second}
            phrase = "bad-result-points-hidden" if hidden else "bad-result-points-few"
            return impossible("bad-result", "AP-12", "REC-11", phrase=phrase, **facts)
        if not can_be_made(
            (first, second), self.rules.options, tricks=tricks,
            leader=self.leader, before=self.untold(), gone=self.gone,
        ):  # fmt: skip
            facts = {"first": first, "second": second, "count": tricks}
            phrase = "bad-result-points-hidden" if hidden else "bad-result-points-never"
            return impossible("bad-result", "AP-13", "AP-Q11", "REC-11", phrase=phrase, **facts)
        return None


# --- A hand of Ace Pit as it lay, judged by other house rules than those it was played by


class AsItLay(Depths):
    """Lets tricks and results that were told without cards keep their points."""

    def make_way(self, event: Event, then: Self) -> None:
        """Let a trick without its cards keep its leader."""
        if isinstance(event, Trick):
            self.leader = then.leader

    def as_it_lay(self, event: Event, then: Self) -> Iterator[Event]:
        """Yield an event as these rules may take it: of a result, what it added to the tricks before."""
        if isinstance(event, Result) and event.points is not None:
            rest = zip(event.points, then.recorded(), self.recorded(), strict=True)
            yield replace(event, points=tuple(total - before + now for total, before, now in rest))
        else:
            yield event

    def stands(self, event: Event, then: Self) -> bool:
        """Let points that were told stand, although lays and responses could not bring them by these rules."""
        if isinstance(event, Trick) and event.points:
            self.give_trick(event.winner, event.points[str(event.winner)])
        elif isinstance(event, Result) and event.points is not None:
            self.rest = tuple(total - before for total, before in zip(event.points, then.recorded(), strict=True))
            self.phase = FINISHED
        else:
            return False
        return True


# --- Who can have answered with what is no set, or forgotten a draw, as far as the record tells (IR-13, IR-15)


def no_sets(hand: PitState) -> Iterator[Charge]:
    """Yield for each seat and trick whether two cards that are no set can have been the answer (AP-5, AP-Q4)."""
    for number, trick in tricks_shown(hand):
        if trick is None:
            yield from (Charge(seat, number) for seat in range(hand.rules.players))
        elif trick.laid is None:
            yield Charge(1 - trick.leader, number)
        else:
            yield Charge(trick.leader, number, cleared=_led(trick.leader, number))
            yield Charge(1 - trick.leader, number, cleared=_is_set(hand, number, trick))
    if hand.laid is not None:
        number = len(hand.taken) + 1
        yield Charge(hand.leader, number, cleared=_led(hand.leader, number))
        yield Charge(1 - hand.leader, number)


def draws_due(hand: PitState) -> Iterator[Charge]:
    """Yield for each seat and trick whether a card was to be drawn after it (AP-14)."""
    over = Reason("cleared-all-drawn", ("AP-14", "AP-17")) if hand.phase is not PLAY else None
    for number, trick in tricks_shown(hand):
        if trick is None:
            yield from (Charge(seat, number, cleared=over) for seat in range(hand.rules.players))
            continue
        answered = 1 - trick.leader
        yield Charge(trick.leader, number, cleared=over or _led(trick.leader, number))
        due = trick.laid is None or len(trick.response) == LONGEST_RESPONSE
        facts = {"seat": answered, "trick": number, "cards": both([hand.card(card) for card in trick.response])}
        one = None if due else Reason("cleared-one-card", ("AP-14",), facts)
        yield Charge(answered, number, cleared=over or one)


CHARGES = {"no-combination": no_sets, "draw": draws_due}
"""The acts of a hand of which somebody can be accused."""


def tricks_shown(hand: PitState) -> Iterator[tuple[int | None, PitTrick | None]]:
    """Yield every finished trick; ``None`` where nothing is known of it, not even who led."""
    yield from enumerate(hand.taken, 1)
    if hand.rest is not None:
        for number in range(len(hand.taken) + 1, TRICKS + 1):
            yield number, None
    elif not hand.taken and hand.laid is None and hand.phase is PLAY:
        yield None, None


def _led(seat: int, trick: int | None) -> Reason:
    return Reason("cleared-laid", ("AP-4",), {"seat": seat, "trick": trick})


def _is_set(hand: PitState, number: int | None, trick: PitTrick) -> Reason | None:
    """Return why an answer was one; ``None`` for two cards that are no set."""
    assert trick.laid is not None
    laid, response = hand.card(trick.laid), [hand.card(card) for card in trick.response]
    facts: dict[str, object] = {"seat": 1 - trick.leader, "trick": number, "cards": both(response), "laid": laid}
    if len(response) < LONGEST_RESPONSE:
        return Reason("cleared-one-card-answer", ("AP-5",), facts)
    outcome = breakdown(laid, response, hand.rules.options)
    if outcome.winner is None:
        return None
    if outcome.winner != RESPONDER:
        return Reason("cleared-fits", ("AP-5", "AP-20"), facts)
    return Reason("cleared-set", clauses(laid, response, outcome.items), facts | {"names": named(outcome.items)})


# --- The hand of Ace Pit: seven tricks of a laid card and a response
# Nothing has to be followed, so a record proves no infraction here; what can be seen is a lead by
# the wrong player, and two cards that are no set. Entered hands say which cards a seat can play:
# from outside them as many as the seat has drawn.


class PitHand(AsItLay, View):
    """One hand of Ace Pit: it takes the lay and the response."""

    @takes(Play)
    def take_play(self, event: Play) -> Refusal | None:
        """Take the lay (AP-4), or the response to it (AP-5)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        seat, laid = event.seat, self.laid
        if laid is not None and seat == self.leader:
            return impossible("wrong-phase", "AP-5", "REC-2", phrase="response-first", seat=seat)
        cards: list[int] = []
        refusal = (
            self.no_such_seat(seat)
            or self.wrong_count(event)
            or self.read_cards(event, cards)
            or self.fell_untold(cards)
            or self.not_held(seat, cards)
            or self.no_suit(event)
        )
        if refusal:
            return refusal
        return self.lay(event, cards[0]) if laid is None else self.respond(event, laid, tuple(cards))

    def wrong_count(self, event: Play) -> Refusal | None:
        """Refuse a lay of other than one card, a response of other than one or two (AP-Q6)."""
        count = len(event.cards)
        if self.laid is None:
            return None if count == 1 else impossible("wrong-count", "AP-4", "REC-4", phrase="wrong-count-lead")
        if 1 <= count <= LONGEST_RESPONSE:
            return None
        return impossible("wrong-count", "AP-Q6", "REC-4", phrase="wrong-count-response")

    def read_cards(self, event: Play, cards: list[int]) -> Refusal | None:
        """Collect the cards of a play, or refuse one that does not exist or has been played."""
        pack = self.rules.pack
        for code in event.cards:
            card = pack.find(code)
            if card is None:
                return impossible("not-in-deck", "REC-5", why=pack.explain(code))
            cards.append(card)
        seen = self.gone
        for card in cards:
            if seen >> card & 1:
                return impossible("already-played", "REC-6", card=pack.cards[card])
            seen |= 1 << card
        return None

    def not_held(self, seat: int, cards: Sequence[int]) -> Refusal | None:
        """Refuse more cards than the hand has, and cards that entered hands rule out (REC-8)."""
        if len(cards) > self.cards_left()[seat]:
            return impossible("too-many-cards", "REC-7", seat=seat)
        if not self.setup.known:
            return None
        other = self.setup.known[1 - seat] or 0
        outside = self.outside(seat, cards)
        short = self.foreign[seat] + len(outside) > self.drawn[seat]
        wrong = [card for card in cards if other >> card & 1] or (outside if short else [])
        if not wrong:
            return None
        if self.drawn[seat] and not other >> wrong[0] & 1:
            facts = {"seat": seat, "card": self.rules.pack.cards[wrong[0]], "count": self.drawn[seat]}
            return impossible("not-in-hand", "REC-8", "AP-14", phrase="not-drawn-either", **facts)
        return self.not_in_hand(seat, wrong[0], "AP-14")

    def fell_untold(self, cards: Sequence[int]) -> Refusal | None:
        """Refuse a card without which the points of tricks recorded without their cards cannot have been made."""
        untold = self.untold()
        if not untold or fit(switches(self.rules.options), untold, self.gone | self.rules.pack.mask(cards)):
            return None
        card = next((self.rules.pack.cards[card] for card in cards if ALL_ACES >> card & 1), self.card(cards[0]))
        return impossible("already-played", "REC-6", "REC-19", phrase="needed-before", card=card)

    def outside(self, seat: int, cards: Sequence[int]) -> list[int]:
        """Return the cards that lie outside a seat's entered hand; none where it is unknown."""
        known = self.setup.known[seat] if self.setup.known else None
        return [] if known is None else [card for card in cards if not known >> card & 1]

    def no_suit(self, event: Play) -> Refusal | None:
        """Refuse a suit: nothing is named in this game."""
        if event.suit is None:
            return None
        return impossible("bad-suit", "REC-9", phrase="names-no-suit")

    def lay(self, event: Play, card: int) -> Refusal | None:
        """Lay a card; an accepted lead by the wrong player makes that player the leader."""
        seat = event.seat
        oddities = []
        if seat != self.leader:
            facts = {"seat": seat, "turn": self.leader}
            reason = Reason("out-of-turn", ("AP-3" if not self.taken else "AP-15", "REC-12"), facts)
            oddities.append(Oddity("out-of-turn", seat, reason))
        refusal = self.consent(event, oddities)
        if refusal:
            return refusal
        self.leader = seat
        self.laid = card
        self.leave_hand(seat, (card,))
        return None

    def respond(self, event: Play, laid: int, response: tuple[int, ...]) -> Refusal | None:
        """Answer the laid card: a set wins, anything else leaves the trick to the leader."""
        seat, leader, options = event.seat, self.leader, self.rules.options
        cards = self.rules.pack.cards
        shown = [cards[card] for card in response]
        outcome = breakdown(cards[laid], shown, options)
        oddities = []
        if outcome.winner is None:
            oddities.append(Oddity("no-combination", seat, no_set_reason(cards[laid], shown, options)))
        refusal = self.consent(event, oddities)
        if refusal:
            return refusal
        winner = seat if outcome.winner == RESPONDER else leader
        items = outcome.items or (unanswered(cards[laid], options),)
        points = sum(item.points for item in items)
        self.leave_hand(seat, response)
        if len(response) > 1:
            self.draw(seat)
        self.gather(PitTrick(leader, laid, response, winner, points, items))
        return None

    def charges(self, act: str, events: Sequence[Event]) -> Sequence[Charge] | None:
        """Return every act of a kind that can have been done in this hand."""
        found = CHARGES.get(act)
        if found is None:
            return None
        places = {(acted.trick, acted.seat): acted.event for acted in self.acted(events)}
        return tuple(each._replace(event=places.get((each.trick or 0, each.seat))) for each in found(self))

    def leave_hand(self, seat: int, cards: Sequence[int]) -> None:
        """Let cards leave a hand, and count those that an entered hand did not hold: they were drawn."""
        self.gone |= self.rules.pack.mask(cards)
        self.foreign = added(self.foreign, seat, len(self.outside(seat, cards)))
