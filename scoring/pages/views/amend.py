"""Correcting an entry in three taps: the trick, the card, the right card; then what changes, and one to save it.

Where other players would then have been in turn, the later cards go to them; what does not fit is taken back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event

from referee.engine.adjudication import describe_reason
from referee.engine.asks import Ask
from referee.engine.catalogue import event_kinds
from referee.engine.event_kinds import Event
from referee.engine.options import Refused
from referee.engine.reading import dump_event, load_event, stored_event
from referee.engine.rethreading import is_threaded
from referee.engine.rulings import Verdict
from scoring.models import Table, TableEvent
from scoring.pages.device.access import caller_of, visit
from scoring.pages.show.cards import face
from scoring.pages.show.changes import ChangeLine, MovedTrick, change_lines, moved_tricks
from scoring.pages.show.clauses import cited
from scoring.pages.show.event_sentences import sentence
from scoring.pages.show.forms import make_forms, prefilled, read_form
from scoring.pages.show.history import EntryShown, history, shown_entry
from scoring.pages.show.numbers import whole
from scoring.pages.show.refusals import Message, not_allowed
from scoring.pages.show.translation import PAGE_LANGUAGE, rendered
from scoring.pages.views.table import is_htmx
from scoring.queries.log import standing_events, state_before
from scoring.queries.page_facts import HandEvents, hand_events
from scoring.queries.points import points_hidden
from scoring.queries.rules import game_of
from scoring.queries.state import Standing, standing
from scoring.services.amending import Amendment, Change, amend, preview
from scoring.services.exceptions import (
    AlreadyAmended,
    KeyReused,
    LaterNotTaken,
    LinkRevoked,
    MovedOn,
    NoSuchEvent,
    NotDone,
    NotTaken,
)
from scoring.services.keys import Caller

LONGEST_REASON = 2000
OVER_THE_TABLE = 100
"""Added to the places of forms, which tell elements apart: those of the table may be on the same page."""
Fields = tuple[tuple[str, str], ...]
"""What a form holds, name by name."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction would change: the entry before and after, line by line, and the form that saves it.

    ``moved`` are the cards that go to other players, ``taken_back`` what will have to be recorded again.
    """

    old: str
    new: str
    lines: tuple[ChangeLine, ...]
    moved: tuple[MovedTrick, ...]
    taken_back: tuple[EntryShown, ...]
    fields: Fields


@require_GET
def choose_entry(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the events of a hand, to choose the wrong one; a card that was played is one already."""
    row, link, _known = visit(request, code)
    if caller_of(request, link, keeping=True) is None:
        return redirect("scoring:table", code=row.code)
    at = standing(row)
    hand = hand_events(at, whole(request.GET.get("hand", "")))
    if hand is None:
        raise Http404(_("There is no such hand."))
    card = request.GET.get("card")
    if card is not None:
        return _show_played(request, at, hand, card)
    return _answer(request, at, {"history": history(at, hand)}, "scoring/_amend_choose.html")


def _show_played(request: HttpRequest, at: Standing, hand: HandEvents, card: str) -> HttpResponse:
    """Show who played a card, and in which trick, and what may stand in its place."""
    entry = next((entry for entry in reversed(hand.entries) if card in (entry.event.get("cards") or ())), None)
    if entry is None:
        raise Http404(_("This card was not played."))
    tricks = (trick for trick in history(at, hand).tricks if trick.number)
    trick = next((trick for trick in tricks if any(shown.seq == entry.seq for shown in trick.entries)), None)
    return _answer(request, at, _choices(at, entry) | {"trick": trick})


@require_http_methods(["GET", "POST"])
def amend_entry(request: HttpRequest, code: str, seq: int) -> HttpResponseBase:
    """Show what may stand in the place of an event and what that changes, and do it when it is posted."""
    row, link, _known = visit(request, code)
    caller = caller_of(request, link, keeping=True)
    if caller is None:
        return redirect("scoring:table", code=row.code)
    at = standing(row)
    entry = TableEvent.objects.filter(table=row, seq=seq, event__isnull=False, amended_by__isnull=True).first()
    if entry is None:
        text = _("It was corrected or taken back in between.")
        return _answer(request, at, {"message": Message("moved-on", _("This entry stands no more"), text=text)})
    form = request.POST if request.method == "POST" else request.GET
    if not form.get("event") and not form.get("strike"):
        return _answer(request, at, _choices(at, entry))
    return _try(request, at, entry, form, caller)


def _try(request: HttpRequest, at: Standing, entry: TableEvent, form: QueryDict, caller: Caller) -> HttpResponseBase:
    """Preview a correction, or save it."""
    try:
        amendment = _amendment(at, entry, form)
        if request.method == "POST":
            taps = _taps(at, form)
            amended = amend(at.row.code, amendment, caller)
            return _to_table(request, at.row, {"version": amended.version, "taps": taps})
        shown = _preview(at, entry, amendment, form, replace(caller, expected=None))
    except Refused as refused:
        text = " ".join(rendered(refused.problems))
        message = Message("impossible", _("That cannot be recorded"), text=text)
    except NotDone as why:
        message = _why_not(at, why, form)
    else:
        return _answer(request, at, {"entry": shown_entry(entry, at.names, at.rules.pack), **shown})
    status = 422 if message.kind == "impossible" else 409
    return _answer(request, at, _choices(at, entry) | {"message": message}, status=status)


def _amendment(at: Standing, entry: TableEvent, form: QueryDict) -> Amendment:
    """Read a correction: of this entry, with the cards that move, or are taken back, for it."""
    also = tuple(Change(seq=later.seq, event=None) for later in _taken_back(at, form))
    reason = form.get("why", "").strip()[:LONGEST_REASON]
    event = _event(at, entry, form)
    return Amendment(seq=entry.seq, event=event, reason=reason, also=also, rethread=bool(form.get("rethread")))


def _taken_back(at: Standing, form: QueryDict) -> list[TableEvent]:
    """Return the entries that a form takes back: one, by its row, and all that came after it."""
    entries = standing_events(at.row)
    rows = [entry.seq for entry in entries]
    first = whole(form.get("back", ""))
    return entries[rows.index(first) :] if first in rows else []


def _taps(at: Standing, form: QueryDict) -> list[dict[str, object]]:
    """Return the plays and passes that a form takes back, as taps that wait: whose they are follows from the turn."""
    events = [stored_event(entry.event) for entry in _taken_back(at, form)]
    taps: list[dict[str, object]] = []
    for play in (dump_event(event, at.rules.pack) for event in events if is_threaded(event)):
        cards = play.get("cards")
        codes = [str(code) for code in cards] if isinstance(cards, list) else []
        label = ", ".join(face(at.rules.pack, code).name for code in codes)
        taps.append({"event": play["type"], "cards": codes, "label": label})
    return taps


def _event(at: Standing, entry: TableEvent, form: QueryDict) -> Event | None:
    """Return the event that a form describes; nothing where the entry is struck."""
    if form.get("strike"):
        return None
    data = read_form(form, _asks(at, entry))
    if data is None:
        raise MovedOn(version=at.row.version)
    return load_event(data)


def _asks(at: Standing, entry: TableEvent) -> list[Ask]:
    """Return what could be recorded at the place of an entry."""
    hand = state_before(at.row, entry).hand
    assert hand is not None
    return [*hand.asks(), *hand.table_asks()]


def _choices(at: Standing, entry: TableEvent) -> dict[str, object]:
    """Return the forms for another event in the place of this one, its own kind first."""
    made = make_forms(_asks(at, entry), at.rules.pack, at.names)
    forms = [form._replace(place=form.place + OVER_THE_TABLE) for form in made]
    kind = entry.event["type"]
    same = [prefilled(form, entry.event) for form in forms if form.event == kind]
    kinds = event_kinds()
    # For what the table decides no other kind of event is mistaken.
    played = [form for form in forms if not kinds[form.event].stays and form.event != kind]
    others = [] if kinds[kind].stays else played
    seat = entry.event.get("seat")
    return {
        "entry": shown_entry(entry, at.names, at.rules.pack),
        "hand": entry.hand,
        "form": same[0] if same else None,
        "others": others,
        "seat": "" if seat is None else str(seat),
    }


def _preview(
    at: Standing, entry: TableEvent, amendment: Amendment, form: QueryDict, caller: Caller
) -> dict[str, object]:
    """Return what stands on the page before a correction is saved; later cards move along where they have to."""
    what = preview(at.row.code, amendment, caller)
    if what.later is not None and not amendment.rethread:
        amendment = replace(amendment, rethread=True)
        what = preview(at.row.code, amendment, caller)
    if what.later is not None:
        raise LaterNotTaken(what.later, what.changes, version=what.version)
    names, pack = at.names, at.rules.pack
    text = _("It did not happen.") if what.event is None else sentence(what.event, names, pack)
    hidden = points_hidden(at)
    lines = tuple(change_lines(what.changes.without_points() if hidden else what.changes, names, entry.hand))
    if hidden:
        lines += (ChangeLine("points", _("Points are hidden until the game is over.")),)
    shown = Preview(
        old=sentence(entry.event, names, pack),
        new=text,
        lines=lines,
        moved=moved_tricks(what.moved, names, pack),
        taken_back=tuple(shown_entry(later, names, pack, points=not hidden) for later in _taken_back(at, form)),
        fields=_fields(form, rethread="1" if amendment.rethread else ""),
    )
    return {"preview": shown, "hand": entry.hand}


def _fields(form: QueryDict, **more: str) -> Fields:
    """Return what a form holds, to send it once more with ``more``."""
    left_out = ("csrfmiddlewaretoken", "version", "why", *more)
    held = tuple((name, value) for name, values in form.lists() for value in values if name not in left_out)
    return held + tuple((name, value) for name, value in more.items() if value)


def _why_not(at: Standing, why: NotDone, form: QueryDict) -> Message:
    """Say why a correction was not made."""
    game = game_of(at.row)
    match why:
        case NotTaken():
            reason = why.ruling.reason
            rendered = cited(game, None if reason is None else describe_reason(reason, at.names, PAGE_LANGUAGE))
            if why.ruling.verdict is Verdict.IRREGULAR:
                again = _fields(form, accepted="1")
                return Message("irregular", _("The rules do not allow that"), rendered, again=again)
            return Message("impossible", _("That cannot have happened"), rendered)
        case LaterNotTaken():
            reason = why.later.ruling.reason
            rendered = cited(game, None if reason is None else describe_reason(reason, at.names, PAGE_LANGUAGE))
            later = why.later.entry
            if later is None:
                text = _("Hand {number} is dealt, and then could not be. Take back the last entry instead.")
                text = text.format(number=why.later.hand + 1)
                return Message("later", _("Then a later entry is wrong, too"), rendered, text=text)
            text = _("What came later can follow, up to here: {what}.")
            text = text.format(what=sentence(later.event, at.names, at.rules.pack).rstrip("."))
            again = _fields(form, rethread="1", back=str(later.seq))
            return Message("later", _("From here on it does not fit"), rendered, text=text, again=again)
        case LinkRevoked():
            return not_allowed()
        case MovedOn() | AlreadyAmended() | NoSuchEvent() | KeyReused():
            text = _("Something else was recorded in between, so this was not. Look again.")
            return Message("moved-on", _("The table has moved on"), text=text)
    raise why


def _lies_over(request: HttpRequest, row: Table) -> bool:
    """Return whether the correction is made in a sheet over the table's own page."""
    shown_at = urlsplit(request.headers.get("HX-Current-URL", "")).path
    return is_htmx(request) and shown_at == reverse("scoring:table", args=[row.code])


def _to_table(request: HttpRequest, row: Table, corrected: dict[str, object]) -> HttpResponseBase:
    """Lead back to the table; its page is told what was ``corrected``."""
    address = reverse("scoring:table", args=[row.code])
    if not is_htmx(request):
        return redirect(address)
    response = HttpResponse(status=204) if _lies_over(request, row) else HttpResponseClientRedirect(address)
    return trigger_client_event(response, "corrected", {"address": address, **corrected})


def _answer(
    request: HttpRequest, at: Standing, context: Mapping[str, object], part: str = "", *, status: int = 200
) -> HttpResponse:
    """Show a step: whole, or for htmx its fragment alone."""
    name = "scoring/_amend.html" if is_htmx(request) else "scoring/amend.html"
    whole = {"table": at.row, "game": game_of(at.row), "part": part or "scoring/_amend_entry.html", **context}
    response = render(request, name, whole, status=status)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "HX-Request"
    if _lies_over(request, at.row):
        response["HX-Push-Url"] = "false"
    return response
