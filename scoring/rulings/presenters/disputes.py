"""Disputes as pages show them, and what somebody who calls the referee can point at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from referee.engine.game import Game
from referee.engine.sheet import DescribedHand
from scoring.models import DisputeState, TableEvent
from scoring.rulings.reads.disputes import DisputeNow, RulingMade, Statement
from scoring.tables.presenters.cards import CitedSentence, ClauseLink, Face, cited, clause_links, face, symbols
from scoring.tables.presenters.felt import TrickShown, show_trick
from scoring.tables.presenters.findings import Finding, show_finding
from scoring.tables.presenters.house_rules import rule_text
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.presenters.rulebook import find_clause
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing

# --- What somebody who calls the referee can point at: a card or a trick of a hand, or a line of its score

LAST_TRICKS = 2


@dataclass(frozen=True, slots=True)
class CardToPoint:
    """A play that can be pointed at, by its position in the hand."""

    position: int
    name: str
    faces: tuple[Face, ...]
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class TrickToPoint:
    """A trick that can be pointed at, with its cards."""

    number: int
    cards: tuple[CardToPoint, ...]
    chosen: bool


@dataclass(frozen=True, slots=True)
class Pointing:
    """A hand, from 0, its last tricks, and the line of its score that was pointed at, if one was."""

    hand: int
    tricks: tuple[TrickToPoint, ...]
    line: tuple[int, str, int, CitedSentence | None] | None

    @property
    def anything(self) -> bool:
        return self.line is not None or any(
            trick.chosen or any(each.chosen for each in trick.cards) for trick in self.tricks
        )


def pointing(
    at: Standing,
    hand: int,
    described: DescribedHand | None,
    about: Mapping[str, int | None],
    entries: Sequence[TableEvent],
) -> Pointing:
    """Return what can be pointed at in a hand: its last tricks, and the one that is pointed at.

    ``entries`` are the rows of the hand; what is not ``described`` has no tricks yet.
    """
    if described is None:
        return Pointing(hand, (), None)
    played: dict[tuple[int, tuple[str, ...]], int] = {}
    texts: dict[int, str] = {}
    for position, entry in enumerate(entries):
        event = entry.event or {}
        if event.get("type") == "play":
            played[event["seat"], tuple(event["cards"])] = position
            texts[position] = sentence(event, at.names, at.rules.pack)
    tricks = []
    for trick in described["tricks"]:
        cards = []
        for play in trick["plays"]:
            position = played.get((play["seat"], tuple(play.get("cards", ()))), -1)
            if position >= 0:
                faces = tuple(face(at.rules.pack, code) for code in play.get("cards", ()))
                chosen = about.get("event") == position
                cards.append(CardToPoint(position, at.names[play["seat"]], faces, texts[position], chosen))
        tricks.append(TrickToPoint(trick["number"], tuple(cards), about.get("trick") == trick["number"]))
    shown = [
        trick
        for place, trick in enumerate(tricks)
        if place >= len(tricks) - LAST_TRICKS or trick.chosen or any(each.chosen for each in trick.cards)
    ]
    lines, number = described["score_lines"], about.get("score_line")
    line = None
    if number is not None and 0 <= number < len(lines):
        score_line = lines[number]
        line = (
            number,
            at.names[score_line["seat"]],
            score_line["points"],
            cited(game_of(at.row), score_line["reason"]),
        )
    return Pointing(hand, tuple(reversed(shown)), line)


# --- Disputes as pages show them: in a line, what was said, what the record itself tells, what was decided


@dataclass(frozen=True, slots=True)
class StatementShown:
    """Words of a dispute, and whose they are."""

    text: str
    who: str
    at: str


@dataclass(frozen=True, slots=True)
class VoteShown:
    """The vote of a seat."""

    who: str
    word: str
    text: str


@dataclass(frozen=True, slots=True)
class RulingShown:
    """What was decided, by whom, by which clauses, and what puts it right."""

    text: str
    who: str
    at: str
    links: tuple[ClauseLink, ...]
    remedy: tuple[str, ...]
    carried_out: bool


@dataclass(frozen=True, slots=True)
class DisputeShown:
    """A dispute: ``about`` in words, ``state`` as a word, ``open`` while nobody has decided it."""

    number: int
    claim: StatementShown
    hand: int
    about: str
    trick: int | None
    state: str
    word: str
    open: bool
    paused: bool
    proposal: StatementShown | None
    votes: tuple[VoteShown, ...]
    ruling: RulingShown | None


@dataclass(frozen=True, slots=True)
class ClauseInFull:
    """A clause with its text."""

    link: ClauseLink
    text: str


@dataclass(frozen=True, slots=True)
class RecordTells:
    """What the record itself tells of a dispute.

    ``findings`` stand beside the key by which their remedies are known. ``held``: the table hears of what is proved
    when the hand is over. ``clauses`` are all that this cites, in full.
    """

    event: str
    faces: tuple[Face, ...]
    trick: TrickShown | None
    line: tuple[str, int, CitedSentence | None] | None
    findings: tuple[tuple[str, Finding], ...]
    unchecked: tuple[CitedSentence | None, ...]
    held: bool
    clauses: tuple[ClauseInFull, ...]


def show_disputes(found: Iterable[DisputeNow], at: Standing, *, points: bool) -> tuple[DisputeShown, ...]:
    """Return disputes as pages show them: the open ones first, then the latest."""
    shown = [show_dispute(each, at, points=points) for each in found]
    return tuple(sorted(shown, key=lambda each: (not each.open, -each.number)))


def show_dispute(each: DisputeNow, at: Standing, *, points: bool) -> DisputeShown:
    """Return a dispute as pages show it; without ``points`` it says none that were made."""
    names, game = at.names, game_of(at.row)
    proposal = each.proposal if each.is_open else None
    return DisputeShown(
        number=each.number,
        claim=statement_shown(each.claim, names),
        hand=(each.about["hand"] or 0) + 1,
        about=about_words(each.about),
        trick=each.about.get("trick"),
        state=each.state.value,
        word=state_word(each.state),
        open=each.is_open,
        paused=each.paused,
        proposal=None if proposal is None else statement_shown(proposal, names),
        votes=tuple(
            VoteShown(name_of(statement, names), state_word(each.voted[seat]), statement.text)
            for seat, statement in sorted(each.votes.items())
        ),
        ruling=None if each.ruling is None else _ruling(each.ruling, each.state, at, game, points=points),
    )


def _ruling(ruling: RulingMade, state: DisputeState, at: Standing, game: Game, *, points: bool) -> RulingShown:
    who = _("both sides") if state is DisputeState.AGREED else name_of(ruling, at.names)
    remedy = tuple(sentence(event, at.names, at.rules.pack, points=points) for event in ruling.remedy)
    return RulingShown(ruling.text, who, ruling.at, clause_links(game, ruling.clauses), remedy, ruling.carried_out)


def statement_shown(statement: Statement, names: Sequence[str]) -> StatementShown:
    return StatementShown(statement.text, name_of(statement, names), statement.at)


def name_of(statement: Statement, names: Sequence[str]) -> str:
    """Say who said something: a player by name, others by what they do at the table."""
    if statement.seat is not None and 0 <= statement.seat < len(names):
        return names[statement.seat]
    return {
        "majority": _("the majority"),
        "neutral": _("the neutral phone"),
        "scorekeeper": _("the scorekeeper"),
    }.get(statement.by, _("the table"))


def state_word(state: DisputeState) -> str:
    return str(state.label)


def about_words(about: Mapping[str, Any]) -> str:
    hand = _("hand {number}").format(number=(about.get("hand") or 0) + 1)
    if about.get("trick") is not None:
        return f"{hand}, {_('trick {number}').format(number=about['trick'])}"
    if about.get("event") is not None:
        return f"{hand}, {_('a card')}"
    if about.get("score_line") is not None:
        return f"{hand}, {_('a line of the score')}"
    return hand


def show_record(evidence: Mapping[str, Any], each: DisputeNow, at: Standing) -> RecordTells:
    game, names, pack = game_of(at.row), at.names, at.rules.pack
    event, trick, line = evidence["event"], evidence["trick"], evidence["score_line"]
    hand = each.about["hand"] or 0
    shown = None if trick is None else show_trick(trick, hand, names, pack, symbols(pack), game)
    findings = tuple(
        (f"{hand}-{number}", show_finding(found, at, evidence["rows"]))
        for number, found in zip(evidence["numbers"], evidence["findings"], strict=True)
    )
    unchecked = tuple(cited(game, reason) for reason in evidence["unchecked"])
    sentences = [*(finding.sentence for _key, finding in findings), *([shown.sentence] if shown else []), *unchecked]
    ids = dict.fromkeys(link.id for each in sentences if each is not None for link in each.links)
    return RecordTells(
        event="" if event is None else sentence(event, names, pack),
        faces=() if event is None else tuple(face(pack, code) for code in event.get("cards", ())),
        trick=shown,
        line=None if line is None else (names[line["seat"]], line["points"], cited(game, line["reason"])),
        findings=findings,
        unchecked=unchecked,
        held=evidence["held"],
        clauses=in_full(game, ids),
    )


def in_full(game: Game, ids: Iterable[str]) -> tuple[ClauseInFull, ...]:
    """Return clauses with their texts."""
    found = ((number, find_clause(game, number)) for number in ids)
    return tuple(
        ClauseInFull(clause_links(game, [number])[0], rule_text(game, there[1]))
        for number, there in found
        if there is not None
    )


@dataclass(frozen=True, slots=True)
class Called:
    """An open dispute in a line: who called, the words, whether the hand waits."""

    number: int
    who: str
    text: str
    paused: bool


def called(disputes: Iterable[DisputeNow], names: Sequence[str]) -> tuple[Called, ...]:
    """Return open disputes in a line each, those first for which the hand waits."""
    shown = [
        Called(
            each.number,
            "" if each.claim.seat is None else name_of(each.claim, names),
            each.claim.text,
            each.paused,
        )
        for each in disputes
    ]
    return tuple(sorted(shown, key=lambda each: not each.paused))
