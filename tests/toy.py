"""Plain Whist, a toy: a plain trick-taking game, as short as such a game can be written.

Two to four players are dealt as many cards each as the table likes. The dealer's left leads; everyone follows suit, or
plays anything when void. The highest trump wins, else the highest card of the suit led, ace high; the winner leads.
Trump rotates from hand to hand through the suits of the pack, with a hand without trump before it starts again. Every
trick is a point. With bidding, an exact bid scores ten and a point per trick, any other nothing.

Source: made up for the tests, to show what a new game needs: this module and nothing else. Deviations: none.
"""

from typing import Any, ClassVar

from referee.engine.questions import Question
from referee.engine.rulebook import Clause
from referee.engine.rules import EndRule, Option, Rules, switch
from referee.engine.rulings import Reason, ScoreLine
from referee.packs import Card, Pack, Suit, french
from referee.tricks.hand import TrickGame, TrickHand
from referee.tricks.questions import PLAIN

FOR_THE_BID = 10
RULEBOOK = tuple(
    Clause(clause, title, text, "made up for the tests", "seed")
    for clause, title, text in (
        ("TOY-1", "The deal", "Everybody gets as many cards as the table has agreed; the dealer's left leads."),
        ("TOY-2", "Duty to follow", "Play a card of the suit led if you hold one; otherwise play anything."),
        (
            "TOY-3",
            "Winning a trick",
            "The highest trump wins, else the highest card of the suit led; the winner leads.",
        ),
        ("TOY-4", "Scoring", "Every trick is a point."),
        ("TOY-5", "Trumps", "Trumps go round from hand to hand through the suits; then comes a hand without."),
        ("TOY-6", "Bids", "An exact bid scores ten and a point for each trick, any other nothing."),
    )
)


class WhistHand(TrickHand):
    EXACT_BIDS = True
    CITES = {
        "highest-trump": ("TOY-3", "TOY-5"), "highest-follower": ("TOY-3",), "earlier-of-equals": ("TOY-3",),
        "follow": ("TOY-2",), "lead": ("TOY-1", "TOY-3"), "tricks": ("TOY-4",), "deal": ("TOY-1",), "hook": ("TOY-6",),
    }  # fmt: skip

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        """Return a seat's points: one per trick (TOY-4), or those of its bid (TOY-6)."""
        if not self.rules.bidding:
            return super().score_line(seat, tricks, bid)
        points = FOR_THE_BID + tricks if bid == tricks else 0
        facts = {"seat": seat, "bid": bid, "tricks": tricks, "sum": points}
        return ScoreLine(seat, points, Reason("bid", ("TOY-6",), facts, "Bid {bid}, took {tricks}: {sum}."))


class PlainWhist(TrickGame):
    id = "plain-whist"
    name = "Plain Whist"
    tagline = "Follow suit; the highest card takes the trick."
    source = "made up for the tests"
    players: ClassVar[tuple[int, ...]] = (2, 3, 4)
    end = EndRule("hands", 2)
    hand_class = WhistHand
    QUESTIONS: ClassVar[tuple[Question, ...]] = PLAIN
    options = (
        Option("cards", "Cards", "How many cards each player is dealt.", ("TOY-1",), span=(1, 13), default=13),
        switch("bidding", "Bidding", "Bid tricks before play.", "TOY-6"),
        switch("hook", "Hook", "The last bidder may not make the bids add up to the number of tricks.", "TOY-6"),
    )

    def pack(self, options: Any, players: int) -> Pack:
        return french()

    def rulebook(self) -> tuple[Clause, ...]:
        """Return the clauses; the product's games keep theirs in a file of their folder."""
        return RULEBOOK

    def size(self, rules: Rules, before: TrickHand | None) -> int:
        return int(rules.options["cards"])

    def trump(self, rules: Rules, before: TrickHand | None) -> str | None:
        order = (*(suit.code for suit in rules.pack.suits), None)
        return order[0] if before is None else order[(order.index(before.setup.carry) + 1) % len(order)]


GAME = PlainWhist()


# --- The toy game with its own cards: two suits of five cards, for two players

SUITS = (Suit("R", "Reds", ("r", "red", "reds")), Suit("B", "Blues", ("b", "blue", "blues")))
RANKS = ("1", "2", "3", "4", "5")
CARDS = tuple(
    Card(index, rank + suit.code, f"{suit.name} {rank}", rank, (suit.code,))
    for index, (suit, rank) in enumerate((suit, rank) for suit in SUITS for rank in RANKS)
)


def interpret(text: str) -> str | None:
    """Understand "3r" and "reds 3"."""
    names = {card.name.casefold(): card.code for card in CARDS}
    return names.get(text, text.upper())


def describe(pack: Pack, text: str) -> str:
    return f"“{text}” is no card. The cards are 1R to 5R and 1B to 5B."


PACK = Pack("ten-cards", "Ten Cards", SUITS, CARDS, interpret, describe, RANKS)


class TenCards(PlainWhist):
    """Plain Whist with ten cards, all of them dealt."""

    id = "ten-cards"
    name = "Ten Cards"
    players: ClassVar[tuple[int, ...]] = (2,)

    def pack(self, options: Any, players: int) -> Pack:
        return PACK

    def size(self, rules: Rules, before: TrickHand | None) -> int:
        return len(PACK) // rules.players


TEN_CARDS = TenCards()
