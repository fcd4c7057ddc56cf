"""The hand of Ace Pit: seven tricks of a laid card and a response.

Nothing has to be followed, so a record proves no infraction here; what can be seen is a lead by
the wrong player, and two cards that are no set. Entered hands say which cards a seat can play:
from outside them as many as the seat has drawn.
"""

from collections.abc import Sequence

from referee.engine.event_kinds import Event
from referee.engine.events import Play
from referee.engine.guided import Charge
from referee.engine.phases import PLAY
from referee.engine.rulings import Oddity, Reason, Refusal, impossible
from referee.engine.state import added, takes
from referee.games.ace_pit.as_it_lay import AsItLay
from referee.games.ace_pit.charges import CHARGES
from referee.games.ace_pit.reasons import no_set_reason
from referee.games.ace_pit.sets import RESPONDER, breakdown, unanswered
from referee.games.ace_pit.state import LONGEST_RESPONSE, PitTrick
from referee.games.ace_pit.totals import ALL_ACES, fit, switches
from referee.games.ace_pit.view import View


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
