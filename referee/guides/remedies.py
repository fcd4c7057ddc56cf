"""The remedies of a guide's ruling: the entries that carry them out, and their effect.

Every remedy is carried out by events, after corrections of entries where cards or bids go back. Its effect is found by
applying them to a copy of the table, so what is shown beforehand is what happens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.engine.adjudication import effect_of
from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import Bid, Note, Penalty, Redeal
from referee.engine.reader import LONGEST_TEXT
from referee.engine.remedied import Amends
from referee.engine.rules import Problem, Refused
from referee.engine.rulings import Certainty, Irregularity, Reason, Remedy, Verdict
from referee.engine.sheet import DescribedEffect
from referee.engine.state import PLAY, VOID
from referee.engine.table import TableState, judge
from referee.engine.texts import ENGLISH, Language, capital
from referee.guides.case import NO, Case, Looked, guides_of
from referee.guides.walking import Walk, first_card

X_GUIDE = "x_guide"
"""The key under which an event names the guide and the answers by which the table came to its ruling."""
LATE = frozenset({"note", "warn", "stand", "penalty", "correct"})
"""The remedies that are left once another hand has been dealt (IR-5)."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What carries out a remedy: corrections of the hand's entries, then new events."""

    events: tuple[Event, ...]
    amends: Amends = ()


@dataclass(frozen=True, slots=True)
class Offered:
    """A remedy of a ruling: its steps and effect, or why they are still open; ``each`` is one point of a penalty."""

    code: str
    remedy: Remedy
    outcome: Steps | Reason
    effect: DescribedEffect | None = None
    each: tuple[Steps, DescribedEffect | None] | None = None


def offered(walk: Walk, *, points: bool = True, language: Language = ENGLISH) -> tuple[Offered, ...]:
    """Return the remedies of a walk's ruling; empty if there is no ruling yet."""
    leaf = walk.leaf
    if leaf is None:
        return ()
    case, looked, remedies = walk.case, walk.case.looked, _all_remedies(walk.case)
    found = []
    for code in leaf.remedies:
        if looked is not None and looked.hand.phase is VOID and code not in LATE:
            continue
        outcome = steps(code, walk, language)
        effect: DescribedEffect | None = None
        each = None
        if isinstance(outcome, Reason):
            if code == "penalty" and case.seat is not None and looked is not None:
                point = Steps(_noted((Penalty(case.seat, case.rules.fine(1)),), walk, "penalty"))
                lost = _effect(looked, point, points=points)
                each = point, None if isinstance(lost, Reason) else lost
        elif not points and any(isinstance(event, Penalty) for event in outcome.events):
            outcome = Reason("remedy-points-hidden", ("REC-13",))
        elif looked is not None:
            change = _effect(looked, outcome, points=points)
            if isinstance(change, Reason):
                outcome = change
            else:
                effect = change
        found.append(Offered(code, remedies[code], outcome, effect, each))
    return tuple(found)


def chosen(walk: Walk, code: str, *, points: bool = True, language: Language = ENGLISH) -> Offered:
    """Return the remedy that a table has chosen; raises ``Refused`` if it is not offered, or if there is no ruling."""
    if walk.disproof:
        raise Refused([Problem("/remedy", "disproved", walk.disproof[0].phrase_for(walk.case.names))])
    if walk.question is not None:
        raise Refused([Problem(f"/answers/{walk.question.id}", "missing-key", walk.question.text)])
    found = next((each for each in offered(walk, points=points, language=language) if each.code == code), None)
    if found is None:
        raise Refused([Problem("/remedy", "bad-value", "This ruling doesn’t offer that.")])
    return found


def _all_remedies(case: Case) -> Mapping[str, Remedy]:
    """Return every remedy by its code, worded for the hand's present state: the hands' own and the guides'."""
    own, hand = case.game.hand_class.REMEDIES, None if case.looked is None else case.looked.hand
    guides = {
        code: replace(one, text=one.over) if one.over and hand is not None and hand.is_over() else one
        for code, one in guides_of(case.game).remedies.items()
        if code not in own or code in OWN_WORDS
    }
    return {**(own if hand is None else {code: hand.remedy(code, offence(case)) for code in own}), **guides}


OWN_WORDS = frozenset({"take-back", "correct", "redeal", "penalty"})
"""Remedies that a guide words differently from a finding."""


def _effect(looked: Looked, done: Steps, *, points: bool) -> DescribedEffect | Reason | None:
    before = looked.table
    after = amended(looked, done.amends) if done.amends else before
    if isinstance(after, Reason):
        return after
    if done.amends and _loses_proof(looked, done.amends, after):
        return Reason("guide-keeps-proof", ("REC-17", "REC-20"))
    then = effect_of(after, done.events, since=before)
    return then if points or isinstance(then, Reason) else None


def amended(looked: Looked, amends: Amends) -> TableState | Reason:
    """Return the table with entries of its last hand corrected, or why later entries are no longer valid."""
    instead = dict(amends)
    table = replace(looked.table, hand=type(looked.hand)(looked.hand.rules, looked.hand.setup))
    for place, event in enumerate(looked.events):
        standing = instead.get(place, event)
        if standing is None:
            continue
        ruling = judge(table, standing)
        if ruling.verdict is not Verdict.ACCEPTED and ruling.reason is not None:
            return ruling.reason
        table = ruling.table
    return table


def _loses_proof(looked: Looked, amends: Amends, after: TableState) -> bool:
    """Return whether corrections would remove the proof of an act that stays on record."""
    if after.hand is None:
        return False
    stands = {(found.code, found.seat, found.event) for found in after.hand.irregularities}
    struck = [place for place, event in amends if event is None]
    return any(
        (found.code, found.seat, found.event - sum(place < found.event for place in struck)) not in stands
        for found in looked.hand.irregularities
        if found.certainty is Certainty.PROVED and found.event not in dict(amends)
    )


# -- carrying out a remedy --------------------------------------------------------------------


def steps(code: str, walk: Walk, language: Language = ENGLISH) -> Steps | Reason:
    """Return the steps of a remedy, or why they are unknown or for someone else to carry out."""
    case = walk.case
    if case.looked is not None and case.looked.late and code not in LATE:
        return Reason("guide-too-late", ("IR-5",))
    if code == "correct":
        return Reason("guide-by-log", ("IR-16",))
    if code == "penalty" and case.seat is not None:
        return Reason("remedy-agree", ("REC-13",), case.facts)
    done = _done(code, walk, language)
    return done if isinstance(done, Reason) else replace(done, events=_noted(done.events, walk, code))


def _done(code: str, walk: Walk, language: Language) -> Steps | Reason:
    """Return the steps of a remedy, including a note of the ruling."""
    case, looked, note = walk.case, walk.case.looked, _note(walk, language)
    if code in ("note", "warn", "stand"):
        return Steps((note,))
    if code == "redeal":
        # If the hand has not begun in the record, only note the ruling.
        coming = looked is not None and looked.hand.is_over() and walk.answers.get("first-card") == NO
        if coming or (looked is not None and first_card(case, looked) is False and not looked.events):
            return Steps((note,))
        return Steps((note, Redeal(_why(walk, language))))
    if looked is None or code == "penalty":
        return Reason("guide-no-record", ("REC-19",))
    if code in ("take-back", "take-bid-back", "choose-again"):
        gone = _taken_back(code, case, looked)
        return gone if isinstance(gone, Reason) else Steps((note,), tuple((place, None) for place in gone))
    if code == "claim-rest":
        assert case.seat is not None
        rest = looked.hand.rest_goes_to(case.seat)
        return rest if isinstance(rest, Reason) else Steps((note, rest))
    if code != "equity":
        amends = looked.hand.guide_amends(code, looked.events)
        if amends is not None:
            return amends if isinstance(amends, Reason) else Steps((note,), amends)
        if records := looked.hand.guide_records(code):
            return Steps((*records, note))
    found, why = offence(case), _why(walk, language)
    if found is None:
        return Reason("guide-no-act", ("REC-20",), case.facts)
    if code == "equity":
        events = looked.hand.make_good(found, looked.events, why)
    else:
        events = looked.hand.carry_out(code, found, why)
    return events if isinstance(events, Reason) else Steps((*events, note))


def turn_after(walk: Walk, code: str) -> int | None:
    """Return whose turn it is after a remedy; ``None`` if unknown or several players act."""
    looked, done = walk.case.looked, steps(code, walk)
    if looked is None or looked.late or isinstance(done, Reason):
        return None
    table = amended(looked, done.amends)
    for event in done.events:
        if isinstance(table, Reason):
            return None
        table = judge(table, event).table
    hand = None if isinstance(table, Reason) else table.hand
    seats = hand.to_act() if hand is not None and hand.phase is PLAY else ()
    return seats[0] if len(seats) == 1 else None


def _taken_back(code: str, case: Case, looked: Looked) -> Sequence[int] | Reason:
    """Return the places of entries to strike: plays from the act on, a bid, or all from the first secret choice."""
    events = looked.events
    if code == "choose-again":
        first = next((place for place, event in enumerate(events) if event.kind.secret), None)
        if first is None:
            return Reason("guide-nothing-there", ("REC-20",))
        return [place for place, event in enumerate(events) if place >= first and not event.kind.stays]
    if code == "take-bid-back":
        own = [place for place, event in enumerate(events) if isinstance(event, Bid) and event.seat == case.seat]
        if own:
            return own[-1:]
    elif act := case.act():
        return [
            place
            for place, event in enumerate(events)
            if place >= act.event and (event.kind.in_trick or event.kind.coarse)
        ]
    return Reason("guide-no-act", ("REC-20",), case.facts)


def _noted(events: tuple[Event, ...], walk: Walk, code: str) -> tuple[Event, ...]:
    """Return events that name the guide and answers behind them, on the first one, and the finding they settle."""
    case, leaf = walk.case, walk.leaf
    assert leaf is not None
    says: dict[str, object] = {
        X_GUIDE: {"guide": case.guide.id, "answers": walk.answers, "ruling": leaf.id, "remedy": code}
    }
    found = case.settled() if leaf.settles else None
    settles: dict[str, object] = {}
    if found is not None and case.looked is not None:
        settles = {SETTLES: list(case.looked.hand.position(found.event))}
    marked = []
    for place, event in enumerate(events):
        extra = (says if place == 0 else {}) | (settles if event.kind.settles else {})
        marked.append(replace(event, extra=extra or None))
    return tuple(marked)


def _why(walk: Walk, language: Language) -> str:
    return language.translate(walk.case.guide.short)


def _note(walk: Walk, language: Language) -> Note:
    ruling = walk.ruling
    assert ruling is not None
    text = f"{_why(walk, language)}: {capital(ruling.sentence(walk.case.names, language))}"
    return Note(text[:LONGEST_TEXT], walk.case.seat)


def offence(case: Case) -> Irregularity | None:
    """Return the irregularity that a case is about: the record's, or one made from the table's answers."""
    found, act = case.finding(), case.act()
    if found is not None or act is None or case.seat is None:
        return found
    reason = Reason(case.guide.irregular, ("IR-1",), case.facts, case.guide.title)
    return Irregularity(case.guide.irregular, Certainty.SEEN, case.seat, (case.seat,), act.event, act.trick, reason)


def agreed(walk: Walk, points: int, language: Language = ENGLISH) -> Sequence[Event]:
    """Return the events of a penalty that the table agrees on, with a note of the ruling."""
    assert walk.case.seat is not None
    penalty = Penalty(walk.case.seat, walk.case.rules.fine(points), _why(walk, language))
    return _noted((penalty, _note(walk, language)), walk, "penalty")
