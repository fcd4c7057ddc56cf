"""A table looked at: a hand played once more, a table read by a link that opens nothing else, the big screen."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.engine.game import event_kinds
from referee.engine.sheet import DescribedHand, DescribedIrregularity, GivenUp
from scoring.models import Reading, TableEvent
from scoring.operating.acts.addresses import shared_address
from scoring.rulings.presenters.disputes import called, show_dispute
from scoring.rulings.presenters.what_if import Suggested, rules_behind
from scoring.rulings.reads.disputes import disputes_now, open_disputes
from scoring.rulings.reads.what_if import audited
from scoring.tables.acts.access import devices_of
from scoring.tables.acts.exceptions import NoSuchHand
from scoring.tables.acts.links import add_reading, forget_reading, open_reading
from scoring.tables.acts.links import revoke_reading as revoke
from scoring.tables.pages.acting import scorekeeper
from scoring.tables.pages.device import LONGEST_TOKEN, keep_device, renew, table_or_404, visit
from scoring.tables.pages.links import Shown, qr, share_page, shows_share_page
from scoring.tables.pages.table import is_htmx
from scoring.tables.presenters.board import SheetLine, board, rulings, show_lines
from scoring.tables.presenters.cards import CitedSentence, Face, Symbol, cited, face, symbols
from scoring.tables.presenters.felt import TrickShown, show_trick
from scoring.tables.presenters.findings import Finding, certainty, is_announced, show_finding
from scoring.tables.presenters.formats import PAGE_LANGUAGE, whole
from scoring.tables.presenters.house_rules import changed_in_words
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.reads.access import reading_on
from scoring.tables.reads.log import standing_events
from scoring.tables.reads.page_facts import decisions, page_facts
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.rules import changed_rules, game_of
from scoring.tables.reads.state import Standing, hand_described, standing_now

# --- A hand played once more on the screen, trick by trick, each with its ruling


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
        decided=tuple(sentence(event, at.names, pack, points=points) for event in decisions(entries)),
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


# --- Reading one table, or one hand of it, by a link that opens nothing else, and making such links


@require_POST
@shows_share_page
def make_reading(request: HttpRequest, code: str) -> HttpResponseBase:
    """Make a link for reading a table, or one hand of it, and show it this once."""
    row, caller = scorekeeper(request, code)
    wanted = request.POST.get("hand", "")
    number = (whole(wanted) or 0) if wanted else None
    try:
        made = add_reading(row.code, None if number is None else number - 1, caller)
    except NoSuchHand:
        raise Http404(_("This table has no such hand.")) from None
    if not made.token:
        return share_page(request, code, to_read=True)
    url = shared_address(request, f"{reverse('scoring:reading', args=[made.reading.pk])}#{made.token}")
    title = _("The whole table") if number is None else _("Hand {number}").format(number=number)
    return share_page(request, code, made=Shown(title, url, qr(url)), to_read=True)


@require_POST
@shows_share_page
def revoke_reading(request: HttpRequest, code: str, number: int) -> HttpResponseBase:
    """End what a link for reading opens, on every device."""
    row, caller = scorekeeper(request, code)
    revoke(row.code, number, caller)
    return redirect("scoring:share", code=row.code)


@require_http_methods(["GET", "POST"])
def reading(request: HttpRequest, number: int) -> HttpResponseBase:
    """Show what a link for reading opens; without it ask for it, whether there is such a one or not."""
    if request.method == "POST":
        if "forget" in request.POST:
            forget_reading(devices_of(request.COOKIES), number)
            return redirect("scoring:home")
        token = request.POST.get("token", "").rpartition("#")[2].strip()[:LONGEST_TOKEN]
        response = redirect("scoring:reading", number=number)
        if open_reading(number, token, keep_device(request, response)):
            return response
        return _ask(request, number, problem=_("This link opens nothing, or it was cancelled."))
    found = reading_on(devices_of(request.COOKIES), number)
    return _ask(request, number) if found is None else _show(request, found)


def _ask(request: HttpRequest, number: int, *, problem: str = "") -> HttpResponse:
    context = {"number": number, "problem": problem}
    response = render(request, "scoring/reading_join.html", context, status=404 if problem else 200)
    response["Cache-Control"] = "no-store"
    return response


def _show(request: HttpRequest, found: Reading) -> HttpResponse:
    """Show the hand of a link, or any of a table with its sheet; the code of the table stands nowhere."""
    at = standing_now(found.table)
    hidden = points_hidden(at)
    last = 0 if at.hand is None else at.hand.setup.index
    wanted = (whole(request.GET.get("hand", "")) or 1) - 1
    index = min(wanted, last) if found.hand is None else found.hand
    described = hand_described(at, index, PAGE_LANGUAGE, points=not hidden)
    if described is None and found.hand is not None:
        raise Http404(_("This table has no such hand."))
    context = {
        "reading": found,
        "game": game_of(at.row),
        "names": at.names,
        "replay": described and replay_of(at, described, request.GET.get("trick", ""), points=not hidden),
        "board": board(at, page_facts(at)) if found.hand is None else None,
        "hidden": hidden,
    }
    response = render(request, "scoring/reading.html", context)
    response["Cache-Control"] = "no-store"
    renew(request, response)
    return response


# --- The big screen: a table as a tablet or a television shows it to everybody, live and without controls

_qr = lru_cache(maxsize=500)(qr)


@require_GET
def screen(request: HttpRequest, code: str) -> HttpResponse:
    """Show a table large; htmx takes the fragment alone."""
    at = standing_now(table_or_404(request, code))
    shown = board(at, page_facts(at))
    context: dict[str, object] = {
        "board": shown,
        "rulings": rulings(shown),
        "table": at.row,
        "called": called(open_disputes(at.row), at.names),
        "hands_left": at.state.hands_left(),
        "qr": None if at.row.private else _qr(shared_address(request, reverse("scoring:table", args=[code]))),
    }
    name = "scoring/_screen_answer.html" if is_htmx(request) else "scoring/screen.html"
    response = render(request, name, context)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "HX-Request"
    return response
