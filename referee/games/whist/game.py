"""Whist, for four players in partnerships with a pack of 52.

Partners sit opposite, and everyone is dealt 13 cards. The last card, the dealer's, is turned up: its suit is trump, and
it belongs to the dealer's hand. The dealer's left leads any card; follow suit if you can. The highest trump wins the
trick, else the highest card of the suit led. The side with more tricks scores a point for each one above six. The game
is to 7 points.

Variants: trump in a fixed order or none, and honours.

Source: traditional. Deviations: none; where tables differ, the defaults of WH-6 and WH-R1 apply.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.engine.game import conflict
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn
from referee.engine.rules import BY_SCORE, EndRule, Option, Options, Preset, Problem, Rules
from referee.engine.shapes import nullable, number
from referee.games.whist.hand import HONOURS, SCORED, Honours, WhistHand, WhistRules, honours_line, odd_tricks
from referee.packs import Pack, french
from referee.tricks.bridge import revoke_option
from referee.tricks.questions import LEGAL, SCORE, TRICK, scored
from referee.tricks.rules import opposite
from referee.tricks.turned import TurnedGame

# --- Questions of Whist: those of a plain game, and the score of a side

PLAYERS, TRICKS = 4, 13


def score(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Score the tricks of a side, and its honours if they count (WH-5, WH-7)."""
    question = QuestionReader(payload, "score")
    tricks, honours = question.integer("tricks"), question.integer("honours", needed=False) or 0
    question.check()
    rules = question.rules(PLAYERS)
    question.between("tricks", tricks or 0, 0, TRICKS)
    if honours not in (0, *SCORED):
        question.reader.value("/honours", "A side can claim three or four honours.", "bad-value")
    elif honours and rules.options["honours"] == "off":
        question.reader.value("/honours", "Honours are not scored at this table.", "bad-value")
    question.check()
    lines = [odd_tricks(0, tricks or 0), *([honours_line(0, honours)] if honours else [])]
    return scored(lines)


def score_blanks(rules: Rules, filled: FilledIn) -> tuple[Blank, ...]:
    tricks = Blank("tricks", "number", "Tricks of the side", most=TRICKS)
    if rules.options["honours"] == "off":
        return (tricks,)
    hint = "Leave it empty for fewer than three."
    return (tricks, Blank("honours", "number", "Honours of the side", hint, least=3, most=HONOURS, optional=True))


TRUMPED = Example(
    "Whist: a trump takes the trick",
    {
        "game": "whist", "trump": "H",
        "plays": [{"cards": ["KD"]}, {"cards": ["AD"]}, {"cards": ["2H"]}, {"cards": ["QD"]}],
    },
    {"winner": 2, "trump": "H"},
)  # fmt: skip
FOLLOW = Example(
    "Whist: diamonds are led", {"game": "whist", "hand": ["5D", "AH", "KD"], "led_card": "9D"}, {"legal": ["5D", "KD"]}
)
NINE = Example("Whist: nine tricks", {"game": "whist", "tricks": 9}, {"points": 3})

QUESTIONS = (
    replace(TRICK, examples=(TRUMPED,)),
    replace(LEGAL, examples=(FOLLOW,)),
    replace(
        SCORE,
        answer=score,
        blanks=score_blanks,
        hint="The points of one side.",
        help=("With `tricks` of both partners, and `honours` (3 or 4): the points of one side.",),
        request={"tricks": number(), "honours": nullable(number("Honours that a side holds; null or absent: none."))},
        examples=(NINE,),
    ),
)


class Whist(TurnedGame):
    id = "whist"
    name = "Whist"
    tagline = "Two against two: every trick above six counts."
    gist = "tricks above six"
    emblem = ("AS", "QH")
    source = "Traditional"
    with_cards = "with French cards"
    lesson = ("WH-1", "WH-2", "WH-3", "WH-4", "WH-5", "WH-6")
    players = (PLAYERS,)
    end = EndRule(BY_SCORE.name, 7)
    rules_class = WhistRules
    hand_class = WhistHand
    TRUMPS_IN_ORDER = ("H", "C", "D", "S")
    beside_tricks = frozenset({"honours"})
    events = (*TurnedGame.events, Honours)
    revoke = revoke_option("WH-R1", "WH-R2")
    QUESTIONS = QUESTIONS
    options = (
        Option(
            "trump", "Trump", "What makes a suit trump.", ("WH-2",), ("turned", "fixed-order", "none"),
            ("the dealer’s last card, turned up", "hearts, clubs, diamonds, spades in turn", "no trump at all"),
            says=("the dealer’s last card making trump", "trump suits in a fixed order", "without trump"),
        ),
        Option(
            "honours", "Honours", "Ace, king, queen and jack of trump score for the side that was dealt three or four.",
            ("WH-7", "WH-8"), ("off", "on"), ("not scored", "scored"), says=("", "scoring honours"),
        ),
    )  # fmt: skip

    presets = (Preset("With honours", {"honours": "on"}), Preset("Trumps in turn", {"trump": "fixed-order"}))

    def pack(self, options: Options, players: int) -> Pack:
        return french()

    def sides(self, options: Options, players: int) -> tuple[tuple[int, ...], ...]:
        return opposite(players)

    def check(self, options: Options, players: int) -> list[Problem]:
        """Honours need a trump suit (WH-7)."""
        if options["honours"] == "off" or options["trump"] != "none":
            return []
        return [conflict("honours", "Honours are cards of the trump suit: without trump there are none.")]


GAME = Whist()
