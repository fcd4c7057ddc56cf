"""Single questions of Ace Pit: what a response is worth, and the deal."""

from collections.abc import Mapping
from typing import Any

from referee.engine.language import say
from referee.engine.questions import Asked
from referee.engine.rulings import Reason
from referee.games.ace_pit.reasons import no_set_reason, outcome_reason
from referee.games.ace_pit.sets import breakdown
from referee.games.ace_pit.state import LONGEST_RESPONSE, TRICKS

PLAYERS = 2


def response(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say who wins with this response to this laid card, for how many points and which items."""
    question = Asked(asked, "laid", "response")
    laid, answered = question.text("laid", needed=True), question.texts("response")
    question.check()
    rules = question.rules(PLAYERS)
    if not 1 <= len(answered) <= LONGEST_RESPONSE:
        question.reader.value("/response", "A response is one card or two.", "wrong-count")
    first = question.card(rules.pack, laid or "", "/laid")
    cards = question.cards(rules.pack, answered, "/response")
    if first >= 0 and first in cards:
        question.twice(rules.pack, first, f"/response/{cards.index(first)}")
    question.check()
    known = rules.pack.cards
    shown = [known[card] for card in cards]
    outcome = breakdown(known[first], shown, rules.options)
    if outcome.winner is None:
        reason = no_set_reason(shown, rules.options)
    else:
        reason = outcome_reason(
            known[first], shown, outcome, rules.options, leader=say("the leader"), responder=say("The responder")
        )
    lines = [item._asdict() for item in outcome.items]
    return {"winner": outcome.winner, "points": outcome.points, "lines": lines, "reason": reason}


def deal(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say how the cards are dealt: seven each, the rest is the stock (AP-2)."""
    question = Asked(asked, "players", foreign=("last_trick", "trump", "hand_size"))
    players = question.integer("players")
    question.check()
    rules = question.rules(players or 0)
    each = list(question.game.first(rules, 0).sizes or ())
    aside = len(rules.pack) - sum(each)
    reason = Reason("dealt", ("AP-2",), {"each": each[0], "aside": aside})
    return {"cards_each": each, "aside": aside, "tricks": TRICKS, "reason": reason}


ANSWERS = {"response": response, "deal": deal}
