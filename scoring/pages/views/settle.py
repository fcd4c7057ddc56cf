"""Carrying out what a table decided about a finding, with one tap."""

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import LARGEST_PENALTY, Note, Penalty
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.sheet import DescribedFinding
from scoring.pages.device.access import asked_by, table_or_404
from scoring.pages.show.findings import offender
from scoring.pages.show.forms import read_number
from scoring.pages.show.refusals import Message, moved_on, not_allowed
from scoring.pages.show.translation import PAGE_LANGUAGE, rendered
from scoring.pages.views.table import show, show_why, shown_again
from scoring.queries.clock import standing_now
from scoring.queries.log import written_under
from scoring.queries.state import Standing, current_hand
from scoring.services.exceptions import NotDone, NotTaken
from scoring.services.recording import record_events


@require_POST
def settle(request: HttpRequest, code: str) -> HttpResponseBase:
    """Record what carries out the remedy that was chosen, all of it or nothing."""
    row = table_or_404(request, code)
    asked = asked_by(request, row)
    if asked is None:
        return show(request, row, not_allowed(), status=403)
    at = standing_now(row)
    if before := written_under(row, asked.key):
        return shown_again(request, row, before)
    events = chosen(at, *(request.POST.get(name, "") for name in ("finding", "remedy", "points")))
    if events is None or (asked.expected is not None and asked.expected != at.row.version):
        return show(request, row, moved_on(), status=412)
    try:
        done = record_events(row.code, events, asked)
    except Refused as refused:
        text = " ".join(rendered(refused.problems))
        return show(request, row, Message("impossible", _("That cannot be recorded"), text=text), status=422)
    except NotTaken as why:
        text = why.ruling.reason.sentence(at.names, PAGE_LANGUAGE) if why.ruling.reason else ""
        return show(request, row, Message("impossible", _("That cannot be recorded"), text=text), status=422)
    except NotDone as why:
        return show_why(request, row, why)
    return shown_again(request, row, done.version)


def chosen(at: Standing, number: str, code: str, points: str = "") -> list[Event] | None:
    """Return the events of a remedy; letting it stand is a remark, so that the record remembers the decision.

    ``points`` are those of a penalty that the table agrees on: what the offender loses, with a sign or without.
    """
    hand = current_hand(at, PAGE_LANGUAGE)
    found = hand["irregularities"] if hand else []
    if not number.isascii() or not number.isdecimal() or int(number[:6]) >= len(found):
        return None
    finding = found[int(number[:6])]
    remedy = next((each for each in finding["remedies"] if each["code"] == code), None)
    if remedy is None:
        return None
    if code == "penalty":
        return _agreed(finding, points)
    events = remedy.get("events")
    if events is None:
        return None
    if events:
        return [load_event(event) for event in events]
    text = f"{remedy['text']} {finding['reason']['text']}"
    return [Note(text, offender(finding), extra={SETTLES: finding["event"]})]


def _agreed(finding: DescribedFinding, points: str) -> list[Event] | None:
    """Return the penalty that the table agreed on, for somebody who can be named: a number that the offender loses."""
    number = read_number(points.strip())
    seat = offender(finding)
    if seat is None or not isinstance(number, int) or not 0 < abs(number) <= LARGEST_PENALTY:
        return None
    return [Penalty(seat, -abs(number), finding["reason"]["text"], extra={SETTLES: finding["event"]})]
