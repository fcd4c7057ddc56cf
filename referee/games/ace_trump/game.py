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

from referee.engine.game import conflict
from referee.engine.options import Option, Options, Preset, Problem, switch
from referee.engine.phases import BIDDING
from referee.engine.rules import Rules
from referee.games.ace_trump.hand import FIRST_TIDE, AceTrumpHand, AceTrumpRules
from referee.games.ace_trump.questions import QUESTIONS
from referee.games.decktet_tricks.events import NameTrump
from referee.games.decktet_tricks.naming import TRUMP
from referee.games.decktet_tricks.options import SHARED, check_shared, opposite_sides
from referee.packs import Pack, decktet
from referee.tricks.game import TrickGame
from referee.tricks.hand import TrickHand

TWO_PLAYER_HAND = 9
MOST_WITH_TIDES = 4


class AceTrump(TrickGame):
    """Ace Trump as a game of the catalogue."""

    id = "ace-trump"
    place = 1
    name = "Ace Trump"
    tagline = "Take tricks; the last Ace played sets the trump suit."
    source = "P. D. Magnus, Ace Trump"
    with_cards = "with the basic deck"
    lesson = ("AT-2", "AT-3", "AT-5", "AT-10", "AT-8", "AT-9", "AT-12", "AT-14")
    players = (2, 3, 4, 5, 6)
    rules_class = AceTrumpRules
    hand_class = AceTrumpHand
    beside_tricks = frozenset(
        {"partners", "bidding", "hook", "partner_bid", "tides", "tides_last", "tides_excuse", "two_player_deal"}
    )
    events = (NameTrump,)
    phases = (TRUMP, BIDDING)
    QUESTIONS = QUESTIONS
    options = (
        Option(
            "trump", "Trump", "How the trump suit is found.", ("AT-8", "AT-V1", "AT-V6"),
            ("aces", "sticky", "fixed", "named"),
            (
                "each Ace sets it anew", "only the first Ace sets it (Sticky Aces)", "fixed before the deal",
                "fixed, and named before each deal",
            ),
            says=(
                "each Ace setting trump anew", "the first Ace setting trump (Sticky Aces)",
                "trump agreed beforehand", "trump named before each deal",
            ),
        ),
        Option(
            "fixed_trump", "Fixed trump suit", "The suit agreed before the deal.", ("AT-V6",),
            (None, "M", "S", "W", "L", "Y", "K"),
            ("none", "Moons", "Suns", "Waves", "Leaves", "Wyrms", "Knots"),
            says=(
                "", "Moons as trump", "Suns as trump", "Waves as trump", "Leaves as trump", "Wyrms as trump",
                "Knots as trump",
            ),
        ),
        Option(
            "two_aces", "Two Aces in one trick", "Which Ace rules the trick.", ("AT-Q2",),
            ("last", "first"), ("the last one", "the first one, the last from the next trick on"),
            says=(
                "", "the first of two Aces ruling the trick",
            ),
        ),
        *SHARED,
        switch("tides", "Tides of Fortune", "The last card of a hand sets the size of the next.", "AT-V5",
        says="with the Tides of Fortune",),
        Option(
            "tides_last", "Card that sets the tide", "Which card of the last trick counts.", ("AT-Q19",),
            ("played", "winning"), ("the one played last", "the winning one"),
            says=("", "the winning card setting the tide"),
        ),
        Option(
            "tides_excuse", "Tide after the Excuse", "What a last Excuse means.", ("AT-Q18",),
            ("ranked", "one", "same"),
            ("the card before it counts", "one card each", "same size again"),
            says=("", "one card each after an Excuse", "the same size again after an Excuse"),
        ),
        switch("trump_carry", "Trump carries over", "Trump survives into the next hand.", "AT-Q3",
        says="trump lasting into the next hand",),
        Option(
            "two_player_deal", "Two players’ hands", "How many cards two players are dealt.", ("AT-2", "AT-Q12"),
            ("nine", "all"), ("nine each", "the whole deck"),
            says=("", "the whole deck dealt to the two of us"),
        ),
    )  # fmt: skip

    presets = (
        Preset("Sticky Aces", {"trump": "sticky"}),
        Preset("Early Bird", {"ties": "early"}),
        Preset("Partners with bidding", {"partners": True, "bidding": True}),
        Preset("Tides of Fortune", {"tides": True}),
        Preset("All the cards", {"excuse": True, "pawns": True, "courts": True}),
    )

    def pack(self, options: Options, players: int) -> Pack:
        """Return the basic deck with the extra cards the table wants (AT-15)."""
        return decktet(excuse=options["excuse"], pawns=options["pawns"], courts=options["courts"])

    def sides(self, options: Options, players: int) -> tuple[tuple[int, ...], ...]:
        """Return partners: opposite seats (AT-V3)."""
        return opposite_sides(options, players)

    def check(self, options: Options, players: int) -> list[Problem]:
        """Return the combinations of options that do not go together."""
        problems = check_shared(options, players, (4, 6))
        fixed = options["trump"] == "fixed"
        if fixed != (options["fixed_trump"] is not None):
            problems.append(conflict("fixed_trump", "fixed_trump goes with trump=fixed, and only with it."))
        if options["two_aces"] == "first" and options["trump"] != "aces":
            problems.append(conflict("two_aces", "two_aces=first goes only with trump=aces."))
        if options["trump_carry"] and fixed:
            problems.append(conflict("trump_carry", "trump_carry does not go with trump=fixed."))
        if options["trump_carry"] and options["trump"] == "named":
            problems.append(conflict("trump_carry", "trump_carry does not go with trump=named."))
        if options["tides"] and players > MOST_WITH_TIDES:
            problems.append(conflict("tides", "Tides of Fortune: that takes two to four players."))
        if options["tides_last"] != "played" and not options["tides"]:
            problems.append(conflict("tides_last", "tides_last goes only with tides."))
        if options["tides_excuse"] != "ranked" and not (options["tides"] and options["excuse"]):
            problems.append(conflict("tides_excuse", "tides_excuse goes only with tides and excuse."))
        if options["two_player_deal"] == "all" and players != TWO_PLAYERS:
            problems.append(
                conflict("two_player_deal", "Two players’ hands: the whole deck is dealt to two players only.")
            )
        return problems

    def size(self, rules: Rules, before: TrickHand | None) -> int | None:
        """Return the cards each player is dealt: as the tide has it, else evenly (AT-V5, AT-2, AT-15)."""
        if rules.options["tides"]:
            return before.tide if isinstance(before, AceTrumpHand) else FIRST_TIDE
        if rules.players == TWO_PLAYERS and rules.options["two_player_deal"] == "nine":
            return TWO_PLAYER_HAND
        return super().size(rules, before)

    def trump(self, rules: Rules, before: TrickHand | None) -> str | None:
        """Return a trump fixed for the table, or carried over from the hand before (AT-V6, AT-Q3)."""
        if before is not None and rules.options["trump_carry"]:
            return before.trump
        fixed: str | None = rules.options["fixed_trump"]
        return fixed

    def trump_ways(self, rules: Rules, before: TrickHand | None) -> tuple[str | None, ...]:
        """Return what trump may be that is carried over from a hand at whose end nobody can know it (AT-Q3)."""
        if not (isinstance(before, AceTrumpHand) and rules.options["trump_carry"] and before.doubts()):
            return ()
        return tuple(dict.fromkeys(each.trump for each in before.ways))


TWO_PLAYERS = 2
GAME = AceTrump()
