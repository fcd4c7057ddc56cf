"""Pages of replays, read-only links and the big screen."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from referee.engine.game import event_kinds
from referee.engine.sheet import DescribedHand
from scoring.models import Link, Role, TableEvent
from scoring.operating.acts.limits import shared_address
from scoring.rulings.presenters.disputes import called, show_dispute
from scoring.rulings.presenters.what_if import rules_behind
from scoring.rulings.reads.disputes import disputes_now, just_ruled, open_disputes
from scoring.rulings.reads.what_if import audited
from scoring.tables.acts import links
from scoring.tables.acts.access import devices_of
from scoring.tables.acts.exceptions import NoSuchHand
from scoring.tables.pages.device import LONGEST_TOKEN, fresh_page, keep_device, renew, scorekeeper, table_or_404, visit
from scoring.tables.pages.links import Shown, qr, share_page, shows_share_page
from scoring.tables.pages.table import asking
from scoring.tables.presenters.board import board, rulings, show_lines
from scoring.tables.presenters.cards import cited, faces_of, symbols
from scoring.tables.presenters.felt import show_trick
from scoring.tables.presenters.findings import certainty, is_announced, show_finding
from scoring.tables.presenters.formats import PAGE_LANGUAGE, whole
from scoring.tables.presenters.game_over import standings
from scoring.tables.presenters.house_rules import changed_in_words
from scoring.tables.presenters.log_lines import sentence
from scoring.tables.presenters.people import at_table
from scoring.tables.reads.access import reading_on
from scoring.tables.reads.log import standing_events
from scoring.tables.reads.page_facts import decisions, page_facts
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.rules import changed_rules, game_of
from scoring.tables.reads.state import Standing, hand_described, standing_now
from scoring.wording import filled

# --- Replay of a hand, trick by trick, each with its ruling


@require_GET
def hand(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Replay a hand, showing one of its tricks in full."""
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
    return fresh_page(request, "scoring/replay.html", context)


def _audit(at: Standing, index: int) -> dict[str, Any] | None:
    """Present the audit of a hand: summary, irregularities with certainty, and what could not be checked."""
    checked, game = audited(at, index, PAGE_LANGUAGE), game_of(at.row)
    if checked is None:
        return None
    return {
        "verdict": cited(game, checked["verdict"]),
        "clean": checked["clean"],
        "found": [
            (certainty(each["certainty"]), cited(game, each["reason"]), each["trick"])
            for each in checked["infractions"]
        ],
        "unchecked": [cited(game, reason) for reason in checked["unchecked"]],
    }


def replay_of(at: Standing, described: DescribedHand, wanted: str, *, points: bool = True) -> dict[str, Any]:
    """Return the template context of a replay.

    ``described`` is the hand, with or without ``points``; ``wanted`` is the trick shown, from 1.
    """
    pack, game, names = at.rules.pack, game_of(at.row), at.names
    index, known, people = described["number"] - 1, symbols(pack), at_table(at.row)
    entries = standing_events(at.row, hand=index)
    hand = at.hand if at.hand is not None and at.hand.setup.index == index else None
    awards = {each["trick"]: each for each in described.get("given", ())}
    tricks = [
        show_trick(trick, index, names, pack, known, game, awards.get(trick["number"])) for trick in described["tricks"]
    ]
    place = max(min(whole(wanted) or 1, len(tricks)), 1) if tricks else 0
    looked_at = described["tricks"][place - 1] if place else None
    reason = looked_at["reason"] if looked_at else None
    house = changed_rules(at.state.opening, described.get("options"))
    irregular = [
        {
            "finding": show_finding(found, at, entries),
            "trick": found["trick"],
            "acts": _acts(found.get("claims") or [found["event"]], entries, at),
            "proofs": _acts(found["proved_by"], entries, at),
        }
        for found in described["irregularities"]
        if is_announced(found, hand)
    ]
    return {
        "number": described["number"],
        "hands": 1 if at.hand is None else at.hand.setup.index + 1,
        "dealer": names[described["dealer"]],
        "void": described["phase"] == "void",
        "opening": _opening(entries, at, points=points),
        "tricks": tricks,
        "at": place,
        "trick": tricks[place - 1] if place else None,
        "trump": known.get((looked_at["trump"] if looked_at else None) or ""),
        "irregular": irregular,
        "here": [each for each in irregular if each["trick"] == place],
        "people": people,
        "scores": list(zip(people, described["scores"], strict=True)),
        "lines": show_lines(described, names, game),
        "others": rules_behind(game, house, at.rules.players, reason["clauses"] if reason else ()),
        "house": changed_in_words(game, house, at.rules.players) if "options" in described else (),
        "decided": [sentence(event, names, pack, points=points) for event in decisions(entries)],
    }


def _opening(entries: Sequence[TableEvent], at: Standing, *, points: bool) -> list[str]:
    sentences = []
    for event in (entry.event or {} for entry in entries):
        kind = event_kinds().get(event.get("type", ""))
        if kind is not None and kind.in_trick:
            break
        sentences.append(sentence(event, at.names, at.rules.pack, points=points))
    return sentences


def _acts(positions: Iterable[Sequence[int]], entries: Sequence[TableEvent], at: Standing) -> list[dict[str, Any]]:
    """Describe events by their positions in the record: in words, and with their cards."""
    pack = at.rules.pack
    found = ((entries[place].event if place < len(entries) else None) or {"type": "note"} for _hand, place in positions)
    return [
        {"text": sentence(event, at.names, pack), "faces": faces_of(event.get("cards", ()), pack)} for event in found
    ]


# --- Read-only links to one table or one hand


@require_POST
@shows_share_page
def make_reading(request: HttpRequest, code: str) -> HttpResponseBase:
    """Create a read-only link to a table or one hand, and show it once."""
    row, caller = scorekeeper(request, code)
    wanted = request.POST.get("hand", "")
    number = (whole(wanted) or 0) if wanted else None
    try:
        hand = None if number is None else number - 1
        made = links.add_link(row.code, Role.READER, None, caller, hand=hand)
    except NoSuchHand:
        raise Http404(_("This table has no such hand.")) from None
    if not made.token:
        return share_page(request, code, to_read=True)
    url = shared_address(request, f"{reverse('scoring:reading', args=[made.link.pk])}#{made.token}")
    title = _("The whole table") if number is None else filled(_("Hand {number}"), number=number)
    return share_page(request, code, made=Shown(title, url, qr(url)), to_read=True)


@require_http_methods(["GET", "POST"])
def reading(request: HttpRequest, number: int) -> HttpResponseBase:
    """Show what a read-only link opens, or ask for the token without revealing whether the link exists."""
    if request.method == "POST":
        if "forget" in request.POST:
            links.forget_reading(devices_of(request.COOKIES), number)
            return redirect("scoring:home")
        token = request.POST.get("token", "").rpartition("#")[2].strip()[:LONGEST_TOKEN]
        response = redirect("scoring:reading", number=number)
        if links.open_reading(number, token, keep_device(request, response)):
            return response
        return _ask(request, number, problem=_("This link doesn’t work, or it was turned off."))
    found = reading_on(devices_of(request.COOKIES), number)
    return _ask(request, number) if found is None else _show(request, found)


def _ask(request: HttpRequest, number: int, *, problem: str = "") -> HttpResponse:
    context = {
        "title": _("View-only link"),
        "text": _("Scan the code again, or paste the link here."),
        "address": reverse("scoring:reading", args=[number]),
        "label": _("Open it"),
        "problem": problem,
    }
    return fresh_page(request, "scoring/join.html", context, status=404 if problem else 200)


def _show(request: HttpRequest, found: Link) -> HttpResponse:
    """Render the link's hand, or any hand of its table, without the table's code."""
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
    response = fresh_page(request, "scoring/reading.html", context)
    renew(request, response)
    return response


# --- The big screen: a live view of a table for a tablet or TV, without controls

_qr = lru_cache(maxsize=500)(qr)


@require_GET
def screen(request: HttpRequest, code: str) -> HttpResponse:
    at = standing_now(table_or_404(request, code))
    shown, ruled = board(at, page_facts(at)), just_ruled(at.row)
    context: dict[str, object] = {
        "board": shown,
        "just_ruled": ruled,
        "agreed": [at.names[each] for each in ruled.agreed] if ruled else (),
        "rulings": rulings(shown),
        "table": at.row,
        "called": called(open_disputes(at.row), at.names),
        "asking": asking(at, None) if at.row.asked else None,
        "hands_left": at.state.hands_left(),
        "standings": standings(at) if any(shown.totals or ()) else None,
        "qr": None if at.row.private else _qr(shared_address(request, reverse("scoring:table", args=[code]))),
    }
    return fresh_page(request, "scoring/screen.html", context, fragment=True)
