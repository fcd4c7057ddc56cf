"""The single questions of Ransom Trump: who wins the ransom, and those of every trick-taking game."""

from collections.abc import Mapping
from typing import cast

from referee.engine.options import Problem
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen
from referee.engine.shapes import CARD, INTEGER, REASON, array, nullable, text
from referee.games.decktet_tricks.questions import SUITED_LEGAL, SUITED_TRICK
from referee.games.decktet_tricks.rules import SuitedRules
from referee.games.ransom_trump.hand import RansomHand
from referee.tricks.questions import DEAL, SCORE, most_players


def ransom(payload: Mapping[str, object]) -> dict[str, object]:
    """Say whose ransom card wins, and which suits the winner may name (RT-4 .. RT-8)."""
    question = QuestionReader(payload, "ransom")
    texts = question.texts("cards")
    question.check()
    misfit = Problem("/cards", "wrong-count", "There is one card for each player.")
    rules = question.fitting_rules(None, lambda rules: rules.players == len(texts), misfit)
    cards = question.cards(rules.pack, texts, "/cards")
    question.check()
    hand = RansomHand.set_up(cast(SuitedRules, rules))
    hand.turn_up(cards)
    return {"winner": hand.buyer, "suits": list(hand.choices()), "reason": hand.ransom_reason()}


def ransom_blanks(rules: SuitedRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told of a ransom."""
    hint = "One card of each player, from the dealer’s left."
    return (Blank("cards", "cards", "Ransom cards", hint, most=most_players(rules)),)


def ransom_seen(hand: Seen) -> FilledIn:
    """Return the ransom cards once all lie open, from the dealer’s left."""
    cards = hand.get("ransom_cards") or [None]
    first = hand["dealer"] + 1
    return {} if None in cards else {"cards": [cards[(first + place) % len(cards)] for place in range(len(cards))]}


RANSOM = Question(
    "ransom",
    "Who wins the ransom?",
    ransom,
    hint="Whose card wins, and which suits may be named.",
    blanks=ransom_blanks,
    seen=ransom_seen,
    help=(
        "The ransom cards seat by seat; the answer is the seat that names trump, and the suits to choose from.",
    ),
    request={"cards": array(CARD, "One card for each seat.")},
    needed=("cards",),
    response={"winner": nullable(INTEGER), "suits": array(text()), "reason": REASON},
    examples=(
        Example(
            "The Crowns cancel each other",
            {"cards": ["XM", "XY", "9MS", "6MW"]},
            {"winner": 2, "suits": ["M", "S"]},
        ),
    ),
    sole=True,
)  # fmt: skip
QUESTIONS = (RANSOM, SUITED_TRICK, SUITED_LEGAL, SCORE, DEAL)
