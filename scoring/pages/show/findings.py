"""Irregularities as a table page shows them: the act, what contradicts it, and what can be done about it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from referee.engine.catalogue import event_kinds
from referee.engine.game import Game
from referee.engine.phases import FINISHED
from referee.engine.sheet import DescribedEffect, DescribedFinding, DescribedHand, DescribedRemedy, EventData
from scoring.pages.show.cards import Face, face
from scoring.pages.show.clauses import CitedSentence, clause_links
from scoring.pages.show.event_sentences import sentence
from scoring.queries.page_facts import PageFacts
from scoring.queries.rules import game_of
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry of the record: in words, and its cards."""

    text: str
    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What a remedy does to one player's total."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something the table can do.

    ``ready`` says that one tap carries it out; ``changes`` are the totals that move, ``each`` those that a penalty
    moves by the point; ``still`` says that no total moves, as far as points are shown. What cannot be carried out from
    here says why in ``pending``.
    """

    code: str
    sentence: CitedSentence
    proposed: bool
    ready: bool
    changes: tuple[Change, ...]
    pending: CitedSentence | None
    each: tuple[Change, ...] = ()
    still: bool = False

    @property
    def points(self) -> str:
        """Return the totals that a penalty moves, by the point, as scripts read them."""
        return json.dumps([(change.name, change.before, change.after - change.before) for change in self.each])


@dataclass(frozen=True, slots=True)
class Finding:
    """An irregularity: what was done, what contradicts it, and what the table can do about it.

    ``out`` are the cards of a proof by counting, which have no place; ``seat`` is whose act it was, if that is known.
    ``raised`` says that it asks for a decision now, ``last`` that its act is the last entry of the record.
    """

    number: int
    code: str
    seat: int | None
    sentence: CitedSentence
    trick: int | None
    kind: str
    certainty: str
    acts: tuple[Shown, ...]
    out: tuple[Face, ...]
    against: tuple[Shown, ...]
    remedies: tuple[Remedy, ...]
    raised: bool
    last: bool
    settled: bool


def find(at: Standing, described: DescribedHand, facts: PageFacts) -> tuple[Finding, ...]:
    """Return the findings of the hand described."""
    found = enumerate(described["irregularities"])
    return tuple(_finding(number, each, facts.events, facts.settled, at) for number, each in found)


def show_finding(found: DescribedFinding, at: Standing) -> Finding:
    """Return an irregularity of a hand that is only looked at: nothing is asked any more."""
    return replace(_finding(0, found, (), (), at), raised=False)


def offender(found: DescribedFinding) -> int | None:
    """Return the seat whose act it was; ``None`` while there are several suspects."""
    suspects = found["suspects"]
    return suspects[0] if len(suspects) == 1 else None


def certainty(kind: str) -> str:
    """Say how an irregularity is known."""
    return {"seen": _("left as it was"), "proved": _("proved"), "joint": _("shown by counting")}[kind]


def _is_aside(event: EventData) -> bool:
    kind = event_kinds().get(str(event.get("type")))
    return kind is not None and kind.aside


def _finding(
    number: int, found: DescribedFinding, events: Sequence[EventData], settled: Sequence[object], at: Standing
) -> Finding:
    game = game_of(at.row)
    done = found["event"] in settled
    proved = found["certainty"] != "seen"
    last = len(events) - 1
    # What the table decides or remarks does not make a finding any older.
    newest = max((i for i, event in enumerate(events) if not _is_aside(event)), default=-1)
    fresh = any(event >= newest for _number, event in found["proved_by"])
    over = at.hand is not None and at.hand.phase is FINISHED
    acts = found.get("claims") or [found["event"]]
    argument = found.get("argument")
    return Finding(
        number=number,
        code=found["code"],
        seat=offender(found),
        sentence=CitedSentence(found["reason"]["text"], clause_links(game, found["reason"]["clauses"])),
        trick=found["trick"],
        kind=found["certainty"],
        certainty=certainty(found["certainty"]),
        acts=_shown(acts, events, at),
        out=tuple(face(at.rules.pack, code) for code in (argument["cards"] if argument else ())),
        against=_shown(found["proved_by"] if found["certainty"] == "proved" else (), events, at),
        remedies=tuple(_remedy(remedy, game, at.names) for remedy in found["remedies"]),
        raised=proved and not done and (fresh or over),
        last=found["event"][1] == last,
        settled=done,
    )


def _shown(positions: Iterable[Sequence[int]], events: Sequence[EventData], at: Standing) -> tuple[Shown, ...]:
    acts = [events[event] for _number, event in positions if event < len(events)]
    pack = at.rules.pack
    return tuple(
        Shown(sentence(event, at.names, pack), tuple(face(pack, code) for code in event.get("cards", ())))
        for event in acts
    )


def _remedy(remedy: DescribedRemedy, game: Game, names: Sequence[str]) -> Remedy:
    pending, each = remedy.get("pending"), remedy.get("each")
    changes = _changes(remedy.get("effect"), names)
    return Remedy(
        code=remedy["code"],
        sentence=CitedSentence(remedy["text"], clause_links(game, remedy["clauses"])),
        proposed=bool(remedy["proposed"]),
        ready=remedy.get("events") is not None and remedy["code"] != "correct",
        changes=changes,
        still=bool(remedy.get("effect")) and not changes,
        pending=CitedSentence(pending["text"], clause_links(game, pending["clauses"])) if pending else None,
        each=_changes(each["effect"] if each else None, names),
    )


def _changes(effect: DescribedEffect | None, names: Sequence[str]) -> tuple[Change, ...]:
    """Return the totals that events move."""
    if not effect:
        return ()
    pairs = zip(names, effect["totals"]["before"], effect["totals"]["after"], strict=True)
    return tuple(Change(name, before, after) for name, before, after in pairs if before != after)
