"""One hand, whole: what its cards say, where the unseen ones can be, what it scores, and how the API lists it."""

from __future__ import annotations

from typing import Any

from tests.games.decktet_tricks.oracle_cards import is_high, suits_of
from tests.games.decktet_tricks.oracle_proof import Situation
from tests.games.decktet_tricks.oracle_rules import (
    bid_points,
    chicane_points,
    lead_of,
    led_suits,
    reads,
    shares,
)
from tests.games.decktet_tricks.oracle_turn import Turn
from tests.games.tricks.different import can_differ

Event = dict[str, Any]


class Hand(Turn):
    """A hand and everything that follows from its facts without judging an event."""

    # -- what a card says ----------------------------------------------------------------------

    def forbidden_if_void(self, seat: int) -> frozenset[str]:
        """Every card that would follow the present lead from this seat; empty without a lead."""
        trick = self.open_trick()
        if trick is None:
            return frozenset()
        if trick["plays"][0]["cards"] == ["?"] and not trick["plays"][0].get("suit"):
            return frozenset()
        if self.game == "wildcat-chicane":
            first = trick["plays"][0]
            suit = reads(first["cards"][0], self.ruling(first["seat"]))
            ruling = self.ruling(seat)
            return frozenset(card for card in self.deck if reads(card, ruling) == suit)
        lead = lead_of(trick["plays"], self.options["excuse_led"])
        if lead is None or (lead["cards"] == ["?"] and not lead.get("suit")):
            return frozenset()
        suits = led_suits(lead)
        return frozenset(card for card in self.deck if shares(card, suits))

    def not_trump_for(self, seat: int) -> frozenset[str]:
        """Wildcat Chicane: every card this seat reads as another suit than its own trump."""
        ruling = self.ruling(seat)
        return frozenset(card for card in self.deck if reads(card, ruling) != suits_of(ruling))

    def assertion(self, seat: int, card: str) -> tuple[str, frozenset[str]] | None:
        """What playing this card now says about the rest of the hand: a code and a card set."""
        if card in ("E", "?"):
            return None
        if self.game == "wildcat-chicane" and self.is_lead():
            others = self.not_trump_for(seat)
            return None if card in others else ("trump-led", others)
        follow = self.forbidden_if_void(seat)
        return ("revoke", follow) if follow and card not in follow else None

    def known_to_hold(self, seat: int, card: str, forbidden: frozenset[str]) -> bool:
        """Whether an entered hand still holds forbidden cards, however the unseen plays fell."""
        if seat not in self.known:
            return False
        told = {each for each in self.lost if each in self.known[seat]}
        gone = {each for _, owner, each in self.shown if owner == seat} | told
        open_ones = [could for owner, could in self.hidden if owner == seat and could & {*self.known[seat]} - gone]
        blind = self.unseen_cards(seat) - len(told) - len(open_ones)
        left = [each for each in self.known[seat] if each not in gone | {card} and each in forbidden]
        places = [*enumerate(open_ones), *((-1 - each, set(left)) for each in range(blind))]
        return not can_differ([{number for number, could in places if each in could} for each in left])

    # -- where the cards can be ----------------------------------------------------------------

    def situations(self, position: int) -> list[Situation]:
        """What is unseen after the event at this position (Wildcat Chicane: per deal)."""
        shown = [(seat, card) for at, seat, card in self.shown if at <= position]
        groups = [self.deck]
        if self.game == "wildcat-chicane":
            groups = [
                [c for c in self.deck if is_high(c)],
                [c for c in self.deck if not is_high(c)],
            ]
        return [self._situation(group, shown) for group in groups]

    def _situation(self, group: list[str], shown: list[tuple[int, str]]) -> Situation:
        placed = {card for hand in self.known.values() for card in hand}
        placed |= {card for _, card in shown}
        dealt = self.size
        if self.game == "wildcat-chicane":
            dealt = len(group) // self.players
        room = {-1: len(group) - dealt * self.players}
        for seat in self.seats:
            gone = sum(1 for owner, card in shown if owner == seat and card in group)
            room[seat] = 0 if seat in self.known else dealt - gone
        return Situation([card for card in group if card not in placed], room)

    # -- scores and the answer -----------------------------------------------------------------

    def partner(self, seat: int) -> int:
        """The opposite seat."""
        return (seat + self.players // 2) % self.players

    def scores(self) -> list[int | None]:
        """Per seat what is settled, penalties included."""
        if self.void:
            return list(self.penalties)
        if not self.bidding:
            points = self.tricks_won()
        elif self.finished():
            points = [self.bid_score(seat) for seat in self.seats]
        else:
            return [None] * self.players
        return [point + penalty for point, penalty in zip(points, self.penalties, strict=True)]

    def bid_score(self, seat: int) -> int:
        """The points of one seat against its bid (or its pair's, at the lower seat)."""
        won, bid = self.tricks_won()[seat], self.bids[seat]
        assert bid is not None
        if self.game == "wildcat-chicane":
            return chicane_points(self.options, bid, won)
        if self.options["partner_bid"] == "joint":
            other = self.partner(seat)
            if other < seat:
                return 0
            bid, won = bid + (self.bids[other] or 0), won + self.tricks_won()[other]
        return bid_points(bid, won)

    def answer(self) -> dict:
        """This hand as the API lists it."""
        story, trump = self.trump_story()
        answer = {
            "number": self.index + 1,
            "dealer": self.dealer,
            "seating": list(self.seats),
            "hand_size": [self.size] * self.players,
            "phase": self.phase(),
            "to_act": self.to_act(),
            "trump": trump,
            "suit_order": None,
            "bids": list(self.bids),
            "cards_left": [self.cards_left(seat) for seat in self.seats],
            "tricks_won": self.tricks_won(),
            "tricks": [self._trick(i, story[i]) for i in range(len(self.tricks))],
            "scores": self.scores(),
            "irregularities": [dict(each) for each in self.irregularities],
        }
        if self.game == "wildcat-chicane":
            answer["ruling_cards"] = list(self.aside)
        return answer

    def _trick(self, index: int, trump: str | None) -> dict:
        trick = self.tricks[index]
        winner = trick["winner"]
        worth = winner is not None and not self.bidding
        return {
            "number": index + 1,
            "leader": trick["leader"],
            "plays": [{"seat": p["seat"], "cards": list(p["cards"])} for p in trick["plays"]],
            "winner": winner,
            "points": {str(winner): 1} if worth else {},
            "trump": trump,
        }
