"""The single question of Ransom Trump: who wins the ransom."""

from collections.abc import Mapping
from typing import Any

from referee.engine.options import Problem
from referee.engine.questions import Asked
from referee.tricks.questions import opened


def ransom(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say whose ransom card wins, and which suits the winner may name (RT-4 .. RT-8)."""
    question = Asked(asked, "cards")
    texts = question.texts("cards")
    question.check()
    misfit = Problem("/cards", "wrong-count", "There is one card for each player.")
    rules = question.fitting_rules(None, lambda rules: rules.players == len(texts), misfit)
    cards = question.cards(rules.pack, texts, "/cards")
    question.check()
    hand = opened(rules)
    hand.ransoms = cards
    hand.reveal()
    return {"winner": hand.buyer, "suits": list(hand.choices()), "reason": hand.ransom_reason()}
