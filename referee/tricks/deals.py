"""Single questions around the tricks: the score of a hand, how a hand is dealt.

``score`` and ``deal`` serve all three games; as everywhere, a hand of the game gives the answer.
"""

from collections.abc import Mapping
from typing import Any, cast

from referee.engine.hand import class_of
from referee.engine.options import Problem
from referee.engine.phases import FINISHED
from referee.engine.questions import Asked
from referee.engine.rules import Rules
from referee.engine.rulings import Reason, ScoreLine
from referee.tricks.hand import TrickHand
from referee.tricks.questions import ASKER, hear_trump, opened
from referee.tricks.rules import TrickRules
from referee.tricks.scoring import trick_line

HIGHEST_TIDE = 9
"""The most cards a tide can bring (AT-V5)."""


# -- score --------------------------------------------------------------------------------


def score(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Score one player's tricks, by the bid where bids are scored; of a joint bid, the pair's sums."""
    question = Asked(asked, "players", "bid", "tricks", foreign=("cards_left", "dealt"))
    players, bid = question.integer("players", needed=False), question.integer("bid", needed=False)
    tricks = question.integer("tricks", needed=False) or 0
    if not question.has("tricks"):
        question.lacking("tricks", "The tricks taken are needed.")
    question.check()

    def fits(rules: Rules) -> bool:
        return max((bid or 0) / bidders(rules), tricks) <= most_tricks(rules)

    misfit = Problem("/tricks", "bad-value", "No hand of this game has so many tricks.")
    rules = cast(TrickRules, question.fitting_rules(players, fits, misfit))
    if rules.bidding and bid is None:
        question.lacking("bid", "Bids are scored here, so the bid is needed.")
    question.between("bid", bid or 0, 0, most_tricks(rules) * bidders(rules))
    question.between("tricks", tricks, 0, most_tricks(rules))
    question.check()
    line = score_line(rules, bid or 0, tricks)
    return {"points": line.points, "lines": [line], "reason": line.reason}


def score_line(rules: TrickRules, bid: int, tricks: int) -> ScoreLine:
    """Return the line of a finished hand in which seat 0 alone bid and took tricks."""
    hand = opened(rules)
    others = (0,) * (rules.players - 1)
    hand.bids, hand.won, hand.phase = (bid, *others), (tricks, *others), FINISHED
    lines = [line for line in hand.point_lines() if line.seat == ASKER]
    return lines[0] if lines else trick_line(ASKER, tricks, *hand.CITES["tricks"])


def bidders(rules: Rules) -> int:
    """Return how many seats' bids are scored as one: two where partners bid jointly (AT-Q16)."""
    return 2 if rules.options.get("partner_bid") == "joint" else 1


def most_tricks(rules: Rules) -> int:
    """Return the most tricks a hand can have: with Tides at their highest, else as dealt."""
    if rules.options.get("tides"):
        return HIGHEST_TIDE
    kind = cast(type[TrickHand], class_of(rules))
    return (rules.game.first(rules, 0).sizes or (0,))[0] - kind.SET_ASIDE


# -- deal ---------------------------------------------------------------------------------


def deal(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say how many cards each player is dealt, how many lie aside, how many tricks there are."""
    question = Asked(asked, "players", "last_trick", "trump", "hand_size")
    players, size = question.integer("players"), question.integer("hand_size", needed=False)
    question.text("trump")
    last = question.texts("last_trick") if question.has("last_trick") else None
    question.check()
    rules = question.rules(players or 0)
    if last is None:
        each = (question.game.first(rules, 0).sizes or (0,))[0]
        return describe_deal(rules, each, dealt_by(rules), {})
    if not rules.options.get("tides"):
        question.reader.value("/last_trick", "The last trick sets the deal only under Tides of Fortune.")
        question.check()
    trick = last_trick(question, rules, last, size)
    facts = {"card": trick.taken[-1].reason.facts["card"]}
    clauses = ["AT-V5", "AT-Q19"]
    if rules.options["tides_last"] == "played":
        facts = {"card": rules.pack.cards[trick.taken[-1].plays[-1][1]]}
        clauses[1:] = ["AT-Q18"] if facts["card"].rank in UNRANKED else []
    return describe_deal(rules, trick.tide_after(trick.taken[-1]), tuple(clauses), facts, "dealt-tide")


UNRANKED = ("P", "C", "E")
"""Ranks whose tide is a default, not the page's own."""


def dealt_by(rules: Rules) -> tuple[str, ...]:
    """Return the clauses by which a hand is dealt when no last trick decides."""
    if rules.options.get("tides"):
        return ("AT-V5",)
    kind = cast(type[TrickHand], class_of(rules))
    extended = any(rules.options.get(key) for key in ("excuse", "pawns", "courts"))
    return kind.CITES["deal-extended" if extended else "deal"]


def last_trick(question: Asked, rules: Rules, texts: tuple[str, ...], size: int | None) -> Any:
    """Return a hand in which this trick was the last; ``size`` is how many cards it was dealt."""
    if len(texts) != rules.players:
        question.reader.value("/last_trick", "A trick has one card of each player.", "wrong-count")
    cards = question.cards(rules.pack, texts, "/last_trick")
    question.check()
    if size is not None:
        question.between("hand_size", size, 1, HIGHEST_TIDE)
    hand = opened(rules, cards=size or 1)
    same = rules.options["tides_excuse"] == "same" and rules.options["tides_last"] == "played"
    if same and size is None and 1 << cards[-1] == hand.rules.excuse:
        question.lacking("hand_size", "After an Excuse, the same size again: the size is needed.")
    hear_trump(question, hand)
    question.check()
    for seat, card in enumerate(cards):
        hand.put_down(seat, card, None)
    hand.complete()
    return hand


def describe_deal(
    rules: Rules, each: int, clauses: tuple[str, ...], facts: dict[str, object], phrase: str = ""
) -> dict[str, Any]:
    """Return the answer for hands of this size."""
    aside = len(rules.pack) - each * rules.players
    kind = cast(type[TrickHand], class_of(rules))
    reason = Reason("dealt", clauses, {"each": each, "aside": aside} | facts, phrase)
    return {
        "cards_each": [each] * rules.players, "aside": aside, "tricks": each - kind.SET_ASIDE, "reason": reason,
    }  # fmt: skip


ANSWERS = {"score": score, "deal": deal}
