"""Reads of a table's disputes: statements, evidence, and who may decide."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import takewhile
from typing import Any, NamedTuple

from referee.engine.event_kinds import DISPUTES
from referee.engine.events import Note
from referee.engine.sheet import DescribedHand, DescribedIrregularity
from referee.engine.texts import ENGLISH, Language
from referee.guides.remedies import X_GUIDE
from scoring.models import DisputeState, Role, Table, TableEvent
from scoring.models.fields import written
from scoring.models.table import DECIDED
from scoring.tables.reads.access import standing_links
from scoring.tables.reads.log import references, standing_events, standing_rows
from scoring.tables.reads.log_entries import with_rows
from scoring.tables.reads.results import is_held_back, points_hidden, without_held
from scoring.tables.reads.state import Standing, hand_described, standing_now

# --- Folding a table's disputes from its log
# A dispute consists of notes whose ``x_dispute`` says what each does to it, so a record is self-contained. The note
# that raises one carries its ``id``, numbered from 1 per table and never reused; later notes refer to it by ``of``.
# Records may come from other programs: invalid marks are ignored.

Mark = Mapping[str, Any]
ABOUT = ("event", "trick", "score_line")
"""What a dispute can point at within a hand."""
SITUATIONS = {"event": "card", "trick": "trick", "score_line": "score-line"}
WORDS = "words"
LONGEST_WORD = 40
SCOREKEEPER, MAJORITY, NEUTRAL = "scorekeeper", "majority", "neutral"
WHO_MAY_RULE = (SCOREKEEPER, MAJORITY, NEUTRAL)
"""Who can decide disputes: the scorekeeper, a majority of seats with phones, a neutral phone."""
NOTHING: dict[str, Any] = {
    "event": None, "trick": None, "score_line": None, "findings": [], "numbers": [], "rows": [], "unchecked": [],
    "held": False,
}  # fmt: skip
"""The evidence of an empty hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement in a dispute: text, speaker, and log row.

    ``by`` is the role of the speaker's link, or ``majority``; ``seat`` is set for players only.
    """

    text: str
    by: str
    seat: int | None
    at: str
    seq: int
    row: TableEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Statement):
    """An offer of one side, with its remedy."""

    remedy: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingMade(Offer):
    """A ruling, with its clauses and, if it came from a guide, the answers."""

    clauses: Sequence[str] = ()
    carried_out: bool = False
    tree: str | None = None
    answers: Sequence[Any] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeNow:
    """The current state of a dispute, folded from the log.

    ``about`` is the hand (from 0) and a position in it. ``votes`` are by seat; ``proposal`` is an offer one side has
    made. ``paused``: no play is accepted until the ruling.
    """

    number: int
    claim: Statement
    about: Mapping[str, int | None]
    situation: str
    state: DisputeState = DisputeState.OPEN
    paused: bool = False
    ruling: RulingMade | None = None
    proposal: Offer | None = None
    votes: Mapping[int, Statement] = field(default_factory=dict)
    voted: Mapping[int, DisputeState] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        return self.state is DisputeState.OPEN

    @property
    def decided(self) -> bool:
        return self.state in DECIDED


def mark_of(event: Mapping[str, Any] | None) -> Mark | None:
    match event:
        case {"type": Note.type, "x_dispute": Mapping() as mark}:
            return mark
    return None


def has_mark(event: Mapping[str, Any] | None) -> bool:
    return event is not None and DISPUTES in event


def disputes_of(row: Table) -> list[DisputeNow]:
    return fold(marked_rows(row)) if row.disputes else []


def open_disputes(row: Table) -> list[DisputeNow]:
    return [each for each in disputes_of(row) if each.is_open] if open_numbers(row) else []


def disputes_now(row: Table) -> list[DisputeNow]:
    found = disputes_of(row)
    hands = {each.about["hand"] or 0 for each in found if each.about.get("event") is not None}
    if not hands:
        return found
    seqs: dict[tuple[int, int], tuple[int, int]] = {}
    count: dict[int, int] = {}
    rows = standing_rows(row).filter(hand__in=hands).order_by("hand", "place").values_list("hand", "place", "seq")
    for hand, place, seq in rows:
        seqs[hand, place] = (count.setdefault(hand, 0), seq)
        count[hand] += 1
    named = {each.row.seq: seqs.get((each.hand, each.place)) for each in references(row, hands, DISPUTES)}
    shown = []
    for each in found:
        if each.about.get("event") is not None:
            event, now = named.get(each.claim.seq) or (None, None)
            each = replace(each, about={**each.about, "event": event, "seq": now})
        shown.append(each)
    return shown


def dispute_now(row: Table, number: int) -> DisputeNow | None:
    return next((each for each in disputes_now(row) if each.number == number), None)


def marked_rows(row: Table) -> list[TableEvent]:
    return list(standing_rows(row).filter(event__contains=f'"{DISPUTES}"').order_by("hand", "place"))


class JustRuled(NamedTuple):
    """A guided ruling just made: its log row, and the seats that agree with it."""

    row: TableEvent
    agreed: tuple[int, ...]


def just_ruled(row: Table) -> JustRuled | None:
    """Return the latest guided ruling if nothing was recorded since; playing on accepts it (IR-9)."""
    latest = list(TableEvent.objects.filter(table=row, seq__gt=row.version - LATEST_ROWS).order_by("-seq"))
    agreed = list(takewhile(lambda each: AGREES in (each.choosing or ()), latest))
    rest = latest[len(agreed) :]
    act = rest[: rest[0].batch] if rest else []
    if not any(entry.event is not None and X_GUIDE in entry.event for entry in act):
        return None
    note = next((entry for entry in act if entry.event is not None and entry.event["type"] == Note.type), None)
    return None if note is None else JustRuled(note, tuple(sorted({entry.choosing["seat"] for entry in agreed})))


AGREES = "ruling"
"""Key in a row's ``choosing`` that holds the log row of the ruling agreed with."""
LATEST_ROWS = 16
"""Rows searched for the last act: a guided ruling takes fewer than eight, and up to eight seats may agree."""


def highest_number(row: Table) -> int:
    rows = TableEvent.objects.filter(table=row, event__contains=f'"{DISPUTES}"')
    return max((_number(mark_of(entry.event), "id") for entry in rows), default=0)


def open_numbers(row: Table) -> Sequence[int]:
    """Return the numbers of open disputes, without reading the log."""
    return list(row.disputes.get("open", ()))


def pausing_numbers(row: Table) -> Sequence[int]:
    return list(row.disputes.get("paused", ()))


def summary(found: Sequence[DisputeNow]) -> dict[str, Any]:
    if not found:
        return {}
    return {
        "raised": len(found),
        "open": [each.number for each in found if each.is_open],
        "paused": [each.number for each in found if each.is_open and each.paused],
    }


def fold(rows: Iterable[TableEvent]) -> list[DisputeNow]:
    found: dict[int, DisputeNow] = {}
    for entry in rows:
        mark = mark_of(entry.event)
        if mark is None:
            continue
        number, of = _number(mark, "id"), _number(mark, "of")
        if number and number not in found:
            about = _about(entry, mark)
            pointed = next((SITUATIONS[key] for key in ABOUT if about.get(key) is not None), WORDS)
            found[number] = DisputeNow(
                number=number,
                claim=Statement(**_statement(entry, mark)),
                about=about,
                situation=_word(mark.get("situation")) or pointed,
                paused=mark.get("pause") is True,
            )
        elif of in found:
            found[of] = _after(found[of], entry, mark)
    return list(found.values())


def _after(each: DisputeNow, entry: TableEvent, mark: Mark) -> DisputeNow:
    statement = _statement(entry, mark)
    if each.decided:
        if mark.get("carried_out") is True and each.ruling is not None:
            return replace(each, ruling=replace(each.ruling, carried_out=True))
        return each
    if not each.is_open:
        return each
    match mark:
        case {"state": str(state)} if state in DECIDED:
            ruling = RulingMade(
                **statement,
                clauses=[clause for clause in _list(mark.get("clauses")) if isinstance(clause, str)],
                remedy=_remedy(mark),
                carried_out=mark.get("carried_out") is True,
                tree=_word(mark.get("tree")) or None,
                answers=_list(mark.get("answers")),
            )
            return replace(each, state=DisputeState(state), paused=False, ruling=ruling)
        case {"state": DisputeState.WITHDRAWN.value}:
            return replace(each, state=DisputeState.WITHDRAWN, paused=False)
        case {"pause": bool(pause)}:
            return replace(each, paused=pause)
        case {"proposes": True}:
            return replace(each, proposal=Offer(**statement, remedy=_remedy(mark)))
        case {"vote": ("upheld" | "overruled") as vote} if statement["seat"] is not None:
            voted = {**each.voted, statement["seat"]: DisputeState(vote)}
            return replace(each, votes={**each.votes, statement["seat"]: Statement(**statement)}, voted=voted)
    return each


def _remedy(mark: Mark) -> list[Mapping[str, Any]]:
    return [event for event in _list(mark.get("remedy")) if isinstance(event, Mapping)]


def _statement(entry: TableEvent, mark: Mark) -> dict[str, Any]:
    event = entry.event or {}
    seat, at, by = event.get("seat"), mark.get("at"), mark.get("by")
    return {
        "text": str(event.get("text", "")),
        "by": by if isinstance(by, str) else entry.by.partition(": ")[0].partition("-")[0],
        "seat": seat if type(seat) is int else None,
        "at": written(datetime.fromisoformat(at) if isinstance(at, str) and _is_moment(at) else entry.at),
        "seq": entry.seq,
        "row": entry,
    }


def _about(entry: TableEvent, mark: Mark) -> dict[str, int | None]:
    place = mark.get("about")
    about = place if isinstance(place, Mapping) else {}
    hand = about.get("hand")
    known = {key: value for key in ABOUT if type(value := about.get(key)) is int and value >= 0}
    here: dict[str, int | None] = {"hand": hand if type(hand) is int and 0 <= hand <= entry.hand else entry.hand}
    return here | {key: known.get(key) for key in ABOUT}


def _number(mark: Mark | None, key: str) -> int:
    value = None if mark is None else mark.get(key)
    return value if type(value) is int and value > 0 else 0


def _word(value: object) -> str:
    return value[:LONGEST_WORD] if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) else []


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


# --- Who may decide a dispute, agree, or withdraw it


class Speaker(NamedTuple):
    """The caller in a dispute: whether they keep the score, their seat, and their link."""

    keeps: bool
    seat: int | None = None
    link: int | None = None


def who_rules(row: Table) -> str:
    """Return who decides disputes: a majority needs two seats with phones, a neutral phone an active link."""
    rules_by = row.ruled_by.get("kind", SCOREKEEPER)
    if rules_by == MAJORITY and len(seats_with_phone(row)) < 2:
        return SCOREKEEPER
    if rules_by == NEUTRAL and not standing_links(row).filter(pk=row.ruled_by.get("link", 0)).exists():
        return SCOREKEEPER
    return str(rules_by) if rules_by in WHO_MAY_RULE else SCOREKEEPER


def may_rule(row: Table, rules_by: str, who: Speaker) -> bool:
    if rules_by == NEUTRAL:
        return bool(who.link == row.ruled_by.get("link"))
    return who.keeps if rules_by == SCOREKEEPER else who.seat in seats_with_phone(row)


def may_withdraw(each: DisputeNow, who: Speaker) -> bool:
    return who.keeps or (who.seat is not None and who.seat == each.claim.seat)


def may_agree(row: Table, each: DisputeNow, who: Speaker) -> bool:
    """Return whether a caller may agree: the raiser, the player concerned, or the scorekeeper."""
    if who.seat is None:
        return who.keeps
    event = each.about.get("event")
    if event is not None:
        entries = standing_events(row, hand=each.about.get("hand") or 0)
        seat = (entries[event].event or {}).get("seat") if event < len(entries) else None
        if type(seat) is int and seat != each.claim.seat:
            return who.seat in (each.claim.seat, seat)
    return who.seat == each.claim.seat or who.seat < len(row.seats)


def seats_with_phone(row: Table) -> set[int]:
    links = standing_links(row).filter(role=Role.PLAYER, seat__isnull=False)
    return {int(seat) for seat in links.values_list("seat", flat=True) if seat is not None}


# --- Evidence: what the record shows about a dispute
# The plays, what they prove, and what can't be known. Inferences from hidden hands are left out, except for findings
# that the referee would announce anyway, once the table may see them.


def what_the_record_tells(
    row: Table, each: DisputeNow, *, keeps: bool = False, language: Language = ENGLISH
) -> dict[str, Any]:
    """Return the evidence of a dispute: the event, its trick, findings, and what can't be checked.

    ``numbers`` are the findings' indexes in the hand, ``rows`` the hand's log rows. ``held``: proved findings are not
    shown before the end of the hand.
    """
    at = standing_now(row)
    hand = each.about["hand"] or 0
    described = hand_shown(at, hand, keeps=keeps, language=language)
    if described is None:
        return NOTHING
    held = is_held_back(at) and not keeps and at.hand is not None and at.hand.setup.index == hand
    (shown,) = with_rows(row, [described])
    rows = standing_events(row, hand=hand)
    position = each.about.get("event")
    event = None if position is None or position >= len(rows) else dict(rows[position].event or {})
    trick = next((trick for trick in shown["tricks"] if trick["number"] == _trick(shown, each, event)), None)
    numbers = [number for number, found in enumerate(shown["irregularities"]) if concerns(found, each)]
    lines, line = shown["score_lines"], each.about.get("score_line")
    return {
        "event": event,
        "trick": trick,
        "score_line": lines[line] if line is not None and line < len(lines) else None,
        "findings": [shown["irregularities"][number] for number in numbers],
        "numbers": numbers,
        "rows": rows,
        "unchecked": list(shown["unchecked"]),
        "held": held,
    }


def hand_shown(at: Standing, hand: int, *, keeps: bool = False, language: Language = ENGLISH) -> DescribedHand | None:
    """Describe a hand without hidden points or, unless ``keeps``, held-back findings."""
    described = hand_described(at, hand, language, points=not points_hidden(at))
    if described is None or keeps or not is_held_back(at) or at.hand is None or at.hand.setup.index != hand:
        return described
    return without_held(described)


def _trick(shown: DescribedHand, each: DisputeNow, event: dict[str, Any] | None) -> int | None:
    if each.about.get("trick") is not None:
        return each.about["trick"]
    if event is None or event.get("type") != "play" or not event.get("cards"):
        return None
    played = {"seat": event.get("seat"), "cards": event["cards"]}
    plays = ((trick["number"], dict(play)) for trick in shown["tricks"] for play in trick["plays"])
    return next((number for number, play in plays if played.items() <= play.items()), None)


def concerns(found: DescribedIrregularity, each: DisputeNow) -> bool:
    about = each.about
    if about.get("event") is not None:
        named = [found["event"], *found.get("claims", ()), *found["proved_by"]]
        return [about["hand"], about["event"]] in [list(position) for position in named]
    if about.get("trick") is not None:
        return found["trick"] == about["trick"]
    return about.get("score_line") is None
