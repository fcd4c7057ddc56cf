"""A hand played once more on the screen, trick by trick, each with its ruling."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from referee.engine.catalogue import event_kinds
from referee.engine.sheet import DescribedHand, DescribedIrregularity, GivenUp
from scoring.models import TableEvent
from scoring.pages.device.access import visit
from scoring.pages.show.board import SheetLine, show_lines
from scoring.pages.show.cards import Face, Symbol, face, symbols
from scoring.pages.show.clauses import CitedSentence, cited
from scoring.pages.show.disputes import show_dispute
from scoring.pages.show.event_sentences import sentence
from scoring.pages.show.findings import Finding, certainty, is_announced, show_finding
from scoring.pages.show.house_rules import changed_in_words
from scoring.pages.show.numbers import whole
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.pages.show.tricks import TrickShown, show_trick
from scoring.pages.show.what_if import Suggested, rules_behind
from scoring.queries.clock import standing_now
from scoring.queries.disputes import disputes_now
from scoring.queries.judging_again import audited
from scoring.queries.log import standing_events
from scoring.queries.page_facts import event_of, is_decision
from scoring.queries.points import points_hidden
from scoring.queries.rules import changed_rules, game_of
from scoring.queries.state import Standing, hand_described


@dataclass(frozen=True, slots=True)
class Act:
    """Something that was done: in words, and with the cards it shows."""

    text: str
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An irregularity: the acts in question, and what shows that they were not lawful."""

    finding: Finding
    trick: int | None
    acts: tuple[Act, ...]
    proofs: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A hand as its page shows it; ``at`` is the trick looked at, from 1."""

    number: int
    hands: int
    dealer: str
    void: bool
    opening: tuple[str, ...]
    tricks: tuple[TrickShown, ...]
    at: int
    trick: TrickShown | None
    trump: Symbol | None
    irregular: tuple[Contradiction, ...]
    scores: tuple[tuple[str, int | None], ...]
    lines: tuple[SheetLine, ...]
    decided: tuple[str, ...]
    others: tuple[Suggested, ...]
    house: tuple[str, ...]

    @property
    def here(self) -> tuple[Contradiction, ...]:
        """Return the irregularities of the trick looked at."""
        return tuple(found for found in self.irregular if found.trick == self.at)


@require_GET
def hand(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show a hand of a table, one of its tricks in full."""
    row, link, _known = visit(request, code)
    at = standing_now(row)
    hidden = points_hidden(at)
    described = hand_described(at, number - 1, PAGE_LANGUAGE, points=not hidden)
    if described is None:
        raise Http404(_("This table has no such hand."))
    here = [each for each in disputes_now(at.row) if each.about["hand"] == number - 1]
    context = {
        "table": at.row,
        "game": game_of(at.row),
        "replay": replay_of(at, described, request.GET.get("trick", ""), points=not hidden),
        "hidden": hidden,
        "keeps": link is not None and link.keeps,
        "disputes": [show_dispute(each, at, points=not hidden) for each in here],
        "audit": _audit(at, number - 1) if "audit" in request.GET else None,
    }
    response = render(request, "scoring/replay.html", context)
    response["Cache-Control"] = "no-store"
    return response


@dataclass(frozen=True, slots=True)
class AuditShown:
    """A hand checked in full: what it comes to, each infraction with how it is known, what could not be checked."""

    verdict: CitedSentence | None
    clean: bool | None
    found: tuple[tuple[str, CitedSentence | None, int | None], ...]
    unchecked: tuple[CitedSentence | None, ...]


def _audit(at: Standing, index: int) -> AuditShown | None:
    checked, game = audited(at, index, PAGE_LANGUAGE), game_of(at.row)
    if checked is None:
        return None
    return AuditShown(
        cited(game, checked["verdict"]),
        checked["clean"],
        tuple(
            (certainty(each["certainty"]), cited(game, each["reason"]), each["trick"])
            for each in checked["infractions"]
        ),
        tuple(cited(game, reason) for reason in checked["unchecked"]),
    )


def replay_of(at: Standing, described: DescribedHand, wanted: str, *, points: bool = True) -> Replay:
    """Put together what the page shows, of a hand described with or without ``points``."""
    pack, game = at.rules.pack, game_of(at.row)
    entries = standing_events(at.row, hand=described["number"] - 1)
    index, known = described["number"] - 1, symbols(pack)
    hand = at.hand if at.hand is not None and at.hand.setup.index == index else None
    awards = {each["trick"]: each for each in described.get("given", ())}
    tricks = tuple(
        _with_award(show_trick(trick, index, at.names, pack, known, game), awards.get(trick["number"]), at.names)
        for trick in described["tricks"]
    )
    place = max(min(whole(wanted) or 1, len(tricks)), 1) if tricks else 0
    trump = described["tricks"][place - 1]["trump"] if place else None
    reason = described["tricks"][place - 1]["reason"] if place else None
    cited_here = reason["clauses"] if reason else ()
    house = changed_rules(at.state.opening, described.get("options"))
    announced = [found for found in described["irregularities"] if is_announced(found, hand)]
    return Replay(
        number=described["number"],
        hands=1 if at.hand is None else at.hand.setup.index + 1,
        dealer=at.names[described["dealer"]],
        void=described["phase"] == "void",
        opening=tuple(_opening(entries, at, points=points)),
        tricks=tricks,
        at=place,
        trick=tricks[place - 1] if place else None,
        trump=known.get(trump or ""),
        irregular=tuple(_contradiction(found, entries, at) for found in announced),
        scores=tuple(zip(at.names, described["scores"], strict=True)),
        lines=show_lines(described, at.names, game),
        others=rules_behind(game, house, at.rules.players, cited_here),
        house=changed_in_words(game, house, at.rules.players) if "options" in described else (),
        decided=tuple(
            sentence(event, at.names, pack, points=points) for event in map(event_of, entries) if is_decision(event)
        ),
    )


def _with_award(trick: TrickShown, award: GivenUp | None, names: Sequence[str]) -> TrickShown:
    return trick if award is None else trick._replace(awarded_to=names[award["to"]], why_awarded=award["why"])


def _opening(entries: Sequence[TableEvent], at: Standing, *, points: bool) -> list[str]:
    """Say what was recorded before the first card fell."""
    sentences = []
    for entry in entries:
        event = entry.event or {}
        kind = event_kinds().get(event.get("type", ""))
        if kind is not None and kind.in_trick:
            break
        sentences.append(sentence(event, at.names, at.rules.pack, points=points))
    return sentences


def _contradiction(found: DescribedIrregularity, entries: Sequence[TableEvent], at: Standing) -> Contradiction:
    acts = found.get("claims") or [found["event"]]
    return Contradiction(
        finding=show_finding(found, at, entries),
        trick=found["trick"],
        acts=tuple(_act(position, entries, at) for position in acts),
        proofs=tuple(_act(position, entries, at) for position in found["proved_by"]),
    )


def _act(position: Sequence[int], entries: Sequence[TableEvent], at: Standing) -> Act:
    """Return an event by its position in the record."""
    _hand, place = position
    event = (entries[place].event if place < len(entries) else None) or {"type": "note"}
    faces = tuple(face(at.rules.pack, code) for code in event.get("cards", ()))
    return Act(sentence(event, at.names, at.rules.pack), faces)
