"""A toy game: two suits, five cards each; everybody plays a card and scores its rank."""

from referee.engine.cards import Card, Pack, Suit
from referee.engine.events import Play
from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.phases import FINISHED
from referee.engine.questions import Question
from referee.engine.rulebook import Clause
from referee.engine.rules import Setup
from referee.engine.rulings import Reason, ScoreLine, impossible
from referee.engine.state import per_seat, takes

SUITS = (Suit("R", "Red"), Suit("B", "Blue"))
CARDS = [(rank, suit) for suit in SUITS for rank in "12345"]
PACK = Pack(
    "toy",
    "Toy cards",
    SUITS,
    tuple(Card(i, r + s.code, f"{r} of {s.name}", r, (s.code,)) for i, (r, s) in enumerate(CARDS)),
    lambda text: text.upper(),
    lambda pack, text: f"{text} is no card.",
    tuple("12345"),
)

WHY = Reason("tricks", ("TOY-1",), {"tricks": 1})


class ToyHand(Hand):
    """One card from every seat."""

    played: tuple[int | None, ...] = per_seat(None)

    @takes(Play)
    def play(self, event):
        if self.played[event.seat] is not None:
            return impossible("too-many-cards", "TOY-1", seat=event.seat)
        card = PACK.find(event.cards[0])
        self.played = (*self.played[: event.seat], card, *self.played[event.seat + 1 :])
        if None not in self.played:
            self.phase = FINISHED
        return None

    def cards_left(self):
        return tuple(int(card is None) for card in self.played)

    def points(self):
        return tuple(int(PACK.cards[card].rank) for card in self.played if card is not None)

    def point_lines(self):
        return [ScoreLine(seat, points, WHY) for seat, points in enumerate(self.points())]

    def describe(self):
        return {"tricks": [], "tricks_won": None}


class Toy(Game):
    """The toy, declared like any other game."""

    id = "toy"
    name = "Toy"
    tagline = "Play a card."
    source = "Nobody"
    players = (2,)
    hand_class = ToyHand
    QUESTIONS = (
        Question("score", "Score", lambda asked: {"points": 5, "lines": [ScoreLine(0, 5, WHY)], "reason": WHY}),
    )

    def rulebook(self):
        return (Clause("TOY-1", "The card", "It scores its rank.", "Nobody", "seed"),)

    def pack(self, options, players):
        return PACK

    def first(self, rules, dealer):
        return Setup(0, dealer, (0, 1), (1, 1))

    def following(self, hand, totals):
        return Setup(hand.setup.index + 1, 1 - hand.setup.dealer, (0, 1), (1, 1))
