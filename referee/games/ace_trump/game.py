"""Ace Trump, by P. D. Magnus, for two to six players with the Decktet.

The whole deck is dealt evenly. The player at the dealer's left leads any card; clockwise, everyone plays a card that
shares a suit with the card led, or any card if they have none. There is no trump until an Ace is played: its suit is
trump for the whole trick and until another Ace is played. The highest trump wins, else the highest card that follows;
of two equal cards, the one that matches the higher symbol on the card led. Every trick scores a point.

Variants: Sticky Aces, Early Bird, Partners, Bidding, Tides of Fortune, Fixed Trump, the extended deck, and the
designer's Called Suit.

Source: "Ace Trump", P. D. Magnus, Decktet page. Deviations: none; where the page is silent, the defaults AT-Q1 ..
AT-Q21 apply.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from referee.engine.game import conflict
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, deal_blanks
from referee.engine.rules import Option, Options, Preset, Problem, Rules, switch
from referee.engine.rulings import Reason
from referee.engine.shapes import CARD, NULL_SUIT, array, nullable, number
from referee.engine.state import BIDDING
from referee.games.ace_trump.hand import FIRST_TIDE, HIGHEST_TIDE, TWO_PLAYERS, AceTrumpHand, AceTrumpRules
from referee.games.decktet_tricks.suited import SHARED, SUITED_LEGAL, SUITED_TRICK, TRUMP, NameTrump, SuitedGame
from referee.packs.decktet import COURT, EXCUSE, PAWN, SUIT_NAMES
from referee.tricks.hand import TrickHand
from referee.tricks.questions import DEAL, SCORE, describe_deal, first_deal, reported_trump, trump_before

# --- Questions of Ace Trump, where the last trick of a hand may set the size of the next

UNRANKED = (PAWN, COURT, EXCUSE)
"""Ranks for which the source gives no tide, only a default."""


def deal(payload: Mapping[str, object]) -> dict[str, object]:
    """Describe the deal of the first hand, or of one sized by the last trick of the hand before (AT-V5)."""
    question = QuestionReader(payload, "deal")
    players, size = question.integer("players"), question.integer("hand_size", needed=False)
    question.text("trump")
    last = question.texts("last_trick") if question.has("last_trick") else None
    question.check()
    rules = cast(AceTrumpRules, question.rules(players or 0))
    if last is None:
        return first_deal(rules)
    if not rules.options["tides"]:
        question.reader.value("/last_trick", "The last trick sets the hand size only with Tides of Fortune.")
        question.check()
    hand = last_trick(question, rules, last, size)
    trick, cards = hand.taken[-1], rules.pack.cards
    card = cards[hand.tide_card(trick)]
    winning = rules.options["tides_last"] == "winning"
    ranked = (card if winning else cards[trick.plays[-1][1]]).rank not in UNRANKED
    clauses = ("AT-V5", *(("AT-Q19",) if winning else ()), *(() if ranked else ("AT-Q18",)))
    return describe_deal(rules, hand.tide_after(trick) or 0, Reason("dealt", clauses, {"card": card}, "dealt-tide"))


def last_trick(
    question: QuestionReader, rules: AceTrumpRules, texts: tuple[str, ...], size: int | None
) -> AceTrumpHand:
    """A finished hand whose last trick is this one; ``size`` is how many cards each player was dealt."""
    if len(texts) != rules.players:
        question.reader.value("/last_trick", "A trick needs one card from each player.", "wrong-count")
    cards = question.cards(rules.pack, texts, "/last_trick")
    question.check()
    if size is not None:
        question.between("hand_size", size, 1, HIGHEST_TIDE)
    hand = AceTrumpHand.set_up(rules, cards=size or 1)
    same = rules.options["tides_excuse"] == "same" and rules.options["tides_last"] == "played"
    if same and size is None and 1 << cards[-1] == rules.excuse:
        question.lacking("hand_size", "After an Excuse the hand size stays the same, so give that size.")
    reported_trump(question, hand)
    if rules.options["tides_last"] == "winning" and hand.is_to_be_named():
        question.lacking("trump", "Give the trump of the hand.")
    question.check()
    for seat, card in enumerate(cards):
        hand.put_down(seat, card, None)
    hand.complete()
    return hand


def dealt_blanks(rules: AceTrumpRules, filled: FilledIn) -> tuple[Blank, ...]:
    blanks = [*deal_blanks(rules, filled)]
    if rules.options["tides"]:
        most = rules.game.players[-1]
        hint = "Leave it empty for the first hand."
        blanks.append(Blank("last_trick", "cards", "Last trick of the hand before", hint, most=most, optional=True))
        if rules.options["tides_last"] == "winning":
            blanks.extend(trump_before(rules))
        if rules.options["tides_excuse"] == "same":
            blanks.append(Blank("hand_size", "number", "Cards in that hand", least=1, most=HIGHEST_TIDE, optional=True))
    return tuple(blanks)


LATE_ACE = Example(
    "An Ace falls late",
    {"game": "ace-trump", "trump": None, "plays": [{"cards": ["XM"]}, {"cards": ["9WY"]}, {"cards": ["AY"]}]},
    {"winner": 1, "trump": "Y"},
)
DIPLOMAT_LED = Example(
    "The Diplomat is led", {"game": "ace-trump", "hand": ["3MW", "9WY", "AK"], "led_card": "8MS"}, {"legal": ["3MW"]}
)
FOR_FIVE = Example(
    "Ace Trump for five", {"game": "ace-trump", "players": 5}, {"cards_each": [7, 7, 7, 7, 7], "aside": 1}
)
BID_MADE = Example(
    "Ace Trump: a bid made with a trick over",
    {"game": "ace-trump", "options": {"bidding": True}, "bid": 3, "tricks": 4},
    {"points": 16},
)
TIDES = "Under Tides of Fortune, `last_trick` sets the size of the hand."
LAST_TRICK = "The cards of the last trick in the order played; null or absent: the first hand."

QUESTIONS = (
    replace(SUITED_TRICK, examples=(LATE_ACE,)),
    replace(SUITED_LEGAL, examples=(DIPLOMAT_LED,)),
    replace(SCORE, examples=(BID_MADE,)),
    replace(
        DEAL,
        answer=deal,
        blanks=dealt_blanks,
        help=(*DEAL.help, TIDES),
        request={
            **DEAL.request,
            "last_trick": nullable(array(CARD, LAST_TRICK)),
            "trump": NULL_SUIT,
            "hand_size": nullable(number()),
        },
        examples=(FOR_FIVE,),
    ),
)


TWO_PLAYER_HAND = 9
MOST_WITH_TIDES = 4


class AceTrump(SuitedGame):
    id = "ace-trump"
    place = 1
    name = "Ace Trump"
    tagline = "Take tricks; the last Ace played sets the trump suit."
    gist = "Aces make trump"
    emblem = ("AK", "XM")
    source = "P. D. Magnus, Ace Trump"
    with_cards = "with the basic pack"
    lesson = ("AT-2", "AT-3", "AT-5", "AT-10", "AT-8", "AT-9", "AT-12", "AT-14")
    players = (2, 3, 4, 5, 6)
    PAIRS = (4, 6)
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
                "every Ace changes it", "only the first Ace sets it (Sticky Aces)", "fixed before the deal",
                "fixed, and named before each deal",
            ),
            says=(
                "every Ace changing trump", "only the first Ace setting trump (Sticky Aces)",
                "trump agreed beforehand", "trump named before each deal",
            ),
        ),
        Option(
            "fixed_trump", "Fixed trump suit", "The trump suit you agree on before the deal.", ("AT-V6",),
            (None, *SUIT_NAMES), ("none", *SUIT_NAMES.values()),
            says=("", *(f"{name} as trump" for name in SUIT_NAMES.values())),
        ),
        Option(
            "two_aces", "Two Aces in one trick", "Which Ace rules the trick.", ("AT-Q2",), ("last", "first"),
            ("the last one", "the first one; the last from the next trick on"),
            says=("", "the first of two Aces ruling the trick"),
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
            "tides_excuse", "Tide after the Excuse", "What the Excuse means as the last card.", ("AT-Q18",),
            ("ranked", "one", "same"), ("the card before it counts", "one card each", "same size again"),
            says=("", "one card each after an Excuse", "the same size again after an Excuse"),
        ),
        switch("trump_carry", "Trump carries over", "Trump carries over into the next hand.", "AT-Q3",
        says="trump carrying over into the next hand",),
        Option(
            "two_player_deal", "Two players’ hands", "How many cards each of two players gets.", ("AT-2", "AT-Q12"),
            ("nine", "all"), ("nine each", "the whole pack"), says=("", "the whole pack dealt to two players"),
        ),
    )  # fmt: skip

    presets = (
        Preset("Sticky Aces", {"trump": "sticky"}),
        Preset("Early Bird", {"ties": "early"}),
        Preset("Partners with bidding", {"partners": True, "bidding": True}),
        Preset("Tides of Fortune", {"tides": True}),
        Preset("With every extra card", {"excuse": True, "pawns": True, "courts": True}),
    )

    def check(self, options: Options, players: int) -> list[Problem]:
        problems = super().check(options, players)
        fixed = options["trump"] == "fixed"
        if fixed != (options["fixed_trump"] is not None):
            problems.append(conflict("fixed_trump", "fixed_trump works only with trump=fixed, which needs it."))
        if options["two_aces"] == "first" and options["trump"] != "aces":
            problems.append(conflict("two_aces", "two_aces=first works only with trump=aces."))
        if options["trump_carry"] and fixed:
            problems.append(conflict("trump_carry", "trump_carry doesn’t work with trump=fixed."))
        if options["trump_carry"] and options["trump"] == "named":
            problems.append(conflict("trump_carry", "trump_carry doesn’t work with trump=named."))
        if options["tides"] and players > MOST_WITH_TIDES:
            problems.append(conflict("tides", "Tides of Fortune: only for two to four players."))
        if options["tides_last"] != "played" and not options["tides"]:
            problems.append(conflict("tides_last", "tides_last works only with tides."))
        if options["tides_excuse"] != "ranked" and not (options["tides"] and options["excuse"]):
            problems.append(conflict("tides_excuse", "tides_excuse works only with tides and excuse."))
        if options["two_player_deal"] == "all" and players != TWO_PLAYERS:
            problems.append(
                conflict("two_player_deal", "Two players’ hands: the whole pack can be dealt only to two players.")
            )
        return problems

    def size(self, rules: Rules, before: TrickHand | None) -> int | None:
        """Cards dealt to each player: set by the tide, else an even deal (AT-V5, AT-2, AT-15)."""
        if rules.options["tides"]:
            return before.tide if isinstance(before, AceTrumpHand) else FIRST_TIDE
        if rules.players == TWO_PLAYERS and rules.options["two_player_deal"] == "nine":
            return TWO_PLAYER_HAND
        return super().size(rules, before)

    def trump(self, rules: Rules, before: TrickHand | None) -> str | None:
        """Trump fixed by house rule, or carried over from the hand before (AT-V6, AT-Q3)."""
        if before is not None and rules.options["trump_carry"]:
            return before.trump
        fixed: str | None = rules.options["fixed_trump"]
        return fixed

    def trump_ways(self, rules: Rules, before: TrickHand | None) -> tuple[str | None, ...]:
        """Possible trumps carried over from a hand whose final trump is uncertain (AT-Q3)."""
        if not (isinstance(before, AceTrumpHand) and rules.options["trump_carry"] and before.doubts()):
            return ()
        return tuple(dict.fromkeys(each.trump for each in before.ways))


GAME = AceTrump()
