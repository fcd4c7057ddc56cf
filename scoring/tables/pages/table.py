"""The page of a table: what is on it, the forms that record what happens next, and what is tapped, shown before."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from math import ceil

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.context_processors import i18n
from django.template.loader import render_to_string
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_htmx.middleware import HtmxDetails

from referee.engine.events import End
from referee.engine.game import event_kinds, find_game
from referee.engine.records import load_event
from referee.engine.rules import Refused
from referee.engine.rulings import Verdict
from referee.engine.sheet import describe_reason
from scoring.groups.reads.groups import opens_by_group
from scoring.models import Link, Table
from scoring.operating.acts.addresses import shared_address
from scoring.operating.pages.environment import url
from scoring.rulings.presenters.disputes import called
from scoring.rulings.reads.disputes import open_disputes, open_numbers
from scoring.rulings.reads.precedents import fitting, precedents_in
from scoring.tables.acts.access import Known, devices_of, put_on_returning
from scoring.tables.acts.amending import can_undo, undo_last
from scoring.tables.acts.exceptions import (
    AlreadyContinued,
    DisputesOpen,
    LaterTableNotTaken,
    LinkRevoked,
    MovedOn,
    NotDone,
    NotTaken,
    NotYourSeat,
    TablePaused,
    TooMany,
)
from scoring.tables.acts.holding import cached_standing
from scoring.tables.acts.recording import Recorded, record_once
from scoring.tables.acts.recording import confirm as confirm_in_turn
from scoring.tables.acts.recording import record as record_in_turn
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import ChangesLaterTables
from scoring.tables.pages.device import (
    LATER_TABLES,
    choose_depth,
    chosen_depth,
    depth_in_address,
    in_front,
    lays_out_cards,
    recorded_by_another,
    renew,
    right_to_act,
    table_or_404,
    visit,
)
from scoring.tables.presenters import parts
from scoring.tables.presenters.board import FOLDS, board, confirmation, secret, who_confirmed
from scoring.tables.presenters.cards import CitedSentence, cited, clause_links
from scoring.tables.presenters.dictation import understand
from scoring.tables.presenters.formats import PAGE_LANGUAGE, reader, rendered, whole
from scoring.tables.presenters.forms import Form, keep, make_forms, posted_again, read_form
from scoring.tables.presenters.house_rules import decided_before
from scoring.tables.presenters.log_lines import LogLine, Undoes, later_lines, log_lines, undoes
from scoring.tables.presenters.parts import filled, gathered
from scoring.tables.presenters.refusals import Message, game_over, moved_on, not_allowed, not_done
from scoring.tables.presenters.scene import ruled_hands
from scoring.tables.reads.access import next_table
from scoring.tables.reads.asks import all_asks, hand_asks, own_choices, player_asks, secret_ask, table_asks, with_hand
from scoring.tables.reads.findings import tricks_of_rows
from scoring.tables.reads.log import last_rows, next_undone, rows_amended
from scoring.tables.reads.page_facts import page_facts, rulings_of_the_game
from scoring.tables.reads.record_export import bgstats_link
from scoring.tables.reads.results import confirmations, points_hidden
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing, coming_hand, now, standing_now

# --- The page of a table: what is on it, and the forms that record what happens next


@require_GET
def table(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show a table; a depth in the address is taken into this device’s cookies first."""
    row, link, known = visit(request, code, head_only=True)
    if code != row.code:
        return redirect("scoring:table", code=row.code)
    depth = depth_in_address(request)
    if depth is not None:
        return choose_depth(row.code, depth)
    if not known:
        put_on_returning(request.COOKIES, row)
    response = show(request, cached_standing(row), link, known=known)
    if not is_htmx(request):
        renew(request, response, greet=True)
    return response


@require_GET
def table_log(request: HttpRequest, code: str) -> HttpResponse:
    """Show everything that was recorded at a table, taken back or not."""
    at = cached_standing(table_or_404(request, code))
    before = whole(request.GET.get("before", ""))
    lines = _log(at, hidden=points_hidden(at), most=ON_A_PAGE, before=before, who=True)
    earlier = lines[-1].seq if lines and lines[-1].seq > 1 else None
    context = {"table": at.row, "lines": lines, "earlier": earlier, "later": before, "game": game_of(at.row)}
    return render(request, "scoring/log.html", context)


ON_A_PAGE = 100
"""Rows on a page of the log."""


def table_form(name: str) -> Callable[[Callable[..., Recorded]], Callable[..., HttpResponseBase]]:
    """Make a view of an act that a form of the table's page asks for.

    The act is given the request, its turn, the version that the form had, and what the address holds; the view shows
    what became of it.
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
    """Record what a form says, as it is meant where the table stands."""
    at = now(turn.at)
    data = read_form(request.POST, all_asks(at))
    if data is None:
        raise MovedOn(version=turn.found)
    if not secret_ask(at.state, data["type"]):  # else the others choose at the same time
        turn.check_version(expected)
    event = load_event(data)
    if isinstance(event, End) and open_numbers(turn.row) and "all-the-same" not in request.POST:
        raise DisputesOpen
    return record_in_turn(turn, [event], secret=None)


@table_form("undo")
def undo(_request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    """Take back the last event."""
    turn.check_version(expected)
    return undo_last(turn)


@table_form("confirm")
def confirm(_request: HttpRequest, turn: Turn, _expected: int | None, *, number: int) -> Recorded:
    """Agree with the result of a hand, as the player of this phone."""
    return confirm_in_turn(turn, number)


def do(
    request: HttpRequest, code: str, name: str, act: Callable[[Turn, int | None], Recorded], *, anew: bool = False
) -> HttpResponseBase:
    """Do what a form of the table's page asks for, and show what became of it.

    ``act`` is told the version that the form had, and may run twice (``record_once``). What this process remembers of
    the device's right may be out of date: then it is looked for ``anew``.
    """
    code, link, caller = right_to_act(request, code, anew=anew)
    if caller is None:
        return show_now(request, code, not_allowed(), status=403)
    body = [(field, request.POST.getlist(field)) for field in sorted(request.POST) if field not in NOT_ASKED]
    fingerprint, expected, caller = caller.fingerprint(name, body), caller.expected, replace(caller, expected=None)
    try:
        done = record_once(code, caller, fingerprint, lambda turn: act(turn, expected))
    except Refused as refused:
        text = " ".join(rendered(refused.problems))
        return show_now(request, code, Message("impossible", _("That cannot be recorded"), text=text), status=422)
    except NotTaken as why:
        status = 409 if why.ruling.verdict is Verdict.IRREGULAR else 422
        return show_now(request, code, with_precedents(code, why, not_taken(why, request.POST)), status=status)
    except MovedOn:
        return _moved_on(request, code, expected)
    except DisputesOpen:
        return show_now(request, code, still_disputed(request.POST), status=409)
    except ChangesLaterTables as why:
        return show_now(request, code, shown_first(why, request.POST, request.path), status=409)
    except LinkRevoked as why:
        return show_why(request, code, why) if anew else do(request, code, name, act, anew=True)
    except NotDone as why:
        return show_why(request, code, why)
    # What was answered to a retry is what became of it then; the page shows the table as it is now.
    return show_recorded(request, code, done.version, at=None if done.again else now(done.at), link=link)


NOT_ASKED = ("csrfmiddlewaretoken", "version")
"""What a form holds beside what it asks for; a retry may hold it otherwise."""


def show_why(request: HttpRequest, code: str, why: NotDone) -> HttpResponse:
    """Answer a form that was not done; what came too fast may come again."""
    if isinstance(why, TooMany):
        response = show_now(request, code, not_done(why), status=429)
        response["Retry-After"] = str(ceil(why.wait))
        return response
    waits = TablePaused | AlreadyContinued | LaterTableNotTaken
    status = 403 if isinstance(why, NotYourSeat | LinkRevoked) else 409 if isinstance(why, waits) else 412
    return show_now(request, code, not_done(why), status=status)


def _moved_on(request: HttpRequest, code: str, expected: int | None) -> HttpResponseBase:
    """Answer a form that came late: what somebody else has recorded in its place may be just what it says."""
    row = table_or_404(request, code)
    version = recorded_by_another(row, expected, request.POST)
    if version is not None:
        return show_recorded(request, code, version)
    asked = {ask.event for ask in all_asks(now(cached_standing(row)))}
    over = row.finished and request.POST.get("event", "") not in {"", *asked}
    return show_now(request, code, game_over() if over else moved_on(), status=412)


def show_recorded(
    request: HttpRequest, code: str, version: int, *, at: Standing | None = None, link: Link | None = None
) -> HttpResponseBase:
    """Answer a form: a script takes the fragment at once, a plain browser is sent to the page.

    ``version`` is what the table had once this form was recorded; by now it may be further. Where this device has
    just left it, it stands ``at`` that, and ``link`` has recorded it.
    """
    if is_htmx(request):
        response = show_now(request, code) if at is None else show(request, at, link)
        response["Recorded-Version"] = str(version)
        return response
    return redirect("scoring:table", code=code)


def show_now(request: HttpRequest, code: str, message: Message | None = None, *, status: int = 200) -> HttpResponse:
    """Show a table as it is now."""
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
    """Show a table to the holder of a link, or to anybody: whole or, for htmx, what a page lacks of its fragment."""
    version, htmx = at.row.version, is_htmx(request)
    has = request.headers.get(parts.HEADER, "") if htmx else ""
    page = parts.TravellingPage((reader(), get_current_timezone_name()), parts.places(has), answers=htmx)
    context = context_of(request, at, link, message)
    context |= {"in_parts": page, "turned_off": known is Known.TURNED_OFF}
    if htmx:
        html = filled(gathered(render_to_string("scoring/_table_answer.html", context)), version, "")
    else:
        context |= {"evening": _evening_of(request, at.row), "request": request}
        whole = render_to_string("scoring/table.html", context | i18n(request))
        html = filled(whole, version, get_token(request))
    response = HttpResponse(html, status=status)
    response["Cache-Control"] = "no-store"
    response["Table-Version"] = str(version)
    response["Vary"] = "HX-Request"
    return response


def _evening_of(request: HttpRequest, row: Table) -> str | None:
    """Return the address of the evening of a table, for a device that opens its group."""
    if row.group is None or not opens_by_group(row, devices=devices_of(request.COOKIES)):
        return None
    return url("scoring:evening", row.group.code, row.evening.isoformat())


def cards_first(forms: Sequence[Form]) -> list[Form]:
    """Return the forms with those that are one button after the others, so that the pad stays in its place."""
    return sorted(forms, key=lambda form: form.bare)


def context_of(request: HttpRequest, at: Standing, link: Link | None, message: Message | None) -> dict[str, object]:
    """Return what the page of a table says to the holder of a link, or to anybody."""
    pack, names = at.rules.pack, at.names
    keeps = link is not None and link.keeps
    seat = link.seat if link is not None and link.records else None
    depth = chosen_depth(request) if keeps else ""
    forms, front = [], None
    if keeps:
        made = cards_first(make_forms(hand_asks(at), pack, names))
        forms = in_front(made, depth)
        # Cards that others would lay out are not waited for where this phone records less than every card.
        apart = forms and forms[0] is not made[0]
        front = forms[0] if apart and (lays_out_cards(made[0]) or forms[0].result) else None
    elif seat is not None:
        forms = cards_first(make_forms(player_asks(at, seat), pack, names, own=True))
    kept = _kept(request, at, message)
    forms, own = keep(forms, kept), keep(make_forms(table_asks(at), pack, names) if keeps else (), kept)
    unfolded = opened(request)
    facts, confirmed = page_facts(at), confirmations(at) if at.row.agreed else {}
    shown = board(at, facts, seat, front=front, opened=unfolded)
    # Who only looks on is told once, and finds it among the irregularities afterwards.
    to_decide = tuple(finding for finding in shown.findings if finding.raised and (keeps or finding.fresh))
    return {
        "version": parts.VERSION,
        "csrf_input": parts.TOKEN_FIELD,
        "csrf_token": parts.TOKEN,
        "depth": depth,
        "board": shown,
        "to_decide": to_decide,
        "held": at.hand is not None and at.hand.holds,
        "confirmation": (
            confirmation(at, confirmed, seat, hidden=facts.hidden) if shown.scene or shown.finished else None
        ),
        "confirmed": who_confirmed(confirmed, names) if confirmed and not facts.hidden else (),
        "table": at.row,
        "called": called(open_disputes(at.row), names) if at.row.disputes else (),
        "disputed": bool(at.row.disputes),
        "records": keeps or seat is not None,
        "keeps": keeps,
        "player": None if seat is None else names[seat],
        "private": at.row.private,
        "main": forms[0] if forms else None,
        "buttons": tuple(form for form in forms[1:] if form.bare),
        "others": tuple(form for form in forms[1:] if not form.bare),
        "aside": tuple(form for form in forms[1:] if not form.bare and not event_kinds()[form.event].coarse),
        "own": tuple(own),
        "kept": any(form.kept for form in (*forms, *own)),
        "sides": json.dumps(at.rules.sides),
        "can_undo": shown.can_undo and (keeps or (seat is not None and can_undo(at.row, seat))),
        "undoes": _undoes(request, at, points=not facts.hidden) if keeps else None,
        "between": at.hand is None or coming_hand(at) is not None,
        "next": next_table(at.row, keeps=keeps, devices=devices_of(request.COOKIES)) if at.state.finished() else None,
        "secret": secret(at, seat, own_choices(at.row, link) if link is not None and at.row.choosing else ()),
        "opened": unfolded,
        "rulings": tuple(ruled_hands(at, rulings_of_the_game(at), points=not facts.hidden))
        if RULINGS in unfolded and shown.finished
        else (),
        "bgstats": bgstats_link(at) if shown.finished else "",
        "in_answer": is_htmx(request),
        "log": _log(at, hidden=facts.hidden, most=LATEST) if LOG in unfolded else (),
        "message": message,
        "address": address_of(request, at.row),
    }


def _undoes(request: HttpRequest, at: Standing, *, points: bool) -> Undoes | None:
    """Return what an undo takes back next; ``None`` where it is what was recorded last, which shows itself.

    Nobody asks when a card has just been recorded.
    """
    if request.method == "POST" and request.path != url("scoring:undo", at.row.code):
        return None
    undone = next_undone(at.row)
    return None if undone is None else undoes(undone.event, at, amended=undone.amended, points=points)


def _kept(request: HttpRequest, at: Standing, message: Message | None) -> dict[str, object] | None:
    """Return what a form says that cannot have happened, for it to be mended; a script keeps that by itself."""
    refused = message is not None and message.kind == "impossible" and request.method == "POST"
    return read_form(request.POST, all_asks(now(at))) if refused and not is_htmx(request) else None


def _log(at: Standing, *, hidden: bool, most: int, before: int | None = None, who: bool = False) -> list[LogLine]:
    entries = last_rows(at.row, most=most, before=before)
    amended, tricks = rows_amended(at.row, entries), tricks_of_rows(at, entries)
    return log_lines(at, entries, amended, tricks, points=not hidden, who=who)


def address_of(request: HttpRequest, row: Table) -> str:
    """Return the whole address of a table, with scheme and host, for a link or a QR code; it holds no token."""
    return shared_address(request, url("scoring:table", row.code))


OPEN = "Table-Open"
LOG, RULINGS, CURVE = "log", "rulings", "curve"


def opened(request: HttpRequest) -> frozenset[str]:
    """Return which folds of the page are open: as a script says in a header, or a link in the address."""
    names = request.headers.get(OPEN, request.GET.get("open", ""))
    return (FOLDS | {LOG, RULINGS, CURVE}).intersection(names[:LONGEST_OPEN].split(","))


LONGEST_OPEN = 100
LATEST = 12
"""Rows of the log on the table's page; the log has a page of its own."""


def is_htmx(request: HttpRequest) -> bool:
    """Return whether only a fragment is asked for."""
    details = getattr(request, "htmx", None)
    return isinstance(details, HtmxDetails) and bool(details)


def shown_first(why: ChangesLaterTables, posted: QueryDict, there: str) -> Message:
    """Show what a form would change at the tables at which the game went on, before it is done."""
    return Message(
        "later-tables",
        _("This changes a later table, too"),
        again=(*posted_again(posted, but=()), (LATER_TABLES, "1")),
        there=there,
        later=tuple(later_lines(each, hidden=points_hidden(each.at)) for each in why.tables),
    )


def still_disputed(posted: QueryDict) -> Message:
    """Ask for open disputes before the table ends."""
    text = _("Settle them first, or end all the same: they stay open in the record.")
    again = (*posted_again(posted), ("all-the-same", "1"))
    return Message("disputed", _("Disputes are still open"), text=text, again=again)


def not_taken(why: NotTaken, posted: QueryDict) -> Message:
    """Say why the referee does not take what a form says; what is irregular may be recorded as it was."""
    reason, state = why.ruling.reason, why.ruling.table
    names = why.names
    game = find_game(state.rules.game.id)
    assert game is not None
    rendered = cited(game, None if reason is None else describe_reason(reason, names, PAGE_LANGUAGE))
    if why.ruling.verdict is Verdict.IRREGULAR:
        return Message("irregular", _("The rules do not allow that"), rendered, again=tuple(posted_again(posted)))
    return Message("impossible", _("That cannot have happened"), rendered)


def with_precedents(code: str, why: NotTaken, message: Message) -> Message:
    """Say with a refusal what the group of the table has decided about such a thing before."""
    row, reason = Table.objects.filter(code=code).only("group", "game").first(), why.ruling.reason
    if row is None or row.group_id is None or reason is None:
        return message
    found = fitting(precedents_in(row.group_id, row.game), reason.code, reason.clauses, reason.facts)
    return replace(message, known=decided_before(found))


# --- What is tapped or said, shown as it is understood before anything is recorded


@require_GET
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """Say what a form that is being filled in would record, as far as the game has something to say."""
    at = standing_now(table_or_404(request, code))
    hand = with_hand(at.state).hand
    data = read_form(request.GET, hand_asks(at))
    try:
        seen = None if data is None or hand is None else hand.preview(load_event(data))
    except Refused:
        seen = None
    reasons = seen.reasons if seen else ()
    game = game_of(at.row)
    cited = [
        CitedSentence(reason.sentence(at.names, PAGE_LANGUAGE), clause_links(game, reason.clauses))
        for reason in reasons
    ]
    response = render(request, "scoring/_preview.html", {"seen": seen, "cited": cited})
    response["Cache-Control"] = "no-store"
    return response


MOST_TEXTS, LONGEST = 5, 120


@require_GET
def dictated(request: HttpRequest, code: str) -> HttpResponse:
    """Show which card some texts mean (`text`, the likeliest first), and whose it is where a name came before it."""
    at = standing_now(table_or_404(request, code))
    texts = [text for text in request.GET.getlist("text")[:MOST_TEXTS] if text.strip() and len(text) <= LONGEST]
    heard = understand(texts, pack=at.rules.pack, names=at.names)
    context = {"heard": heard, "names": at.names, "typed": bool(texts)}
    response = render(request, "scoring/_dictated.html", context)
    response["Cache-Control"] = "no-store"
    return response
