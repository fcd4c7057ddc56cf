"""Carrying out what a table decided about a finding, with one tap."""

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from referee.engine.adjudication import describe_findings
from referee.engine.event_kinds import SETTLES, Event
from referee.engine.events import LARGEST_PENALTY, Note, Penalty
from referee.engine.options import Problem, Refused
from referee.engine.reading import load_event
from referee.engine.sheet import DescribedIrregularity
from referee.guides.remedies import Steps
from scoring.pages.show.findings import offender
from scoring.pages.show.forms import read_adjustment
from scoring.pages.show.numbers import whole
from scoring.pages.show.translation import PAGE_LANGUAGE
from scoring.pages.views.table import table_form
from scoring.queries.clock import now
from scoring.queries.state import Standing, hand_played, played_events
from scoring.services.exceptions import MovedOn
from scoring.services.guiding import put_right
from scoring.services.recording import Recorded, record
from scoring.services.turn import Turn


@table_form("settle")
def settle(request: HttpRequest, turn: Turn, expected: int | None) -> Recorded:
    """Record what carries out the remedy that was chosen, all of it or nothing."""
    turn.check_version(expected)
    chosen = (request.POST.get(name, "") for name in ("finding", "remedy"))
    done = remedy_steps(now(turn.at), *chosen, points=read_adjustment(request.POST, "points"))
    if done is None:
        raise MovedOn(version=turn.found)
    if done.amends:
        put_right(turn, done, _("Done again"))
    return record(turn, list(done.events))


def remedy_steps(at: Standing, key: str, code: str, *, points: int | str | None = None) -> Steps | None:
    """Return what carries out a remedy; letting it stand is a remark, so that the record remembers the decision.

    ``points`` are those of a penalty that the table agrees on: what the offender loses, with a sign or without. Where
    they are no such number, ``Refused`` says so.
    """
    finding = _find(at, key)
    if finding is None:
        return None
    remedy = next((each for each in finding["remedies"] if each["code"] == code), None)
    if remedy is None:
        return None
    if code == "penalty":
        agreed = _agreed(finding, points)
        return None if agreed is None else Steps(tuple(agreed))
    events = remedy.get("events")
    if events is None:
        return None
    if events:
        struck = tuple((place, None) for _hand, place in remedy.get("strikes", ()))
        return Steps(tuple(load_event(event) for event in events), struck)
    text = f"{remedy['text']} {finding['reason']['text']}"
    return Steps((Note(text, offender(finding), extra={SETTLES: finding["event"]}),))


def _find(at: Standing, key: str) -> DescribedIrregularity | None:
    """Return a finding by its key: the index of its hand, and its own among those of the hand."""
    index, number = (whole(part) for part in key.partition("-")[::2])
    if at.hand is None or index is None or number is None or index > at.hand.setup.index:
        return None
    last = index == at.hand.setup.index
    hand, events = (at.hand, played_events(at)) if last else (hand_played(at.row, index), None)
    found = describe_findings(hand, at.names, at.state, language=PAGE_LANGUAGE, events=events)
    return found[number] if number < len(found) else None


def _agreed(finding: DescribedIrregularity, points: int | str | None) -> list[Event] | None:
    """Return the penalty that the table agreed on, for somebody who can be named: a number that the offender loses."""
    seat = offender(finding)
    if seat is None:
        return None
    if not isinstance(points, int) or not 0 < abs(points) <= LARGEST_PENALTY:
        raise Refused([Problem("/points", "bad-value", gettext_noop("Choose how many points the penalty takes away."))])
    return [Penalty(seat, -abs(points), finding["reason"]["text"], extra={SETTLES: finding["event"]})]
