"""What the table can do once a guide has come to its ruling: the entries that carry it out, and their price.

Every remedy is carried out by events, with entries put right before them where cards or bids go back. The price is
what the same events do to a copy of the table, so what is shown before is what comes of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.engine.adjudication import Effect, effect_of, scores_of
from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import Bid, Note, Penalty, Redeal
from referee.engine.reader import LONGEST_TEXT
from referee.engine.remedied import Amends
from referee.engine.rules import Problem, Refused
from referee.engine.rulings import Certainty, Irregularity, Reason, Remedy, Verdict
from referee.engine.state import VOID
from referee.engine.table import TableState, judge
from referee.engine.texts import ENGLISH, Language, capital
from referee.guides.case import NO, Case, Looked, guides_of
from referee.guides.walking import Walk, first_card

X_GUIDE = "x_guide"
"""The key under which an event says by which guide, and which answers, the table came to its ruling."""
LATE = frozenset({"note", "warn", "stand", "penalty", "correct"})
"""What is left to a table once another hand has been dealt (IR-5)."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What carries out a remedy: entries of the hand put right, then events recorded."""

    events: tuple[Event, ...]
    amends: Amends = ()


@dataclass(frozen=True, slots=True)
class Offered:
    """A remedy of a ruling: what carries it out and what that changes, or why that is still open.

    ``each`` is what a penalty does by the point. ``effect`` is ``None`` where points are hidden, or without a record.
    """

    code: str
    remedy: Remedy
    outcome: Steps | Reason
    effect: Effect | None = None
    each: tuple[Steps, Effect | None] | None = None


def offered(walk: Walk, *, points: bool = True, language: Language = ENGLISH) -> tuple[Offered, ...]:
    """Return what the table can do about a case whose guide has come to its ruling; nothing before that."""
    leaf = walk.leaf
    if leaf is None:
        return ()
    case, remedies = walk.case, all_remedies(walk.case)
    fitting = (code for code in leaf.remedies if _fits(code, case))
    return tuple(_offer(code, remedies[code], walk, points=points, language=language) for code in fitting)


def chosen(walk: Walk, code: str, *, points: bool = True, language: Language = ENGLISH) -> Offered:
    """Return the remedy that a table has chosen; raises ``Refused`` where the guide does not offer it.

    Nothing is offered where the record disproves the accusation, nor before there is a ruling.
    """
    if walk.disproof:
        raise Refused([Problem("/remedy", "disproved", walk.disproof[0].phrase_for(walk.case.names))])
    if walk.question is not None:
        raise Refused([Problem(f"/answers/{walk.question.id}", "missing-key", walk.question.text)])
    found = next((each for each in offered(walk, points=points, language=language) if each.code == code), None)
    if found is None:
        raise Refused([Problem("/remedy", "bad-value", "The ruling does not offer this.")])
    return found


def all_remedies(case: Case) -> Mapping[str, Remedy]:
    """Return every remedy by its code, as the hand stands: those of the game's hands, and those of the guides."""
    own, hand = case.game.hand_class.REMEDIES, None if case.looked is None else case.looked.hand
    guides = {
        code: replace(one, text=one.over) if one.over and hand is not None and hand.is_over() else one
        for code, one in guides_of(case.game).remedies.items()
        if code not in own or code in OWN_WORDS
    }
    return {**(own if hand is None else {code: hand.remedy(code, offence(case)) for code in own}), **guides}


OWN_WORDS = frozenset({"take-back", "correct", "redeal", "penalty"})
"""Remedies that a guide calls otherwise than a finding does."""


def _fits(code: str, case: Case) -> bool:
    """Return whether a remedy makes sense here."""
    looked = case.looked
    return looked is None or looked.hand.phase is not VOID or code in LATE


def _offer(code: str, remedy: Remedy, walk: Walk, *, points: bool, language: Language) -> Offered:
    case = walk.case
    done = steps(code, walk, language)
    if isinstance(done, Reason):
        return Offered(code, remedy, done, each=_by_the_point(walk, points=points) if code == "penalty" else None)
    if not points and any(isinstance(event, Penalty) for event in done.events):
        return Offered(code, remedy, Reason("remedy-points-hidden", ("REC-13",)))
    if case.looked is None:
        return Offered(code, remedy, done)
    effect = _effect(case.looked, done, points=points)
    return Offered(code, remedy, effect) if isinstance(effect, Reason) else Offered(code, remedy, done, effect)


def _by_the_point(walk: Walk, *, points: bool) -> tuple[Steps, Effect | None] | None:
    """Return a penalty of one point and what it changes, where the record says whose it would be."""
    seat, looked = walk.case.seat, walk.case.looked
    if seat is None or looked is None:
        return None
    point = Steps(_noted((Penalty(seat, -1),), walk, "penalty"))
    effect = _effect(looked, point, points=points)
    return point, None if isinstance(effect, Reason) else effect


def _effect(looked: Looked, done: Steps, *, points: bool) -> Effect | Reason | None:
    """Return what steps change, or why they cannot be taken now."""
    if not done.amends:
        effect = effect_of(looked.table, done.events)
    else:
        after = amended(looked, done.amends)
        if isinstance(after, Reason):
            return after
        if loses_proof(looked, done.amends, after):
            return Reason("guide-keeps-proof", ("REC-17", "REC-20"))
        then = effect_of(after, done.events)
        if isinstance(then, Reason):
            return then
        before = looked.table
        effect = Effect((scores_of(before), then.scores[1]), (before.totals(), then.totals[1]))
    return effect if isinstance(effect, Reason) or points else None


def amended(looked: Looked, amends: Amends) -> TableState | Reason:
    """Return the table with entries of its last hand put right, or why what follows them cannot stay."""
    instead = dict(amends)
    table = looked.start()
    for place, event in enumerate(looked.events):
        standing = instead.get(place, event)
        if standing is None:
            continue
        ruling = judge(table, standing)
        if ruling.verdict is not Verdict.ACCEPTED and ruling.reason is not None:
            return ruling.reason
        table = ruling.table
    return table


def loses_proof(looked: Looked, amends: Amends, after: TableState) -> bool:
    """Return whether entries that are put right prove something of an act that stays on record."""
    if after.hand is None:
        return False
    stands = {(found.code, found.seat, found.event) for found in after.hand.irregularities}
    struck = [place for place, event in amends if event is None]
    return any(
        (found.code, found.seat, found.event - sum(place < found.event for place in struck)) not in stands
        for found in looked.hand.irregularities
        if found.certainty is Certainty.PROVED and found.event not in dict(amends)
    )


# -- what carries it out ----------------------------------------------------------------------


def steps(code: str, walk: Walk, language: Language = ENGLISH) -> Steps | Reason:
    """Return what carries out a remedy of the ruling; a reason says why that cannot be told, or by whom it is done."""
    case = walk.case
    if case.looked is not None and case.looked.late and code not in LATE:
        return Reason("guide-too-late", ("IR-5",))
    if code == "correct":
        return Reason("guide-by-log", ("IR-16",))
    if code == "penalty":
        return Reason("remedy-agree", ("REC-13",), case.facts) if case.seat is not None else _no_record()
    done = WAYS[code](walk, language) if code in WAYS else _of_the_hand(code, walk, language)
    return done if isinstance(done, Reason) else replace(done, events=_noted(done.events, walk, code))


def _noted(events: tuple[Event, ...], walk: Walk, code: str) -> tuple[Event, ...]:
    """Have events say by which answers the table came to them; the first one says it for all of them."""
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
    """Return the reason that stands in the record."""
    return language.translate(walk.case.guide.title)


def _note(walk: Walk, language: Language) -> Note:
    """Return the ruling as a remark."""
    ruling = walk.ruling
    assert ruling is not None
    text = f"{_why(walk, language)}: {capital(ruling.sentence(walk.case.names, language))}"
    return Note(text[:LONGEST_TEXT], walk.case.seat)


def _write_down(walk: Walk, language: Language) -> Steps:
    return Steps((_note(walk, language),))


def _take_back(walk: Walk, language: Language) -> Steps | Reason:
    """Take back what was recorded from the act on; where it is not in the record, there is nothing to take back."""
    case, act = walk.case, walk.case.act()
    if case.looked is None:
        return _no_record()
    if act is None:
        return Reason("guide-no-act", ("REC-20",), case.facts)
    gone = [place for place, event in enumerate(case.looked.events) if place >= act.event and _is_play(event)]
    return Steps((_note(walk, language),), tuple((place, None) for place in gone))


def _is_play(event: Event) -> bool:
    """Return whether an event belongs to the play of the cards."""
    return event.kind.in_trick or event.kind.coarse


def _take_bid_back(walk: Walk, language: Language) -> Steps | Reason:
    case = walk.case
    if case.looked is None:
        return _no_record()
    events = case.looked.events
    own = [place for place, event in enumerate(events) if isinstance(event, Bid) and event.seat == case.seat]
    if not own:
        return Reason("guide-no-act", ("REC-20",), case.facts)
    return Steps((_note(walk, language),), ((own[-1], None),))


def _choose_again(walk: Walk, language: Language) -> Steps | Reason:
    """Take back all choices of the kind that is chosen in secret first, and what was recorded after them."""
    looked = walk.case.looked
    if looked is None:
        return _no_record()
    first = next((place for place, event in enumerate(looked.events) if event.kind.secret), None)
    if first is None:
        return Reason("guide-nothing-there", ("REC-20",))
    gone = [place for place, event in enumerate(looked.events) if place >= first and not event.kind.stays]
    return Steps((_note(walk, language),), tuple((place, None) for place in gone))


def _redeal(walk: Walk, language: Language) -> Steps:
    """Declare the hand void; of one that has not begun on record only the ruling is written down."""
    note, looked = _note(walk, language), walk.case.looked
    coming = looked is not None and looked.hand.is_over() and walk.answers.get("first-card") == NO
    if coming or (looked is not None and first_card(walk.case) is False and not looked.events):
        return Steps((note,))
    return Steps((note, Redeal(_why(walk, language))))


def _claim_rest(walk: Walk, language: Language) -> Steps | Reason:
    looked, seat = walk.case.looked, walk.case.seat
    if looked is None or seat is None:
        return _no_record()
    rest = looked.hand.rest_goes_to(seat)
    return rest if isinstance(rest, Reason) else Steps((_note(walk, language), rest))


def _make_good(walk: Walk, language: Language) -> Steps | Reason:
    looked, found = walk.case.looked, offence(walk.case)
    if looked is None:
        return _no_record()
    if found is None:
        return Reason("guide-no-act", ("REC-20",), walk.case.facts)
    events = looked.hand.make_good(found, looked.events, _why(walk, language))
    return events if isinstance(events, Reason) else Steps((*events, _note(walk, language)))


def _of_the_hand(code: str, walk: Walk, language: Language) -> Steps | Reason:
    """Return what the game's own hand does for a finding; the ruling is written down with it."""
    looked, note = walk.case.looked, _note(walk, language)
    if code == "stand":
        return Steps((note,))
    if looked is None:
        return _no_record()
    amends = looked.hand.guide_amends(code, looked.events)
    if amends is not None:
        return amends if isinstance(amends, Reason) else Steps((note,), amends)
    records = looked.hand.guide_records(code)
    if records:
        return Steps((*records, note))
    found = offence(walk.case)
    if found is None:
        return Reason("guide-no-act", ("REC-20",), walk.case.facts)
    events = looked.hand.carry_out(code, found, _why(walk, language))
    return events if isinstance(events, Reason) else Steps((*events, note))


def offence(case: Case) -> Irregularity | None:
    """Return the irregularity that a case is about: the record's, or what the table says that it was."""
    found, act = case.finding(), case.act()
    if found is not None or act is None or case.seat is None:
        return found
    reason = Reason(case.guide.irregular, ("IR-1",), case.facts, case.guide.title)
    return Irregularity(case.guide.irregular, Certainty.SEEN, case.seat, (case.seat,), act.event, act.trick, reason)


def _no_record() -> Reason:
    return Reason("guide-no-record", ("REC-19",))


WAYS: Mapping[str, Callable[[Walk, Language], Steps | Reason]] = {
    "note": _write_down,
    "warn": _write_down,
    "take-back": _take_back,
    "take-bid-back": _take_bid_back,
    "choose-again": _choose_again,
    "redeal": _redeal,
    "claim-rest": _claim_rest,
    "equity": _make_good,
}
"""How remedies are carried out that belong to no single game."""


def agreed(walk: Walk, points: int, language: Language = ENGLISH) -> Sequence[Event]:
    """Return the events of a penalty that the table agrees on: so many points that the player loses, and why."""
    assert walk.case.seat is not None
    penalty = Penalty(walk.case.seat, -abs(points), _why(walk, language))
    return _noted((penalty, _note(walk, language)), walk, "penalty")
