"""The hand of Ace Pit: seven tricks of a laid card and a response, at any depth.

Nothing has to be followed, so a record proves no infraction here; what can be seen is a lead by
the wrong player, and two cards that are no set. Entered hands say which cards a seat can play:
from outside them as many as the seat has drawn.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self

from referee.asks import Ask, Field
from referee.cards import Card
from referee.events import Play, Result, Trick
from referee.hand import FINISHED, PLAY, Hand, Rules, Setup
from referee.pit.reasons import no_set_reason, outcome_reason
from referee.pit.sets import (
    RESPONDER,
    THROW_AWAY,
    Item,
    breakdown,
    leader_scores,
    responder_scores,
    unanswered,
)
from referee.rulings import Oddity, Reason, Refusal, ScoreLine, impossible

TRICKS = 7
"""Tricks of a hand, and cards each player is dealt (AP-2, AP-17)."""
LONGEST_RESPONSE = 2
UNIT = 5
"""Every score of the game is a multiple of this."""


class PitTrick(NamedTuple):
    """A finished trick; ``laid`` is ``None`` where only winner and points were recorded."""

    leader: int
    laid: int | None
    response: tuple[int, ...]
    winner: int
    points: int
    items: tuple[Item, ...]


class PitHand(Hand):
    """One hand of Ace Pit.

    Card sets are bit masks. ``laid`` is the card that waits for its response, ``gone`` what left
    the hands. Per seat, ``drawn`` counts the cards drawn (AP-14), ``foreign`` those played from
    outside an entered hand, ``rest`` is what a result added to the recorded tricks.
    """

    __slots__ = ("drawn", "foreign", "gone", "laid", "leader", "rest", "taken")

    drawn: tuple[int, ...]
    foreign: tuple[int, ...]
    gone: int
    laid: int | None
    leader: int
    rest: tuple[int, ...] | None
    taken: tuple[PitTrick, ...]

    PARTS: ClassVar[tuple[type, ...]] = (*Hand.PARTS, Item, PitTrick)
    VALUES: ClassVar[tuple[str, ...]] = (
        *Hand.VALUES, "drawn", "foreign", "gone", "laid", "leader", "rest", "taken",
    )  # fmt: skip

    def __init__(self, rules: Rules, setup: Setup) -> None:
        super().__init__(rules, setup)
        self.drawn = (0, 0)
        self.foreign = (0, 0)
        self.gone = 0
        self.laid = None
        self.leader = 1 - setup.dealer
        self.rest = None
        self.taken = ()

    def copy(self) -> Self:
        """Return an equal hand that may be changed without touching this one."""
        new = object.__new__(self.__class__)
        new.rules = self.rules
        new.setup = self.setup
        new.phase = self.phase
        new.events = self.events
        new.irregularities = self.irregularities
        new.penalties = self.penalties
        new.ended = self.ended
        new.drawn = self.drawn
        new.foreign = self.foreign
        new.gone = self.gone
        new.laid = self.laid
        new.leader = self.leader
        new.rest = self.rest
        new.taken = self.taken
        return new

    # -- plays ----------------------------------------------------------------------------

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
        card = self.rules.pack.cards[wrong[0]]
        return impossible("not-in-hand", "REC-8", "AP-14", seat=seat, card=card)

    def outside(self, seat: int, cards: Sequence[int]) -> list[int]:
        """Return the cards that lie outside a seat's entered hand; none where it is unknown."""
        known = self.setup.known[seat] if self.setup.known else None
        return [] if known is None else [card for card in cards if not known >> card & 1]

    def no_suit(self, event: Play) -> Refusal | None:
        """Refuse a suit: nothing is named in this game."""
        if event.suit is None:
            return None
        return impossible("bad-suit", "REC-9", suit=event.suit)

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
            oddities.append(Oddity("no-combination", seat, no_set_reason(shown, options)))
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

    def leave_hand(self, seat: int, cards: Sequence[int]) -> None:
        """Put cards on the table."""
        self.gone |= self.rules.pack.mask(cards)
        self.foreign = added(self.foreign, seat, len(self.outside(seat, cards)))

    def draw(self, seat: int) -> None:
        """Draw a card unseen (AP-14)."""
        self.drawn = added(self.drawn, seat, 1)

    def gather(self, trick: PitTrick) -> None:
        """Clear the table; the winner leads next (AP-15)."""
        self.taken += (trick,)
        self.laid = None
        self.leader = trick.winner
        if len(self.taken) == TRICKS:
            self.phase = FINISHED

    # -- other depths ---------------------------------------------------------------------

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
        if worth not in self.possible(winner):
            role = "leader" if winner == self.leader else "responder"
            return impossible("bad-result", "AP-13", "REC-11", phrase=f"bad-result-{role}", number=worth)
        if len(self.taken) + 1 < TRICKS:
            self.draw(1 - self.leader)
        self.gather(PitTrick(self.leader, None, (), winner, worth, ()))
        return None

    def possible(self, winner: int) -> frozenset[int]:
        """Return the points a seat can make in the next trick, if it wins it."""
        options = self.rules.options
        return leader_scores(options) if winner == self.leader else responder_scores(options)

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
            return impossible("bad-suit", "REC-9", suit=trump)
        return None

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
        if any(made < 0 or made % UNIT for made in points) or min(rest) < 0:
            return impossible("bad-result", "REC-11", phrase="bad-result-points-made")
        least = THROW_AWAY * (TRICKS - len(self.taken))
        if sum(rest) < least:
            facts = {"least": least, "sum": sum(rest)}
            return impossible("bad-result", "AP-12", "REC-11", phrase="bad-result-points-few", **facts)
        self.rest = rest
        self.phase = FINISHED
        return None

    # -- what stands ----------------------------------------------------------------------

    def recorded(self) -> tuple[int, ...]:
        """Return the points of the tricks recorded, per seat."""
        sums = [0, 0]
        for trick in self.taken:
            sums[trick.winner] += trick.points
        return tuple(sums)

    def points(self) -> tuple[int, ...]:
        """Return the points so far: every trick counts at once."""
        made = self.recorded()
        return made if self.rest is None else tuple(a + b for a, b in zip(made, self.rest, strict=True))

    def point_lines(self) -> list[ScoreLine]:
        """Return one line for each trick, and one for what a result added."""
        lines = [ScoreLine(trick.winner, trick.points, self.reason(trick)) for trick in self.taken]
        for seat, points in enumerate(self.rest or ()):
            if points:
                reason = Reason("rest-of-hand", ("AP-18", "REC-19"), {"seat": seat, "points": points})
                lines.append(ScoreLine(seat, points, reason))
        return lines

    def reason(self, trick: PitTrick) -> Reason:
        """Return why a trick went as it did."""
        if trick.laid is None:
            return Reason("recorded-winner", ("REC-19",), {"seat": trick.winner})
        cards, options = self.rules.pack.cards, self.rules.options
        laid, response = cards[trick.laid], [cards[card] for card in trick.response]
        outcome = breakdown(laid, response, options)
        return outcome_reason(laid, response, outcome, options, leader=trick.leader, responder=1 - trick.leader)

    def tricks_won(self) -> tuple[int, ...]:
        """Return the recorded tricks of each seat."""
        won = [trick.winner for trick in self.taken]
        return (won.count(0), won.count(1))

    def trick_number(self) -> int | None:
        """Return the number of the trick in progress."""
        return len(self.taken) + 1 if self.phase is PLAY else None

    def to_act(self) -> tuple[int, ...]:
        """Return who lays or responds now."""
        if self.phase is not PLAY:
            return ()
        return (self.leader if self.laid is None else 1 - self.leader,)

    def cards_left(self) -> tuple[int, ...]:
        """Return the cards each seat holds: the draw keeps both hands level (AP-14)."""
        if self.rest is not None:
            return (0, 0)
        left = TRICKS - len(self.taken)
        return tuple(left - (self.laid is not None and seat == self.leader) for seat in range(2))

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked from what was recorded (REC-19)."""
        said = []
        unknown = self.rules.players - sum(known is not None for known in self.setup.known)
        if unknown:
            facts = {"count": unknown}
            said.append(Reason("hands-unknown", ("REC-8", "REC-19"), facts, "hands-unknown-cards"))
        empty = sum(trick.laid is None for trick in self.taken)
        if empty:
            said.append(Reason("tricks-without-cards", ("REC-19",), {"count": empty}))
        if self.rest is not None:
            said.append(Reason("result-only", ("REC-19",), {"count": TRICKS - len(self.taken)}))
        return said

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next: a lay, or a response, or a summary instead."""
        if self.phase is not PLAY:
            return ()
        pack = self.rules.pack
        choices = tuple(card.code for card in pack.cards if not self.gone >> card.index & 1)
        seats = self.to_act()
        if self.laid is not None:
            most = min(LONGEST_RESPONSE, self.cards_left()[seats[0]])
            response = Field("cards", "cards", "Response", choices=choices, count=(1, most))
            return (Ask("play", "Respond", seats, (response,)),)
        lay = Field("cards", "card", "Card", choices=choices)
        most = TRICKS * max(responder_scores(self.rules.options))
        return (
            Ask("play", "Lay", seats, (lay,)),
            Ask("trick", "Trick won by", (), self.trick_fields()),
            Ask("result", "Result of the hand", (), (
                Field("points", "numbers", "Points of each player", least=0, most=most),
            )),
        )  # fmt: skip

    def trick_fields(self) -> tuple[Field, ...]:
        """Return what a trick without cards needs: its winner, and what it can have been worth."""
        worths = sorted(self.possible(0) | self.possible(1))
        return (
            Field("winner", "seat", "Winner", ("0", "1")),
            Field("points", "points", "Points", tuple(map(str, worths)), least=worths[0], most=worths[-1]),
        )

    # -- describing -----------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """Return this hand's tricks for the adjudication, and the cards each seat has drawn."""
        tricks = [self.entry(number, trick) for number, trick in enumerate(self.taken, 1)]
        if self.laid is not None:
            running: dict[str, Any] = {"winner": None, "points": {}, "trump": None, "reason": None}
            plays = [self.shown(self.leader, (self.laid,))]
            number = len(self.taken) + 1
            tricks.append({"number": number, "leader": self.leader, "plays": plays, **running})
        return {
            "trump": None, "suit_order": None, "bids": [None, None],
            "tricks_won": list(self.tricks_won()), "drawn": list(self.drawn), "tricks": tricks,
        }  # fmt: skip

    def entry(self, number: int, trick: PitTrick) -> dict[str, Any]:
        """Describe a finished trick, its items as lines of the reason."""
        plays = []
        if trick.laid is not None:
            plays = [self.shown(trick.leader, (trick.laid,)), self.shown(1 - trick.leader, trick.response)]
        return {
            "number": number, "leader": trick.leader, "plays": plays, "winner": trick.winner,
            "points": {str(trick.winner): trick.points}, "trump": None, "reason": self.reason(trick),
            "details": {"lines": [item._asdict() for item in trick.items]},
        }  # fmt: skip

    def shown(self, seat: int, cards: Sequence[int]) -> dict[str, Any]:
        """Describe one play."""
        return {"seat": seat, "cards": [self.card(card).code for card in cards]}

    def card(self, index: int) -> Card:
        """Return a card of the pack."""
        return self.rules.pack.cards[index]


def added(counts: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    """Return the counts with one seat's raised."""
    return tuple(count + more * (seat == other) for other, count in enumerate(counts))


PitHand.TAKES = {
    **Hand.TAKES,
    Play: PitHand.take_play,
    Trick: PitHand.take_trick,
    Result: PitHand.take_result,
}
