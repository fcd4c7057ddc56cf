"""Ransom Trump, by P. D. Magnus, for two to four players with the Decktet.

Everybody puts one card of the hand face down as ransom; all are turned together. Ranks shown
twice or more cancel; the highest card left wins the ransom. Its suit is trump, or its owner
names one of its suits; when nothing is left there is no trump. Ransom cards are set aside. The
ransom winner leads; suits are followed and tricks won as in Ace Trump, without its Aces. Every
trick is worth a point.

Source: "Ransom Trump", P. D. Magnus, Decktet page. Deviations: none; where the page is silent
the defaults RT-Q1 .. RT-Q10 hold. Of Ace Trump's variants those apply that make sense here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from referee.asks import Ask, Field
from referee.cards import Card, Pack, decktet
from referee.cards.decktet import EXCUSE, RANKS
from referee.events import Event, NameTrump, Ransom
from referee.game import Game
from referee.hand import PLAY, VOID, Phase, Rules, Setup
from referee.options import Option, Problem
from referee.rulebook import Clause, clauses
from referee.rulings import Oddity, Reason, Refusal, impossible
from referee.tricktaking import deals, inquiries, questions
from referee.tricktaking.hand import TrickHand
from referee.tricktaking.options import SHARED, check_shared, opposite_sides
from referee.tricktaking.rules import TrickRules
from referee.tricktaking.suited import SuitedHand

HAND_SIZES = {2: 10, 3: 10, 4: 9}
BORROWED = (
    "AT-5", "AT-6", "AT-9", "AT-10", "AT-12", "AT-15", "AT-16", "AT-17", "AT-V2", "AT-V3", "AT-V4", "AT-V7", "AT-V8",
    "AT-Q6", "AT-Q7", "AT-Q8", "AT-Q9", "AT-Q10", "AT-Q11", "AT-Q15", "AT-Q16", "AT-Q17",
)  # fmt: skip
"""The clauses of Ace Trump that hold here too (RT-11 .. RT-13, RT-16)."""
BY_RANK = {"X": "RT-6", "A": "RT-8"}
"""The clause by which a winning ransom names trump; for the other ranks it is RT-7."""


def ransom_winner(cards: Sequence[Card | None]) -> int | None:
    """Return whose ransom wins: the highest rank shown exactly once (RT-4, RT-Q6).

    The Excuse has no rank: it cannot win and cancels nothing.
    """
    shown = Counter(card.rank for card in cards if card)
    single = [
        (RANKS.index(card.rank), owner)
        for owner, card in enumerate(cards)
        if card and card.rank != EXCUSE and shown[card.rank] == 1
    ]
    return max(single)[1] if single else None


class RansomHand(SuitedHand):
    """A hand of Ransom Trump: first the ransom cards, then perhaps a choice, then tricks.

    ``ransoms`` holds each seat's card; ``buyer`` is the seat that won the ransom; ``named``
    says that trump is settled by the ransom.
    """

    __slots__ = ("buyer", "named", "ransoms")
    VALUES: ClassVar[tuple[str, ...]] = (*TrickHand.VALUES, "buyer", "named", "ransoms")
    SET_ASIDE: ClassVar[int] = 1
    CITES: ClassVar[dict[str, tuple[str, ...]]] = {
        "highest-trump": ("RT-12", "AT-9"),
        "highest-follower": ("RT-12", "AT-10"),
        "higher-symbol": ("RT-13", "AT-12"),
        "earlier-of-equals": ("RT-13", "AT-17"),
        "later-of-equals": ("RT-13", "AT-V8"),
        "follow": ("RT-11",),
        "name": ("RT-16", "AT-V7"),
        "hook": ("RT-16", "AT-Q15"),
        "bid": ("RT-16", "AT-V4"),
        "tricks": ("RT-15",),
        "lead": ("RT-10", "RT-14"),
        "deal": ("RT-2", "RT-9"),
        "deal-extended": ("RT-Q7", "RT-9"),
    }

    buyer: int | None
    named: bool
    ransoms: tuple[int | None, ...]

    def __init__(self, rules: TrickRules, setup: Setup) -> None:
        self.buyer = None
        self.named = False
        self.ransoms = (None,) * rules.players
        super().__init__(rules, setup)

    def copy(self) -> Self:
        """Return an equal hand that may be changed without touching this one."""
        new = super().copy()
        new.buyer = self.buyer
        new.named = self.named
        new.ransoms = self.ransoms
        return new

    def opening_phase(self) -> Phase:
        """Begin with the ransom."""
        return Phase.RANSOM

    def take_ransom(self, event: Ransom) -> Refusal | None:
        """Take one seat's ransom card; the last one settles the ransom (RT-3 .. RT-8)."""
        card = self.card_aside(event, Phase.RANSOM, self.ransoms)
        if isinstance(card, Refusal):
            return card
        seat = event.seat
        self.gone |= 1 << card
        self.ransoms = (*self.ransoms[:seat], card, *self.ransoms[seat + 1 :])
        if None not in self.ransoms:
            self.reveal()
        return None

    def reveal(self) -> None:
        """Turn all ransom cards: find the winner, and trump where there is no choice."""
        self.buyer = ransom_winner(self.ransom_cards())
        if self.buyer is None:
            self.named = True
            if self.rules.options["no_ransom_lead"] == "dealer":
                self.leader = self.turn = self.setup.dealer
        else:
            self.leader = self.turn = self.buyer
            suits = self.choices()
            if len(suits) == 1:
                self.settle_trump(suits[0])
        self.phase = self.after_ransom() if self.named else Phase.TRUMP

    def ransom_reason(self) -> Reason | None:
        """Return why the ransom was won, or by nobody, once all its cards are turned (RT-4, RT-5)."""
        if None in self.ransoms:
            return None
        winning = None if self.buyer is None else self.ransom_cards()[self.buyer]
        if winning is None:
            return Reason("no-ransom", ("RT-5",))
        return Reason("ransom-won", ("RT-4", BY_RANK.get(winning.rank, "RT-7")), {"card": winning})

    def ransom_cards(self) -> tuple[Card | None, ...]:
        """Return the ransom cards by seat."""
        cards = self.rules.pack.cards
        return tuple(None if card is None else cards[card] for card in self.ransoms)

    def choices(self) -> tuple[str, ...]:
        """Return the suits that the winning ransom shows."""
        card = None if self.buyer is None else self.ransoms[self.buyer]
        return () if card is None else self.rules.pack.cards[card].suits

    def settle_trump(self, suit: str) -> None:
        """Fix trump for the hand (RT-6 .. RT-8)."""
        self.trump = suit
        self.named = True

    def after_ransom(self) -> Phase:
        """Return the phase that follows the ransom."""
        return Phase.BIDDING if self.rules.bidding else PLAY

    def take_trump(self, event: NameTrump) -> Refusal | None:
        """Take the ransom winner's choice among the suits of the winning card (RT-7)."""
        if self.phase is not Phase.TRUMP:
            return self.not_now(event)
        refusal = self.no_such_seat(event.seat)
        if refusal:
            return refusal
        suit = self.rules.pack.suit(event.suit)
        if suit is None or suit not in self.choices():
            return impossible("bad-suit", "RT-7", "REC-9", suit=event.suit)
        oddities = []
        if event.seat != self.buyer:
            facts = {"seat": event.seat, "turn": self.buyer}
            reason = Reason("out-of-turn", ("RT-7", "REC-12"), facts)
            oddities.append(Oddity("out-of-turn", event.seat, reason))
        refusal = self.consent(event, oddities)
        if refusal:
            return refusal
        self.settle_trump(suit)
        self.phase = self.after_ransom()
        return None

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Go past a ransom or a choice that nobody recorded.

        After a bid without it the hand goes on by tricks and result only; after a trick, plays
        are judged with the trump that the events give.
        """
        if self.phase in (Phase.RANSOM, Phase.TRUMP):
            self.skipped = by_bid

    def trump_fits(self, trump: str | None) -> bool:
        """Return whether a trick can have left this trump, by the ransom cards shown."""
        if None in self.ransoms:
            return super().trump_fits(trump)
        if self.named:
            return trump == self.trump
        return trump in self.choices()

    def hear_trump(self, trump: str | None) -> None:
        """Take the trump that a recorded trick reports; with all ransoms shown it is settled."""
        self.trump = trump
        self.named = self.named or None not in self.ransoms

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may act now; the ransom is simultaneous."""
        if self.phase is Phase.RANSOM:
            return tuple(seat for seat, card in enumerate(self.ransoms) if card is None)
        if self.phase is Phase.TRUMP and self.buyer is not None:
            return (self.buyer,)
        return super().to_act()

    def cards_left(self) -> tuple[int, ...]:
        """Return the cards each seat holds; a ransom still to come is among them."""
        left = super().cards_left()
        early = self.phase is VOID and not (self.skipped or self.blind)
        if self.phase is not Phase.RANSOM and not early:
            return left
        return tuple(n + (card is None) for n, card in zip(left, self.ransoms, strict=True))

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next."""
        asks = []
        if self.phase is Phase.RANSOM:
            card = Field("cards", "cards", "Ransom card", choices=self.unplayed())
            asks.append(Ask("ransom", "Ransom card", self.to_act(), (card,), hidden=True))
            if self.rules.bidding:
                first = self.first_bidder()
                asks.append(Ask("bid", "Bid without ransom", (first,), self.bid_fields(first)))
        if self.phase is Phase.TRUMP:
            suit = Field("suit", "suit", "Trump", choices=self.choices())
            asks.append(Ask("trump", "Name trump", self.to_act(), (suit,)))
        return (*asks, *super().asks())

    def describe(self) -> dict[str, Any]:
        """Return this hand's part of the adjudication, with the ransom cards."""
        shown = [card.code if card else None for card in self.ransom_cards()]
        opening = self.ransom_reason()
        return super().describe() | {"ransom_cards": shown, "ransom_winner": self.buyer, "opening": opening}


RansomHand.TAKES = {
    **TrickHand.TAKES,
    Ransom: RansomHand.take_ransom,
    NameTrump: RansomHand.take_trump,
}


class RansomTrump(Game):
    """Ransom Trump as a game of the catalogue."""

    id = "ransom-trump"
    name = "Ransom Trump"
    tagline = "Bid a card for the right to name trump, then take tricks."
    source = "P. D. Magnus, Ransom Trump"
    players = (2, 3, 4)
    rules_class = TrickRules
    hand_class = RansomHand
    ANSWERS = {**questions.ANSWERS, **deals.ANSWERS, "ransom": deals.ransom}
    INQUIRIES = {"ransom": inquiries.RANSOM, **inquiries.PLAIN}
    options = (
        *SHARED,
        Option(
            "no_ransom_lead", "Lead when nobody wins the ransom", "Who leads the first trick then.",
            ("RT-Q1",), ("left", "dealer"), ("dealer’s left", "the dealer"),
        ),
    )  # fmt: skip

    def rulebook(self) -> tuple[Clause, ...]:
        """Return the game's own clauses and those it takes from Ace Trump."""
        return (*clauses(self.id), *(clause for clause in clauses("ace-trump") if clause.id in BORROWED))

    def pack(self, options: Mapping[str, Any], players: int) -> Pack:
        """Return the basic deck with the extra cards the table wants (RT-Q6)."""
        return decktet(excuse=options["excuse"], pawns=options["pawns"], courts=options["courts"])

    def sides(self, options: Mapping[str, Any], players: int) -> tuple[tuple[int, ...], ...]:
        """Return partners: opposite seats (RT-16)."""
        return opposite_sides(options, players)

    def check(self, options: Mapping[str, Any], players: int) -> list[Problem]:
        """Return the combinations that RULES section 4.2 rules out."""
        return check_shared(options, players, (4,))

    def first(self, rules: Rules, dealer: int) -> Setup:
        """Deal the first hand (RT-2, RT-Q7)."""
        sizes = (HAND_SIZES[rules.players],) * rules.players
        return Setup(0, dealer, tuple(range(rules.players)), sizes)

    def following(self, hand: RansomHand, totals: tuple[int, ...]) -> Setup:
        """Pass the deal to the left (RT-Q10)."""
        setup = hand.setup
        dealer = hand.rules.clockwise[setup.dealer]
        return Setup(setup.index + 1, dealer, setup.seating, setup.sizes)


GAME = RansomTrump()
__all__ = ["GAME", "Event", "RansomHand", "RansomTrump", "ransom_winner"]
