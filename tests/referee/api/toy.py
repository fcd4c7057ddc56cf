"""A toy game: two suits, five cards each; everybody plays a card and scores its rank."""

from referee.engine.cards import Card, Pack, Suit
from referee.engine.events import Play
from referee.engine.game import Game
from referee.engine.hand import Hand
from referee.engine.phases import FINISHED
from referee.engine.rulebook import Clause
from referee.engine.rules import Setup
from referee.engine.rulings import Reason, ScoreLine, impossible

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

    __slots__ = ("played",)

    def __init__(self, rules, setup):
        super().__init__(rules, setup)
        self.played = {}

    def copy(self):
        new = type(self)(self.rules, self.setup)
        new.phase, new.events, new.played = self.phase, self.events, dict(self.played)
        return new

    def play(self, event):
        if event.seat in self.played:
            return impossible("too-many-cards", "TOY-1", seat=event.seat)
        self.played[event.seat] = PACK.find(event.cards[0])
        if len(self.played) == self.rules.players:
            self.phase = FINISHED
        return None

    def cards_left(self):
        return tuple(int(seat not in self.played) for seat in range(self.rules.players))

    def points(self):
        return tuple(int(PACK.cards[card].rank) for _, card in sorted(self.played.items()))

    def point_lines(self):
        return [ScoreLine(seat, points, WHY) for seat, points in enumerate(self.points())]

    def describe(self):
        return {"tricks": [], "tricks_won": None}


ToyHand.TAKES = {**Hand.TAKES, Play: ToyHand.play}


class Toy(Game):
    """The toy, declared like any other game."""

    id = "toy"
    name = "Toy"
    tagline = "Play a card."
    source = "Nobody"
    players = (2,)
    hand_class = ToyHand
    ANSWERS = {"score": lambda asked: {"points": 5, "lines": [ScoreLine(0, 5, WHY)], "reason": WHY}}

    def rulebook(self):
        return (Clause("TOY-1", "The card", "It scores its rank.", "Nobody", "seed"),)

    def pack(self, options, players):
        return PACK

    def first(self, rules, dealer):
        return Setup(0, dealer, (0, 1), (1, 1))

    def following(self, hand, totals):
        return Setup(hand.setup.index + 1, 1 - hand.setup.dealer, (0, 1), (1, 1))
