"""The page of a table, the forms that record events, and previews."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import wraps
from math import ceil

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.context_processors import i18n
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from referee.engine.events import End
from referee.engine.game import event_kinds
from referee.engine.records import load_event
from referee.engine.rules import Refused
from referee.engine.rulings import Verdict
from referee.engine.texts import phrase
from scoring.groups.reads.groups import opens_by_group
from scoring.models import Link, Role, Table, TableEvent
from scoring.operating.acts.limits import shared_address
from scoring.operating.pages.environment import url
from scoring.operating.pages.site import display
from scoring.rulings.presenters.disputes import called, goes_back
from scoring.rulings.reads.disputes import just_ruled, open_disputes, open_numbers
from scoring.rulings.reads.precedents import fitting, looked_at, precedents_in
from scoring.tables.acts import exceptions, recording
from scoring.tables.acts.access import Known, devices_of, put_on_returning
from scoring.tables.acts.amending import can_redo, can_undo, redo_last, undo_last
from scoring.tables.acts.exceptions import LinkRevoked, MovedOn, NotDone, NotTaken
from scoring.tables.acts.holding import cached_standing
from scoring.tables.acts.recording import Recorded
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import ChangesLaterTables
from scoring.tables.pages import device
from scoring.tables.pages.device import fresh_page, is_htmx, right_to_act, table_or_404, visit
from scoring.tables.presenters import forms as event_forms
from scoring.tables.presenters import parts
from scoring.tables.presenters.board import FOLDS, board, confirmation, secret, who_confirmed
from scoring.tables.presenters.cards import cited_reason
from scoring.tables.presenters.dictation import understand
from scoring.tables.presenters.findings import Finding
from scoring.tables.presenters.formats import PAGE_LANGUAGE, reader, rendered, whole
from scoring.tables.presenters.house_rules import decided_before
from scoring.tables.presenters.log_lines import LogLine, keeper_line, later_lines, log_lines, undoes
from scoring.tables.presenters.refusals import Message, moved_on, not_allowed, not_done, not_taken
from scoring.tables.presenters.scene import ruled_hands
from scoring.tables.reads import access
from scoring.tables.reads.access import answered_by, next_table, request_of, standing_links
from scoring.tables.reads.log import last_change, last_rows, rows_amended
from scoring.tables.reads.log_entries import tricks_of_rows
from scoring.tables.reads.page_facts import page_facts, rulings_of_the_game
from scoring.tables.reads.record_export import bgstats_link
from scoring.tables.reads.results import confirmations, points_hidden
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing, coming_hand, hand_asks, now, secret_ask, standing_now, with_hand
from scoring.wording import filled

# --- The page of a table, and the forms that record what happens next


@require_GET
def table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a table; a recording depth in the query is first saved in a cookie."""
    row, link, known = visit(request, code, head_only=True)
    if code != row.code:
        return redirect("scoring:table", code=row.code)
    if device.DEPTH in request.GET:
        return device.choose_depth(row.code, request.GET[device.DEPTH], request.GET.get("after", ""))
    if not known:
        put_on_returning(request.COOKIES, row)
    response = show(request, cached_standing(row), link, known=known)
    if not is_htmx(request):
        device.renew(request, response, greet=True)
    return response


@require_GET
def table_log(request: HttpRequest, code: str) -> HttpResponse:
    """Show everything recorded at a table, including what was undone."""
    at = cached_standing(table_or_404(request, code))
    before = whole(request.GET.get("before", ""))
    lines = _log(at, hidden=points_hidden(at), most=ON_A_PAGE, before=before, who=True)
    earlier = lines[-1].seq if lines and lines[-1].seq > 1 else None
    context = {"table": at.row, "lines": lines, "earlier": earlier, "later": before, "game": game_of(at.row)}
    return render(request, "scoring/log.html", context)


ON_A_PAGE = 100
"""Log rows per page."""


def table_form(name: str) -> Callable[[Callable[..., Recorded]], Callable[..., HttpResponseBase]]:
    """Turn a function that acts in a turn into a view.

    The function gets the request, its turn, the form's version, and the URL's arguments; the view shows the result.
    """

    def view_of(act: Callable[..., Recorded]) -> Callable[..., HttpResponseBase]:
        @require_POST
        @wraps(act)
        def view(request: HttpRequest, code: str, **more: object) -> HttpResponseBase:
            asked = " ".join(map(str, (name, *more.values())))
            return do(request, code, asked, lambda turn, expected: act(request, turn, expected, **more))

        return view

    return view_of


@table_form("form")
def record(request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    """Record a form's entry, interpreted by the current state."""
    at = now(turn.at)
    data = event_forms.read_form(request.POST, access.all_asks(at))
    if data is None:
        raise MovedOn(version=turn.found)
    # Other players make secret choices at the same time, so the version may have moved on.
    if not secret_ask(at.state, data["type"]):
        turn.check_version(expected)
    if "everybody" in request.POST:
        passes = at.hand.all_pass() if at.hand else ()
        if not passes:
            raise MovedOn(version=turn.found)
        return recording.record(turn, passes)
    event = load_event(data)
    if isinstance(event, End) and open_numbers(turn.row) and "all-the-same" not in request.POST:
        raise exceptions.DisputesOpen
    return recording.record(turn, [event], secret=None)


@table_form("undo")
def undo(_request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    turn.check_version(expected)
    return undo_last(turn, together=turn.caller.seat is None)


@table_form("redo")
def redo(_request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    return redo_last(turn, expected)


@table_form("confirm")
def confirm(request: HttpRequest, turn: Turn, _expected: int | None, *, number: int) -> Recorded:
    """Agree with the result of a hand, or with the latest ruling in it, as this phone's player."""
    if "ruling" in request.POST:
        return recording.agree_with_ruling(turn, number, whole(request.POST["ruling"]) or 0)
    return recording.confirm(turn, number)


def do(
    request: HttpRequest, code: str, name: str, act: Callable[[Turn, int | None], Recorded], *, uncached: bool = False
) -> HttpResponseBase:
    """Perform a form's act, and show the result.

    ``act`` gets the form's version and may run twice (``record_once``). ``uncached`` reads the device's right
    again after the cached one was stale.
    """
    code, link, caller = right_to_act(request, code, uncached=uncached)
    if caller is None:
        return show_now(request, code, not_allowed(), status=403)
    body = [(field, request.POST.getlist(field)) for field in sorted(request.POST) if field not in NOT_ASKED]
    fingerprint, expected, caller = caller.fingerprint(name, body), caller.expected, replace(caller, expected=None)
    try:
        done = recording.record_once(code, caller, fingerprint, lambda turn: act(turn, expected))
    except Refused as refused:
        text = " ".join(rendered(refused.problems))
        return show_now(request, code, Message("impossible", _("That can’t be recorded"), text=text), status=422)
    except NotTaken as why:
        status = 409 if why.ruling.verdict is Verdict.IRREGULAR else 422
        return show_now(request, code, _refused(request, code, why), status=status)
    except MovedOn:
        return _moved_on(request, code, expected)
    except exceptions.DisputesOpen:
        text = _("Settle them first, or end anyway: they stay open in the record.")
        again = (*event_forms.posted_again(request.POST), ("all-the-same", "1"))
        return show_now(
            request, code, Message("disputed", _("Disputes are still open"), text=text, again=again), status=409
        )
    except ChangesLaterTables as why:
        return show_now(request, code, shown_first(why, request.POST, request.path), status=409)
    except LinkRevoked as why:
        return show_why(request, code, why) if uncached else do(request, code, name, act, uncached=True)
    except NotDone as why:
        return show_why(request, code, why)
    # A retry's stored result may be outdated; the page shows the table as it is now.
    return show_recorded(request, code, done.version, at=None if done.again else now(done.at), link=link)


NOT_ASKED = ("csrfmiddlewaretoken", "version")
"""Form fields that may differ in a retry, excluded from the fingerprint."""


def show_why(request: HttpRequest, code: str, why: NotDone) -> HttpResponse:
    """Render why an act was refused (429 adds Retry-After)."""
    if isinstance(why, exceptions.TooMany):
        response = show_now(request, code, not_done(why), status=429)
        response["Retry-After"] = str(ceil(why.wait))
        return response
    waits = exceptions.TablePaused | exceptions.AlreadyContinued | exceptions.LaterTableNotTaken
    status = 403 if isinstance(why, exceptions.NotYourSeat | LinkRevoked) else 409 if isinstance(why, waits) else 412
    return show_now(request, code, not_done(why), status=status)


def _moved_on(request: HttpRequest, code: str, expected: int | None) -> HttpResponseBase:
    row = table_or_404(request, code)
    version = device.recorded_by_another(row, expected, request.POST)
    if version is not None:
        return show_recorded(request, code, version)
    asked = {ask.event for ask in access.all_asks(now(cached_standing(row)))}
    over = row.finished and request.POST.get("event", "") not in {"", *asked}
    message = moved_on()
    if over:
        text = _("The game had ended before this tap arrived, so it wasn’t recorded. Here’s the table as it is now.")
        message = Message("moved-on", _("The game is over"), text=text)
    return show_now(request, code, message, status=412)


def show_recorded(
    request: HttpRequest, code: str, version: int, *, at: Standing | None = None, link: Link | None = None
) -> HttpResponseBase:
    """Respond to a form: the changed parts for htmx, else a redirect.

    ``version`` is the table's after this form; it may have moved on. ``at`` is its state if this device just wrote it
    by ``link``.
    """
    if is_htmx(request):
        response = show_now(request, code) if at is None else show(request, at, link)
        response["Recorded-Version"] = str(version)
        return response
    return redirect("scoring:table", code=code)


def show_now(request: HttpRequest, code: str, message: Message | None = None, *, status: int = 200) -> HttpResponse:
    row, link, known = visit(request, code)
    return show(request, cached_standing(row), link, message, known=known, status=status)


def show(
    request: HttpRequest,
    at: Standing,
    link: Link | None,
    message: Message | None = None,
    *,
    known: Known = Known.YES,
    status: int = 200,
) -> HttpResponse:
    """Render a table; htmx requests get only the parts that they don't have."""
    device.speak_as_at(at.row)
    version, htmx = at.row.version, is_htmx(request)
    has = request.headers.get(parts.HEADER, "") if htmx else ""
    page = parts.TravellingPage((reader(), get_current_timezone_name()), parts.places(has), answers=htmx)
    context = context_of(request, at, link, message)
    context |= {"in_parts": page, "turned_off": known is Known.TURNED_OFF}
    if not htmx:
        group = at.row.group
        if group is not None and opens_by_group(at.row, devices=devices_of(request.COOKIES)):
            context["evening"] = url("scoring:evening", group.code, at.row.evening.isoformat())
        context |= {"request": request} | i18n(request) | display(request)
    drawn = render_to_string("scoring/table.html", context)
    html = (
        parts.filled(parts.gathered(drawn), version, "") if htmx else parts.filled(drawn, version, get_token(request))
    )
    response = HttpResponse(html, status=status)
    response["Cache-Control"] = "no-store"
    response["Table-Version"] = str(version)
    response["Vary"] = "HX-Request"
    return response


def context_of(request: HttpRequest, at: Standing, link: Link | None, message: Message | None) -> dict[str, object]:
    """Return the template context of a table's page, as its holder may see it."""
    pack, names, make_forms = at.rules.pack, at.names, event_forms.make_forms
    keeps = link is not None and link.keeps
    seat = link.plays if link is not None and link.records else None
    sits = link.seat if link is not None and link.records else None
    depth = device.chosen_depth(request) if keeps else ""
    asked = hand_asks(at) if keeps else () if seat is None else access.player_asks(at, seat)
    # Single-button forms come last, so that the pad keeps its place.
    hand = with_hand(at.state).hand if asked else None
    made = sorted(make_forms(asked, pack, names, own=not keeps, hand=hand), key=lambda form: not form.fields)
    forms = device.in_front(made, depth)
    # This phone records less than every card: don't wait for cards to be laid out.
    apart = bool(forms) and forms[0] is not made[0]
    front = forms[0] if apart and (device.lays_out_cards(made[0]) or forms[0].result) else None
    front = forms[0] if forms and forms[0].keypad and forms[0].next_up else front
    kept = None
    if message is not None and message.kind == "impossible" and request.method == "POST" and not is_htmx(request):
        # Keep an invalid entry in the form, to be corrected; htmx keeps it by itself.
        kept = event_forms.read_form(request.POST, access.all_asks(now(at)))
    forms = event_forms.keep(forms, kept)
    own = event_forms.keep(make_forms(access.table_asks(at), pack, names) if keeps else (), kept)
    # Events that only this game has, such as a side's claims, are prominent once a hand is over.
    claims = [form for form in own if event_kinds()[form.event].event in game_of(at.row).events and not form.own]
    claims = [form for form in claims if event_kinds()[form.event].by_player]
    unfolded = opened(request)
    facts, confirmed = page_facts(at), confirmations(at) if at.row.agreed else {}
    taps = forms[0].taps if forms else None
    shown = board(at, facts, sits if at.state.finished() else seat, front=front, taps=taps, opened=unfolded)
    # Don't show an undo again once another card was recorded.
    records, undoing = keeps or seat is not None, (url("scoring:undo", at.row.code), url("scoring:redo", at.row.code))
    asks_for = request.method == "GET" or "ruling" in request.POST
    asks_for = asks_for or request.path == url("scoring:guide-carry-out", at.row.code)
    ruled = just_ruled(at.row) if asks_for else None
    changed = last_change(at.row) if records and (request.method != "POST" or request.path in undoing) else None
    lately = changed is not None and timezone.now() - changed.at < LATELY
    # Spectators see a finding prominently once, and afterwards among the irregularities.
    raised = [finding for finding in shown.findings if finding.raised and (keeps or finding.fresh)]
    to_decide = tuple(Finding(**vars(one) | {"place": place, "of": len(raised)}) for place, one in enumerate(raised, 1))
    return {
        "version": parts.VERSION,
        "csrf_input": parts.TOKEN_FIELD,
        "csrf_token": parts.TOKEN,
        "depth": depth,
        "board": shown,
        "to_decide": to_decide,
        "held": at.hand is not None and at.hand.holds,
        "confirmation": (
            confirmation(at, confirmed, sits, hidden=facts.hidden) if shown.scene or shown.finished else None
        ),
        "confirmed": who_confirmed(confirmed, names) if confirmed and not facts.hidden else (),
        "table": at.row,
        "called": called(open_disputes(at.row), names) if at.row.disputes else (),
        "just_ruled": ruled,
        "agreed": [names[each] for each in ruled.agreed] if ruled else (),
        "agrees": ruled is not None and sits in ruled.agreed,
        "records": records,
        "keeps": keeps,
        "player": None if seat is None else names[seat],
        "private": at.row.private,
        "main": forms[0] if forms else None,
        "buttons": tuple(form for form in forms[1:] if not form.fields),
        "others": tuple(form for form in forms[1:] if form.fields),
        "aside": tuple(form for form in forms[1:] if form.fields and not event_kinds()[form.event].coarse),
        "all_pass": keeps and at.hand is not None and len(at.hand.all_pass()) > 1,
        "own": tuple(form for form in own if form not in claims or not shown.scene),
        "claims": tuple(claims),
        "kept": any(form.kept for form in (*forms, *own)),
        "sides": json.dumps(at.rules.sides),
        "can_undo": shown.can_undo and (keeps or (seat is not None and can_undo(at.row, seat))),
        "undoes": changed and undoes(changed, at, points=not facts.hidden, lately=lately),
        "can_redo": changed is not None and can_redo(changed, None if keeps else seat),
        "ends": any(form.event == End.type for form in own),
        "after": whole(request.GET.get("after", "")),
        "between": at.hand is None or coming_hand(at) is not None,
        "next": next_table(at.row, keeps=keeps, devices=devices_of(request.COOKIES)) if at.state.finished() else None,
        "asking": asking(at, link) if at.row.asked else None,
        "joining": joining(request, at.row) if not records and not at.row.finished else None,
        "secret": secret(at, sits, access.own_choices(at.row, link) if link is not None and at.row.choosing else ()),
        "opened": unfolded,
        "rulings": tuple(ruled_hands(at, rulings_of_the_game(at), points=not facts.hidden))
        if RULINGS in unfolded and shown.finished
        else (),
        "bgstats": bgstats_link(at) if shown.finished else "",
        "fragment": is_htmx(request),
        "log": _log(at, hidden=facts.hidden, most=LATEST) if LOG in unfolded else (),
        "message": message,
        "address": shared_address(request, url("scoring:table", at.row.code)),
    }


def asking(at: Standing, link: Link | None) -> dict[str, object] | None:
    """Return this phone's prompt: a request to answer, or that another phone now keeps the score."""
    row, names = at.row, at.names
    for each in answered_by(row, link):
        if each.role == Role.SCOREKEEPER:
            says, yes = _("{name} wants to keep score."), _("Allow")
        elif standing_links(row).filter(role=Role.PLAYER, seat=each.seat).exists():
            says, yes = _("Another phone wants to be {name}’s."), _("Let in")
        else:
            says, yes = _("{name} wants to join."), _("Let in")
        return {"number": each.pk, "says": filled(says, name=names[each.seat]), "yes": yes}
    told = TableEvent.objects.filter(table=row, amends=None, event=None, choosing__contains="keeper").last()
    if told is None or (link is not None and (told.choosing or {}).get("keeper") == link.pk):
        return None
    relieved = link is not None and link.keeps and Link.objects.filter(pk=link.pk, relieved__isnull=False).exists()
    if not relieved and told.seq != row.version:
        return None
    return {"says": keeper_line(told.by, names) + ".", "ok": relieved, "at": told.at}


def joining(request: HttpRequest, row: Table) -> dict[str, object]:
    """Return how a spectator's phone can join, and its pending request."""
    devices = devices_of(request.COOKIES)
    asked = request_of(row, devices) if row.asked else None
    return {
        "group": device.link_to_group_of(request, row) is not None,
        "asked": None if asked is None else row.seats[asked.seat],
        "refused": asked is not None and asked.refused is not None,
    }


def _log(at: Standing, *, hidden: bool, most: int, before: int | None = None, who: bool = False) -> list[LogLine]:
    entries = last_rows(at.row, most=most, before=before)
    amended, tricks = rows_amended(at.row, entries), tricks_of_rows(at, entries)
    return log_lines(at, entries, amended, tricks, points=not hidden, who=who)


OPEN = "Table-Open"
LOG, RULINGS, CURVE = "log", "rulings", "curve"


def opened(request: HttpRequest) -> frozenset[str]:
    names = request.headers.get(OPEN, request.GET.get("open", ""))
    return (FOLDS | {LOG, RULINGS, CURVE}).intersection(names[:LONGEST_OPEN].split(","))


LONGEST_OPEN = 100
LATELY = timedelta(seconds=10)
"""How long after an undo a freshly loaded page still shows it."""
LATEST = 12
"""Log rows on the table's page; the log's own pages have all."""


def shown_first(why: ChangesLaterTables, posted: QueryDict, there: str) -> Message:
    """Build the message that shows a form's changes at later tables and asks for confirmation."""
    return Message(
        "later-tables",
        _("This changes a later table, too"),
        again=(*event_forms.posted_again(posted, but=()), (device.LATER_TABLES, "1")),
        there=there,
        later=tuple(later_lines(each, hidden=points_hidden(each.at)) for each in why.tables),
    )


def _refused(request: HttpRequest, code: str, why: NotTaken) -> Message:
    """Build the message of a refusal, with the guide's remedy and the group's earlier decision."""
    message, reason = not_taken(why, event_forms.posted_again(request.POST)), why.ruling.reason
    if reason is None:
        return message
    row, link, _known = visit(request, code)
    at = cached_standing(row)
    goes = link is not None and link.keeps and why.ruling.verdict is Verdict.IRREGULAR
    back = goes_back(at, looked_at(at), reason) if goes else None
    found = fitting(precedents_in(row.group_id, row.game), reason.code, reason.clauses, reason.facts)
    return replace(message, back=back, known=decided_before(found))


# --- Previews: how an entry is understood, before it is recorded


@require_GET
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """Preview a form being filled in, for games that describe incomplete entries."""
    at = standing_now(table_or_404(request, code))
    hand = with_hand(at.state).hand
    asked = hand_asks(at)
    data = event_forms.read_form(request.GET, asked)
    try:
        seen = None if data is None or hand is None else hand.preview(load_event(data))
    except Refused:
        seen = None
    reasons, pack = seen.reasons if seen else (), at.rules.pack
    cited = [cited_reason(game_of(at.row), reason, at.names, pack) for reason in reasons]
    ask = next((ask for ask in asked if data and ask.event == data["type"]), None)
    does = ask and PAGE_LANGUAGE.render(seen.does if seen and seen.does else phrase(ask.label))
    return fresh_page(
        request, "scoring/_preview.html", {"seen": seen, "cited": cited, "asked": ask and ask.event, "does": does}
    )


MOST_TEXTS, LONGEST = 5, 120


@require_GET
def dictated(request: HttpRequest, code: str) -> HttpResponse:
    """Match dictated alternatives (``text``, likeliest first) to a card, and to a player named before it."""
    at = standing_now(table_or_404(request, code))
    texts = [text for text in request.GET.getlist("text")[:MOST_TEXTS] if text.strip() and len(text) <= LONGEST]
    heard = understand(texts, pack=at.rules.pack, names=at.names)
    context = {"heard": heard, "names": at.names, "typed": bool(texts)}
    return fresh_page(request, "scoring/_dictated.html", context)
