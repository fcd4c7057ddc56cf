"""Ace Trump, by P. D. Magnus, for two to six players with the Decktet.

The whole deck is dealt out evenly. The player at the dealer's left leads any card; clockwise,
everybody plays a card that shares a suit with the card led, or anything when void. There is no
trump until an Ace is played: its suit is trump in that trick, for every card of it, and until
another Ace falls. The highest trump wins, else the highest card that follows; of two equal
cards the one that matches the higher symbol on the card led. Every trick is worth a point.

Variants: Sticky Aces, Early Bird, Partners, Bidding, Tides of Fortune, Fixed Trump, the
extended deck, and the designer's Called Suit.

Source: "Ace Trump", P. D. Magnus, Decktet page. Deviations: none; where the page is silent the
defaults AT-Q1 .. AT-Q21 hold.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from referee.cards import Pack, decktet
from referee.cards.decktet import ACE, EXCUSE
from referee.game import Game, conflict
from referee.hand import FINISHED, Rules, Setup
from referee.options import Option, Problem, switch
from referee.rulings import Reason
from referee.tricktaking import deals, inquiries, questions
from referee.tricktaking.hand import TrickHand
from referee.tricktaking.options import SHARED, check_shared, opposite_sides
from referee.tricktaking.rules import TrickRules
from referee.tricktaking.state import Taken
from referee.tricktaking.suited import SuitedHand

TWO_PLAYER_HAND = 9
FIRST_TIDE = 1
HIGHEST_TIDE = 9
MOST_WITH_TIDES = 4
TRUMP_CLAUSES = {"aces": ("AT-9", "AT-8"), "sticky": ("AT-9", "AT-V1"), "fixed": ("AT-9", "AT-V6")}


class AceTrumpHand(SuitedHand):
    """A hand of Ace Trump: Aces change trump, and the last card may set the next tide.

    ``ruled`` says that an Ace of this hand has set trump (Sticky Aces); ``coming_trump`` is
    the suit of a later Ace that rules from the next trick on (``two_aces=first``); ``tide`` is
    the size of the next hand where it is known.
    """

    __slots__ = ("coming_trump", "ruled", "tide")
    VALUES: ClassVar[tuple[str, ...]] = (*TrickHand.VALUES, "coming_trump", "ruled", "tide")
    CITES: ClassVar[dict[str, tuple[str, ...]]] = {
        "highest-trump": ("AT-9", "AT-8"),
        "highest-follower": ("AT-10",),
        "higher-symbol": ("AT-10", "AT-12"),
        "earlier-of-equals": ("AT-10", "AT-17"),
        "later-of-equals": ("AT-10", "AT-V8"),
        "follow": ("AT-5",),
        "name": ("AT-V7",),
        "hook": ("AT-Q15",),
        "bid": ("AT-V4",),
        "tricks": ("AT-14",),
        "lead": ("AT-3", "AT-13"),
        "deal": ("AT-2",),
        "deal-extended": ("AT-15",),
    }

    coming_trump: str | None
    ruled: bool
    tide: int | None

    def __init__(self, rules: TrickRules, setup: Setup) -> None:
        self.coming_trump = None
        self.ruled = False
        self.tide = None
        super().__init__(rules, setup)

    def copy(self) -> Self:
        """Return an equal hand that may be changed without touching this one."""
        new = super().copy()
        new.coming_trump = self.coming_trump
        new.ruled = self.ruled
        new.tide = self.tide
        return new

    def ace_falls(self, suit: str) -> None:
        """Let an Ace set trump, as the house rules have it (AT-8, AT-V1, AT-V6, AT-Q2)."""
        options = self.rules.options
        mode = options["trump"]
        if mode == "fixed" or (mode == "sticky" and self.ruled):
            return
        aces = self.rules.ace_suits
        earlier_ace = any(play[1] in aces for play in self.plays[:-1])
        self.ruled = True
        if earlier_ace and options["two_aces"] == "first":
            self.coming_trump = suit
        else:
            self.trump = suit

    def gather(self, trick: Taken) -> None:
        """Clear the table; a second Ace of the trick may rule from now on (AT-Q2)."""
        super().gather(trick)
        if self.coming_trump is not None:
            self.trump = self.coming_trump
            self.coming_trump = None
        if self.phase is FINISHED and trick.plays and self.rules.options["tides"]:
            self.tide = self.tide_after(trick)

    def trump_fits(self, trump: str | None) -> bool:
        """Return whether a trick can have left this trump: under *fixed* only the fixed one."""
        fixed = self.rules.options["fixed_trump"]
        return trump == fixed if fixed else super().trump_fits(trump)

    def hear_trump(self, trump: str | None) -> None:
        """Take the trump that a recorded trick reports; a change means that an Ace fell."""
        self.ruled = trump is not None and (self.ruled or trump != self.trump)
        self.trump = trump

    def explain(self, code: str, card: int) -> Reason:
        """Return why this card won; trump is explained by how it is found."""
        if code == "highest-trump":
            return Reason(code, TRUMP_CLAUSES[self.rules.options["trump"]], {"card": self.rules.pack.cards[card]})
        return super().explain(code, card)

    # -- tides ----------------------------------------------------------------------------

    def tide_after(self, trick: Taken) -> int | None:
        """Return the size of the next hand after this last trick (AT-V5, AT-Q18, AT-Q19)."""
        cards = [play[1] for play in trick.plays]
        if self.rules.options["tides_last"] == "winning":
            won = next(play[1] for play in trick.plays if play[0] == trick.winner)
            return self.tide_of(won)
        last = cards[-1]
        if 1 << last == self.rules.excuse and self.rules.options["tides_excuse"] == "ranked":
            last = next(c for c in reversed(cards) if 1 << c != self.rules.excuse)
        return self.tide_of(last)

    def tide_of(self, card: int) -> int | None:
        """Return the hand size that a card stands for; ``None`` where it says nothing."""
        rank = self.rules.pack.cards[card].rank
        if rank == EXCUSE:
            same = self.total if self.rules.options["tides_excuse"] == "same" else None
            return FIRST_TIDE if self.rules.options["tides_excuse"] == "one" else same
        if rank == ACE:
            return FIRST_TIDE
        return int(rank) if rank.isdigit() else HIGHEST_TIDE

    def hear_last(self, last: str | None) -> None:
        """Take the last card of a hand recorded without it."""
        card = None if last is None else self.rules.pack.find(last)
        self.tide = None if card is None else self.tide_of(card)

    def unchecked(self) -> list[Reason]:
        """Say what could not be checked; a missing last card leaves the next size open."""
        said = super().unchecked()
        if self.rules.options["tides"] and self.phase is FINISHED and self.tide is None:
            said.append(Reason("tide-unknown", ("AT-V5", "REC-19")))
        return said


class AceTrump(Game):
    """Ace Trump as a game of the catalogue."""

    id = "ace-trump"
    name = "Ace Trump"
    tagline = "Take tricks; the last Ace played sets the trump suit."
    source = "P. D. Magnus, Ace Trump"
    players = (2, 3, 4, 5, 6)
    rules_class = TrickRules
    hand_class = AceTrumpHand
    ANSWERS = {**questions.ANSWERS, **deals.ANSWERS}
    INQUIRIES = inquiries.PLAIN
    options = (
        Option(
            "trump", "Trump", "How the trump suit is found.", ("AT-8", "AT-V1", "AT-V6"),
            ("aces", "sticky", "fixed"),
            ("each Ace sets it anew", "only the first Ace sets it (Sticky Aces)", "fixed before the deal"),
        ),
        Option(
            "fixed_trump", "Fixed trump suit", "The suit agreed before the deal.", ("AT-V6",),
            (None, "M", "S", "W", "L", "Y", "K"),
            ("none", "Moons", "Suns", "Waves", "Leaves", "Wyrms", "Knots"),
        ),
        Option(
            "two_aces", "Two Aces in one trick", "Which Ace rules the trick.", ("AT-Q2",),
            ("last", "first"), ("the last one", "the first one, the last from the next trick on"),
        ),
        *SHARED,
        switch("tides", "Tides of Fortune", "The last card of a hand sets the size of the next.", "AT-V5"),
        Option(
            "tides_last", "Card that sets the tide", "Which card of the last trick counts.", ("AT-Q19",),
            ("played", "winning"), ("the one played last", "the winning one"),
        ),
        Option(
            "tides_excuse", "Tide after the Excuse", "What a last Excuse means.", ("AT-Q18",),
            ("ranked", "one", "same"),
            ("the card before it counts", "one card each", "same size again"),
        ),
        switch("trump_carry", "Trump carries over", "Trump survives into the next hand.", "AT-Q3"),
        Option(
            "two_player_deal", "Two players’ hands", "How many cards two players are dealt.", ("AT-2", "AT-Q12"),
            ("nine", "all"), ("nine each", "the whole deck"),
        ),
    )  # fmt: skip

    def pack(self, options: Mapping[str, Any], players: int) -> Pack:
        """Return the basic deck with the extra cards the table wants (AT-15)."""
        return decktet(excuse=options["excuse"], pawns=options["pawns"], courts=options["courts"])

    def sides(self, options: Mapping[str, Any], players: int) -> tuple[tuple[int, ...], ...]:
        """Return partners: opposite seats (AT-V3)."""
        return opposite_sides(options, players)

    def check(self, options: Mapping[str, Any], players: int) -> list[Problem]:
        """Return the combinations that RULES section 4.1 rules out."""
        problems = check_shared(options, players, (4, 6))
        fixed = options["trump"] == "fixed"
        if fixed != (options["fixed_trump"] is not None):
            problems.append(conflict("fixed_trump", "fixed_trump goes with trump=fixed, and only with it."))
        if options["two_aces"] == "first" and options["trump"] != "aces":
            problems.append(conflict("two_aces", "two_aces=first goes only with trump=aces."))
        if options["trump_carry"] and fixed:
            problems.append(conflict("trump_carry", "trump_carry does not go with trump=fixed."))
        if options["tides"] and players > MOST_WITH_TIDES:
            problems.append(conflict("tides", "tides is for two to four players."))
        if options["tides_last"] != "played" and not options["tides"]:
            problems.append(conflict("tides_last", "tides_last goes only with tides."))
        if options["tides_excuse"] != "ranked" and not (options["tides"] and options["excuse"]):
            problems.append(conflict("tides_excuse", "tides_excuse goes only with tides and excuse."))
        if options["two_player_deal"] == "all" and players != TWO_PLAYERS:
            problems.append(conflict("two_player_deal", "two_player_deal=all is for two players."))
        return problems

    def size(self, rules: Rules) -> int:
        """Return the cards each player is dealt when no tide says otherwise (AT-2, AT-15)."""
        if rules.players == TWO_PLAYERS and rules.options["two_player_deal"] == "nine":
            return TWO_PLAYER_HAND
        return len(rules.pack) // rules.players

    def first(self, rules: Rules, dealer: int) -> Setup:
        """Deal the first hand; the first tide brings one card (AT-V5)."""
        size = FIRST_TIDE if rules.options["tides"] else self.size(rules)
        seats = tuple(range(rules.players))
        return Setup(0, dealer, seats, (size,) * rules.players, carry=rules.options["fixed_trump"])

    def following(self, hand: AceTrumpHand, totals: tuple[int, ...]) -> Setup:
        """Pass the deal to the left; tides and a carried trump follow from the last hand."""
        rules, setup = hand.rules, hand.setup
        size = hand.tide if rules.options["tides"] else self.size(rules)
        carry = hand.trump if rules.options["trump_carry"] else rules.options["fixed_trump"]
        sizes = None if size is None else (size,) * rules.players
        dealer = rules.clockwise[setup.dealer]
        return Setup(setup.index + 1, dealer, setup.seating, sizes, carry=carry)


TWO_PLAYERS = 2
GAME = AceTrump()
