"""Correcting an entry in three taps: the trick, the card, the right card; then what changes, and one to save it."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event

from referee.engine.comparison import Changes
from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import Ask, Field
from referee.engine.game import event_kinds
from referee.engine.records import dump_event, load_event, stored_event
from referee.engine.replaying import is_threaded
from referee.engine.rules import Refused
from referee.engine.rulings import Verdict
from referee.engine.sheet import describe_reason
from scoring.models import Table, TableEvent
from scoring.tables.acts.amending import Amendment, Change, amend, preview
from scoring.tables.acts.exceptions import (
    AlreadyAmended,
    AlreadyContinued,
    KeyReused,
    LaterNotTaken,
    LaterTableNotTaken,
    LinkRevoked,
    MovedOn,
    NoSuchEvent,
    NotDone,
    NotTaken,
)
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.rethreading import Reseated
from scoring.tables.pages.device import caller_of, visit
from scoring.tables.pages.table import is_htmx
from scoring.tables.presenters.cards import cited, face
from scoring.tables.presenters.formats import PAGE_LANGUAGE, rendered, whole
from scoring.tables.presenters.forms import make_forms, prefilled, read_form
from scoring.tables.presenters.log_lines import (
    ChangeLine,
    EntryShown,
    MovedTrick,
    change_lines,
    history,
    later_lines,
    moved_tricks,
    sentence,
    shown_entry,
)
from scoring.tables.presenters.refusals import Message, not_done
from scoring.tables.reads.log import standing_events, state_before
from scoring.tables.reads.page_facts import HandEvents, hand_events
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing, standing

# --- What the pages of a correction hold while it is put together: the event that is right, and what goes with it

LONGEST_REASON = 2000
MOST_TOGETHER, LONGEST_CHANGE = 20, 2000
MOST_ROWS = 2**31
Fields = tuple[tuple[str, str], ...]
"""What a form holds, name by name."""
ALSO, STRUCK = "also", "struck"
"""Other corrections that are made together with this one; the row from which on everything is struck."""


@dataclass(frozen=True, slots=True)
class AmendmentForm:
    """A correction of an entry, as it was tapped together.

    ``also`` are other entries that are corrected in the same go, such as the second of two cards that were swapped.
    """

    at: Standing
    entry: TableEvent
    data: QueryDict

    def amendment(self) -> Amendment:
        """Return the correction; raises ``Refused`` where its event is none, ``MovedOn`` where nothing asks for it."""
        struck = self.struck()
        rows = {later.seq for later in struck}
        others = [change for change in self.also() if change.seq not in rows | {self.entry.seq}]
        return Amendment(
            seq=self.entry.seq,
            event=self.event(),
            reason=self.data.get("why", "").strip()[:LONGEST_REASON],
            also=(*others, *(Change(seq=seq, event=None) for seq in rows)),
            rethread=bool(self.data.get("rethread")),
            keep_seats=bool(self.data.get("keep_seats")),
        )

    def threaded(self) -> "AmendmentForm":
        """Return the same correction, with which the plays of its hand go to whose turn it then is."""
        data = self.data.copy()
        data["rethread"] = "1"
        return replace(self, data=data)

    def event(self) -> Event | None:
        """Return the event that stands in the place of the entry; nothing where it is struck."""
        if self.data.get("strike"):
            return None
        asks = self.asks()
        read = read_form(self.data, asks) or read_form(self.data, asks_at(self.at, self.entry))
        if read is None:
            raise MovedOn(version=self.at.row.version)
        return load_event(read)

    def also(self) -> list[Change]:
        """Return the other corrections, one an entry; raises ``BadRequest`` for what this page did not write."""
        changes = [_change(text) for text in self.data.getlist(ALSO)[:MOST_TOGETHER]]
        last = {change.seq: change for change in changes}
        last.pop(self.entry.seq, None)
        return list(last.values())

    def asks(self) -> list[Ask]:
        """Return what could be recorded at the place of the entry, once the other corrections are made."""
        return asks_at(self.at, self.entry, {change.seq: change.event for change in self.also()})

    def struck(self) -> list[TableEvent]:
        """Return the entries that are struck with it: one, by its row, and all that came after it."""
        entries = standing_events(self.at.row)
        rows = [entry.seq for entry in entries]
        first = whole(self.data.get(STRUCK, ""))
        return entries[rows.index(first) :] if first in rows else []

    def taps(self) -> list[dict[str, object]]:
        """Return the struck plays and passes as taps that wait: whose they are follows from the turn."""
        pack = self.at.rules.pack
        events = [stored_event(entry.event) for entry in self.struck()]
        taps: list[dict[str, object]] = []
        for play in (dump_event(event, pack) for event in events if is_threaded(event)):
            cards = play.get("cards")
            codes = [str(code) for code in cards] if isinstance(cards, list) else []
            label = ", ".join(face(pack, code).name for code in codes)
            taps.append({"event": play["type"], "cards": codes, "label": label})
        return taps

    def fields(self, **more: str) -> Fields:
        """Return what the form holds, to send it once more with ``more``."""
        left_out = ("csrfmiddlewaretoken", "version", "why", *more)
        held = tuple((name, value) for name, values in self.data.lists() for value in values if name not in left_out)
        return held + tuple((name, value) for name, value in more.items() if value)

    def fields_accepting(self, seq: int, event: Event) -> Fields:
        """Return what the form holds, with consent to what an entry says: this one, or another."""
        if seq == self.entry.seq:
            return self.fields(accepted="1")
        others = (change for change in self.also() if change.seq != seq)
        also = [*map(self._written, others), self._written(Change(seq=seq, event=replace(event, accepted=True)))]
        return self.fields(also="") + tuple((ALSO, text) for text in also)

    def with_another(self, but: int | None = None) -> str:
        """Return what an address carries along when another entry is corrected together with this one.

        The correction of ``but``, the row of that entry, is left to its form.
        """
        changes = [*self.also(), Change(seq=self.entry.seq, event=self.event())]
        return carried([self._written(change) for change in changes if change.seq != but])

    def carried(self) -> list[str]:
        """Return the other corrections as a form holds them."""
        return [self._written(change) for change in self.also()]

    def in_the_way(self) -> TableEvent | None:
        """Return the earlier entry of the hand with the card, or the suit, that this form would repeat."""
        event = self.event()
        if event is None:
            return None
        wanted, changed = _said_once(dump_event(event, self.at.rules.pack)), {change.seq for change in self.also()}
        entries = standing_events(self.at.row, hand=self.entry.hand)
        earlier = [each for each in entries if each.place < self.entry.place and each.seq not in changed]
        return next((each for each in earlier if wanted & _said_once(each.event)), None)

    def _written(self, change: Change) -> str:
        event = None if change.event is None else dump_event(change.event, self.at.rules.pack)
        return json.dumps({"seq": change.seq, "event": event})


def asks_at(at: Standing, entry: TableEvent, changes: Mapping[int, Event | None] | None = None) -> list[Ask]:
    """Return what could be recorded at the place of an entry, with some other rows changed."""
    hand = state_before(at.row, entry, changes).hand
    assert hand is not None
    there = [each.event for each in standing_events(at.row, hand=entry.hand)]
    asks = [replace(ask, fields=tuple(_with_named(ask, field, there) for field in ask.fields)) for ask in hand.asks()]
    return [*asks, *hand.table_asks()]


def _with_named(ask: Ask, field: Field, there: Iterable[Mapping[str, Any]]) -> Field:
    """Let a suit be chosen that another entry of the same kind names: that one may be wrong, too."""
    if field.kind != "suit" or not field.choices:
        return field
    named = (event.get(field.name) for event in there if event["type"] == ask.event)
    return replace(field, choices=tuple(dict.fromkeys((*field.choices, *filter(None, named)))))


def _said_once(event: Mapping[str, Any]) -> set[str]:
    """Return the cards of an event, or else its suits: no two entries of its kind have them."""
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
    """Return other corrections as an address carries them along; empty without any."""
    return urlencode([(ALSO, text) for text in also])


def _change(text: str) -> Change:
    try:
        if len(text) > LONGEST_CHANGE:
            raise ValueError(text)
        data = json.loads(text)
        return Change(seq=_row(data["seq"]), event=None if data["event"] is None else load_event(data["event"]))
    except (ValueError, KeyError, TypeError, RecursionError, Refused) as why:
        raise BadRequest(f"{ALSO} is no correction") from why


def _row(number: object) -> int:
    if not isinstance(number, int) or not 0 < number < MOST_ROWS:
        raise ValueError(number)
    return number


# --- Correcting an entry in three taps: the trick, the card, the right card; then what changes, and one to save it
# Where other players would then have been in turn, the later cards go to them; what does not fit is taken back.

OVER_THE_TABLE = 100
"""Added to the places of forms, which tell elements apart: those of the table may be on the same page."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction would change: the entry before and after, line by line, and the form that saves it.

    ``also`` are the entries corrected with it, as they are and as they become; ``moved`` are the cards that go to other
    players, ``seats`` say who then sits where, ``kept`` is the form by which all stay as they sat, ``stays`` that they
    do; ``struck`` will have to be recorded again; ``another`` is carried along to a further entry. ``later`` are the
    tables at which the game went on, and what changes there. ``carried`` is what the form before it already had.
    """

    old: str
    new: str
    also: tuple[tuple[str, str], ...]
    lines: tuple[ChangeLine, ...]
    moved: tuple[MovedTrick, ...]
    seats: tuple[str, ...]
    kept: Fields
    stays: bool
    struck: tuple[EntryShown, ...]
    fields: Fields
    another: str
    carried: str
    later: tuple[tuple[str, tuple[ChangeLine, ...]], ...] = ()


@require_GET
def entries_to_amend(request: HttpRequest, code: str) -> HttpResponseBase:
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
    also = carried(request.GET.getlist(ALSO)[:MOST_TOGETHER])
    return _answer(request, at, {"history": history(at, hand), "carried": also}, "scoring/_amend_choose.html")


def _show_played(request: HttpRequest, at: Standing, hand: HandEvents, card: str) -> HttpResponse:
    """Show who played a card, and in which trick, and what may stand in its place."""
    entry = next((entry for entry in reversed(hand.entries) if card in (entry.event.get("cards") or ())), None)
    if entry is None:
        raise Http404(_("This card was not played."))
    tricks = (trick for trick in history(at, hand).tricks if trick.number)
    trick = next((trick for trick in tricks if any(shown.seq == entry.seq for shown in trick.entries)), None)
    return _answer(request, at, _choices(AmendmentForm(at, entry, request.GET)) | {"trick": trick})


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
        text = _("Somebody has corrected it or taken it back meanwhile.")
        return _answer(request, at, {"message": Message("moved-on", _("This entry is gone"), text=text)})
    form = AmendmentForm(at, entry, request.POST if request.method == "POST" else request.GET)
    if not form.data.get("event") and not form.data.get("strike"):
        return _answer(request, at, _choices(form))
    return _try(request, form, caller)


def _try(request: HttpRequest, form: AmendmentForm, caller: Caller) -> HttpResponseBase:
    """Preview a correction, or save it."""
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
        message = Message("impossible", _("That cannot be recorded"), text=text)
    except NotDone as why:
        if isinstance(why, NotTaken) and request.method == "GET" and amendment.also and not amendment.rethread:
            return _try(request, form.threaded(), caller)  # with the other corrections it may be another one's turn
        message, more = _why_not(why, form), _ways_on(why, form)
    else:
        return _answer(request, at, {"entry": shown_entry(form.entry, at.names, at.rules.pack), **shown})
    status = 422 if message.kind == "impossible" else 409
    return _answer(request, at, _choices(form) | {"message": message, **more}, status=status)


def _ways_on(why: NotDone, form: AmendmentForm) -> dict[str, object]:
    """Return what can be done where a correction alone was not taken: consent to what is irregular, or correct another.

    ``too`` leads to the entry that is in the way, ``own`` back to the other correction that was refused, ``further`` to
    any other entry.
    """
    if not isinstance(why, NotTaken | LaterNotTaken):
        return {}
    ways: dict[str, object] = {"further": form.with_another()}
    if isinstance(why, NotTaken):
        verdict, refused = why.ruling.verdict, form.amendment().changes[why.position]
        seq, event = refused.seq, refused.event
        if why.position:
            ways |= {"own": _leads_to(form, seq), "refused": _words(form.at, _dumped(form.at, event))}
        elif verdict is Verdict.IMPOSSIBLE and (other := form.in_the_way()) is not None:
            ways |= {"too": _leads_to(form, other.seq), "refused": _words(form.at, other.event)}
    elif why.later.entry is not None:
        verdict, seq, event = why.later.ruling.verdict, why.later.entry.seq, stored_event(why.later.entry.event)
        ways["too"] = _leads_to(form, seq)
        ways["kept"] = form.fields(keep_seats="1") if why.reseated else ()
    else:
        return {}
    if verdict is Verdict.IRREGULAR and event is not None:
        ways["consent"] = form.fields_accepting(seq, event)
    return ways


def _leads_to(form: AmendmentForm, seq: int) -> str:
    there = reverse("scoring:amend-entry", args=[form.at.row.code, seq])
    return f"{there}?{form.with_another(but=seq)}"


def _choices(form: AmendmentForm) -> dict[str, object]:
    """Return the forms for another event in the place of this one, its own kind first."""
    at, entry, also = form.at, form.entry, form.carried()
    made = make_forms(form.asks(), at.rules.pack, at.names)
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
        "also": also,
        "carried": carried(also),
        "together": _together(form),
        "amends": True,
    }


def _together(form: AmendmentForm) -> tuple[tuple[str, str], ...]:
    """Return what is corrected with an entry: each as it is, and as it becomes."""
    at, changes = form.at, {change.seq: change for change in form.also()}
    rows = TableEvent.objects.filter(table=at.row, seq__in=changes, event__isnull=False).order_by("seq")
    pairs = ((_words(at, row.event), _words(at, _dumped(at, changes[row.seq].event))) for row in rows)
    all_the_same = _("{what}. It was so all the same.")
    return tuple(("", all_the_same.format(what=new)) if new == old else (old, new) for old, new in pairs)


def _dumped(at: Standing, event: Event | None) -> dict[str, Any] | None:
    return None if event is None else dump_event(event, at.rules.pack)


def _words(at: Standing, event: Mapping[str, Any] | None) -> str:
    return _("It never happened.") if event is None else sentence(event, at.names, at.rules.pack)


def _preview(form: AmendmentForm, amendment: Amendment, caller: Caller) -> dict[str, object]:
    """Return what stands on the page before a correction is saved; later cards move along where they have to."""
    at, entry = form.at, form.entry
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
    lines = tuple(change_lines(what.changes.without_points() if hidden else what.changes, names, entry.hand))
    lines += tuple(
        ChangeLine("finding", _("Decided because of it, and still recorded: {what}").format(what=_words(at, each)))
        for each in _resting(at, what.changes, {change.seq for change in amendment.changes})
    )
    if hidden:
        lines += (ChangeLine("points", _("Points are hidden until the game is over.")),)
    shown = Preview(
        old=sentence(entry.event, names, pack),
        new=_words(at, what.event),
        also=_together(form),
        lines=lines,
        moved=moved_tricks(what.moved, names, pack),
        seats=tuple(_seats_line(each, names) for each in what.reseated),
        kept=form.fields(keep_seats="1") if what.reseated else (),
        stays=amendment.keep_seats,
        struck=tuple(shown_entry(later, names, pack, points=not hidden) for later in form.struck()),
        fields=form.fields(rethread="1" if amendment.rethread else ""),
        another=form.with_another(),
        carried=carried(form.carried()),
        later=tuple(later_lines(each, hidden=points_hidden(each.at)) for each in what.tables),
    )
    return {"preview": shown, "hand": entry.hand}


def _resting(at: Standing, changes: Changes, corrected: Collection[int]) -> list[Mapping[str, Any]]:
    """Return what was decided about findings that are none any more, unless it is corrected with them."""
    gone = [change["before"]["event"] for change in changes.irregularities if change["before"] and not change["after"]]
    found = [change["after"]["event"] for change in changes.irregularities if change["after"]]
    hands = {position[0] for position in gone}
    rows = (row for hand in sorted(hands) for row in standing_events(at.row, hand=hand) if row.seq not in corrected)
    return [row.event for row in rows if row.event.get(SETTLES) in gone and row.event[SETTLES] not in found]


def _seats_line(reseated: Reseated, names: Sequence[str]) -> str:
    """Say who then sits where in a hand."""
    seats = ", ".join(names[seat] for seat in reseated.after)
    return _("Hand {number}: the seats would be {names}.").format(number=reseated.hand + 1, names=seats)


def _why_not(why: NotDone, form: AmendmentForm) -> Message:
    """Say why a correction was not made."""
    at, game = form.at, game_of(form.at.row)
    match why:
        case NotTaken():
            reason = why.ruling.reason
            rendered = cited(game, None if reason is None else describe_reason(reason, at.names, PAGE_LANGUAGE))
            if why.ruling.verdict is Verdict.IRREGULAR:
                return Message("irregular", _("The rules do not allow that"), rendered)
            return Message("impossible", _("That cannot have happened"), rendered)
        case LaterNotTaken():
            reason = why.later.ruling.reason
            rendered = cited(game, None if reason is None else describe_reason(reason, at.names, PAGE_LANGUAGE))
            later = why.later.entry
            if later is None:
                text = _("Hand {number} could then never have been dealt. Take back the last entry instead.")
                text = text.format(number=why.later.hand + 1)
                return Message("later", _("Then a later entry is wrong, too"), rendered, text=text)
            text = _("What came later can follow, up to here: {what}.")
            text = text.format(what=sentence(later.event, at.names, at.rules.pack).rstrip("."))
            again = form.fields(rethread="1", struck=str(later.seq))
            return Message("later", _("From here on it does not fit"), rendered, text=text, again=again)
        case LinkRevoked() | LaterTableNotTaken():
            return not_done(why)
        case AlreadyContinued():
            text = _("The game goes on at another table, so this one stays over. Correct another entry here.")
            return Message("impossible", _("This entry ended the table"), text=text)
        case MovedOn() | AlreadyAmended() | NoSuchEvent() | KeyReused():
            text = _("Somebody else was faster, so this was not recorded. Look again.")
            return Message("moved-on", _("The table has moved on"), text=text)
    raise why


def _lies_over(request: HttpRequest, row: Table) -> bool:
    """Return whether the correction is made in a sheet over the table's own page."""
    shown_at = urlsplit(request.headers.get("HX-Current-URL", "")).path
    return is_htmx(request) and shown_at == reverse("scoring:table", args=[row.code])


def _to_table(request: HttpRequest, row: Table, amended: dict[str, object]) -> HttpResponseBase:
    """Lead back to the table; its page is told what was ``amended``."""
    address = reverse("scoring:table", args=[row.code])
    if not is_htmx(request):
        return redirect(address)
    response = HttpResponse(status=204) if _lies_over(request, row) else HttpResponseClientRedirect(address)
    return trigger_client_event(response, "amended", {"address": address, **amended})


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
