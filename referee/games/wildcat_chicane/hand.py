"""A hand of Wildcat Chicane: each player reads suits and trump by their own ruling card."""

from collections import Counter
from functools import cached_property
from typing import Annotated, ClassVar

from referee.engine.claims import Places
from referee.engine.event_kinds import Line, event_kind
from referee.engine.events import Ask, CardAside, Field, Turn
from referee.engine.rulings import Reason, Refusal, impossible
from referee.engine.sheet import EachText, HandParts
from referee.engine.state import BIDDING, Phase, per_seat, takes
from referee.engine.texts import phrase
from referee.games.decktet_tricks.exact import BOTTOM_SUIT, TOP_SUIT, ExactBidsHand, ExactBidsRules
from referee.packs.decktet import ACE, CROWN
from referee.tricks.hand import TrickHand
from referee.tricks.rules import UNSEEN
from referee.tricks.view import BIDS


@event_kind(
    "ruling-card",
    Line("Ruling cards", "{seat} {cards}", shared=True),
    says="A seat’s ruling card.",
    log="{seat}’s ruling card: {cards}",
    by_player=True,
    secret=True,
)
class RulingCard(CardAside):
    """A seat's ruling card (WC-3)."""


RULING_CARD = Phase("ruling-card")
CHOOSES = Turn(
    "{seat} puts a ruling card face down.",
    "Put a ruling card face down.",
    "Everyone puts a ruling card face down.",
    "{seats} each put a ruling card face down.",
)
HAND_SIZES = {3: 12, 4: 9}
HIGH_CARDS = {3: 4, 4: 3}
"""Aces and Crowns in each hand, by number of players (WC-2)."""
HIGHS = phrase(" Only Aces and Crowns are counted here: they were dealt separately.")
NUMBERS = phrase(" Only number cards are counted here: they were dealt separately.")
"""Notes on joint proofs, which count each class of cards separately (WC-2)."""
READS = {ACE: "BOTTOM", CROWN: "TOP"}
"""Readings as shown on pages, by rank of the ruling card (WC-4)."""


class ChicaneRules(ExactBidsRules):
    @cached_property
    def high(self) -> int:
        """Aces and Crowns, as a mask."""
        return self.pack.mask(card.index for card in self.pack.cards if card.rank in READS)

    def is_strict(self) -> bool:
        """Every play gets full checks: the two deals limit each hand (WC-2)."""
        return True

    def trump_suits(self) -> tuple[str, ...]:
        """No suit is trump for everyone (WC-5)."""
        return ()


class ChicaneParts(HandParts):
    """Description of a hand, with each seat's ruling card."""

    ruling_cards: Annotated[EachText, "Each seat’s ruling card."]


class ChicaneHand(ExactBidsHand):
    """A hand of Wildcat Chicane; ``rulings`` are the ruling cards by seat."""

    rules: ChicaneRules
    rulings: tuple[int | None, ...] = per_seat(None)

    SHEET_CARDS = (("ruling_cards", "ruling cards"),)
    GUIDES = (*TrickHand.GUIDES, "games/decktet_tricks")
    SET_ASIDE: ClassVar[int] = 1
    ASIDE = RULING_CARD
    CITES = {
        "highest-trump": ("WC-13",), "highest-follower": ("WC-13", "WC-12"), "earlier-of-equals": ("WC-14",),
        "follow": ("WC-11",), "name": ("WC-Q7",), "turn-to-bid": ("WC-7",), "hook": ("WC-Q3",),
        "trump-led": ("WC-10",), "tricks": ("WC-16",), "far-off": ("WC-16", "WC-Q1"), "zero-bid": ("WC-Q2",),
        "lead": ("WC-9", "WC-10", "WC-15"),
        "deal": ("WC-2", "WC-8"),
    }  # fmt: skip

    @takes(RulingCard)
    def take_ruling_card(self, event: RulingCard) -> Refusal | None:
        """Record a seat's ruling card, an Ace or a Crown (WC-3)."""
        laid = self.lay_aside(event)
        if isinstance(laid, Refusal):
            return laid
        self.rulings = laid
        if None not in laid:
            self.phase = BIDDING
        return None

    def instructions(self) -> tuple[Reason, ...]:
        return (Reason("lay-ruling-card", ("WC-3",)),) if self.phase is RULING_CARD else ()

    def unfit_aside(self, card: int) -> Refusal | None:
        if self.rules.high >> card & 1:
            return None
        return impossible("not-in-deck", "WC-3", phrase="no-ruling-card", card=self.rules.pack.cards[card])

    def lead_clauses(self) -> tuple[str, ...]:
        bid_early = any(found.code == "out-of-turn" and found.trick is None for found in self.irregularities)
        first = not (self.taken or self.plays)
        return (*super().lead_clauses(), *(("WC-Q12",) if bid_early and first else ()))

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        if not self.dealt_out(seat) >> card & 1:
            return None
        phrase = "too-many-high" if self.rules.high >> card & 1 else "too-many-numbers"
        shown_card = self.rules.pack.cards[card]
        return impossible("too-many-cards", "REC-7", "WC-2", phrase=phrase, seat=seat, card=shown_card)

    def dealt_out(self, seat: int) -> int:
        """Cards of each class (Aces and Crowns, number cards) of which a seat has played its whole share (WC-2).

        An unseen card counts if it can only belong to one class.
        """
        ruling, high = self.rulings[seat], self.rules.high
        left = [] if ruling is None else [1 << ruling]
        left += [1 << play[1] for plays in self.laid() for play in plays if play[0] == seat and play[1] != UNSEEN]
        left += [could for owner, could in self.hidden if owner == seat]
        dealt = HIGH_CARDS[self.rules.players]
        out = high if sum(not could & ~high for could in left) >= dealt else 0
        numbers = sum(not could & high for could in left)
        return out | (0 if numbers < HAND_SIZES[self.rules.players] - dealt else self.rules.pack.everything & ~high)

    def place_read(self, seat: int) -> int | None:
        """The bottom suit counts for the owner of an Ace, the top suit for that of a Crown (WC-4)."""
        ruling = self.rulings[seat]
        if ruling is None:
            return None
        return BOTTOM_SUIT if self.rules.pack.cards[ruling].rank == ACE else TOP_SUIT

    def read_by(self, *rulings: int) -> None:
        """Set the ruling cards for a question; seats without one get the first, since theirs do not matter."""
        self.rulings = (*rulings, *rulings[:1] * (self.rules.players - len(rulings)))

    def own_trump(self, seat: int) -> str | None:
        """A seat's own trump: the suit of its ruling card (WC-5)."""
        ruling = self.rulings[seat]
        return None if ruling is None else self.rules.pack.cards[ruling].suits[0]

    def suit_read(self) -> str:
        """Which suit the player in turn reads: ``last`` (bottom) with an Ace, else ``first`` (WC-4)."""
        acting = self.to_act()
        place = self.place_read(acting[0]) if len(acting) == 1 else None
        return {TOP_SUIT: "first", BOTTOM_SUIT: "last", None: ""}[place]

    def guarded(self, seat: int) -> int:
        """A seat may lead its own trump only if it holds nothing else (WC-10)."""
        return self.trumps()[seat]

    def lead_key(self, form: str) -> str:
        return f"own-{form}"

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Aces and Crowns are counted separately from number cards, as they were dealt (WC-2)."""
        (places,) = super().split(gone, left)
        high, dealt = self.rules.high, HIGH_CARDS[self.rules.players]
        shown = [(seat, card) for seat, card in enumerate(self.rulings) if card is not None]
        shown += [(play[0], play[1]) for plays in self.laid() for play in plays]
        out = Counter(seat for seat, card in shown if high >> card & gone >> card & 1)
        highs = tuple(dealt - out[seat] if room else 0 for seat, room in enumerate(places.room))
        numbers = tuple(room - apart for room, apart in zip(places.room, highs, strict=True))
        return (Places(places.unseen & high, highs, HIGHS), Places(places.unseen & ~high, numbers, NUMBERS))

    def trump_fits(self, trump: str | None) -> bool:
        """No suit is trump for everyone (WC-5)."""
        return trump is None

    def why_no_trump(self, trump: str | None) -> tuple[str, dict[str, object]]:
        return "own-trumps", {}

    def aside(self) -> tuple[int | None, ...]:
        return self.rulings

    def trump_clauses(self) -> tuple[str, ...]:
        return ("WC-5",)

    def asks(self) -> tuple[Ask, ...]:
        if self.phase is not RULING_CARD:
            return super().asks()
        high = [card for card in self.rules.pack.cards if card.rank in (ACE, CROWN)]
        choices = tuple(card.code for card in high if not self.gone >> card.index & 1)
        taken = tuple(card.code for card in high if self.gone >> card.index & 1)
        card = Field("cards", "cards", "Ruling card", choices, taken)
        ruling = Ask("ruling-card", "Ruling card", self.to_act(), (card,), secret=True, turn=CHOOSES)
        first = self.first_bidder()
        bid = Ask("bid", "Enter the bids first", (first,), self.bid_fields(first), turn=BIDS)
        return (ruling, bid, *super().asks())

    def describe(self) -> ChicaneParts:
        cards = self.rules.pack.cards
        shown = [None if card is None else cards[card].code for card in self.rulings]
        trumps = [self.own_trump(seat) for seat in range(self.rules.players)]
        return {
            **super().describe(),
            "trump": None, "has_trump": False, "ruling_cards": shown, "trumps": trumps,
            "seat_notes": [None if card is None else READS[cards[card].rank] for card in self.rulings],
        }  # fmt: skip
