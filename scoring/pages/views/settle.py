"""Carrying out what a table decided about a finding, with one tap."""

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST

from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import LARGEST_PENALTY, Note, Penalty
from referee.engine.options import Problem, Refused
from referee.engine.reading import load_event
from referee.engine.sheet import DescribedFinding
from scoring.pages.show.findings import offender
from scoring.pages.show.forms import read_adjustment
from scoring.pages.show.numbers import whole
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
        chosen = (request.POST.get(name, "") for name in ("finding", "remedy"))
        events = remedy_events(now(turn.at), *chosen, points=read_adjustment(request.POST, "points"))
        if events is None:
            raise MovedOn(version=turn.found)
        return record(turn, events)

    return do(request, code, "settle", act)


def remedy_events(at: Standing, number: str, code: str, *, points: int | str | None = None) -> list[Event] | None:
    """Return the events of a remedy; letting it stand is a remark, so that the record remembers the decision.

    ``points`` are those of a penalty that the table agrees on: what the offender loses, with a sign or without. Where
    they are no such number, ``Refused`` says so.
    """
    hand = current_hand(at, PAGE_LANGUAGE)
    found = hand["irregularities"] if hand else []
    place = whole(number)
    if place is None or place >= len(found):
        return None
    finding = found[place]
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


def _agreed(finding: DescribedFinding, points: int | str | None) -> list[Event] | None:
    """Return the penalty that the table agreed on, for somebody who can be named: a number that the offender loses."""
    seat = offender(finding)
    if seat is None:
        return None
    if not isinstance(points, int) or not 0 < abs(points) <= LARGEST_PENALTY:
        raise Refused([Problem("/points", "bad-value", gettext_noop("Choose how many points the penalty takes away."))])
    return [Penalty(seat, -abs(points), finding["reason"]["text"], extra={SETTLES: finding["event"]})]
