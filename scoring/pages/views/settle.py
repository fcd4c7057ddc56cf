"""Carrying out what a table decided about a finding, with one tap."""

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import LARGEST_PENALTY, Note, Penalty
from referee.engine.reading import load_event
from referee.engine.sheet import DescribedFinding
from scoring.pages.show.findings import offender
from scoring.pages.show.forms import read_number
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.pages.views.table import do
from scoring.queries.clock import now
from scoring.queries.state import Standing, current_hand
from scoring.services.exceptions import MovedOn
from scoring.services.recording import Recorded, record
from scoring.services.turns import Turn


@require_POST
def settle(request: HttpRequest, code: str) -> HttpResponseBase:
    """Record what carries out the remedy that was chosen, all of it or nothing."""

    def act(turn: Turn, expected: int | None) -> Recorded:
        turn.check_version(expected)
        events = remedy_events(now(turn.at), *(request.POST.get(name, "") for name in ("finding", "remedy", "points")))
        if events is None:
            raise MovedOn(version=turn.found)
        return record(turn, events)

    return do(request, code, "settle", act)


def remedy_events(at: Standing, number: str, code: str, points: str = "") -> list[Event] | None:
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
