"""What a record would be under other house rules, as JSON holds it: what the API answers and pages show."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypedDict

from referee.engine.adjudication import describe_rejected, describe_trick
from referee.engine.comparison import TrickChange, goes_elsewhere, trick_changes
from referee.engine.game import find_game
from referee.engine.hand import Hand
from referee.engine.records import Replay
from referee.engine.replaying import Watch, no_watch
from referee.engine.rules import Option
from referee.engine.rulings import Certainty, Irregularity, Reason
from referee.engine.shapes import Named
from referee.engine.sheet import (
    DescribedPlayMade,
    DescribedReason,
    DescribedRejected,
    DescribedScoreLine,
    DescribedTrick,
    GameId,
    Irregular,
    OptionData,
    PerSeat,
    Plain,
    Points,
    Position,
    SeatNumber,
    describe_reason,
)
from referee.engine.table import ahead
from referee.engine.texts import ENGLISH, Language, Phrase, phrase
from referee.engine.what_if import HandAsItLay, WhatIf


class PointsThenNow(TypedDict):
    """Points per seat as they were and as they would be, ``None`` where they are not settled or cannot be told."""

    then: PerSeat
    now: PerSeat


class SeatsThenNow(TypedDict):
    """Seats then and now; ``None`` where nobody can say."""

    then: list[int]
    now: list[int] | None


class LinesThenNow(TypedDict):
    """The lines of a score sheet then and now."""

    then: list[DescribedScoreLine]
    now: list[DescribedScoreLine]


class FlagThenNow(TypedDict):
    """Whether something was so and would be; ``None`` where nobody can say."""

    then: bool
    now: bool | None


class OptionsThenNow(TypedDict):
    """All house rules by which the table began, and the other ones."""

    then: OptionData
    now: OptionData


class OptionThenNow(TypedDict):
    """A house rule that is another one, with its clauses."""

    key: str
    label: str
    then: Plain
    now: Plain
    clauses: list[str]


class TrickOutcome(TypedDict):
    """What comes of a trick."""

    winner: SeatNumber | None
    points: Points
    trump: Annotated[str | None, "The trump that decided it."]
    reason: DescribedReason | None


class TrickThenNow(TypedDict):
    """A trick with its cards as they lay; `change` says what is different."""

    number: int
    leader: SeatNumber | None
    plays: list[DescribedPlayMade]
    then: TrickOutcome
    now: TrickOutcome | None
    change: DescribedReason | None


class IrregularThenNow(Irregular):
    """Something irregular by the rules of then, by those of now, or by both."""

    then: bool
    now: bool


class EventLeftOut(TypedDict):
    """An event that has no place under the other rules, and why."""

    event: Position
    reason: DescribedReason


class DescribedHandThenNow(TypedDict):
    """A hand then and now; `unscored` says why it has no score now although it may have had one, `unknown` why nobody
    can know what these rules would have made of it: its cards are not recorded, or not all.
    """

    number: int
    phase: Annotated[str, Named("Phase")]
    changed: Annotated[bool, "A trick, a score, or what is irregular, is different."]
    judged: Annotated[bool, "Whether every trick could be judged by the other rules."]
    tricks: list[TrickThenNow]
    scores: PointsThenNow
    score_lines: LinesThenNow
    irregularities: list[IrregularThenNow]
    notes: Annotated[list[DescribedReason], "What would have been dealt otherwise; the hand is judged as it lay."]
    left_out: Annotated[
        list[EventLeftOut], "Events that have no place under the other rules, such as bids where nobody bids."
    ]
    unscored: DescribedReason | None
    unknown: DescribedReason | None


class DescribedWhatIf(TypedDict):
    """A record as it lay: by its own rules (`then`) and by the other ones (`now`)."""

    game: GameId
    options: OptionsThenNow
    changed: Annotated[list[OptionThenNow], "The options that are others."]
    hands: list[DescribedHandThenNow]
    totals: PointsThenNow
    ahead: Annotated[SeatsThenNow, "The seats with the highest total."]
    finished: FlagThenNow
    winners: SeatsThenNow
    over_after: Annotated[int | None, "The hand after which the game would have been over."]
    points_hidden: bool
    rejected: DescribedRejected | None


@dataclass(frozen=True, slots=True)
class View:
    """How it is told: the players' names, the language, with or without points, with or without what is held back."""

    names: Sequence[str]
    language: Language = ENGLISH
    points: bool = True
    holds: bool = False

    def reason(self, reason: Reason) -> DescribedReason:
        """Put a reason into words."""
        return describe_reason(reason, self.names, self.language)

    def irregular(self, found: Irregularity, hand: Hand) -> Irregular:
        """Tell whose act was irregular, when, how that is known, and why."""
        return {
            "code": found.code,
            "certainty": found.certainty.value,
            "seat": found.seat,
            "suspects": list(found.suspects),
            "event": list(hand.position(found.event)),
            "trick": found.trick,
            "reason": self.reason(found.reason),
        }


def describe_what_if(found: WhatIf, view: View, watch: Watch = no_watch) -> DescribedWhatIf:
    """Describe what a record would be under other rules; raises what ``watch`` raises."""
    then, table, points = found.then.table, found.table, view.points
    nothing: PerSeat = [None] * found.rules.players
    known = points and found.scored
    change = _Change.of(found)
    hands = []
    for hand in found.hands:
        watch()
        hands.append(_describe_hand(hand, view, change, found.unknown(hand)))
    return {
        "game": found.rules.game.id,
        "options": {"then": dict(found.began.options), "now": dict(found.rules.options)},
        "changed": [_describe_option(option, found, view.language) for option in change.options],
        "hands": hands,
        "totals": {
            "then": list(then.totals()) if points else nothing,
            "now": list(table.totals()) if known else nothing,
        },
        "ahead": {
            "then": list(ahead(then.totals())) if points else [],
            "now": list(ahead(table.totals())) if known else None,
        },
        "finished": {"then": then.finished(), "now": table.finished() if known else None},
        "winners": {"then": list(then.winners()) if points else [], "now": list(table.winners()) if known else None},
        "over_after": found.over_after if known else None,
        "points_hidden": not points,
        "rejected": _rejected(found.then, view),
    }


def _rejected(judged: Replay, view: View) -> DescribedRejected | None:
    return None if judged.rejected is None else describe_rejected(judged.rejected, view.names)


# -- the rules that are others --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Change:
    """What is changed: the options, the name under which they go together, if any, and their clauses."""

    options: tuple[Option, ...]
    name: str
    clauses: tuple[str, ...]

    @classmethod
    def of(cls, found: WhatIf) -> "_Change":
        """Return what is changed in a what-if."""
        game = find_game(found.rules.game.id)
        assert game is not None
        options = tuple(option for option in game.all_options() if option.key in found.changed)
        values = {option.key: found.changed[option.key][1] for option in options}
        name = next((preset.name for preset in game.presets if dict(preset.options) == values), "")
        clauses = dict.fromkeys(clause for option in options for clause in option.clauses)
        return cls(options, name, (*clauses, "REC-22"))


def _describe_option(option: Option, found: WhatIf, language: Language) -> OptionThenNow:
    return {
        "key": option.key,
        "label": language.translate(option.label),
        "then": found.changed[option.key][0],
        "now": found.changed[option.key][1],
        "clauses": list(option.clauses),
    }


# -- a hand ---------------------------------------------------------------------------------


def _describe_hand(hand: HandAsItLay, view: View, change: _Change, unknown: Reason | None) -> DescribedHandThenNow:
    then, now, players = hand.then, hand.now, hand.then.rules.players
    tricks = _describe_tricks(hand, view, change)
    findings = _describe_findings(hand, view)
    unscored = hand.unscored
    before, after = (_scores(each, view) for each in (then, now))
    after = [None] * players if unscored else after
    return {
        "number": then.setup.index + 1,
        "phase": str(then.phase),
        "changed": (
            any(trick["change"] for trick in tricks)
            or before != after
            or any(found["then"] != found["now"] for found in findings)
        ),
        "judged": hand.stuck is None,
        "tricks": tricks,
        "scores": {"then": before, "now": after},
        "score_lines": {"then": _lines(then, view), "now": [] if unscored else _lines(now, view)},
        "irregularities": findings,
        "notes": [view.reason(note) for note in hand.notes],
        "left_out": [
            {"event": list(then.position(left.event)), "reason": view.reason(left.reason)} for left in hand.left_out
        ],
        "unscored": None if unscored is None else view.reason(unscored),
        "unknown": None if unknown is None else view.reason(unknown),
    }


def _scores(hand: Hand, view: View) -> PerSeat:
    scores = hand.scores() if view.points else None
    return list(scores or (None,) * hand.rules.players)


def _lines(hand: Hand, view: View) -> list[DescribedScoreLine]:
    lines = hand.score_lines() if view.points else ()
    return [{"seat": line.seat, "points": line.points, "reason": view.reason(line.reason)} for line in lines]


def _describe_tricks(hand: HandAsItLay, view: View, change: _Change) -> list[TrickThenNow]:
    then, now = (_tricks(each, view) for each in (hand.then, hand.now))
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


def _tricks(hand: Hand, view: View) -> list[DescribedTrick]:
    parts = hand.describe() if view.points else hand.describe_without_points()
    return [describe_trick(trick, view.names, view.language) for trick in parts["tricks"]]


def _outcome(trick: DescribedTrick) -> TrickOutcome:
    return {"winner": trick["winner"], "points": trick["points"], "trump": trick["trump"], "reason": trick["reason"]}


def _changed(trick: TrickChange, change: _Change) -> Reason | None:
    """Return what is different about a trick, in a sentence."""
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
        return None  # where bids decide a trick is worth nothing by itself
    before, after = (sum(each["points"].values()) for each in (then, now))
    return Reason("other-points", change.clauses, facts | {"before": before, "points": after})


# -- what is irregular ----------------------------------------------------------------------


def _describe_findings(hand: HandAsItLay, view: View) -> list[IrregularThenNow]:
    """Describe what is irregular then or now, in the order of the events; the reason is that of now, where it is."""
    held = view.holds and hand.then.holds_back()
    then, now = ({_key(found): found for found in _announced(each, held)} for each in (hand.then, hand.now))
    if hand.stuck is not None:
        now = dict(then)
    both = sorted({**then, **now}.items(), key=lambda item: (item[1].event, item[1].code))
    return [{**view.irregular(found, hand.then), "then": key in then, "now": key in now} for key, found in both]


def _announced(hand: Hand, held: bool) -> list[Irregularity]:
    return [found for found in hand.irregularities if not held or found.certainty is Certainty.SEEN]


def _key(found: Irregularity) -> tuple[object, ...]:
    return (found.code, found.certainty, found.seat, found.suspects, found.event)
