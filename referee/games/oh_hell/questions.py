"""The single questions of Oh Hell: those of every trick-taking game, and how each hand of the course is dealt."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, deal_blanks
from referee.engine.rulings import Reason
from referee.engine.shapes import nullable, number
from referee.games.oh_hell.course import course_clauses
from referee.games.oh_hell.rules import OhHellRules
from referee.tricks.deals import describe_deal
from referee.tricks.questions import DEAL, LEGAL, SCORE, TRICK

LAST_HAND = 2000
"""The last hand that is asked about; no table plays more."""


def deal(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Say how a hand of the course is dealt, the first one where none is named (OH-2, OH-3)."""
    question = QuestionReader(payload, "deal")
    players, hand = question.integer("players"), question.integer("hand", needed=False)
    question.check()
    rules = cast(OhHellRules, question.rules(players or 0))
    place = 1 if hand is None else hand
    question.between("hand", place, 1, LAST_HAND)
    question.check()
    size = rules.course[(place - 1) % len(rules.course)]
    clauses = (*course_clauses(rules.options, rules.players), "OH-3")
    phrase = "dealt-turned" if rules.turns_up(size) else ""
    return describe_deal(rules, size, Reason("dealt", clauses, phrase=phrase))


def dealt_blanks(rules: OhHellRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told to know how many cards are dealt."""
    hint = "Leave it empty for the first hand."
    hand = Blank("hand", "number", "Hand of the course", hint, least=1, most=len(rules.course), optional=True)
    return (*deal_blanks(rules, filled), hand)


TRUMPED = Example(
    "Oh Hell: a trump takes the trick",
    {"game": "oh-hell", "trump": "H", "plays": [{"cards": ["AS"]}, {"cards": ["2H"]}, {"cards": ["KS"]}]},
    {"winner": 1, "trump": "H"},
)
FOLLOW = Example(
    "Oh Hell: spades are led",
    {"game": "oh-hell", "hand": ["5S", "AH", "KS", "2D"], "led_card": "9S"},
    {"legal": ["5S", "KS"]},
)
BID_MADE = Example(
    "Oh Hell: a bid made exactly",
    {"game": "oh-hell", "bid": 3, "tricks": 3},
    {"points": 13},
)
FOURTH_HAND = Example(
    "Oh Hell for four, the fourth hand",
    {"game": "oh-hell", "players": 4, "hand": 4},
    {"cards_each": [7, 7, 7, 7], "aside": 24},
)
NUMBERED = "`hand` is the number of the hand, from 1; after the last of the course it begins anew."

QUESTIONS = (
    replace(TRICK, examples=(TRUMPED,)),
    replace(LEGAL, examples=(FOLLOW,)),
    replace(SCORE, examples=(BID_MADE,)),
    replace(
        DEAL,
        answer=deal,
        blanks=dealt_blanks,
        help=(*DEAL.help, NUMBERED),
        request={**DEAL.request, "hand": nullable(number("Which hand; null or absent: the first."))},
        examples=(FOURTH_HAND,),
    ),
)
