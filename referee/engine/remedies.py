"""What a table can do about an irregularity; the table decides, the record remembers."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from referee.engine.describing import describe_reason
from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import Note, Penalty
from referee.engine.guided import Owed
from referee.engine.hand import Hand
from referee.engine.reader import LONGEST_TEXT
from referee.engine.reading import dump_event
from referee.engine.rulings import Certainty, Irregularity, Reason, Verdict, cause
from referee.engine.sheet import DescribedEachPoint, DescribedEffect, DescribedRemedy, Outcome
from referee.engine.table import TableState, judge
from referee.engine.translation import ENGLISH, Language

Points = tuple[int | None, ...]
STAND = "stand"
"""The remedy that changes nothing."""
EQUITY = "equity"
"""The remedy that gives the others all they would have had (IR-6)."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What events would change: the scores of the hand and the totals, before and after."""

    scores: tuple[Points, Points]
    totals: tuple[tuple[int, ...], tuple[int, ...]]

    def described(self) -> DescribedEffect:
        """Return it as JSON holds it."""
        return {
            "scores": {"before": list(self.scores[0]), "after": list(self.scores[1])},
            "totals": {"before": list(self.totals[0]), "after": list(self.totals[1])},
        }


@dataclass(slots=True)
class Outlook:
    """What the events of remedies would change at a table, each worked out once.

    Without ``points`` it is not said: no effect, and no events whose points would tell a score. ``events`` are those of
    the last hand, where whoever asks knows them: only then can it be said what an infraction cost beyond the usual.
    """

    table: TableState
    points: bool = True
    events: Sequence[Event] | None = None
    known: dict[tuple[Event, ...], Effect | Reason] = field(default_factory=dict)

    def effect(self, events: tuple[Event, ...]) -> Effect | Reason:
        """Judge events on a copy of the table; a reason says why they cannot be recorded now."""
        if events not in self.known:
            self.known[events] = effect_of(self.table, events)
        return self.known[events]


def effect_of(table: TableState, events: Sequence[Event]) -> Effect | Reason:
    """Judge events on a copy of a table and say what they change; a reason says why they cannot be recorded now."""
    after = table
    for event in events:
        ruling = judge(after, event)
        if ruling.verdict is not Verdict.ACCEPTED and ruling.reason:
            return ruling.reason
        after = ruling.table
    return Effect((scores_of(table), scores_of(after)), (table.totals(), after.totals()))


def scores_of(table: TableState) -> Points:
    """Return the scores of a table's last hand, as far as they are settled."""
    scores = table.hand.scores() if table.hand else None
    return (None,) * table.rules.players if scores is None else scores


def remedies(
    found: Irregularity,
    hand: Hand,
    names: Sequence[str],
    outlook: Outlook | None = None,
    language: Language = ENGLISH,
) -> list[DescribedRemedy]:
    """Return what the rules offer, the house rule's proposal marked.

    With an outlook on the table at which this hand was played, each comes with the events that carry it out and their
    effect; ``events`` is ``None`` where these cannot be told, and ``pending`` says why. Where another hand has been
    dealt since, it is what the table can still do: it may move points, as part of the hand in progress (IR-5).
    """
    proved = found.certainty is not Certainty.SEEN or found.code in hand.AS_PROVED
    proposed = hand.rules.options.get("revoke") if proved else None
    late = outlook is not None and outlook.table.hand is not None and outlook.table.hand.setup.index != hand.setup.index
    owed = None if late or outlook is None else _owed(found, hand, outlook)
    codes = hand.LATE_REMEDIES if late else hand.offered(found)
    offered = [
        _remedy(code, found, hand, language, proposed=code == proposed)
        for code in codes
        if code != EQUITY or owed is not None
    ]
    if owed is not None:
        for remedy in offered:
            if remedy["code"] == EQUITY:
                remedy["text"] += f" {owed.reason.sentence(names, language)}"
    if outlook is None:
        return offered
    return [
        {**remedy, **_outcome(remedy["code"], found, outlook, hand=hand, names=names, language=language)}
        for remedy in offered
    ]


def _owed(found: Irregularity, hand: Hand, outlook: Outlook) -> Owed | None:
    """Return what an infraction cost others beyond what is given up for it, where the cards as they lay show that."""
    if outlook.events is None or not outlook.points:
        return None
    owed = hand.owed(found, outlook.events)
    return owed if isinstance(owed, Owed) and owed.harmed else None


def _remedy(code: str, found: Irregularity, hand: Hand, language: Language, *, proposed: bool) -> DescribedRemedy:
    remedy = hand.remedy(code, found)
    return {
        "code": code, "title": language.translate(remedy.title or remedy.text),
        "text": language.translate(remedy.text), "clauses": list(remedy.clauses), "proposed": proposed,
    }  # fmt: skip


def _outcome(
    code: str, found: Irregularity, outlook: Outlook, *, hand: Hand, names: Sequence[str], language: Language
) -> Outcome:
    why = language.render(cause(found))
    makes_good = code == EQUITY and outlook.events is not None
    events = hand.make_good(found, outlook.events or (), why) if makes_good else hand.carry_out(code, found, why)
    strikes = hand.strikes(code, found)
    if not isinstance(events, Reason) and (code == STAND or strikes or events) and not _settles(events):
        # A remark, so that the record remembers what the table decided.
        text = f"{language.translate(hand.remedy(code, found).text)} {found.reason.sentence(names, language)}"
        events = (*events, Note(text[:LONGEST_TEXT], found.offender))
    if not outlook.points and not isinstance(events, Reason) and any(isinstance(each, Penalty) for each in events):
        events = Reason("remedy-points-hidden", ("REC-13",))
    effect = events if isinstance(events, Reason) else outlook.effect(events)
    if isinstance(events, Reason) or isinstance(effect, Reason):
        assert isinstance(effect, Reason)
        pending: Outcome = {
            "events": None,
            "effect": None,
            "pending": describe_reason(effect, names, language),
        }
        if code == "penalty":
            pending["each"] = _each_point(found, outlook, hand)
        return pending
    done = _carried_out(events, effect if outlook.points else None, found, hand, struck=bool(strikes))
    outcome: Outcome = {"events": done["events"], "effect": done["effect"], "pending": None}
    if strikes:
        outcome["strikes"] = [list(hand.position(event)) for event in sorted(strikes, reverse=True)]
    return outcome


def _settles(events: Sequence[Event]) -> bool:
    """Return whether any of these can say what it settles."""
    return any(event.kind.settles for event in events)


def _carried_out(
    events: tuple[Event, ...], outcome: Effect | None, found: Irregularity, hand: Hand, *, struck: bool = False
) -> DescribedEachPoint:
    """Describe events that carry a remedy out; what is ``struck`` with its act is not there to be settled."""
    settles = {SETTLES: list(hand.position(found.event))}
    marked = [replace(event, extra=settles) if event.kind.settles and not struck else event for event in events]
    described = None if outcome is None else outcome.described()
    return {"events": [dump_event(event) for event in marked], "effect": described}


def _each_point(found: Irregularity, outlook: Outlook, hand: Hand) -> DescribedEachPoint | None:
    """Return what a penalty is by the point: the offender loses the number that the table agrees on."""
    if found.offender is None:
        return None
    events = (Penalty(found.offender, -1),)
    effect = outlook.effect(events)
    if isinstance(effect, Reason):
        return None
    return _carried_out(events, effect if outlook.points else None, found, hand)
