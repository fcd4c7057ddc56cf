"""Carrying out what a guided ruling has come to: entries put right and events recorded in one turn, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.engine.events import LARGEST_PENALTY
from referee.engine.options import Problem, Refused
from referee.engine.reading import dump_event
from referee.engine.rulings import Reason
from referee.engine.translation import ENGLISH, Language, phrase
from referee.guides.case import Looked
from referee.guides.remedies import Steps, agreed
from referee.guides.remedies import chosen as offered_remedy
from referee.guides.walking import Walk
from scoring.models import DisputeState
from scoring.queries.guiding import looked_at, walk_here
from scoring.queries.log import dealt_hands, standing_events
from scoring.queries.points import points_hidden
from scoring.services.deadlocks import past_deadlocks
from scoring.services.disputing import Decision, decide_in_turn
from scoring.services.exceptions import NotTaken, NotYourSeat
from scoring.services.keys import Caller
from scoring.services.recording import Recorded, record, recorded, recorded_before
from scoring.services.rewriting import judge_again, rewrite
from scoring.services.turn import Turn
from scoring.services.turns import turn_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a table chose: the situation, the answers, the hand from 0, and the remedy with its points, if it has any.

    ``dispute`` is the number of the dispute that is decided by it.
    """

    situation: str
    remedy: str
    answers: Mapping[str, object] = field(default_factory=dict)
    hand: int | None = None
    points: int | None = None
    dispute: int | None = None


@past_deadlocks
def carry_out_guide(code: str, chosen: Chosen, caller: Caller) -> Recorded:
    """Carry out what a guided ruling has come to.

    Raises ``Refused`` for answers that lead to no ruling or a remedy that it does not offer, ``NotTaken``,
    ``NotYourSeat``, what deciding a dispute raises, and what ``turn_at`` raises.
    """
    request = [chosen.situation, dict(chosen.answers), chosen.hand, chosen.remedy, chosen.points, chosen.dispute]
    with turn_at(code, caller, caller.fingerprint("guide", request)) as turn:
        return recorded_before(turn) if turn.repeats else carry_out(turn, chosen)


def carry_out(turn: Turn, chosen: Chosen, language: Language = ENGLISH) -> Recorded:
    """Do in a turn what ``carry_out_guide`` says."""
    turn.hold()
    if turn.caller.seat is not None:
        raise NotYourSeat(phrase("Who keeps the score carries out a ruling."))
    walked = walk_here(turn.at, chosen.situation, chosen.answers, _looked(turn, chosen))
    done = chosen_steps(turn, walked, chosen, language)
    if done.amends:
        put_right(turn, done, language.translate(walked.case.guide.title))
    if chosen.dispute is None:
        return record(turn, done.events)
    decide_in_turn(turn, chosen.dispute, decision(walked, done, language))
    return recorded(turn)


def _looked(turn: Turn, chosen: Chosen) -> Looked:
    looked = looked_at(turn.at, chosen.hand)
    if looked is None:
        raise Refused([Problem("/hand", "bad-value", "This table has no such hand.")])
    return looked


def chosen_steps(turn: Turn, walked: Walk, chosen: Chosen, language: Language) -> Steps:
    """Return what carries out the remedy that was chosen; raises ``Refused`` with why it cannot be."""
    remedy = offered_remedy(walked, chosen.remedy, points=not points_hidden(turn.at), language=language)
    if chosen.remedy == "penalty":
        if chosen.points is None or not 0 < abs(chosen.points) <= LARGEST_PENALTY:
            detail = "Choose how many points the penalty takes away."
            raise Refused([Problem("/points", "bad-value", detail)])
        return Steps(tuple(agreed(walked, chosen.points, language)))
    if isinstance(remedy.outcome, Reason):
        raise Refused([Problem("/remedy", "bad-value", remedy.outcome.phrase_for(turn.row.seats))])
    return remedy.outcome


def put_right(turn: Turn, done: Steps, why: str) -> None:
    """Put entries of the last hand right, and judge it again."""
    assert turn.state.hand is not None
    entries = standing_events(turn.row, hand=turn.state.hand.setup.index)
    pack = turn.state.rules.pack
    for place, event in done.amends:
        turn.amend(entries[place], None if event is None else dump_event(event, pack), reason=why)
    judged = judge_again(turn.row, turn.entries, dealt=dealt_hands(turn.row), watch=turn.watch)
    if judged.stop is not None:
        raise NotTaken(judged.stop.ruling, turn.row.seats, position=0, version=turn.found)
    rewrite(turn, judged)


def decision(walked: Walk, done: Steps, language: Language) -> Decision:
    """Return what a guided ruling decides about a dispute."""
    ruling = walked.ruling
    assert ruling is not None
    return Decision(
        state=DisputeState.UPHELD,
        text=ruling.sentence(walked.case.names, language),
        clauses=ruling.clauses,
        remedy=done.events,
        tree=walked.case.guide.id,
        answers=[[name, answer] for name, answer in walked.answers.items()],
    )
