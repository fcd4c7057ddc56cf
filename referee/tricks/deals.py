"""Answers around the tricks: the score of a hand, how a hand is dealt. Again a hand of the game gives the answer."""

from collections.abc import Mapping
from typing import cast

from referee.engine.options import Problem
from referee.engine.question_reader import QuestionReader
from referee.engine.rules import Rules
from referee.engine.rulings import Reason
from referee.tricks.plays import set_up
from referee.tricks.rules import TrickRules

# -- score --------------------------------------------------------------------------------


def score(payload: Mapping[str, object]) -> dict[str, object]:
    """Score one player's tricks, by the bid where bids are scored; of bids scored together, their sums."""
    question = QuestionReader(payload, "score")
    players, bid = question.integer("players", needed=False), question.integer("bid", needed=False)
    tricks = question.integer("tricks", needed=False) or 0
    if not question.has("tricks"):
        question.lacking("tricks", "The tricks taken are needed.")
    question.check()

    def has_tricks(rules: Rules) -> bool:
        return tricks <= most_tricks(rules)

    def has_both(rules: Rules) -> bool:
        return has_tricks(rules) and (bid or 0) <= most_tricks(rules) * bidders(rules)

    detail = "No hand of this game has so many tricks."
    question.fitting_rules(players, has_tricks, Problem("/tricks", "bad-value", detail))
    fitting = question.fitting_rules(players, has_both, Problem("/bid", "bad-value", detail))
    rules = cast(TrickRules, fitting)
    if rules.bidding and bid is None:
        question.lacking("bid", "Bids are scored here, so the bid is needed.")
    question.between("bid", bid or 0, 0, most_tricks(rules) * bidders(rules))
    question.between("tricks", tricks, 0, most_tricks(rules))
    question.check()
    line = set_up(rules).line_for(tricks, bid or 0)
    return {"points": line.points, "lines": [line], "reason": line.reason}


def bidders(rules: Rules) -> int:
    """Return how many seats' bids are scored as one."""
    return cast(TrickRules, rules).bids_together()


def most_tricks(rules: Rules) -> int:
    """Return the most tricks that a hand can have."""
    return cast(TrickRules, rules).most_dealt() - set_up(rules).SET_ASIDE


# -- deal ---------------------------------------------------------------------------------


def deal(payload: Mapping[str, object]) -> dict[str, object]:
    """Say how many cards each player is dealt in the first hand, how many lie aside, how many tricks there are."""
    question = QuestionReader(payload, "deal")
    players = question.integer("players")
    question.check()
    return first_deal(question.rules(players or 0))


def first_deal(rules: Rules) -> dict[str, object]:
    """Return the answer for the first hand of a table."""
    each = (rules.game.first(rules, 0).sizes or (0,))[0]
    return describe_deal(rules, each, Reason("dealt", set_up(rules).deal_clauses()))


def describe_deal(rules: Rules, each: int, why: Reason) -> dict[str, object]:
    """Return the answer for hands of this size; the numbers are added to the facts of the reason."""
    aside = len(rules.pack) - each * rules.players
    reason = Reason(why.code, why.clauses, {"each": each, "aside": aside, **why.facts}, why.phrase)
    tricks = each - set_up(rules).SET_ASIDE
    return {"cards_each": [each] * rules.players, "aside": aside, "tricks": tricks, "reason": reason}
