"""A hand of Ace Pit, recorded by cards, tricks or result, and the infractions possible in it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

from referee.engine.event_kinds import Event
from referee.engine.events import Play, Result, Trick
from referee.engine.remedied import Charge
from referee.engine.rulings import Oddity, Reason, Refusal, impossible, out_of_turn
from referee.engine.state import FINISHED, PLAY, added, takes
from referee.games.ace_pit import sets, state
from referee.games.ace_pit.sets import Untold, switches
from referee.games.ace_pit.state import PitState, PitTrick

# --- Who may have answered with cards that make no set, or forgotten to draw (IR-13, IR-15)


def no_sets(hand: PitState) -> Iterator[Charge]:
    """Yield for each seat and trick whether the response may have been two cards that make no set (AP-5, AP-Q4)."""
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
    """Yield for each seat and trick whether a card had to be drawn after it (AP-14)."""
    over = Reason("cleared-all-drawn", ("AP-14", "AP-17")) if hand.phase is not PLAY else None
    for number, trick in tricks_shown(hand):
        if trick is None:
            yield from (Charge(seat, number, cleared=over) for seat in range(hand.rules.players))
            continue
        answered = 1 - trick.leader
        yield Charge(trick.leader, number, cleared=over or _led(trick.leader, number))
        due = trick.laid is None or len(trick.response) == state.LONGEST_RESPONSE
        facts = {"seat": answered, "trick": number, "cards": sets.both([hand.card(card) for card in trick.response])}
        one = None if due else Reason("cleared-one-card", ("AP-14",), facts)
        yield Charge(answered, number, cleared=over or one)


CHARGES = {"no-combination": no_sets, "draw": draws_due}
"""Acts that a player can be accused of."""


def tricks_shown(hand: PitState) -> Iterator[tuple[int | None, PitTrick | None]]:
    """Yield the number and trick of every finished trick; ``None`` if not even its leader is known."""
    yield from enumerate(hand.taken, 1)
    if hand.rest is not None:
        for number in range(len(hand.taken) + 1, state.TRICKS + 1):
            yield number, None
    elif not hand.taken and hand.laid is None and hand.phase is PLAY:
        yield None, None


def _led(seat: int, trick: int | None) -> Reason:
    return Reason("cleared-laid", ("AP-4",), {"seat": seat, "trick": trick})


def _is_set(hand: PitState, number: int | None, trick: PitTrick) -> Reason | None:
    """Return why a response was lawful; ``None`` for two cards that make no set."""
    assert trick.laid is not None
    laid, response = hand.card(trick.laid), [hand.card(card) for card in trick.response]
    facts: dict[str, object] = {"seat": 1 - trick.leader, "trick": number, "cards": sets.both(response), "laid": laid}
    if len(response) < state.LONGEST_RESPONSE:
        return Reason("cleared-one-card-answer", ("AP-5",), facts)
    outcome = sets.breakdown(laid, response, hand.rules.options)
    if outcome.winner is None:
        return None
    if outcome.winner != sets.RESPONDER:
        return Reason("cleared-fits", ("AP-5", "AP-20"), facts)
    return Reason(
        "cleared-set", sets.clauses(laid, response, outcome.items), facts | {"names": sets.named(outcome.items)}
    )


# --- The hand of Ace Pit
# There is no suit to follow, so a record proves no infraction. Only a lead by the wrong player and two cards that make
# no set can be seen. A seat with an entered hand can play its cards, and as many others as it has drawn.


class PitHand(PitState):
    """One hand of Ace Pit: accepts plays, tricks and results."""

    @takes(Play)
    def take_play(self, event: Play) -> Refusal | None:
        """Play the laid card (AP-4), or the response to it (AP-5)."""
        if self.phase is not PLAY:
            return self.not_now(event)
        seat, laid = event.seat, self.laid
        if laid is not None and seat == self.leader:
            return impossible("wrong-phase", "AP-5", "REC-2", phrase="response-first", seat=seat)
        count, refusal = len(event.cards), self.no_such_seat(seat)
        if refusal is None and laid is None and count != 1:
            refusal = impossible("wrong-count", "AP-4", "REC-4", phrase="wrong-count-lead")
        elif refusal is None and not 1 <= count <= state.LONGEST_RESPONSE:
            refusal = impossible("wrong-count", "AP-Q6", "REC-4", phrase="wrong-count-response")
        cards = refusal or self.find_cards(event.cards, self.gone)
        if isinstance(cards, Refusal):
            return cards
        refusal = self.fell_untold(cards) or self.not_held(seat, cards)
        if refusal is None and event.suit is not None:
            refusal = impossible("bad-suit", "REC-9", phrase="names-no-suit")
        if refusal:
            return refusal
        return self.lay(event, cards[0]) if laid is None else self.respond(event, laid, cards)

    def not_held(self, seat: int, cards: Sequence[int]) -> Refusal | None:
        """Refuse more cards than the seat holds, and cards ruled out by entered hands (REC-8)."""
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
        """Refuse cards needed to account for the points of earlier tricks that were recorded without cards."""
        untold = self.untold()
        if not untold or sets.fit(switches(self.rules.options), untold, self.gone | self.rules.pack.mask(cards)):
            return None
        card = next((self.rules.pack.cards[card] for card in cards if sets.ALL_ACES >> card & 1), self.card(cards[0]))
        return impossible("already-played", "REC-6", "REC-19", phrase="needed-before", card=card)

    def outside(self, seat: int, cards: Sequence[int]) -> list[int]:
        """The cards that are not in a seat's entered hand; none if no hand was entered for it."""
        known = self.known_hands()[seat]
        return [] if known is None else [card for card in cards if not known >> card & 1]

    def lay(self, event: Play, card: int) -> Refusal | None:
        """Lay a card; if a lead by the wrong player is accepted, that player becomes the leader."""
        seat = event.seat
        refusal = self.consent(event, out_of_turn(seat, self.leader, "AP-15" if self.taken else "AP-3"))
        if refusal is None:
            self.leader, self.laid = seat, card
            self.leave_hand(seat, (card,))
        return refusal

    def respond(self, event: Play, laid: int, response: tuple[int, ...]) -> Refusal | None:
        """Respond to the laid card: a set wins the trick, anything else leaves it to the leader."""
        seat, leader, options = event.seat, self.leader, self.rules.options
        cards = self.rules.pack.cards
        shown = [cards[card] for card in response]
        outcome = sets.breakdown(cards[laid], shown, options)
        oddities = []
        if outcome.winner is None:
            oddities.append(Oddity("no-combination", seat, sets.no_set_reason(cards[laid], shown, options)))
        refusal = self.consent(event, oddities)
        if refusal:
            return refusal
        winner = seat if outcome.winner == sets.RESPONDER else leader
        items = outcome.items or (sets.unanswered(cards[laid], options),)
        points = sum(item.points for item in items)
        self.leave_hand(seat, response)
        if len(response) > 1:
            self.draw(seat)
        self.gather(PitTrick(leader, laid, response, winner, points, items))
        return None

    def charges(self, act: str, events: Sequence[Event]) -> Sequence[Charge] | None:
        found = CHARGES.get(act)
        if found is None:
            return None
        places = {(acted.trick, acted.seat): acted.event for acted in self.acted(events)}
        return tuple(each._replace(event=places.get((each.trick or 0, each.seat))) for each in found(self))

    def leave_hand(self, seat: int, cards: Sequence[int]) -> None:
        """Remove cards from a hand; those missing from an entered hand count as drawn."""
        self.gone |= self.rules.pack.mask(cards)
        self.foreign = added(self.foreign, seat, len(self.outside(seat, cards)))

    # -- tricks without cards, and results -------------------------------------------------------

    @takes(Trick)
    def take_trick(self, event: Trick) -> Refusal | None:
        """Record a trick by winner and points, without its cards."""
        if self.phase is not PLAY or self.laid is not None:
            return self.not_now(event)
        winner = event.winner
        refusal = self.no_such_seat(winner) or self.bad_last(event.last)
        if refusal is None and isinstance(event.trump, str):
            refusal = impossible("bad-suit", "REC-9", phrase="has-no-trump")
        if refusal:
            return refusal
        points = event.points or {}
        if list(points) != [str(winner)]:
            return impossible("bad-result", "REC-11", phrase="bad-result-winner")
        worth = points[str(winner)]
        tricks = (*self.untold(), Untold(winner == self.leader, worth, last=len(self.taken) + 1 == state.TRICKS))
        if not sets.fit(switches(self.rules.options), tricks, self.gone):
            return self.bad_worth(winner, worth)
        self.give_trick(winner, worth)
        return None

    def give_trick(self, winner: int, worth: int) -> None:
        """Give the next trick to this winner; the responder may have drawn a card."""
        if len(self.taken) + 1 < state.TRICKS:
            self.draw(1 - self.leader)
        self.gather(PitTrick(self.leader, None, (), winner, worth, ()))

    def bad_worth(self, winner: int, worth: int) -> Refusal:
        """Explain why no cards can give a trick these points."""
        options, last = self.rules.options, len(self.taken) + 1 == state.TRICKS
        if sets.aces_of(switches(options), Untold(winner == self.leader, worth, last)) <= sets.ACES:
            return impossible("bad-result", "AP-1", "REC-11", phrase="bad-result-cards", number=worth)
        if winner == self.leader:
            return impossible("bad-result", "AP-12", "AP-Q8", "REC-11", phrase="bad-result-leader", number=worth)
        if (False, worth) in sets.worths(switches(self.rules.options), single=False):
            return impossible("bad-result", "AP-Q11", "REC-11", phrase="bad-result-single", number=worth)
        return impossible("bad-result", "AP-13", "REC-11", phrase="bad-result-responder", number=worth)

    def bad_last(self, last: str | None) -> Refusal | None:
        """Refuse a reported last card that does not exist or was played; otherwise ignore it."""
        found = () if last is None else self.find_cards((last,), self.gone)
        return found if isinstance(found, Refusal) else None

    @takes(Result)
    def take_result(self, event: Result) -> Refusal | None:
        """Record the rest of the hand by each seat's total of points; refusals hide them if the table does."""
        if self.phase is not PLAY or self.laid is not None:
            return self.not_now(event)
        refusal = self.bad_last(event.last)
        if refusal:
            return refusal
        points, tricks = event.points, state.TRICKS - len(self.taken)
        if points is None or event.tricks is not None or event.cards_left is not None:
            return impossible("bad-result", "REC-11", phrase="bad-result-points-needed")
        if len(points) != self.rules.players:
            return impossible("bad-result", "REC-11", phrase="bad-result-seats")
        first, second = (a - b for a, b in zip(points, self.recorded(), strict=True))
        if any(made < 0 or made % sets.STEP for made in points) or min(first, second) < 0:
            return impossible("bad-result", "REC-11", phrase="bad-result-points-made")
        kind, least = "bad-result-points-hidden" if self.hides_points() else "", sets.THROW_AWAY * tricks
        if first + second < least:
            facts = {"least": least, "sum": first + second}
            return impossible("bad-result", "AP-12", "REC-11", phrase=kind or "bad-result-points-few", **facts)
        if not sets.can_be_made(
            (first, second), self.rules.options, tricks=tricks,
            leader=self.leader, before=self.untold(), gone=self.gone,
        ):  # fmt: skip
            facts = {"first": first, "second": second, "count": tricks}
            kind = kind or "bad-result-points-never"
            return impossible("bad-result", "AP-13", "AP-Q11", "REC-11", phrase=kind, **facts)
        self.rest = (first, second)
        self.phase = FINISHED
        return None

    # -- judged under house rules other than those it was played by: reported points stay ---------------------

    def make_way(self, event: Event, then: Self) -> None:
        if isinstance(event, Trick):
            self.leader = then.leader

    def as_it_lay(self, event: Event, then: Self) -> Iterator[Event]:
        if isinstance(event, Result) and event.points is not None:
            rest = zip(event.points, then.recorded(), self.recorded(), strict=True)
            yield replace(event, points=tuple(total - before + now for total, before, now in rest))
        else:
            yield event

    def stands(self, event: Event, then: Self) -> bool:
        if isinstance(event, Trick) and event.points:
            self.give_trick(event.winner, event.points[str(event.winner)])
        elif isinstance(event, Result) and event.points is not None:
            self.rest = tuple(total - before for total, before in zip(event.points, then.recorded(), strict=True))
            self.phase = FINISHED
        else:
            return False
        return True
