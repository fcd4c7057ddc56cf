"""Single questions of Ace Pit: what a response is worth, and the deal."""

from collections.abc import Mapping

from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen, deal_question
from referee.engine.rules import Rules
from referee.engine.rulings import Reason
from referee.engine.shapes import CARD, INTEGER, REASON, answer, array, text
from referee.engine.translation import phrase
from referee.games.ace_pit.reasons import no_set_reason, outcome_reason
from referee.games.ace_pit.sets import breakdown
from referee.games.ace_pit.state import LONGEST_RESPONSE, TRICKS

PLAYERS = 2


def response(payload: Mapping[str, object]) -> dict[str, object]:
    """Say who wins with this response to this laid card, for how many points and which items."""
    question = QuestionReader(payload, "response")
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
        reason = no_set_reason(known[first], shown, rules.options)
    else:
        reason = outcome_reason(
            known[first], shown, outcome, rules.options, leader=phrase("the leader"), responder=phrase("The responder")
        )
    lines = [item._asdict() for item in outcome.items]
    return {"winner": outcome.winner, "points": outcome.points, "lines": lines, "reason": reason}


def deal(payload: Mapping[str, object]) -> dict[str, object]:
    """Say how the cards are dealt: seven each, the rest is the stock (AP-2)."""
    question = QuestionReader(payload, "deal")
    players = question.integer("players")
    question.check()
    rules = question.rules(players or 0)
    each = list(question.game.first(rules, 0).sizes or ())
    aside = len(rules.pack) - sum(each)
    reason = Reason("dealt", ("AP-2",), {"each": each[0], "aside": aside})
    return {"cards_each": each, "aside": aside, "tricks": TRICKS, "reason": reason}


# -- forms and shapes -----------------------------------------------------------------------


def response_blanks(rules: Rules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told of a response."""
    return (
        Blank("laid", "card", "Card laid"),
        Blank("response", "cards", "Response", "One card or two.", most=LONGEST_RESPONSE),
    )


def deal_blanks(rules: Rules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return the number of players, which is always the same."""
    return (Blank("players", "number", "Players", least=PLAYERS, most=PLAYERS, standard=(str(PLAYERS),)),)


def response_seen(hand: Seen) -> FilledIn:
    """Return the card laid in the last trick, and what was played on it."""
    plays = [play.get("cards", []) for trick in hand.get("tricks", ())[-1:] for play in trick["plays"]]
    return dict(zip(("laid", "response"), plays, strict=False))


QUESTIONS = (
    Question(
        "response",
        "What is this response worth?",
        response,
        hint="Who wins, for which items, how many points.",
        blanks=response_blanks,
        seen=response_seen,
        help=("Who wins the trick, and for which items, when `response` is played on the card that was `laid`.",),
        request={"laid": CARD, "response": array(CARD, "One card or two.")},
        needed=("laid", "response"),
        response={
            "winner": {"type": ["string", "null"], "enum": ["leader", "responder", None]},
            "points": INTEGER,
            "lines": array(answer({"item": text(example="pin"), "points": INTEGER})),
            "reason": REASON,
        },
        examples=(
            Example(
                "A pin",
                {"laid": "5C", "response": ["3H", "9H"]},
                {"winner": "responder", "points": 25, "lines": [{"item": "pin", "points": 25}]},
            ),
        ),
        sole=True,
    ),
    deal_question(deal, deal_blanks),
)
