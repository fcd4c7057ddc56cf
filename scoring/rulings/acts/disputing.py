"""Acts on disputes: raising, ruling, agreeing, withdrawing, pausing, carrying out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils import timezone

from referee.engine.event_kinds import DISPUTES, SETTLES, Event
from referee.engine.events import LARGEST_PENALTY, Note
from referee.engine.records import dump_event, load_event
from referee.engine.rulebook import is_clause
from referee.engine.rules import Problem, Refused
from referee.engine.rulings import Reason
from referee.engine.texts import ENGLISH, Language, phrase
from referee.guides.remedies import Steps, agreed
from referee.guides.remedies import chosen as offered_remedy
from scoring.models import DisputeState, Link, Role, Table
from scoring.operating.acts.database import past_deadlocks
from scoring.rulings.acts.dispute_index import check_marks
from scoring.rulings.reads import disputes
from scoring.rulings.reads.disputes import ABOUT, MAJORITY, NEUTRAL, SCOREKEEPER, DisputeNow, Speaker
from scoring.rulings.reads.precedents import looked_at, walk_here
from scoring.tables.acts import exceptions
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.recording import Recorded, left_after, record, recorded, recorded_before, show
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import turn_at
from scoring.tables.reads.log import standing_events
from scoring.tables.reads.results import is_held_back, points_hidden, without_held
from scoring.tables.reads.state import hand_described

# --- Raising and settling disputes
# Every act is a note in the log, so the record holds the whole dispute. Anyone who records may raise one; whoever
# raised it, and the scorekeeper, may withdraw it or resume play; a setting of the table says who decides. The two sides
# may also agree without a decision.

REMEDY_DONE = "The ruling is carried out."
WHO_RULES = {
    NEUTRAL: phrase("At this table a neutral phone decides disputes."),
    SCOREKEEPER: phrase("At this table the scorekeeper decides disputes."),
    MAJORITY: phrase("At this table the players decide disputes, each from their own phone."),
}
GOES_ON, WAITS = "The hand goes on meanwhile.", "The hand waits for the ruling."


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a dispute claims, and what it is about: a hand (from 0) and a position in it."""

    text: str
    about: Mapping[str, int | None] | None = None
    seat: int | None = None
    pause: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The decision of a dispute: the outcome, the reason, and the events of its remedy, if any."""

    state: DisputeState
    text: str
    clauses: Sequence[str] = ()
    remedy: Sequence[Event] = ()
    tree: str | None = None
    answers: Sequence[Any] = ()


class Disputed(NamedTuple):
    """A dispute's number, and the table's version after an act on it."""

    number: int
    version: int


@past_deadlocks
def raise_dispute(code: str, claim: Claim, caller: Caller) -> Disputed:
    """Raise a dispute. Raises ``NotYourSeat``, ``Refused`` for an invalid subject, and whatever ``turn_at`` raises."""
    request = [claim.text, dict(claim.about or {}), claim.seat, claim.pause]
    with turn_at(code, caller, caller.fingerprint("dispute", request)) as turn:
        if turn.repeats:
            return _disputed_before(turn)
        if turn.caller.seat is not None and claim.seat not in (None, turn.caller.seat):
            raise exceptions.NotYourSeat(phrase("Players call the referee in their own name."))
        seat = turn.caller.sits if claim.seat is None else claim.seat
        number = disputes.highest_number(turn.row) + 1
        about, situation = _about(turn, claim.about)
        mark: dict[str, Any] = {"id": number, "about": about}
        mark |= {"situation": situation} if situation else {}
        mark |= {"pause": True} if claim.pause else {}
        _say(turn, claim.text, mark, seat=seat)
        return Disputed(number, turn.version)


@past_deadlocks
def rule(code: str, number: int, decision: Decision, caller: Caller) -> Disputed:
    """Decide a dispute; the remedy is carried out in the same turn if the caller is the scorekeeper.

    At a table where the majority decides, this casts a seat's vote and decides once the majority is reached. Raises
    ``NoSuchDispute``, ``DisputeDecided``, ``NotTheReferee``, ``NotTaken`` for a refused event of the remedy,
    ``Refused``, and whatever ``turn_at`` raises.
    """
    check_marks(decision.remedy)
    remedy = [dump_event(event) for event in decision.remedy]
    request = [number, decision.state, decision.text, list(decision.clauses), remedy, decision.tree, decision.answers]
    with turn_at(code, caller, caller.fingerprint("rule", request)) as turn:
        if turn.repeats:
            return _disputed_before(turn)
        decide_in_turn(turn, number, decision)
        return Disputed(number, turn.version)


def decide_in_turn(turn: Turn, number: int, decision: Decision) -> None:
    each = _open(turn, number)
    for place, clause in enumerate(decision.clauses):
        if not is_clause(clause):
            raise Refused([no_such_clause(f"/clauses/{place}", clause)])
    rules_by = disputes.who_rules(turn.row)
    if not disputes.may_rule(turn.row, rules_by, _speaker(turn)):
        raise exceptions.NotTheReferee(WHO_RULES[rules_by])
    if rules_by != MAJORITY:
        _decide(turn, each, decision, by=rules_by if rules_by == NEUTRAL else SCOREKEEPER)
        return
    seat, voters = turn.caller.seat, disputes.seats_with_phone(turn.row)
    assert seat is not None, "who has a vote has a seat"
    _say(turn, decision.text, {"of": number, "vote": decision.state.value}, seat=seat)
    voted = {voter: vote for voter, vote in each.voted.items() if voter in voters} | {seat: decision.state}
    if 2 * sum(vote is decision.state for vote in voted.values()) > len(voters):
        _decide(turn, each, decision, by=MAJORITY)


@past_deadlocks
def agree(code: str, number: int, text: str, caller: Caller, *, remedy: Sequence[Event] = ()) -> Disputed:
    """Make an offer to the other side, or accept its offer, which settles the dispute.

    The two sides are the player who raised the dispute and the player it is about; the scorekeeper stands in for seats
    without a phone. An empty ``text`` accepts the offer. The remedy is carried out at once if the one who accepts keeps
    the score. Raises the same exceptions as ``rule``.
    """
    check_marks(remedy)
    events = [dump_event(event) for event in remedy]
    with turn_at(code, caller, caller.fingerprint("agree", [number, text, events])) as turn:
        if turn.repeats:
            return _disputed_before(turn)
        each = _open(turn, number)
        seat = turn.caller.seat
        if not disputes.may_agree(turn.row, each, _speaker(turn)):
            raise exceptions.NotTheReferee(phrase("Only the caller and the player it is about can agree."))
        offer = each.proposal
        words = text or (offer.text if offer else "")
        if not words:
            raise Refused([Problem("/text", "missing-key", "Say what you agree on.")])
        meant = remedy or (() if offer is None or text else [load_event(event) for event in offer.remedy])
        pack = turn.state.rules.pack
        with_it = {"remedy": [dump_event(event, pack) for event in meant]} if meant else {}
        same = offer is not None and offer.text == words and list(offer.remedy) == with_it.get("remedy", [])
        if offer is None or not same or offer.seat == seat:
            _say(turn, words, {"of": number, "proposes": True, **with_it}, seat=seat)
        else:
            mark = {"of": number, "state": DisputeState.AGREED.value, "with": [offer.seat, seat]}
            _settle(turn, each, words, meant, mark, seat=seat)
        return Disputed(number, turn.version)


@past_deadlocks
def withdraw(code: str, number: int, text: str, caller: Caller) -> Disputed:
    """Withdraw a dispute. Raises the same exceptions as ``rule``."""
    with turn_at(code, caller, caller.fingerprint("withdraw", [number, text])) as turn:
        if turn.repeats:
            return _disputed_before(turn)
        _check_raiser(turn, _open(turn, number))
        _say(turn, text or "Withdrawn.", {"of": number, "state": DisputeState.WITHDRAWN.value}, seat=turn.caller.seat)
        return Disputed(number, turn.version)


@past_deadlocks
def pause(code: str, number: int, caller: Caller, *, paused: bool) -> Disputed:
    """Pause or resume play while a dispute is open. Raises the same exceptions as ``rule``."""
    with turn_at(code, caller, caller.fingerprint("pause", [number, paused])) as turn:
        if turn.repeats:
            return _disputed_before(turn)
        each = _open(turn, number)
        _check_raiser(turn, each)
        if each.paused != paused:
            _say(turn, WAITS if paused else GOES_ON, {"of": number, "pause": paused}, seat=turn.caller.seat)
        return Disputed(number, turn.version)


@past_deadlocks
def carry_out_ruling(code: str, number: int, caller: Caller) -> Disputed:
    """Record the pending remedy of a ruling. Scorekeeper only. Raises ``NotYourSeat`` and ``NoRemedyLeft``."""
    with turn_at(code, caller, caller.fingerprint("carry-out", number)) as turn:
        if turn.repeats:
            return _disputed_before(turn)
        each = there(turn.row, number)
        if not _speaker(turn).keeps:
            raise exceptions.NotYourSeat(phrase("Only the scorekeeper can carry out a ruling."))
        if each.ruling is None or not each.ruling.remedy or each.ruling.carried_out:
            raise exceptions.NoRemedyLeft
        _record(turn, [load_event(event) for event in each.ruling.remedy])
        _say(turn, REMEDY_DONE, {"of": number, "carried_out": True}, seat=None)
        return Disputed(number, turn.version)


def _disputed_before(turn: Turn) -> Disputed:
    written = turn.logged
    if written is None:
        raise exceptions.KeyReused
    mark = (written.event or {}).get(DISPUTES, {})
    return Disputed(mark.get("id") or mark.get("of"), written.seq)


def _say(
    turn: Turn,
    text: str,
    mark: Mapping[str, Any],
    *,
    seat: int | None,
    by: str = "",
    settles: Sequence[Sequence[int]] = (),
) -> None:
    """Log a note with a dispute mark, settling the findings at ``settles``; keeps sealed choices."""
    moment = timezone.now().replace(microsecond=0).isoformat()
    role = by or turn.caller.by.partition(": ")[0].partition("-")[0]
    signed = {**mark, "by": role, "at": moment}
    extras: list[dict[str, Any]] = [{SETTLES: list(position)} for position in settles] or [{}]
    extras[0] |= {DISPUTES: signed}
    for extra in extras:
        turn.take(Note(text=text, seat=seat, extra=extra))
    if turn.row.choosing and not turn.choosing:
        turn.choosing = dict(turn.row.choosing)


def _record(turn: Turn, events: Sequence[Event]) -> None:
    before = turn.state
    for position, event in enumerate(events):
        turn.take(event, position)
    if events and turn.row.choosing:
        turn.choosing = show(turn, left_after(turn, before, events))


def _decide(turn: Turn, each: DisputeNow, decision: Decision, *, by: str) -> None:
    mark: dict[str, Any] = {"of": each.number, "state": decision.state.value, "clauses": list(decision.clauses)}
    if decision.tree:
        mark |= {"tree": decision.tree, "answers": list(decision.answers)}
    _settle(turn, each, decision.text, decision.remedy, mark, seat=None, by=by)


def _settle(
    turn: Turn,
    each: DisputeNow,
    text: str,
    remedy: Sequence[Event],
    mark: Mapping[str, Any],
    *,
    seat: int | None,
    by: str = "",
) -> None:
    """Settle a dispute; the remedy is carried out at once if the caller is the scorekeeper."""
    found = _open_findings(turn, each)
    if remedy:
        carries_out = _speaker(turn).keeps
        if carries_out:
            done = [event.extra[SETTLES] for event in remedy if event.extra and SETTLES in event.extra]
            found = [position for position in found if position not in done]
            _record(turn, remedy)
        mark = {
            **mark,
            "remedy": [dump_event(event, turn.state.rules.pack) for event in remedy],
            "carried_out": carries_out,
        }
    _say(turn, text, mark, seat=seat, by=by, settles=found)


def _open_findings(turn: Turn, each: DisputeNow) -> list[list[int]]:
    """Return the positions of the findings that a decision settles, without findings held back."""
    if each.about.get("event") is None and each.about.get("trick") is None:
        return []
    shown = disputes.hand_shown(turn.at, each.about["hand"] or 0)
    found = () if shown is None else shown["irregularities"]
    return list({tuple(one["event"]): list(one["event"]) for one in found if disputes.concerns(one, each)}.values())


def there(row: Table, number: int) -> DisputeNow:
    """Return a dispute by number. Raises ``NoSuchDispute``."""
    each = disputes.dispute_now(row, number)
    if each is None:
        raise exceptions.NoSuchDispute
    return each


def _open(turn: Turn, number: int) -> DisputeNow:
    each = there(turn.row, number)
    if not each.is_open:
        raise exceptions.DisputeDecided
    return each


def _speaker(turn: Turn) -> Speaker:
    link = turn.caller.link
    keeps = link is None or Link.objects.filter(pk=link, role=Role.SCOREKEEPER, revoked__isnull=True).exists()
    return Speaker(keeps, turn.caller.seat, link)


def _check_raiser(turn: Turn, each: DisputeNow) -> None:
    if not disputes.may_withdraw(each, _speaker(turn)):
        who = phrase(
            "Only the phone that called the referee, or the scorekeeper, can withdraw the call and let play go on."
        )
        raise exceptions.NotTheReferee(who)


def _about(turn: Turn, pointed: Mapping[str, int | None] | None) -> tuple[dict[str, int], str]:
    last = -1 if turn.state.hand is None else turn.state.hand.setup.index
    about = {key: value for key, value in (pointed or {}).items() if value is not None}
    hand = about.setdefault("hand", max(last, 0))
    if pointed is not None and not 0 <= hand <= max(last, 0):
        raise Refused([Problem("/about/hand", "bad-value", "This table has no such hand.")])
    if sum(key in about for key in ABOUT) > 1:
        raise Refused([Problem("/about", "bad-value", "A dispute must be about an event, a trick or a score line.")])
    described = hand_described(turn.at, hand, ENGLISH) if last >= 0 else None
    events = standing_events(turn.row, hand=hand) if "event" in about else []
    room = {
        "event": range(len(events)),
        "trick": range(1, 1 + (len(described["tricks"]) if described else 0)),
        "score_line": range(len(described["score_lines"]) if described else 0),
    }
    for key in ABOUT:
        if key in about and about[key] not in room[key]:
            raise Refused([Problem(f"/about/{key}", "bad-value", "That hand has nothing with this number.")])
    situation = ""
    if described is not None and ("event" in about or "trick" in about):
        shown = without_held(described) if is_held_back(turn.at) and hand == last else described
        for found in shown["irregularities"]:
            named = [found["event"], *found.get("claims", ())]
            if [hand, about.get("event")] in [list(each) for each in named] or found["trick"] == about.get("trick"):
                situation = found["code"]
    return {"hand": hand, **{key: about[key] for key in ABOUT if key in about}}, situation


def no_such_clause(pointer: str, clause: str) -> Problem:
    detail = phrase("The rulebooks here have no clause {clause}.", clause=repr(clause))
    return Problem(pointer, "no-such-clause", detail)


# --- Carrying out a guided ruling: corrections and new events in one turn, all or nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A guided ruling's outcome: situation, answers, hand (from 0), remedy; ``dispute`` is the one it decides."""

    situation: str
    remedy: str
    answers: Mapping[str, object] = field(default_factory=dict)
    hand: int | None = None
    points: int | None = None
    dispute: int | None = None


@past_deadlocks
def carry_out_guide(code: str, chosen: Chosen, caller: Caller) -> Recorded:
    """Carry out a guided ruling, all or nothing.

    Raises ``Refused`` if the answers lead to no ruling or the remedy isn't offered, ``NotTaken``, ``NotYourSeat``, the
    exceptions of ``rule`` if it decides a dispute, and whatever ``turn_at`` raises.
    """
    request = [chosen.situation, dict(chosen.answers), chosen.hand, chosen.remedy, chosen.points, chosen.dispute]
    with turn_at(code, caller, caller.fingerprint("guide", request)) as turn:
        return recorded_before(turn) if turn.repeats else carry_out_chosen(turn, chosen)


def carry_out_chosen(turn: Turn, chosen: Chosen, language: Language = ENGLISH) -> Recorded:
    turn.hold()
    if turn.caller.seat is not None:
        raise exceptions.NotYourSeat(phrase("Only the scorekeeper can carry out a ruling."))
    looked = looked_at(turn.at, chosen.hand)
    if looked is None:
        raise Refused([Problem("/hand", "bad-value", "This table has no such hand.")])
    walked = walk_here(turn.at, chosen.situation, chosen.answers, looked)
    remedy = offered_remedy(walked, chosen.remedy, points=not points_hidden(turn.at), language=language)
    if chosen.remedy == "penalty":
        if chosen.points is None or not 0 < abs(chosen.points) <= LARGEST_PENALTY:
            detail = "Choose how many points the penalty takes away."
            raise Refused([Problem("/points", "bad-value", detail)])
        done = Steps(tuple(agreed(walked, chosen.points, language)))
    elif isinstance(remedy.outcome, Reason):
        raise Refused([Problem("/remedy", "bad-value", remedy.outcome.phrase_for(turn.row.seats))])
    else:
        done = remedy.outcome
    if done.amends:
        put_right(turn, done, language.translate(walked.case.guide.short))
    if chosen.dispute is None:
        return record(turn, done.events)
    ruling = walked.ruling
    assert ruling is not None
    decision = Decision(
        state=DisputeState.UPHELD,
        text=ruling.sentence(walked.case.names, language),
        clauses=ruling.clauses,
        remedy=done.events,
        tree=walked.case.guide.id,
        answers=[[name, answer] for name, answer in walked.answers.items()],
    )
    decide_in_turn(turn, chosen.dispute, decision)
    return recorded(turn)


def put_right(turn: Turn, done: Steps, why: str) -> None:
    assert turn.state.hand is not None
    entries = standing_events(turn.row, hand=turn.state.hand.setup.index)
    pack = turn.state.rules.pack
    for place, event in done.amends:
        turn.amend(entries[place], None if event is None else dump_event(event, pack), reason=why)
    judged = turn.judge_again()
    if judged.stop is not None:
        raise turn.not_taken(judged.stop.ruling)
    turn.adopt(judged)
