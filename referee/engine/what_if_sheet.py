"""The JSON shapes of a what-if judgement, for the API and for pages."""

from typing import Annotated, NamedTuple, TypedDict

from referee.engine import sheet
from referee.engine.adjudication import View, describe_rejected
from referee.engine.comparison import TrickChange, goes_elsewhere, trick_changes
from referee.engine.replaying import Watch, no_watch
from referee.engine.rulings import Certainty, Reason
from referee.engine.shapes import Named
from referee.engine.texts import Phrase, phrase
from referee.engine.what_if import HandAsItLay, WhatIf


class PointsThenNow(TypedDict):
    """Points per seat, then and now; null if unsettled or hidden."""

    then: sheet.PerSeat
    now: sheet.PerSeat


class SeatsThenNow(TypedDict):
    """Seats, then and now; null if unknown."""

    then: list[int]
    now: list[int] | None


class LinesThenNow(TypedDict):
    """The lines of a score sheet, then and now."""

    then: list[sheet.DescribedScoreLine]
    now: list[sheet.DescribedScoreLine]


class FlagThenNow(TypedDict):
    """Whether something was true then, and would be now; null if unknown."""

    then: bool
    now: bool | None


class OptionsThenNow(TypedDict):
    """All house rules: those the table started with, and the other ones."""

    then: sheet.OptionData
    now: sheet.OptionData


class OptionThenNow(TypedDict):
    """A house rule that differs, with its clauses."""

    key: str
    label: str
    then: sheet.Plain
    now: sheet.Plain
    clauses: list[str]


class TrickOutcome(TypedDict):
    """The result of a trick."""

    winner: sheet.SeatNumber | None
    points: sheet.Points
    trump: Annotated[str | None, "Trump when the trick was decided."]
    reason: sheet.DescribedReason | None


class TrickThenNow(TypedDict):
    """A trick with its cards as played; `change` says what differs."""

    number: int
    leader: sheet.SeatNumber | None
    plays: list[sheet.DescribedPlayMade]
    then: TrickOutcome
    now: TrickOutcome | None
    change: sheet.DescribedReason | None


class IrregularThenNow(sheet.Irregular):
    """An act that is irregular under the original rules, the other rules, or both."""

    then: bool
    now: bool


class EventLeftOut(TypedDict):
    """An event that does not exist under the other rules, and why."""

    event: sheet.Position
    reason: sheet.DescribedReason


class DescribedHandThenNow(TypedDict):
    """A hand, then and now. `unscored` says why it has no score now, although it may have had one; `unknown` says why
    its result cannot be known: some or all of its cards are not recorded.
    """

    number: int
    phase: Annotated[str, Named("Phase")]
    changed: Annotated[bool, "Whether a trick, a score or an irregularity differs."]
    judged: Annotated[bool, "Whether every trick could be judged by the other rules."]
    tricks: list[TrickThenNow]
    scores: PointsThenNow
    score_lines: LinesThenNow
    irregularities: list[IrregularThenNow]
    notes: Annotated[
        list[sheet.DescribedReason], "What would have been dealt differently; the hand is judged as it was dealt."
    ]
    left_out: Annotated[
        list[EventLeftOut], "Events that do not exist under the other rules, such as bids in a game without bidding."
    ]
    unscored: sheet.DescribedReason | None
    unknown: sheet.DescribedReason | None


class DescribedWhatIf(TypedDict):
    """A record judged by its own rules (`then`) and by the other ones (`now`)."""

    game: sheet.GameId
    options: OptionsThenNow
    changed: Annotated[list[OptionThenNow], "The options that differ."]
    hands: list[DescribedHandThenNow]
    totals: PointsThenNow
    ahead: Annotated[SeatsThenNow, "The seats that are ahead."]
    finished: FlagThenNow
    winners: SeatsThenNow
    over_after: Annotated[int | None, "The hand that would have ended the game."]
    points_hidden: bool
    rejected: sheet.DescribedRejected | None


def describe_what_if(found: WhatIf, view: View, watch: Watch = no_watch) -> DescribedWhatIf:
    """Describe a record under other rules; raises what ``watch`` raises."""
    then, table, points = found.then.table, found.table, view.points
    nothing: sheet.PerSeat = [None] * found.rules.players
    known = points and found.scored
    changed, game = found.changed, found.rules.game
    options = [option for option in game.all_options() if option.key in changed]
    values = {option.key: changed[option.key][1] for option in options}
    name = next((preset.name for preset in game.presets if dict(preset.options) == values), "")
    clauses = dict.fromkeys(clause for option in options for clause in option.clauses)
    hands = []
    for hand in found.hands:
        watch()
        hands.append(_describe_hand(hand, view, _Change(name, (*clauses, "REC-22")), found.unknown(hand)))
    rejected = found.then.rejected
    return {
        "game": found.rules.game.id,
        "options": {"then": dict(found.began.options), "now": dict(found.rules.options)},
        "changed": [
            {
                "key": option.key,
                "label": view.language.translate(option.label),
                "then": changed[option.key][0],
                "now": changed[option.key][1],
                "clauses": list(option.clauses),
            }
            for option in options
        ],
        "hands": hands,
        "totals": {
            "then": list(then.totals()) if points else nothing,
            "now": list(table.totals()) if known else nothing,
        },
        "ahead": {
            "then": list(then.rules.ahead(then.totals())) if points else [],
            "now": list(table.rules.ahead(table.totals())) if known else None,
        },
        "finished": {"then": then.finished(), "now": table.finished() if known else None},
        "winners": {"then": list(then.winners()) if points else [], "now": list(table.winners()) if known else None},
        "over_after": found.over_after if known else None,
        "points_hidden": not points,
        "rejected": None if rejected is None else describe_rejected(rejected, view.names),
    }


class _Change(NamedTuple):
    """The changed options: the name of their preset, if any, and their clauses."""

    name: str
    clauses: tuple[str, ...]


def _describe_hand(hand: HandAsItLay, view: View, change: _Change, unknown: Reason | None) -> DescribedHandThenNow:
    then, now = hand.then, hand.now
    tricks = _describe_tricks(hand, view, change)
    # Everything irregular then or now, in order of events; a finding of now takes precedence.
    held = view.holds and then.holds_back()
    by_then, by_now = (
        {
            (found.code, found.certainty, found.seat, found.suspects, found.event): found
            for found in each.irregularities
            if not held or found.certainty is Certainty.SEEN
        }
        for each in (then, now)
    )
    if hand.stuck is not None:
        by_now = by_then
    both = sorted({**by_then, **by_now}.items(), key=lambda item: (item[1].event, item[1].code))
    findings: list[IrregularThenNow] = [
        {**view.irregular(found, then), "then": key in by_then, "now": key in by_now} for key, found in both
    ]
    unscored, nothing = hand.unscored, (None,) * then.rules.players
    before = list((then.scores() if view.points else None) or nothing)
    after = list((now.scores() if view.points and not unscored else None) or nothing)
    return {
        "number": then.setup.index + 1,
        "phase": str(then.phase),
        "changed": (
            any(trick["change"] for trick in tricks)
            or before != after
            or any(found["then"] != found["now"] for found in findings)
        ),
        "judged": hand.stuck is None and unknown is None,
        "tricks": tricks,
        "scores": {"then": before, "now": after},
        "score_lines": {"then": view.score_lines(then), "now": [] if unscored else view.score_lines(now)},
        "irregularities": findings,
        "notes": [view.reason(note) for note in hand.notes],
        "left_out": [
            {"event": list(then.position(left.event)), "reason": view.reason(left.reason)} for left in hand.left_out
        ],
        "unscored": None if unscored is None else view.reason(unscored),
        "unknown": None if unknown is None else view.reason(unknown),
    }


def _describe_tricks(hand: HandAsItLay, view: View, change: _Change) -> list[TrickThenNow]:
    then, now = ([view.trick(trick) for trick in view.parts(each)["tricks"]] for each in (hand.then, hand.now))
    by_number = {trick["number"]: trick for trick in now}
    changes = {each["trick"]: each for each in trick_changes(hand.then.setup.index, then, now)}
    described: list[TrickThenNow] = []
    for trick in then:
        other, differs = by_number.get(trick["number"]), changes.get(trick["number"])
        why = None if differs is None else _changed(differs, change)
        described.append(
            {
                "number": trick["number"],
                "leader": trick["leader"],
                "plays": trick["plays"],
                "then": _outcome(trick),
                "now": None if other is None else _outcome(other),
                "change": None if why is None else view.reason(why),
            }
        )
    return described


def _outcome(trick: sheet.DescribedTrick) -> TrickOutcome:
    return {"winner": trick["winner"], "points": trick["points"], "trump": trick["trump"], "reason": trick["reason"]}


def _changed(trick: TrickChange, change: _Change) -> Reason | None:
    then, now = trick["before"], trick["after"]
    if then is None or now is None:
        return None
    facts: dict[str, object] = {"number": trick["trick"], "seat": now["winner"], "other": then["winner"]}
    if goes_elsewhere(trick) and None not in (then["winner"], now["winner"]):
        if change.name:
            rules: Phrase = phrase(change.name)
            return Reason("other-winner", change.clauses, facts | {"rules": rules}, "other-winner-named")
        return Reason("other-winner", change.clauses, facts)
    if then["points"] == now["points"] or not (then["points"] and now["points"]):
        return None  # where bids decide, a trick is worth nothing by itself
    before, after = (sum(each["points"].values()) for each in (then, now))
    return Reason("other-points", change.clauses, facts | {"before": before, "points": after})
