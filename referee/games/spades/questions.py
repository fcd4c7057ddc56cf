"""Questions of Spades; scores are those of a side, with its bags."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, plainly
from referee.engine.rules import Problem
from referee.engine.shapes import FLAG, INTEGER, array, nullable, number
from referee.games.spades.contracts import FAILED, MADE, NO_NIL, Bidder, Side
from referee.games.spades.contracts import score as score_side
from referee.games.spades.hand import SpadesRules
from referee.tricks.leads import LEGAL_BROKEN
from referee.tricks.questions import DEAL, SCORE, TRICK, most_tricks, scored


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
