"""Wildcat Chicane, by P. D. Magnus, for three or four players with the Decktet.

Aces and Crowns are dealt out evenly, then the number cards. Everybody chooses an Ace or Crown as
ruling card; all are shown at once. An Ace makes its owner read number cards by the bottom suit,
a Crown by the top suit, and the ruling card's suit is its owner's trump. Bid tricks from the
dealer's left. Nobody may lead the own trump while holding another suit. Others follow the suit
led as its owner reads it, each reading the own cards. Trumps win, each being trump by its
owner's ruling card; of equal trumps the earlier. An exact bid scores four times the bid, one
off twice, two off once.

Source: "Wildcat Chicane", P. D. Magnus, Decktet blog, 2019. Deviations: none; where the post is
silent the defaults WC-Q1 .. WC-Q11 hold.
"""

from collections.abc import Iterable

from referee.engine.game import Dealing
from referee.engine.options import Option, Options, Preset, switch
from referee.engine.phases import BIDDING
from referee.engine.rules import EndRule, Rules, Setup
from referee.engine.translation import phrase
from referee.games.wildcat_chicane.events import RulingCard
from referee.games.wildcat_chicane.hand import HAND_SIZES, HIGH_CARDS, READS, RULING_CARD, ChicaneHand, ChicaneRules
from referee.games.wildcat_chicane.questions import QUESTIONS
from referee.packs import Pack, decktet
from referee.tricks.game import TrickGame
from referee.tricks.hand import TrickHand

TARGET = 40


class WildcatChicane(TrickGame):
    """Wildcat Chicane as a game of the catalogue."""

    id = "wildcat-chicane"
    place = 3
    name = "Wildcat Chicane"
    tagline = "Bid your tricks exactly; your ruling card decides how you read suits and trump."
    source = "P. D. Magnus, Wildcat Chicane"
    with_cards = "with the basic deck"
    lesson = ("WC-2", "WC-3", "WC-4", "WC-5", "WC-7", "WC-10", "WC-11", "WC-13", "WC-16")
    players = (3, 4)
    end = EndRule("score", TARGET)
    rules_class = ChicaneRules
    hand_class = ChicaneHand
    beside_tricks = frozenset({"hook", "zero_bid", "miss_penalty"})
    events = (RulingCard,)
    phases = (RULING_CARD, BIDDING)
    QUESTIONS = QUESTIONS
    options = (
        switch("hook", "Hook", "The last bidder may not make the bids add up to the tricks.", "WC-Q3",
        says="with the hook",),
        Option(
            "zero_bid", "Bid of nothing", "Points for a bid of 0 made exactly.", ("WC-Q2",),
            span=(0, 20), default=0,
            says=("{value} points for an exact bid of 0", "one point for an exact bid of 0"),
        ),
        Option(
            "miss_penalty", "Three or more off", "Points lost by a bid three or more off.", ("WC-Q1",),
            span=(0, 20), default=0,
            says=("losing {value} for a bid three or more off",),
        ),
    )  # fmt: skip

    presets = (
        Preset("With the hook", {"hook": True}),
        Preset("Daring", {"zero_bid": 5, "miss_penalty": 5}),
    )

    def words(self) -> Iterable[tuple[str, str]]:
        """Return how ruling cards are said to read (WC-4)."""
        return (("", name) for name in READS.values())

    def pack(self, options: Options, players: int) -> Pack:
        """Return the basic deck (WC-1, WC-Q8)."""
        return decktet()

    def size(self, rules: Rules, before: TrickHand | None) -> int:
        """Return the cards each player is dealt (WC-2)."""
        return HAND_SIZES[rules.players]

    def dealing(self, setup: Setup, dealer: str) -> Dealing:
        """Return the two deals (WC-2)."""
        players = len(setup.seating)
        high = HIGH_CARDS[players]
        low = HAND_SIZES[players] - high
        words = phrase(
            "{dealer} deals {high} Aces and Crowns to each, then {low} number cards.", dealer=dealer, high=high, low=low
        )
        return Dealing((high, low), words)

    def can_hold(self, rules: Rules, cards: int) -> bool:
        """Return whether the two deals can give this hand (WC-2)."""
        assert isinstance(rules, ChicaneRules)
        return (cards & rules.high).bit_count() == HIGH_CARDS[rules.players]


GAME = WildcatChicane()
