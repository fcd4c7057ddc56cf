"""Questions of games in which cards are worth points: who wins a trick, what may be played, scores and deals."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from referee.engine.events import Result
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, FilledIn, deal_blanks, plainly
from referee.engine.rules import Rules
from referee.engine.rulings import Reason, by_seat
from referee.engine.shapes import CARD, INTEGER, array, nullable, number, ref, text
from referee.tricks.leads import LEGAL_BROKEN
from referee.tricks.passing import PassingHand
from referee.tricks.points import PointHand, PointRules
from referee.tricks.questions import DEAL, SCORE, TRICK, describe_deal, read_trick, set_up, trick
from referee.tricks.state import ASKER

USUAL_PLAYERS = 4
LAST_HAND = 2000
"""Highest hand number accepted."""


def trick_and_points(payload: Mapping[str, object]) -> dict[str, object]:
    _, rules, _, cards = read_trick(payload)
    return {**trick(payload), "points": sum(cast(PointRules, rules).card_points[card] for card in cards)}


def score_points(payload: Mapping[str, object]) -> dict[str, object]:
    """Score a hand from every player's points (``taken``), or from the cards one player took (``cards``)."""
    question = QuestionReader(payload, "score")
    players = question.integer("players", needed=False)
    texts = question.texts("cards") if question.has("cards") else ()
    taken = question.integers("taken") if question.has("taken") else ()
    question.check()
    if question.has("taken") == question.has("cards"):
        question.lacking("taken", "Say either the points of every player or the cards of one.")
        question.check()
    if players is None:
        players = len(taken) or USUAL_PLAYERS
    rules = cast(PointRules, question.rules(players))
    if question.has("taken"):
        lines = _lines(question, rules, taken)
        return {"points": list(by_seat(lines, players)), "lines": lines, "reason": _why(rules, lines)}
    cards = question.cards(rules.pack, texts, "/cards")
    question.check()
    worth = sum(rules.card_points[card] for card in cards)
    alone = all(card in cards for card, each in enumerate(rules.card_points) if each > 0)
    lines = [set_up_points(rules).score_line(ASKER, worth, 0)]
    if alone:
        others = (rules.whole - worth, *(0,) * (players - 2))
        lines = [line for line in _lines(question, rules, (worth, *others)) if line.seat == ASKER]
    return {"points": sum(line.points for line in lines), "lines": lines, "reason": _why(rules, lines)}


def _lines(question: QuestionReader, rules: PointRules, taken: tuple[int, ...]) -> list[Any]:
    hand = set_up_points(rules)
    refused = hand.take(Result(points=taken))
    if refused:
        question.reader.value("/taken", refused.reason.phrase_for(), refused.reason.code)
    question.check()
    return hand.point_lines()


def _why(rules: PointRules, lines: Sequence[Any]) -> Reason:
    return lines[-1].reason if lines else Reason("points-none", set_up_points(rules).CITES["tricks"])


def set_up_points(rules: Rules) -> PointHand:
    each = (rules.game.first(rules, 0).sizes or (0,))[0]
    return cast(PointHand, set_up(rules, cards=each))


def score_blanks(rules: PointRules, filled: FilledIn) -> tuple[Blank, ...]:
    if count := len(filled.get("taken", ())):
        least, most = rules.whole - rules.most, rules.most
        taken = Blank("taken", "numbers", "Points of each player", least=least, most=most, count=count, optional=True)
        return (players_blank(rules, filled, count), taken)
    return (Blank("cards", "cards", "Cards taken"),)


def legal(payload: Mapping[str, object]) -> dict[str, object]:
    return LEGAL_BROKEN.answer({**payload, "players": payload.get("players") or USUAL_PLAYERS})


def legal_blanks(rules: PointRules, filled: FilledIn) -> tuple[Blank, ...]:
    return (players_blank(rules, filled, USUAL_PLAYERS), *LEGAL_BROKEN.blanks(rules, filled))


def players_blank(rules: Rules, filled: FilledIn, usual: int) -> Blank:
    (players,) = deal_blanks(rules, filled)
    return replace(players, standard=(str(usual),))


def deal(payload: Mapping[str, object]) -> dict[str, object]:
    """Describe the deal and passing direction of a hand, by default the first."""
    question = QuestionReader(payload, "deal")
    players, named = question.integer("players"), question.integer("hand", needed=False)
    question.check()
    rules, place = question.rules(players or 0), 1 if named is None else named
    question.between("hand", place, 1, LAST_HAND)
    question.check()
    hand = cast(PassingHand, set_up_points(rules))
    hand.setup = replace(hand.setup, finished=place - 1)
    clauses = (*hand.deal_clauses(), *hand.pass_clauses())
    way = hand.direction()
    facts = {"number": hand.pass_count()}
    answer = describe_deal(rules, hand.total, Reason("dealt", clauses, facts, f"dealt-{way}"))
    return {**answer, "pass_to": None if way == "none" else way}


def dealt_blanks(rules: Rules, filled: FilledIn) -> tuple[Blank, ...]:
    hint = "Leave it empty for the first hand."
    return (*deal_blanks(rules, filled), Blank("hand", "number", "Hand", hint, least=1, most=LAST_HAND, optional=True))


TRICK_POINTS = replace(
    TRICK, answer=trick_and_points, help=(*TRICK.help, "`points` counts the cards shown."),
    response={**TRICK.response, "points": INTEGER},
)  # fmt: skip
LEGAL_POINTS = replace(
    LEGAL_BROKEN, answer=legal, blanks=legal_blanks,
    request={**LEGAL_BROKEN.request, "players": nullable(number("The number of players; 4 by default."))},
)  # fmt: skip
SCORE_POINTS = replace(
    SCORE, answer=score_points, blanks=score_blanks, compose=plainly,
    hint="The points of the cards you took.",
    help=("With `taken`: the points of every seat; with `cards`: those of one player.",),
    request={
        "players": nullable(number()), "taken": nullable(array(number(), "Points by seat.")),
        "cards": nullable(array(CARD)),
    },
    response={
        "points": {"anyOf": [INTEGER, array(INTEGER)]}, "lines": array(ref("ScoreLine")),
        "reason": SCORE.response["reason"],
    },
)  # fmt: skip
DEAL_PASSED = replace(
    DEAL, answer=deal, blanks=dealt_blanks,
    help=(*DEAL.help, "In Hearts, `hand` is the number of the hand, from 1; `pass_to` is `left`, `right` or `across`."),
    request={**DEAL.request, "hand": nullable(number("Which hand; null or absent: the first."))},
    response={**DEAL.response, "pass_to": nullable(text("Which way cards are passed; null: not at all."))},
)  # fmt: skip
