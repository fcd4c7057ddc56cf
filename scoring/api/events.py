"""Recording events, reading the log, and taking back."""

from collections.abc import Mapping, Sequence

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.event_kinds import Event
from referee.engine.options import Problem, Refused
from referee.engine.reader import Reader
from referee.engine.reading import load_event, read_new_event
from scoring.api.access import Records, TableAPIView
from scoring.api.answers import DescribedRecorded, Log, Undone, describe_entry, done, tried
from scoring.api.bodies import EventsToRecord, LogQuery, Nothing, TrialQuery
from scoring.api.headers import caller_of
from scoring.api.paging import leading_on
from scoring.api.schema import PROBLEM_TYPE, answer, problem, problems
from scoring.queries.clock import standing_now
from scoring.queries.findings import positions
from scoring.queries.log import log
from scoring.queries.points import points_hidden
from scoring.services.recording import record_events, try_events
from scoring.services.undoing import try_undo, undo

MOST_EVENTS = 1000
"""Events in one request; a whole hand has fewer than a hundred."""


class EventsView(TableAPIView):
    """The log of a table."""

    write_permission = Records

    @extend_schema(
        operation_id="get_log",
        summary="The log of a table, oldest first",
        description="Where there is more than one answer holds, `next` is the address of what follows.",
        parameters=[LogQuery],
        responses={200: Log},
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(LogQuery)
        entries = log(self.table, after=query["after"], most=query["limit"])
        more = bool(entries) and entries[-1].seq < self.table.version
        address = reverse("table-events", args=[self.table.code])
        rest = f"{address}?after={entries[-1].seq}&limit={query['limit']}" if more else None
        places = positions(self.table, {entry.hand for entry in entries})
        carried = any("carried" in (entry.choosing or ()) for entry in entries)
        shown = not carried or not points_hidden(standing_now(self.table))
        events = [describe_entry(entry, places, points=shown) for entry in entries]
        return leading_on({"version": self.table.version, "events": events}, rest)

    @extend_schema(
        operation_id="record_events",
        summary="Record one event, or several: all or none",
        description=(
            "With `sealed`, a secret choice lies face down until the last one is in; then all of them are recorded "
            "at once. What a player’s link chooses is sealed unless `sealed` is false. With `dry_run=1` the answer is "
            "the same, and nothing is done: `version` stays, nothing that lies face down is shown, and `named` says "
            "what cards played together are, where the game has a name for it."
        ),
        parameters=[TrialQuery],
        request=EventsToRecord,
        responses={
            200: answer(DescribedRecorded, "What would be answered; nothing is recorded."),
            201: DescribedRecorded,
            (409, PROBLEM_TYPE): problem("Irregular: send it again with `accepted` to record it as it was."),
            (422, PROBLEM_TYPE): problem("Impossible: it cannot have happened."),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        caller = caller_of(request, self.own_link)
        trial = self.is_trial()
        secret, data = read_secret(request.data)
        events, keeps = read_new_events(data), self.own_link.keeps
        if trial:
            return tried(try_events(self.code, events, caller, secret=secret), keeps=keeps)
        return done(record_events(self.code, events, caller, secret=secret), keeps=keeps)


class UndoView(TableAPIView):
    """Taking back the last event."""

    write_permission = Records

    @extend_schema(
        operation_id="undo",
        summary="Take back the last event; it stays readable in the log",
        description=(
            "A player takes back only the own last act, and only while nothing else has happened. The log keeps it, "
            "with a row that amends it. 409 `already-continued` where the game goes on at another table, `next`: undo "
            "there, or amend the entry here. With `dry_run=1` nothing is done."
        ),
        parameters=[TrialQuery],
        request=Nothing,
        responses={
            200: answer(Undone, "What would be answered; nothing is taken back."),
            201: Undone,
            **problems(409),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        caller = caller_of(request, self.own_link)
        trial = self.is_trial()
        self.read(Nothing)
        if trial:
            return tried(try_undo(self.code, caller), keeps=self.own_link.keeps)
        return done(undo(self.code, caller), keeps=self.own_link.keeps)


def read_secret(data: Mapping[str, object]) -> tuple[bool | None, Mapping[str, object]]:
    """Read whether the event is to lie face down, and return it without that key."""
    if "sealed" not in data:
        return None, data
    reader = Reader()
    secret = reader.flag(data["sealed"], "/sealed")
    reader.check()
    if secret and "events" in data and len(reader.array(data["events"], "/events")) != 1:
        raise Refused([Problem("/sealed", "hidden-choice", "A secret choice is sent by itself.")])
    return secret, {key: value for key, value in data.items() if key != "sealed"}


def read_new_events(data: Mapping[str, object]) -> Sequence[Event]:
    """Read one event, or a list of them; raises ``Refused`` with every problem."""
    if "events" not in data:
        return [load_event(data)]
    reader = Reader()
    reader.keys(data, ("events",), "")
    listed = reader.array(data["events"], "/events")
    if not listed:
        reader.shape("/events", "At least one event is needed.")
    if len(listed) > MOST_EVENTS:
        detail = f"At most {MOST_EVENTS} events are taken at once."
        raise Refused([Problem("/events", "too-many-events", detail)])
    events = [read_new_event(reader, item, f"/events/{i}") for i, item in enumerate(listed)]
    reader.check()
    return [event for event in events if event is not None]
