"""Spades, for three to six players with a pack of 52.

Four play in partnerships, with partners opposite; or three to six play individually. All cards are dealt. From the
dealer's left, everyone bids how many tricks they will take, and partners' bids form one contract. A bid of 0 is nil: to
take none. Spades are trump and may not be led until one has been played. A contract made scores 10 for each trick bid
and 1 for each extra trick, a bag; a contract missed loses 10 for each trick bid; ten bags cost 100.

Variants: partners or not, nils of other worth or none, blind nils, other openings, leads, bags and endings.

Source: traditional. Deviations: none; where tables differ, the defaults SP-2, SP-5, SP-12 and SP-14 apply.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.engine.game import conflict
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, plainly
from referee.engine.rules import Dealt, EndRule, Option, Options, Preset, Problem, Rules, Setup
from referee.engine.shapes import FLAG, INTEGER, array, nullable, number
from referee.engine.state import BIDDING
from referee.games.spades.hand import ACCOUNTS, FAILED, MADE, NO_NIL, Bidder, Side, SpadesHand, SpadesRules, score_side
from referee.packs import Pack, french
from referee.tricks.broken import LEGAL_BROKEN
from referee.tricks.hand import TrickGame, TrickHand
from referee.tricks.questions import DEAL, SCORE, TRICK, most_tricks, scored
from referee.tricks.three_tricks import THREE_TRICKS, revoke_option

# --- Questions of Spades; scores are those of a side, with its bags


def score(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Score a side of one or two seats; ``bags`` are those from earlier hands."""
    question = QuestionReader(payload, "score")
    bids, tricks = question.numbers("bids"), question.numbers("tricks")
    blind = question.flags("blind") or (False,) * len(bids)
    bags = question.integer("bags", needed=False) or 0
    question.check()
    misfit = Problem("/bids", "wrong-count", "A side is one player, or two partners.")
    rules = question.fitting_rules(None, lambda rules: len(rules.sides[0]) == len(bids), misfit)
    if not len(bids) == len(tricks) == len(blind):
        question.reader.value("/tricks", "Each player of the side has a bid and tricks.", "wrong-count")
    for key, numbers in (("bids", bids), ("tricks", tricks)):
        if not all(0 <= each <= most_tricks(rules) for each in numbers):
            question.reader.value(f"/{key}", "No hand of this game has that many tricks.")
    question.between("bags", bags, 0, rules.game.most_bags(rules.options))
    question.check()
    has_nils = rules.options["nil"] != "off"
    nils = [NO_NIL if bid or not has_nils else FAILED if took else MADE for bid, took in zip(bids, tricks, strict=True)]
    bidders = (Bidder(*each) for each in zip(range(len(bids)), bids, tricks, blind, nils, strict=True))
    lines, account = score_side(Side(tuple(bidders), bags), rules.options)
    return scored(lines, bags=account)


def score_blanks(rules: SpadesRules, filled: FilledIn) -> tuple[Blank, ...]:
    most, count = most_tricks(rules), 2 if rules.chosen.get("partners", True) else 1
    flags = (Blank(name, "flag", label) for name, label in BLIND[count])
    most_bags = min(rules.game.most_bags(rules.options), 99)
    return (
        Blank("bids", "numbers", "Tricks bid", most=most, count=count),
        Blank("tricks", "numbers", "Tricks taken", most=most, count=count),
        *(flags if rules.options["blind_nil"] != "off" else ()),
        Blank("bags", "number", "Bags before this hand", most=most_bags, optional=True),
    )


BLIND = {1: (("blind-0", "Bid blind"),), 2: (("blind-0", "First bid is blind"), ("blind-1", "Second bid is blind"))}
"""Form flags for blind bids, by number of players in a side."""


def score_asked(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, object]:
    """Build the payload; flags for blind bids become one list."""
    flags = [blank.name for blank in blanks if blank.kind == "flag"]
    payload = plainly([blank for blank in blanks if blank.name not in flags], filled)
    return payload | ({"blind": [bool(filled.get(name)) for name in flags]} if flags else {})


RUFF = Example(
    "Spades: a spade takes the trick",
    {"game": "spades", "plays": [{"cards": ["AH"]}, {"cards": ["2S"]}, {"cards": ["KH"]}, {"cards": ["3H"]}]},
    {"winner": 1, "trump": "S"},
)
UNBROKEN = Example(
    "Spades are not broken", {"game": "spades", "hand": ["AS", "KS", "4D"], "led_card": None}, {"legal": ["4D"]}
)
FAILED_NIL = Example(
    "Spades: a nil that failed beside a contract made",
    {"game": "spades", "bids": [0, 5], "tricks": [1, 6]},
    {"points": -48, "bags": 2},
)
FOR_THREE = Example("Spades for three", {"game": "spades", "players": 3}, {"cards_each": [17, 17, 17], "aside": 0})

QUESTIONS = (
    replace(TRICK, examples=(RUFF,)),
    replace(LEGAL_BROKEN, examples=(UNBROKEN,)),
    replace(
        SCORE,
        answer=score,
        hint="The points of a side, and its bags.",
        blanks=score_blanks,
        compose=score_asked,
        help=("With `bids` and `tricks` of a side’s seats: the points of the side; `bags` are those it had before.",),
        request={
            "bids": array(number()), "tricks": array(number()), "blind": nullable(array(FLAG)),
            "bags": nullable(number("Bags on the side’s account before.")),
        },
        needed=("bids", "tricks"),
        response={**SCORE.response, "bags": INTEGER},
        examples=(FAILED_NIL,),
    ),
    replace(DEAL, examples=(FOR_THREE,)),
)  # fmt: skip


# --- The game

PARTNERSHIP = 4
"""The number of players that can form partnerships (SP-1)."""
OUT = {3: ("2C",), 5: ("2C", "2D"), 6: ("2C", "2D", "2H", "2S")}
"""Cards removed, by number of players (SP-2)."""
MOST_BAGS = 9999
"""Limit on bags brought to a table where bags cost nothing."""
ALONE = (False, False)


class Spades(TrickGame):
    id = "spades"
    name = "Spades"
    tagline = "Partners bid their tricks together; spades are always trump."
    gist = "make your contract"
    emblem = ("AS", "KS")
    source = "Traditional"
    with_cards = "with French cards"
    lesson = ("SP-2", "SP-3", "SP-6", "SP-7", "SP-8", "SP-9", "SP-10", "SP-4", "SP-11")
    players = (3, 4, 5, 6)
    end = EndRule("score", 500)
    rules_class = SpadesRules
    hand_class = SpadesHand
    phases = (BIDDING,)
    beside_tricks = frozenset(
        {"partners", "nil", "blind_nil", "failed_nil", "overtrick", "bags", "floor", "tie", "spades_lead"}
    )
    QUESTIONS = QUESTIONS
    revoke = revoke_option("SP-R1")
    options = (
        Option(
            "partners", "Partners", "Players who sit opposite bid and score together; usual with four.", ("SP-1",),
            (True, False), ("yes", "no"),
            by_players={3: ALONE, PARTNERSHIP: (True, True), 5: ALONE, 6: ALONE}, says=("", "each player alone"),
        ),
        Option(
            "leftover", "Odd cards", "What happens to cards that can’t be dealt evenly.", ("SP-2",),
            ("remove", "aside"), ("low twos are taken out", "they are set aside, face down"),
            says=("", "odd cards set aside"),
        ),
        Option(
            "nil", "Nil", "What a nil is worth, made or failed.", ("SP-4", "SP-11"), ("100", "50", "off"),
            ("100 points", "50 points", "no nil: 0 is an ordinary bid"),
            says=("", "a nil for 50 points", "without nil"),
        ),
        Option(
            "blind_nil", "Blind nil", "Who may bid nil before looking at the cards, for twice as much.", ("SP-5",),
            ("behind", "always", "off"), ("a side 100 points behind", "any side", "no one"),
            says=("", "blind nil for any side", "without blind nil"),
        ),
        Option(
            "failed_nil", "Tricks of a failed nil", "What the tricks of a failed nil count for.", ("SP-12",),
            ("bags", "count", "nothing"),
            ("each is a bag", "they help the partner’s contract", "they count for nothing"),
            says=("", "tricks of a failed nil helping the partner", "tricks of a failed nil counting for nothing"),
        ),
        Option(
            "opening", "First lead", "Who leads to the first trick, and what.", ("SP-6",), ("left", "low-club"),
            ("the player on the dealer’s left, any card except a spade", "the player who holds the lowest club, that"
                                                                         " card"),
            says=("", "the lowest club opening the hand"),
        ),
        Option(
            "spades_lead", "Leading spades", "When spades may be led.", ("SP-8",), ("broken", "free"),
            ("once they are broken", "at any time after the first lead"), says=("", "spades led at any time"),
        ),
        Option(
            "overtrick", "A bag scores", "What a trick above the contract scores.", ("SP-9",), (1, 0, -1),
            ("1 point", "no points", "minus 1 point"), says=("", "bags scoring nothing", "bags losing a point each"),
        ),
        Option(
            "bags", "Bags", "What bags cost when enough have piled up.", ("SP-10",), ("ten", "five", "off"),
            ("100 points for ten", "50 points for five", "no points"),
            says=("", "50 points lost for five bags", "bags costing nothing"),
        ),
        Option(
            "floor", "End below zero", "The score below 0 at which the game also ends.", ("SP-13",),
            ("off", "200", "500"), ("none", "minus 200", "minus 500"),
            says=("", "or a side at minus 200", "or a side at minus 500"),
        ),
        Option(
            "tie", "Tie at the end", "What happens when the best sides have the same total.", ("SP-14",),
            ("play-on", "share"), ("another hand", "they share the win"), says=("", "ties shared"),
        ),
    )  # fmt: skip

    presets = (
        Preset("Each player alone", {"partners": False}),
        Preset("No nil", {"nil": "off"}),
        Preset("Strict bags", {"overtrick": -1, "bags": "five"}),
    )

    def words(self) -> Iterable[tuple[str, str]]:
        asked = (label for flags in BLIND.values() for _, label in flags)
        return (("", text) for text in ("nil", "blind nil", "three tricks to the other side", *asked))

    def pack(self, options: Options, players: int) -> Pack:
        return french(without=OUT.get(players, ()) if options["leftover"] == "remove" else ())

    def check(self, options: Options, players: int) -> list[Problem]:
        problems = []
        if options["partners"] and players != PARTNERSHIP:
            problems.append(conflict("partners", "Partners: that takes four players."))
        if options["leftover"] == "aside" and players == PARTNERSHIP:
            problems.append(conflict("leftover", "Four players leave no odd cards."))
        if options["revoke"] == THREE_TRICKS and not options["partners"]:
            problems.append(conflict("revoke", "Tricks go to the other side only in a game with partners."))
        return problems

    def trump(self, rules: Rules, before: TrickHand | None) -> str:
        return "S"

    def following(self, hand: Dealt, totals: tuple[int, ...], rules: Rules) -> Setup:
        assert isinstance(hand, SpadesHand)
        return replace(super().following(hand, totals, rules), bags=hand.bags_after())

    def most_bags(self, options: Options) -> int:
        """The most bags a side can hold without a penalty (SP-10)."""
        return ACCOUNTS[options["bags"]][0] - 1 if options["bags"] in ACCOUNTS else MOST_BAGS

    def ends_early(self, rules: Rules, totals: Sequence[int]) -> bool:
        """Return whether a side's total has reached the lower limit (SP-13)."""
        floor = rules.options["floor"]
        return floor != "off" and min(totals) <= -int(floor)

    def plays_on(self, rules: Rules, totals: Sequence[int]) -> bool:
        """Return whether the best sides are tied and play another hand (SP-14)."""
        ahead = rules.ahead(totals)
        return rules.options["tie"] == "play-on" and not set(ahead) <= set(rules.sides[ahead[0]])


GAME = Spades()
