"""API of the log: recording, undoing and correcting events, and confirming results."""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.event_kinds import Event
from referee.engine.reader import Reader
from referee.engine.records import load_event, read_new_event
from referee.engine.rules import Problem, Refused
from referee.engine.sheet import Moment
from referee.engine.texts import phrase
from scoring.models import Table, TableEvent
from scoring.models.fields import written
from scoring.rulings.reads.disputes import AGREES
from scoring.tables.acts.amending import Amendment, Change, amend, preview, try_undo, undo
from scoring.tables.acts.exceptions import NoSuchHand
from scoring.tables.acts.recording import confirm_hand, record_events, try_events
from scoring.tables.api import answers
from scoring.tables.api.access import OF_TABLE, Records, TableAPIView
from scoring.tables.api.bodies import (
    AgreementBody,
    AmendmentBody,
    Digits,
    EventsToRecord,
    Nothing,
    RecordingQuery,
    TrialQuery,
)
from scoring.tables.api.http import PageQuery, Paginator, etag
from scoring.tables.api.schema import PROBLEM_TYPE, operation, problem, problems
from scoring.tables.reads.log import log
from scoring.tables.reads.log_entries import describe_entries
from scoring.tables.reads.results import confirmations
from scoring.tables.reads.state import find_table, standing_now

MOST_EVENTS = 1000  # events per request; a whole hand has fewer than a hundred


class LogQuery(PageQuery):
    after = Digits(min_value=0, max_value=999_999_999, default=0, help_text="Only rows after this version.")


class EventsView(TableAPIView):
    write_permission = Records

    @operation("get_log", "The log of a table, oldest first", {200: answers.Log}, parameters=[LogQuery])
    def get(self, request: Request, code: str) -> Response:
        """If there is more than one page, `next` is the address of the next one."""
        query = self.query(LogQuery)
        pages = Paginator(self, query)
        rows = log(self.table, after=max(query["after"], *pages.after, 0), most=pages.limit + 1)
        entries = pages.cut(rows, lambda entry: (entry.seq,))
        events = describe_entries(self.table, entries)
        return pages.answer({"version": self.table.version, "events": events})

    @operation(
        "record_events",
        "Record one event, or several: all or nothing",
        {
            200: OpenApiResponse(answers.DescribedRecorded, "The response as it would be; nothing is recorded."),
            201: answers.DescribedRecorded,
            (409, PROBLEM_TYPE): problem("Irregular: to record it as it happened, send it again with `accepted`."),
            (422, PROBLEM_TYPE): problem("Impossible: it cannot have happened."),
        },
        parameters=[RecordingQuery],
        request=EventsToRecord,
    )
    def post(self, request: Request, code: str) -> Response:
        """`state` is the state of the game and what has changed in the last hand; get the table for the rest. With
        `sealed`, a secret choice stays face down until the last one is in; then all are recorded at once. A choice made
        with a player’s link is sealed unless `sealed` is false. With `dry_run=1` the response is the same, but nothing
        is recorded: `version` stays, face-down choices stay hidden, and `named` gives the name of cards played
        together, if the game has one.
        """
        caller, trial, expand = self.caller, self.is_trial(), self.query(RecordingQuery)["expand"].split(",")
        record = try_events if trial else record_events
        secret, events = read_new_events(request.data)
        recorded = record(self.code, events, caller, secret=secret)
        return answers.done(recorded, self.own_link, trial=trial, expand=expand)


class UndoView(TableAPIView):
    write_permission = Records

    @operation(
        "undo",
        "Undo the last event; it stays readable in the log",
        {
            200: OpenApiResponse(answers.Undone, "The response as it would be; nothing is undone."),
            201: answers.Undone,
            **problems(409),
        },
        parameters=[RecordingQuery],
        request=Nothing,
    )
    def post(self, request: Request, code: str) -> Response:
        """Players can undo only their own last act, and only if nothing has happened since. The log keeps the event,
        with a row that amends it. 409 `already-continued` if the game continues at another table, `continued_by`: undo
        there, or amend the entry here. With `dry_run=1` nothing is undone.
        """
        caller, trial, expand = self.caller, self.is_trial(), self.query(RecordingQuery)["expand"].split(",")
        self.read(Nothing)
        undone = try_undo(self.code, caller) if trial else undo(self.code, caller)
        return answers.done(undone, self.own_link, trial=trial, expand=expand)


def read_new_events(data: Mapping[str, object]) -> tuple[bool | None, Sequence[Event]]:
    """Parse one event or a list of them, and the ``sealed`` flag. Raises ``Refused`` with every problem."""
    reader, secret = Reader(), None
    if "sealed" in data:
        secret = reader.flag(data["sealed"], "/sealed")
        reader.check()
        if secret and "events" in data and len(reader.array(data["events"], "/events")) != 1:
            raise Refused([Problem("/sealed", "hidden-choice", "A secret choice must be sent by itself.")])
        data = {key: value for key, value in data.items() if key != "sealed"}
    if "events" not in data:
        return secret, [load_event(data)]
    reader = Reader()
    reader.keys(data, ("events",), "")
    listed = reader.array(data["events"], "/events")
    if not listed:
        reader.shape("/events", "At least one event is needed.")
    if len(listed) > MOST_EVENTS:
        detail = phrase("At most {most} events can be sent at once.", most=MOST_EVENTS)
        raise Refused([Problem("/events", "too-many-events", detail)])
    events = [read_new_event(reader, item, f"/events/{i}") for i, item in enumerate(listed)]
    reader.check()
    return secret, [event for event in events if event is not None]


class AmendmentsView(TableAPIView):
    @operation(
        "amend",
        "Replace or delete an earlier event, and judge again all that follows",
        {
            200: OpenApiResponse(answers.DescribedAmended, "What would change; nothing is changed."),
            201: answers.DescribedAmended,
            (409, PROBLEM_TYPE): problem(
                "The new event is irregular and needs `accepted`, a later event would no longer be valid, or the row "
                "is already amended."
            ),
        },
        parameters=[TrialQuery],
        request=AmendmentBody,
    )
    def post(self, request: Request, code: str) -> Response:
        """With `dry_run=1` nothing is changed: the response says what would change, and `later` is the first event that
        would no longer be valid; its `seq` is null if it is the deal of a hand in an imported record. Without
        `dry_run`, the amendment is made, or refused with 409 and that event. The amended row stays readable in the log.
        `also` amends more rows at the same time. With `rethread`, the later plays and passes of the hand keep their
        order and cards, and their seats are worked out again from the new turns: use it when a card was recorded as
        another one and the wrong player seemed to lead. `moved` lists each of them with its row, position and trick;
        one accepted out of turn keeps its seat. `later` is the first event that does not fit. `reseated` lists later
        hands in which the corrected score seats the players differently; with `keep_seats` they stay where they sat,
        and the hand before records it. `tables` are later tables of the same game whose totals change; 409 if something
        recorded there would no longer be valid.
        """
        caller, trial, body = self.caller, self.is_trial(), self.read(AmendmentBody)
        also = tuple(Change(**change) for change in body["also"])
        amendment = Amendment(**body | {"reason": body["reason"] or "", "also": also})
        made = (preview if trial else amend)(self.code, amendment, caller)
        told = answers.describe_amended(made, dry_run=trial)
        return Response(told, status=200 if trial else 201, headers={"ETag": etag(made.version)})


class SeatAgreed(TypedDict):
    """A seat that agrees, and when it did."""

    seat: int
    at: Moment


class RulingAgreed(TypedDict):
    """Seats that agree with a ruling, by its log row."""

    ruling: Annotated[int, "The row of the ruling’s note in the log."]
    confirmed: list[SeatAgreed]


class Confirmation(TypedDict):
    """Seats that agree with a hand's result, and with rulings in it."""

    hand: int
    confirmed: list[SeatAgreed]
    rulings: list[RulingAgreed]


class ConfirmationView(TableAPIView):
    address = OF_TABLE | {"number": "The number of the hand, from 1."}
    write_permission = Records

    @operation("get_confirmation", "Who agrees with the result of a hand", {200: Confirmation})
    def get(self, request: Request, code: str, number: int) -> Response:
        """Each seat agrees for itself; `at` is when. A correction empties the list."""
        return Response(describe_confirmations(self.table, number))

    @operation(
        "confirm_hand",
        "Agree with the result of a hand, or with a ruling, as a player",
        {201: Confirmation, **problems(409, 412)},
        request=AgreementBody,
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        """Play continues without it. If the result is corrected later, players need to agree again. `ruling` is the log
        row of a guided ruling’s note; once something else has been recorded (412), playing on has accepted the ruling.
        """
        ruling = self.read(AgreementBody)["ruling"]
        confirm_hand(self.code, number, self.caller, ruling=ruling)
        row = find_table(self.code)
        assert row is not None
        return Response(describe_confirmations(row, number), status=201)


def describe_confirmations(row: Table, number: int) -> Confirmation:
    at = standing_now(row)
    if at.hand is None or not 1 <= number <= at.hand.setup.index + 1:
        raise NoSuchHand
    confirmed = confirmations(at).get(number - 1, {})
    moments = dict(TableEvent.objects.filter(table=row, seq__in=confirmed.values()).values_list("seq", "at"))
    agreed: dict[int, list[SeatAgreed]] = {}
    rows = TableEvent.objects.filter(table=row, hand=number - 1, choosing__contains=f'"{AGREES}"').order_by("seq")
    for entry in rows:
        said = entry.choosing or {}
        agreed.setdefault(said[AGREES], []).append({"seat": said["seat"], "at": written(entry.at)})
    return {
        "hand": number,
        "rulings": [{"ruling": ruling, "confirmed": seats} for ruling, seats in agreed.items()],
        "confirmed": [{"seat": seat, "at": written(moments[seq])} for seat, seq in confirmed.items()],
    }
