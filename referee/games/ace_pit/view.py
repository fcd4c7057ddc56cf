"""How a hand of Ace Pit is shown: its score sheet, its tricks with their items, what may come next."""

from collections.abc import Sequence
from typing import Annotated

from referee.engine.asks import Ask, Field, Preview
from referee.engine.event_kinds import Event
from referee.engine.events import Play
from referee.engine.phases import PLAY
from referee.engine.rulings import Reason, ScoreLine
from referee.engine.sheet import BestParts, DescribedPlayMade, HandParts, TrickParts
from referee.games.ace_pit.answers import best_of
from referee.games.ace_pit.reasons import no_set_reason, outcome_reason, without_points
from referee.games.ace_pit.sets import RESPONDER, breakdown
from referee.games.ace_pit.state import LONGEST_RESPONSE, TRICKS, PitState, PitTrick
from referee.games.ace_pit.totals import STEP, most_made


class PitParts(HandParts):
    """A hand as it is described: besides, how many cards each seat has drawn."""

    drawn: Annotated[list[int], "Cards that each seat has drawn."]


class View(PitState):
    """Describes points and tricks, and what the record can take next."""

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

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked from what was recorded (REC-19)."""
        reasons = []
        unknown = self.rules.players - sum(known is not None for known in self.setup.known)
        if unknown:
            facts = {"count": unknown}
            reasons.append(Reason("hands-unknown", ("REC-8", "REC-19"), facts, "hands-unknown-cards"))
        empty = sum(trick.laid is None for trick in self.taken)
        if empty:
            reasons.append(Reason("tricks-without-cards", ("REC-19",), {"count": empty}, "tricks-without-cards-points"))
        if self.rest is not None:
            count = TRICKS - len(self.taken)
            reasons.append(Reason("result-only", ("REC-19",), {"count": count}, "result-only-points"))
        return reasons

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
            return (Ask("play", "Respond", seats, (response,), preview=True),)
        lay = Field("cards", "cards", "Card", choices=choices)
        least, most = self.range_of_points()
        hidden = self.hides_points()
        made = Field(
            "points", "numbers", "Points of each player", least=least, most=most,
            floors=() if hidden else self.recorded(), step=STEP,
        )  # fmt: skip
        return (
            Ask("play", "Lay", seats, (lay,)),
            Ask("trick", "Trick won by", (), self.trick_fields()),
            Ask("result", "Result of the hand", (), (made,), telling=hidden),
        )

    def range_of_points(self) -> tuple[int, int]:
        """Return the least and the most a player can have at the end of the hand, as far as may be told (AP-18)."""
        if self.hides_points():
            return 0, most_made(self.rules.options, tricks=TRICKS)
        made = self.recorded()
        return min(made), max(made) + most_made(self.rules.options, tricks=TRICKS - len(self.taken))

    def preview(self, event: Event) -> Preview | None:
        """Say what a response would win, and with which sets, before it is confirmed."""
        laid = self.laid
        if laid is None or not isinstance(event, Play) or not 1 <= len(event.cards) <= LONGEST_RESPONSE:
            return None
        pack, options = self.rules.pack, self.rules.options
        found = [card for code in event.cards if (card := pack.find(code)) is not None]
        if len(found) < len(event.cards) or pack.mask(found) & self.gone:
            return None
        response = [pack.cards[card] for card in found]
        outcome = breakdown(pack.cards[laid], response, options)
        if outcome.winner is None:
            return Preview(False, (no_set_reason(pack.cards[laid], response, options),))
        seats = {"leader": self.leader, "responder": 1 - self.leader}
        full = outcome_reason(pack.cards[laid], response, outcome, options, **seats)
        reason = without_points(full) if self.hides_points() else full
        return Preview(True if outcome.winner == RESPONDER else None, (reason,))

    def trick_fields(self) -> tuple[Field, ...]:
        """Return what a trick without cards needs: its winner, and what it can have been worth."""
        worths = sorted(self.possible(0) | self.possible(1))
        return (
            Field("winner", "seat", "Winner", ("0", "1")),
            Field("points", "points", "Points", tuple(map(str, worths)), least=worths[0], most=worths[-1]),
        )

    def describe(self) -> PitParts:
        """Return this hand's tricks for the adjudication, and the cards each seat has drawn."""
        tricks = [self.entry(number, trick) for number, trick in enumerate(self.taken, 1)]
        if self.laid is not None:
            plays = [self.shown(self.leader, (self.laid,))]
            number = len(self.taken) + 1
            tricks.append(
                {
                    "number": number, "leader": self.leader, "plays": plays,
                    "winner": None, "points": {}, "trump": None, "reason": None,
                }
            )  # fmt: skip
        return {
            "trump": None, "suit_order": None, "bids": [None, None],
            "tricks_won": list(self.tricks_won()), "drawn": list(self.drawn), "tricks": tricks,
        }  # fmt: skip

    def describe_without_points(self) -> HandParts:
        """Return this hand's tricks with cards and winners, and what was made of them only by name (AP-18)."""
        described = super().describe_without_points()
        for shown in described["tricks"]:
            if shown["reason"] is not None:
                shown["reason"] = without_points(shown["reason"])
                shown["details"] = {"lines": []}
        return described

    def entry(self, number: int, trick: PitTrick) -> TrickParts:
        """Describe a finished trick, its items as lines of the reason, and the best answer there was."""
        plays = []
        if trick.laid is not None:
            plays = [self.shown(trick.leader, (trick.laid,)), self.shown(1 - trick.leader, trick.response)]
        entry: TrickParts = {
            "number": number, "leader": trick.leader, "plays": plays, "winner": trick.winner,
            "points": {str(trick.winner): trick.points}, "trump": None, "reason": self.reason(trick),
            "details": {"lines": [{"item": item.item, "points": item.points} for item in trick.items]},
        }  # fmt: skip
        best = best_of(self, number)
        if best is not None:
            answer = best.answer
            parts: BestParts = {
                "known": best.known,
                "cards": [] if answer is None else [card.code for card in answer.cards],
                "points": 0 if answer is None else answer.points,
                "reason": best.reason,
            }
            entry["best"] = parts
        return entry

    def shown(self, seat: int, cards: Sequence[int]) -> DescribedPlayMade:
        """Return the cards that a seat laid or responded with, as the adjudication lists a play."""
        return {"seat": seat, "cards": [self.card(card).code for card in cards]}
