"""Adjudication of a record as JSON-like data, with the remedies for each irregularity."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from referee.engine import sheet
from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import Note, Penalty
from referee.engine.hand import Hand
from referee.engine.reader import LONGEST_TEXT
from referee.engine.records import Record, Replay, dump_event, replay
from referee.engine.remedied import Owed
from referee.engine.replaying import Stop, Watch, no_watch
from referee.engine.rules import Setup
from referee.engine.rulings import Certainty, Irregularity, LaidCard, Reason, Verdict, Withdrawn, cause
from referee.engine.sheet import describe_reason
from referee.engine.table import TableState, judge
from referee.engine.texts import ENGLISH, Language

Points = tuple[int | None, ...]
STAND = "stand"
"""The remedy that changes nothing."""
EQUITY = "equity"
"""The remedy that gives the others all they would have had without the infraction (IR-6)."""


@dataclass(frozen=True, slots=True)
class View:
    """How to describe: names, language, whether to show points, and whether to hold back findings."""

    names: Sequence[str]
    language: Language = ENGLISH
    points: bool = True
    holds: bool = False

    def reason(self, reason: Reason) -> sheet.DescribedReason:
        return describe_reason(reason, self.names, self.language)

    def parts(self, hand: Hand) -> sheet.HandParts:
        return hand.describe() if self.points else hand.describe_without_points()

    def score_lines(self, hand: Hand) -> list[sheet.DescribedScoreLine]:
        lines = hand.score_lines() if self.points else ()
        return [{"seat": line.seat, "points": line.points, "reason": self.reason(line.reason)} for line in lines]

    def trick(self, trick: sheet.TrickParts) -> sheet.DescribedTrick:
        described: dict[str, object] = {**trick}
        details = described.pop("details", {})
        if trick["reason"] is not None:
            described["reason"] = self.reason(trick["reason"]) | cast(sheet.Details, details)
        if "best" in trick:
            described["best"] = {**trick["best"], "reason": self.reason(trick["best"]["reason"])}
        if "names" in trick:
            described["names"] = [None if name is None else self.language.render(name) for name in trick["names"]]
        return cast(sheet.DescribedTrick, described)

    def irregular(self, found: Irregularity, hand: Hand) -> sheet.Irregular:
        return {
            "code": found.code,
            "certainty": found.certainty.value,
            "seat": found.seat,
            "suspects": list(found.suspects),
            "event": list(hand.position(found.event)),
            "trick": found.trick,
            "reason": self.reason(found.reason),
        }


@dataclass(slots=True)
class Outlook:
    """The effects of remedies on a table, each computed once.

    ``events`` are those of the last hand, if the caller has them; equity (IR-6) needs them.
    """

    table: TableState
    events: Sequence[Event] | None = None
    known: dict[tuple[Event, ...], sheet.DescribedEffect | Reason] = field(default_factory=dict)

    def effect(self, events: tuple[Event, ...]) -> sheet.DescribedEffect | Reason:
        if events not in self.known:
            self.known[events] = effect_of(self.table, events)
        return self.known[events]


def effect_of(
    table: TableState, events: Sequence[Event], since: TableState | None = None
) -> sheet.DescribedEffect | Reason:
    """Judge events on a copy of a table; return their effect, or why they cannot be recorded now.

    The effect is the change from ``since``, if it is another state of the table.
    """
    after = table
    for event in events:
        ruling = judge(after, event)
        if ruling.verdict is not Verdict.ACCEPTED and ruling.reason:
            return ruling.reason
        after = ruling.table
    before = since or table
    return {
        "scores": {"before": list(scores_of(before)), "after": list(scores_of(after))},
        "totals": {"before": list(before.totals()), "after": list(after.totals())},
    }


def scores_of(table: TableState) -> Points:
    scores = table.hand.scores() if table.hand else None
    return (None,) * table.rules.players if scores is None else scores


def remedies(found: Irregularity, hand: Hand, view: View, outlook: Outlook | None) -> list[sheet.DescribedRemedy]:
    """Describe the remedies for a finding, with the one the house rules propose marked.

    With an outlook on the table of this hand, each has the events that carry it out and their effect; ``events`` is
    ``None`` if these cannot be given, and ``pending`` says why. Without points, effects are left out, and so are events
    whose points would reveal a score. Once another hand has been dealt, only late remedies are left; they may move
    points, as part of the hand in progress (IR-5).
    """
    proved = found.certainty is not Certainty.SEEN or found.code in hand.AS_PROVED
    proposed = hand.rules.options.get("revoke") if proved else None
    late = outlook is not None and outlook.table.hand is not None and outlook.table.hand.setup.index != hand.setup.index
    owed = None
    if outlook is not None and outlook.events is not None and view.points and not late:
        owed = hand.owed(found, outlook.events)
    offered = []
    for code in hand.LATE_REMEDIES if late else hand.offered(found):
        remedy = hand.remedy(code, found)
        text = view.language.translate(remedy.text)
        if code == EQUITY:
            if not isinstance(owed, Owed) or not owed.harmed:
                continue
            text += f" {owed.reason.sentence(view.names, view.language)}"
        outcome: sheet.Outcome = {}
        if outlook is not None:
            outcome = _outcome(code, found, outlook, hand, view)
        described: sheet.DescribedRemedy = {
            "code": code, "title": view.language.translate(remedy.title or remedy.text),
            "text": text, "clauses": list(remedy.clauses), "proposed": code == proposed, **outcome,
        }  # fmt: skip
        offered.append(described)
    return offered


def _outcome(code: str, found: Irregularity, outlook: Outlook, hand: Hand, view: View) -> sheet.Outcome:
    why = view.language.render(cause(found))
    makes_good = code == EQUITY and outlook.events is not None
    events = hand.make_good(found, outlook.events or (), why) if makes_good else hand.carry_out(code, found, why)
    strikes = hand.strikes(code, found)
    settled = not isinstance(events, Reason) and any(event.kind.settles for event in events)
    if not isinstance(events, Reason) and (code == STAND or strikes or events) and not settled:
        # Add a remark, so that the record shows what the table decided.
        said = found.reason.sentence(view.names, view.language)
        text = f"{view.language.translate(hand.remedy(code, found).text)} {said}"
        events = (*events, Note(text[:LONGEST_TEXT], found.offender))
    if not view.points and not isinstance(events, Reason) and any(isinstance(each, Penalty) for each in events):
        events = Reason("remedy-points-hidden", ("REC-13",))
    effect = events if isinstance(events, Reason) else outlook.effect(events)
    if isinstance(events, Reason) or isinstance(effect, Reason):
        assert isinstance(effect, Reason)
        pending: sheet.Outcome = {"events": None, "effect": None, "pending": view.reason(effect)}
        if code == "penalty":
            point = () if found.offender is None else (Penalty(found.offender, hand.rules.fine(1)),)
            lost = outlook.effect(point)
            pending["each"] = None
            if point and not isinstance(lost, Reason):
                pending["each"] = _carried_out(point, lost, found, hand, view)
        return pending
    done = _carried_out(events, effect, found, hand, view, struck=bool(strikes))
    outcome: sheet.Outcome = {"events": done["events"], "effect": done["effect"], "pending": None}
    if strikes:
        outcome["strikes"] = [list(hand.position(event)) for event in sorted(strikes, reverse=True)]
    return outcome


def _carried_out(
    events: tuple[Event, ...],
    effect: sheet.DescribedEffect,
    found: Irregularity,
    hand: Hand,
    view: View,
    *,
    struck: bool = False,
) -> sheet.DescribedEachPoint:
    settles = {SETTLES: list(hand.position(found.event))}
    marked = [replace(event, extra=settles) if event.kind.settles and not struck else event for event in events]
    return {"events": [dump_event(event) for event in marked], "effect": effect if view.points else None}


# --- Adjudications as JSON-like data, for the API and for pages


def adjudicate(record: Record, watch: Watch = no_watch, language: Language = ENGLISH) -> sheet.Adjudication:
    """Judge a record and describe the outcome; raises what ``watch`` raises."""
    return describe_replay(replay(record, watch), record.seats, watch, language=language)


def describe_replay(
    judged: Replay, names: Sequence[str], watch: Watch = no_watch, *, points: bool = True, language: Language = ENGLISH
) -> sheet.Adjudication:
    """Describe a judged record; ``points=False`` leaves out all points."""
    rejected = None if judged.rejected is None else describe_rejected(judged.rejected, names, language)
    hands = [
        describe_hand(hand, names, judged.table, language=language, points=points, watch=watch) for hand in judged.hands
    ]
    return {**describe_table(judged.table, points=points), "hands": hands, "rejected": rejected}


def describe_table(table: TableState, *, points: bool = True) -> sheet.DescribedTable:
    """Describe the state of the game; with ``points=False``, totals are ``None``."""
    end = table.rules.end
    described: sheet.DescribedTable = {
        "game": table.rules.game.id,
        "title": table.rules.game.title or "",
        "rules_version": table.rules.game.rules_version,
        "options": dict(table.opening.options),
        "end": {"kind": end.kind} if end.value is None else {"kind": end.kind, "value": end.value},
        **describe_outcome(table, points=points),
        "course": list(table.rules.game.course(table.rules)),
    }
    if not described["title"]:
        del described["title"]
    return described


def describe_outcome(table: TableState, *, points: bool = True) -> sheet.TableOutcome:
    coming = table.coming()
    described: sheet.TableOutcome = {
        "totals": list(table.totals()) if points else [None] * table.rules.players,
        "points_hidden": not points,
        "finished": table.finished(),
        "winners": list(table.winners()),
        "next": None if coming is None else describe_setup(coming),
    }
    if table.changed:
        described["options_now"] = dict(table.rules.options)
    return described


def describe_setup(setup: Setup) -> sheet.DescribedSetup:
    return {
        "number": setup.index + 1,
        "dealer": setup.dealer,
        "seating": list(setup.seating),
        "hand_size": None if setup.sizes is None else list(setup.sizes),
    }


def describe_hand(
    hand: Hand,
    names: Sequence[str],
    table: TableState | None = None,
    *,
    language: Language = ENGLISH,
    points: bool = True,
    events: Sequence[Event] | None = None,
    watch: Watch = no_watch,
) -> sheet.DescribedHand:
    """Describe one hand as far as it is recorded.

    The remedies of the last hand of ``table`` have effects; scores of earlier hands no longer change by themselves
    (IR-5). With ``events``, the hand's recorded events, they include equity (IR-6). ``points=False`` leaves out what
    tricks and hands have brought, but not cards, winners and irregularities.

    Raises what ``watch`` raises; it is called once for each irregularity, since remedies are the expensive part.
    """
    watch()
    view = View(names, language, points)
    outlook = Outlook(table, events) if table is not None and table.hand is hand else None
    parts = view.parts(hand)
    irregularities = []
    for found in hand.irregularities:
        watch()
        irregularities.append(describe_irregularity(found, hand, view, outlook))
    whole = {
        **_facts(hand, parts, parts["tricks"], view),
        "score_lines": view.score_lines(hand),
        "irregularities": irregularities,
        "withdrawn": [describe_withdrawn(gone, hand, view) for gone in hand.disproved() if hand.tells(gone.found)],
        "unchecked": [view.reason(reason) for reason in hand.unchecked()],
    }
    return cast(sheet.DescribedHand, whole)  # with the game's own keys


def _facts(hand: Hand, parts: sheet.HandParts, tricks: Iterable[sheet.TrickParts], view: View) -> dict[str, object]:
    described: dict[str, object] = {**parts, "tricks": [view.trick(trick) for trick in tricks]}
    if "given_up" in parts:
        del described["given_up"]
        described["given"] = [
            {"trick": trick, "to": to, "why": view.language.render(why)} for trick, to, why in parts["given_up"]
        ]
    opening = parts.get("opening")
    if opening is not None:
        described["opening"] = view.reason(opening)
    scores = hand.scores() if view.points else None
    return {
        **describe_setup(hand.setup),
        **({} if hand.opening is None else {"options": dict(hand.rules.options)}),
        "phase": str(hand.phase),
        "to_act": list(hand.to_act()),
        "cards_left": list(hand.cards_left()),
        **described,
        "face_up": [
            {"label": view.language.translate(shown.label), "cards": list(shown.cards), "suit": shown.suit}
            for shown in hand.face_up()
        ],
        "scores": list(scores or (None,) * hand.rules.players),
    }


ALWAYS_TOLD = ("number", "phase", "to_act", "cards_left", "scores", "tricks")
"""The keys of a hand that are included even if they have not changed."""


def _laid(trick: sheet.TrickParts) -> dict[str, object]:
    """Return a trick without its best answer, which appears in every trick at once when the hand is over."""
    return {key: value for key, value in trick.items() if key != "best"}


def describe_changed(
    table: TableState, before: TableState, names: Sequence[str], *,
    language: Language = ENGLISH, points: bool = True, held: bool = False,
) -> sheet.ChangedState:  # fmt: skip
    """Describe the state of the game and what changed in its last hand; ``held``: count held-back findings, too."""
    hand, was, view = table.hand, before.hand, View(names, language, points)
    outcome = describe_outcome(table, points=points)
    if hand is None:
        return {**outcome, "hand": None}
    if was is not None and was.setup.index > hand.setup.index:
        was = hand  # the hand after this one was undone
    parts, old = view.parts(hand), None
    if was is not None and was.setup.index == hand.setup.index:
        old = view.parts(was)
    known = () if old is None else [_laid(trick) for trick in old["tricks"]]
    tricks = [each for place, each in enumerate(parts["tricks"]) if _laid(each) not in known[place : place + 1]]
    told = _facts(hand, parts, tricks, view)
    told["findings"] = sum(held or hand.tells(found) for found in hand.irregularities)
    if was is not None and old is not None:
        then = _facts(was, old, (), view)
        if was.irregularities == hand.irregularities:
            then["findings"] = told["findings"]
        told = {key: value for key, value in told.items() if key in ALWAYS_TOLD or then.get(key, told) != value}
    return {**outcome, "hand": cast(sheet.ChangedHand, told)}


def describe_findings(
    hand: Hand,
    names: Sequence[str],
    table: TableState,
    *,
    language: Language = ENGLISH,
    points: bool = True,
    events: Sequence[Event] | None = None,
) -> list[sheet.DescribedIrregularity]:
    """Describe the irregularities of a hand, the last or an earlier one, with the remedies that are left now.

    An undecided irregularity outlives the next deal; after that no score changes by itself (IR-5). ``events`` are as in
    ``describe_hand``.
    """
    outlook, view = Outlook(table, events), View(names, language, points)
    return [describe_irregularity(found, hand, view, outlook) for found in hand.irregularities]


def describe_irregularity(
    found: Irregularity, hand: Hand, view: View, outlook: Outlook | None = None
) -> sheet.DescribedIrregularity:
    shown = hand.card_shown(found)
    described: dict[str, object] = {
        **view.irregular(found, hand),
        "proved_by": [list(hand.position(event)) for event in found.proved_by],
        "remedies": remedies(found, hand, view, outlook),
        "acts": [
            {
                "led": None if act.led is None else describe_card(act.led),
                "played": describe_card(act.played),
                "claims": list(act.claims),
            }
            for act in hand.acts_of(found)
        ],
        "shown": None if shown is None else describe_card(shown),
        "steps": [
            {**step._asdict(), "reason": view.reason(step.reason), "cards": list(step.cards)}
            for step in hand.steps_of(found)
        ],
    }
    if found.certainty is Certainty.JOINT:
        described["claims"] = [list(hand.position(event)) for event in found.claims]
        described["argument"] = None
        if argument := found.argument:
            pack, acts = hand.rules.pack, argument.excluded_by
            described["argument"] = {
                "cards": [pack.cards[card].code for card in pack.members(argument.cards)],
                "excluded_by": [{"seat": seat, "event": list(hand.position(event))} for seat, event in acts],
                "room": [{"place": "aside" if seat is None else seat, "cards": cards} for seat, cards in argument.room],
            }
    return cast(sheet.DescribedIrregularity, described)


def describe_withdrawn(gone: Withdrawn, hand: Hand, view: View) -> sheet.DescribedWithdrawn:
    described = {
        **view.irregular(gone.found, hand),
        "proved_by": [list(hand.position(event)) for event in gone.found.proved_by],
        "withdrawn_by": list(hand.position(gone.event)),
        "why": view.reason(gone.reason),
    }
    return cast(sheet.DescribedWithdrawn, described)


def describe_card(laid: LaidCard) -> sheet.DescribedLaidCard:
    reads, matches = list(laid.reads), list(laid.matches)
    return {"seat": laid.seat, "trick": laid.trick, "card": laid.card, "reads": reads, "matches": matches}


def describe_rejected(rejected: Stop, names: Sequence[str], language: Language = ENGLISH) -> sheet.DescribedRejected:
    reason = rejected.ruling.reason
    assert reason is not None, "a refusal has a reason"
    return {
        "hand": rejected.hand,
        "event": rejected.event,
        "verdict": rejected.ruling.verdict.value,
        "reason": describe_reason(reason, names, language),
    }
