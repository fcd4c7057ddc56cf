"""Pages of corrections: choose the entry, choose what really happened, preview and save."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event

from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import Ask
from referee.engine.game import event_kinds
from referee.engine.records import dump_event, load_event, stored_event
from referee.engine.replaying import is_threaded
from referee.engine.rules import Refused
from referee.engine.rulings import Verdict
from scoring.models import Table, TableEvent
from scoring.tables.acts import exceptions
from scoring.tables.acts.amending import Amended, Amendment, Change, amend, preview
from scoring.tables.acts.exceptions import LaterNotTaken, LaterTableNotTaken, NotDone, NotTaken
from scoring.tables.acts.keys import Caller
from scoring.tables.pages.device import caller_of, fresh_page, is_htmx, visit
from scoring.tables.presenters import log_lines
from scoring.tables.presenters.cards import cited_reason, face, faces_of
from scoring.tables.presenters.formats import listed, rendered, whole
from scoring.tables.presenters.forms import make_forms, posted_again, prefilled, read_form
from scoring.tables.presenters.people import at_table
from scoring.tables.presenters.refusals import Message, not_done, not_taken
from scoring.tables.reads.log import standing_events, state_before
from scoring.tables.reads.page_facts import hand_events
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing, standing
from scoring.wording import filled

# --- The form of a correction: the right event, and what goes with it

LONGEST_REASON = 2000
MOST_TOGETHER, LONGEST_CHANGE = 20, 2000
MOST_ROWS = 2**31
Fields = tuple[tuple[str, str], ...]
"""Names and values of a form's fields."""
ALSO, STRUCK = "also", "struck"
"""Field names: corrections made together with this one, and the row from which on everything is deleted."""


@dataclass(frozen=True, slots=True)
class AmendmentForm:
    """The correction of an entry, as sent by its form.

    ``also`` are corrections of other entries made together with it, such as the second of two swapped cards.
    """

    at: Standing
    entry: TableEvent
    data: QueryDict

    def amendment(self) -> Amendment:
        """Build the amendment. Raises ``Refused`` for an invalid event, ``MovedOn`` if the entry is gone."""
        rows = {later.seq for later in self.struck()}
        others = [change for change in self.also() if change.seq not in rows | {self.entry.seq}]
        return Amendment(
            seq=self.entry.seq,
            event=self.event(),
            reason=self.data.get("why", "").strip()[:LONGEST_REASON],
            also=(*others, *(Change(seq=seq, event=None) for seq in rows)),
            rethread=bool(self.data.get("rethread")),
            keep_seats=bool(self.data.get("keep_seats")),
        )

    def event(self) -> Event | None:
        """Return the replacement; ``None`` if the entry is deleted."""
        if self.data.get("strike"):
            return None
        read = read_form(self.data, self.asks()) or read_form(self.data, asks_at(self.at, self.entry))
        if read is None:
            raise exceptions.MovedOn(version=self.at.row.version)
        return load_event(read)

    def also(self) -> list[Change]:
        """Parse the other corrections, one per entry. Raises ``BadRequest`` for forged ones."""
        changes = [_change(text) for text in self.data.getlist(ALSO)[:MOST_TOGETHER]]
        last = {change.seq: change for change in changes}
        last.pop(self.entry.seq, None)
        return list(last.values())

    def asks(self) -> list[Ask]:
        """Return what could be recorded in place of the entry, given the other corrections."""
        return asks_at(self.at, self.entry, {change.seq: change.event for change in self.also()})

    def struck(self) -> list[TableEvent]:
        """Return the entries to delete along with this one: the chosen row and all after it."""
        entries = standing_events(self.at.row)
        rows = [entry.seq for entry in entries]
        first = whole(self.data.get(STRUCK, ""))
        return entries[rows.index(first) :] if first in rows else []

    def taps(self) -> list[dict[str, object]]:
        """Return the deleted plays and passes, to record again without seats, which follow from the turn."""
        pack = self.at.rules.pack
        events = [stored_event(entry.event) for entry in self.struck()]
        taps: list[dict[str, object]] = []
        for play in (dump_event(event, pack) for event in events if is_threaded(event)):
            cards = play.get("cards")
            codes = [str(code) for code in cards] if isinstance(cards, list) else []
            label = listed((face(pack, code).name for code in codes), "")
            taps.append({"event": play["type"], "cards": codes, "label": label})
        return taps

    def fields(self, **more: str) -> Fields:
        """Return the sent fields, to send again with ``more``."""
        held = posted_again(self.data, but=("why", *more))
        return held + tuple((name, value) for name, value in more.items() if value)

    def with_another(self, but: int | None = None) -> str:
        """Return the query that keeps this correction while another entry is corrected, without that of row ``but``."""
        changes = [*self.also(), Change(seq=self.entry.seq, event=self.event())]
        return carried([self.written(change) for change in changes if change.seq != but])

    def leads_to(self, seq: int) -> str:
        return f"{reverse('scoring:amend-entry', args=[self.at.row.code, seq])}?{self.with_another(but=seq)}"

    def in_the_way(self) -> TableEvent | None:
        """Return the hand's earlier entry that has the same card or suit, if any."""
        event = self.event()
        if event is None:
            return None
        wanted, changed = _said_once(dump_event(event, self.at.rules.pack)), {change.seq for change in self.also()}
        entries = standing_events(self.at.row, hand=self.entry.hand)
        earlier = [each for each in entries if each.place < self.entry.place and each.seq not in changed]
        return next((each for each in earlier if wanted & _said_once(each.event)), None)

    def dumped(self, event: Event | None) -> dict[str, Any] | None:
        return None if event is None else dump_event(event, self.at.rules.pack)

    def written(self, change: Change) -> str:
        """Serialize a correction for a form field."""
        return json.dumps({"seq": change.seq, "event": self.dumped(change.event)})

    def words(self, event: Mapping[str, Any] | None) -> str:
        if event is None:
            return _("It never happened.")
        return log_lines.sentence(event, self.at.names, self.at.rules.pack)

    def together(self) -> list[tuple[str, str]]:
        """Return the corrections made together, as descriptions before and after."""
        changes = {change.seq: change for change in self.also()}
        rows = TableEvent.objects.filter(table=self.at.row, seq__in=changes, event__isnull=False).order_by("seq")
        pairs = [(self.words(row.event), self.words(self.dumped(changes[row.seq].event))) for row in rows]
        all_the_same = _("{what}. It really happened.")
        return [("", filled(all_the_same, what=new)) if new == old else (old, new) for old, new in pairs]


def asks_at(at: Standing, entry: TableEvent, changes: Mapping[int, Event | None] | None = None) -> list[Ask]:
    """Return what could be recorded in place of an entry, given ``changes`` of other rows.

    A suit that another entry of the same kind names is offered, too, since that entry may be the wrong one.
    """
    hand = state_before(at.row, entry, changes).hand
    assert hand is not None
    there = [each.event for each in standing_events(at.row, hand=entry.hand)]
    asks = []
    for ask in hand.asks():
        fields = []
        for field in ask.fields:
            if field.kind == "suit" and field.choices:
                named = (event.get(field.name) for event in there if event["type"] == ask.event)
                field = replace(field, choices=tuple(dict.fromkeys((*field.choices, *filter(None, named)))))
            fields.append(field)
        asks.append(replace(ask, fields=tuple(fields)))
    return [*asks, *hand.table_asks()]


def _said_once(event: Mapping[str, Any]) -> set[str]:
    """Return the cards of an event, or else its suits, which no two events of a kind may share."""
    cards: set[str] = set()
    suits: set[str] = set()
    for field in event_kinds()[event["type"]].fields:
        value = event.get(field.name)
        if value and field.type.name in ("cards", "card"):
            cards.update([value] if isinstance(value, str) else value)
        elif value and field.type.name == "suit":
            suits.add(f"{event['type']} {value}")
    return cards - {"?"} or suits


def carried(also: list[str]) -> str:
    """Encode other corrections as a query string; empty without any."""
    return urlencode([(ALSO, text) for text in also])


def _change(text: str) -> Change:
    try:
        data = json.loads(text) if len(text) <= LONGEST_CHANGE else {}
        if not isinstance(data["seq"], int) or not 0 < data["seq"] < MOST_ROWS:
            raise ValueError(data["seq"])
        return Change(seq=data["seq"], event=None if data["event"] is None else load_event(data["event"]))
    except (ValueError, KeyError, TypeError, RecursionError, Refused) as why:
        raise BadRequest(f"{ALSO} is no correction") from why


# --- Correcting an entry: choose the trick, the card, and the right card; then preview and save
# Where the turn changes, later cards go to other players; what no longer fits is deleted.

OVER_THE_TABLE = 100
"""Offset of form numbers in element ids, so that they don't clash with the table's forms on the same page."""


@require_GET
def entries_to_amend(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the events of a hand, to choose the wrong one."""
    row, link, _known = visit(request, code)
    if caller_of(request, link, keeping=True) is None:
        return redirect("scoring:table", code=row.code)
    at = standing(row)
    number = whole(request.GET.get("hand", ""))
    hand = hand_events(at, None if number is None else number - 1)
    if hand is None:
        raise Http404(_("That hand doesn’t exist."))
    shown = log_lines.history(at, hand)
    card = request.GET.get("card")
    if card is None:
        context = {"history": shown, "carried": carried(request.GET.getlist(ALSO)[:MOST_TOGETHER])}
        return _answer(request, at, context)
    entry = next((entry for entry in reversed(hand.entries) if card in (entry.event.get("cards") or ())), None)
    if entry is None:
        raise Http404(_("This card wasn’t played."))
    holds = (trick for trick in shown["tricks"] if any(each["seq"] == entry.seq for each in trick["entries"]))
    trick = next((trick for trick in holds if trick["number"]), None)
    return _answer(request, at, _choices(AmendmentForm(at, entry, request.GET)) | {"trick": trick})


@require_http_methods(["GET", "POST"])
def amend_entry(request: HttpRequest, code: str, seq: int) -> HttpResponseBase:
    """Show the possible replacements of an event and their effects; save on POST."""
    row, link, _known = visit(request, code)
    caller = caller_of(request, link, keeping=True)
    if caller is None:
        return redirect("scoring:table", code=row.code)
    at = standing(row)
    entry = TableEvent.objects.filter(table=row, seq=seq, event__isnull=False, amended_by__isnull=True).first()
    if entry is None:
        text = _("Someone has corrected it or taken it back in the meantime.")
        return _answer(request, at, {"message": Message("moved-on", _("This entry is gone"), text=text)})
    form = AmendmentForm(at, entry, request.POST if request.method == "POST" else request.GET)
    if not form.data.get("event") and not form.data.get("strike"):
        return _answer(request, at, _choices(form))
    return _try(request, form, caller)


def _try(request: HttpRequest, form: AmendmentForm, caller: Caller) -> HttpResponseBase:
    at = form.at
    more: dict[str, object] = {}
    try:
        amendment = form.amendment()
        if request.method == "POST":
            taps = form.taps()
            amended = amend(at.row.code, amendment, replace(caller, asks_first=False))
            return _to_table(request, at.row, {"version": amended.version, "taps": taps})
        shown = _preview(form, amendment, replace(caller, expected=None))
    except Refused as refused:
        text = " ".join(rendered(refused.problems))
        message = Message("impossible", _("That can’t be recorded"), text=text)
    except NotDone as why:
        if isinstance(why, NotTaken) and request.method == "GET" and amendment.also and not amendment.rethread:
            # The other corrections may change the turn: reassign the hand's plays to the right seats.
            data = form.data.copy()
            data["rethread"] = "1"
            return _try(request, replace(form, data=data), caller)
        message, more = _why_not(why, form), _ways_on(why, form)
    else:
        entry = log_lines.shown_entry(form.entry, at.names, at.rules.pack)
        return _answer(request, at, {"entry": entry, "preview": shown, "hand": form.entry.hand + 1})
    status = 422 if message.kind == "impossible" else 409
    return _answer(request, at, _choices(form) | {"message": message, **more}, status=status)


def _ways_on(why: NotDone, form: AmendmentForm) -> dict[str, object]:
    """Return ways to continue after a refused correction: accept an irregularity, or correct another entry.

    ``too`` links to the conflicting entry, ``own`` back to the other correction, ``further`` to any entry.
    """
    if not isinstance(why, NotTaken | LaterNotTaken):
        return {}
    ways: dict[str, object] = {"further": form.with_another()}
    if isinstance(why, NotTaken):
        verdict, refused = why.ruling.verdict, form.amendment().changes[why.position]
        seq, event = refused.seq, refused.event
        if why.position:
            ways |= {"own": form.leads_to(seq), "refused": form.words(form.dumped(event))}
        elif verdict is Verdict.IMPOSSIBLE and (other := form.in_the_way()) is not None:
            ways |= {"too": form.leads_to(other.seq), "refused": form.words(other.event)}
    elif why.later.entry is not None:
        verdict, seq, event = why.later.ruling.verdict, why.later.entry.seq, stored_event(why.later.entry.event)
        ways["too"] = form.leads_to(seq)
        ways["kept"] = form.fields(keep_seats="1") if why.reseated else ()
    else:
        return {}
    if verdict is not Verdict.IRREGULAR or event is None:
        return ways
    if seq == form.entry.seq:
        return ways | {"consent": form.fields(accepted="1")}
    consented = Change(seq=seq, event=replace(event, accepted=True))
    also = [*(change for change in form.also() if change.seq != seq), consented]
    return ways | {"consent": form.fields(also="") + tuple((ALSO, form.written(each)) for each in also)}


def _choices(form: AmendmentForm) -> dict[str, object]:
    at, entry, also = form.at, form.entry, [form.written(change) for change in form.also()]
    made = make_forms(form.asks(), at.rules.pack, at.names)
    forms = [form._replace(place=form.place + OVER_THE_TABLE) for form in made]
    kinds, kind = event_kinds(), entry.event["type"]
    same = [prefilled(form, entry.event) for form in forms if form.event == kind]
    # Decisions of the table are only replaced by the same kind of event.
    played = [form for form in forms if not kinds[form.event].stays and form.event != kind]
    seat = entry.event.get("seat")
    return {
        "entry": log_lines.shown_entry(entry, at.names, at.rules.pack),
        "hand": entry.hand + 1,
        "form": same[0] if same else None,
        "others": [] if kinds[kind].stays else played,
        "seat": "" if seat is None else str(seat),
        "also": also,
        "carried": carried(also),
        "together": form.together(),
        "amends": True,
        "people": at_table(at.row),
    }


def _preview(form: AmendmentForm, amendment: Amendment, caller: Caller) -> dict[str, object]:
    """Return the context of a correction's preview; later cards are reassigned if necessary.

    ``was`` and ``becomes`` are the cards of the entry before and after; ``also`` the same for entries corrected with
    it. ``moved`` are cards that go to other players, ``seats`` changed seatings, ``kept`` the form that keeps seatings,
    ``stays`` whether they are kept. ``struck`` must be recorded again; ``another`` is the query for correcting a
    further entry. ``later`` are changes at later tables, ``carried`` the other corrections already in the form.
    """
    at = form.at
    what = preview(at.row.code, amendment, caller)
    if what.later is not None and not amendment.rethread:
        amendment = replace(amendment, rethread=True)
        what = preview(at.row.code, amendment, caller)
    if what.later is not None:
        raise LaterNotTaken(later=what.later, changes=what.changes, reseated=bool(what.reseated), version=what.version)
    for each in what.tables:
        if each.stop is not None:
            raise LaterTableNotTaken(each.at, each.stop, version=what.version)
    names, pack = at.names, at.rules.pack
    hidden = points_hidden(at)
    seats = _("Hand {number}: the seats would be {names}.")
    return {
        "old": log_lines.sentence(form.entry.event, names, pack),
        "new": form.words(what.event),
        "was": log_lines.shown_entry(form.entry, names, pack)["cards"],
        "becomes": faces_of(cards, pack) if isinstance(cards := (what.event or {}).get("cards"), list) else (),
        "also": form.together(),
        "lines": _changes(form, amendment, what, hidden=hidden),
        "moved": log_lines.moved_tricks(what.moved, names, pack),
        "seats": [
            filled(seats, number=each.hand + 1, names=listed((names[seat] for seat in each.after), ""))
            for each in what.reseated
        ],
        "kept": form.fields(keep_seats="1") if what.reseated else (),
        "stays": amendment.keep_seats,
        "struck": [log_lines.shown_entry(later, names, pack, points=not hidden) for later in form.struck()],
        "fields": form.fields(rethread="1" if amendment.rethread else ""),
        "another": form.with_another(),
        "carried": carried([form.written(change) for change in form.also()]),
        "later": [log_lines.later_lines(each, hidden=points_hidden(each.at)) for each in what.tables],
    }


def _changes(form: AmendmentForm, amendment: Amendment, what: Amended, *, hidden: bool) -> list[log_lines.ChangeLine]:
    """Describe the changes, including rulings on findings that disappear."""
    changes = what.changes
    lines = [*log_lines.change_lines(changes.without_points() if hidden else changes, form.at.names, form.entry.hand)]
    gone = [change["before"]["event"] for change in changes.irregularities if change["before"] and not change["after"]]
    found = [change["after"]["event"] for change in changes.irregularities if change["after"]]
    corrected = {change.seq for change in amendment.changes}
    rests = _("Ruled because of it, and still on record: {what}")
    for hand in sorted({position[0] for position in gone}):
        for row in standing_events(form.at.row, hand=hand):
            settles = row.event.get(SETTLES)
            if row.seq not in corrected and settles in gone and settles not in found:
                lines.append(log_lines.ChangeLine("finding", filled(rests, what=form.words(row.event))))
    if hidden:
        lines.append(log_lines.ChangeLine("points", _("Points are hidden until the game is over.")))
    return lines


def _why_not(why: NotDone, form: AmendmentForm) -> Message:
    match why:
        case NotTaken():
            return not_taken(why)
        case LaterNotTaken():
            later = why.later.entry
            reason = cited_reason(game_of(form.at.row), why.later.ruling.reason, form.at.names)
            if later is None:
                text = _("Then hand {number} could never have been dealt. Undo the last entry instead.")
                text = filled(text, number=why.later.hand + 1)
                return Message("later", _("Then a later entry is wrong, too"), reason, text=text)
            text = _("What came later still fits, up to here: {what}.")
            text = filled(text, what=form.words(later.event).rstrip("."))
            again = form.fields(rethread="1", struck=str(later.seq))
            return Message("later", _("From here on it doesn’t fit"), reason, text=text, again=again)
        case exceptions.LinkRevoked() | LaterTableNotTaken():
            return not_done(why)
        case exceptions.AlreadyContinued():
            text = _("The game continues at another table. Other entries here can still be corrected.")
            return Message("impossible", _("This entry ended the table"), text=text)
        case exceptions.MovedOn() | exceptions.AlreadyAmended() | exceptions.NoSuchEvent() | exceptions.KeyReused():
            text = _("Someone else was faster, so this wasn’t recorded. Look again.")
            return Message("moved-on", _("The table has moved on"), text=text)
    raise why


def _lies_over(request: HttpRequest, row: Table) -> bool:
    shown_at = urlsplit(request.headers.get("HX-Current-URL", "")).path
    return is_htmx(request) and shown_at == reverse("scoring:table", args=[row.code])


def _to_table(request: HttpRequest, row: Table, amended: dict[str, object]) -> HttpResponseBase:
    address = reverse("scoring:table", args=[row.code])
    if not is_htmx(request):
        return redirect(address)
    response = HttpResponse(status=204) if _lies_over(request, row) else HttpResponseClientRedirect(address)
    return trigger_client_event(response, "amended", {"address": address, **amended})


def _answer(request: HttpRequest, at: Standing, context: Mapping[str, object], *, status: int = 200) -> HttpResponse:
    shown = {"table": at.row, "game": game_of(at.row), **context}
    response = fresh_page(request, "scoring/amend.html", shown, fragment=True, status=status)
    if _lies_over(request, at.row):
        response["HX-Push-Url"] = "false"
    return response
