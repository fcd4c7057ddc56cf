"""API of the log: recording, undoing and correcting events, and confirming results."""

from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict

from drf_spectacular.utils import extend_schema
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
from scoring.tables.api.headers import caller_of, etag
from scoring.tables.api.paging import PageQuery, Paginator
from scoring.tables.api.schema import PROBLEM_TYPE, answer, problem, problems
from scoring.tables.reads.log import log
from scoring.tables.reads.log_entries import describe_entries
from scoring.tables.reads.results import confirmations
from scoring.tables.reads.state import find_table, standing_now

MOST_EVENTS = 1000  # events per request; a whole hand has fewer than a hundred


class LogQuery(PageQuery):
    """Query parameters of the log."""

    after = Digits(min_value=0, max_value=999_999_999, default=0, help_text="Only what came after this version.")


class EventsView(TableAPIView):
    write_permission = Records

    @extend_schema(
        operation_id="get_log",
        summary="The log of a table, oldest first",
        description="Where there is more than one answer holds, `next` is the address of what follows.",
        parameters=[LogQuery],
        responses={200: answers.Log},
    )
    def get(self, request: Request, code: str) -> Response:
        query = self.query(LogQuery)
        pages = Paginator(self, query)
        rows = log(self.table, after=max(query["after"], *pages.after, 0), most=pages.limit + 1)
        entries = pages.cut(rows, lambda entry: (entry.seq,))
        events = describe_entries(self.table, entries)
        return pages.answer({"version": self.table.version, "events": events})

    @extend_schema(
        operation_id="record_events",
        summary="Record one event, or several: all or none",
        description=(
            "`state` says where the game stands and what has changed of the last hand; the table tells the rest. With "
            "`sealed`, a secret choice lies face down until the last one is in; then all of them are recorded at once. "
            "What a player’s link chooses is sealed unless `sealed` is false. With `dry_run=1` the answer is the same, "
            "and nothing is done: `version` stays, nothing that lies face down is shown, and `named` says what cards "
            "played together are, where the game has a name for it."
        ),
        parameters=[RecordingQuery],
        request=EventsToRecord,
        responses={
            200: answer(answers.DescribedRecorded, "What would be answered; nothing is recorded."),
            201: answers.DescribedRecorded,
            (409, PROBLEM_TYPE): problem("Irregular: send it again with `accepted` to record it as it was."),
            (422, PROBLEM_TYPE): problem("Impossible: it cannot have happened."),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        caller = caller_of(request, self.own_link)
        trial, expand = self.is_trial(), self.query(RecordingQuery)["expand"].split(",")
        record = try_events if trial else record_events
        secret, events = read_new_events(request.data)
        recorded = record(self.code, events, caller, secret=secret)
        return answers.done(recorded, self.own_link, trial=trial, expand=expand)


class UndoView(TableAPIView):
    write_permission = Records

    @extend_schema(
        operation_id="undo",
        summary="Take back the last event; it stays readable in the log",
        description=(
            "A player takes back only the own last act, and only while nothing else has happened. The log keeps it, "
            "with a row that amends it. 409 `already-continued` where the game goes on at another table, "
            "`continued_by`: undo there, or amend the entry here. With `dry_run=1` nothing is done."
        ),
        parameters=[RecordingQuery],
        request=Nothing,
        responses={
            200: answer(answers.Undone, "What would be answered; nothing is taken back."),
            201: answers.Undone,
            **problems(409),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        caller = caller_of(request, self.own_link)
        trial, expand = self.is_trial(), self.query(RecordingQuery)["expand"].split(",")
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
    pointer = "/event"

    @extend_schema(
        operation_id="amend",
        summary="Replace or strike an earlier event, and judge again all that follows",
        description=(
            "With `dry_run=1` nothing is done: the answer says what would change, and under `later` the first event "
            "that would no longer be taken; its `seq` is null where it is the deal of a hand of an imported record. "
            "Without it the amendment is done, or refused with 409 and that event. "
            "The row amended stays readable in the log. "
            "`also` amends further rows together with it. With `rethread` the plays and passes of that hand keep their "
            "order and their cards, and their seats are found anew from whose turn it then is: for a card that was "
            "mistaken for another one, after which the wrong player seemed to lead. `moved` names each of them, with "
            "its row, its position and its trick; one that was accepted out of turn keeps its seat. The first event "
            "that does not fit stands under `later`. `reseated` lists the later hands in which a corrected score seats "
            "the players otherwise; with `keep_seats` they stay where they sat, and the hand before says so. `tables` "
            "are the tables at which the game went on and whose totals change with it; 409 where something recorded "
            "there would no longer be taken."
        ),
        parameters=[TrialQuery],
        request=AmendmentBody,
        responses={
            200: answer(answers.DescribedAmended, "What it would change; nothing is done."),
            201: answers.DescribedAmended,
            (409, PROBLEM_TYPE): problem(
                "The new event is irregular and needs `accepted`, a later event would no longer be taken, "
                "or the row was amended before."
            ),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        caller = caller_of(request, self.own_link)
        trial, body = self.is_trial(), self.read(AmendmentBody)
        amendment = Amendment(
            seq=body["seq"],
            event=body["event"],
            reason=body["reason"] or "",
            also=tuple(Change(**change) for change in body["also"]),
            rethread=body["rethread"],
            keep_seats=body["keep_seats"],
        )
        if trial:
            seen = preview(self.code, amendment, caller)
            return Response(answers.describe_amended(seen, dry_run=True), headers={"ETag": etag(seen.version)})
        return answers.amended(amend(self.code, amendment, caller))


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

    @extend_schema(
        operation_id="get_confirmation",
        summary="Who agrees with the result of a hand",
        description="Each seat agrees for itself; `at` is the moment. After a correction the list is empty again.",
        responses={200: Confirmation},
    )
    def get(self, request: Request, code: str, number: int) -> Response:
        return Response(describe_confirmations(self.table, number))

    @extend_schema(
        operation_id="confirm_hand",
        summary="Agree with the result of a hand, or with a ruling, as a player",
        description=(
            "It holds up nothing. A result that is corrected afterwards is to be agreed with again. `ruling` is the "
            "row of a guided ruling’s note, until something else is recorded (412): playing on accepts it."
        ),
        request=AgreementBody,
        responses={201: Confirmation, **problems(409, 412)},
    )
    def post(self, request: Request, code: str, number: int) -> Response:
        ruling = self.read(AgreementBody)["ruling"]
        confirm_hand(self.code, number, caller_of(request, self.own_link), ruling=ruling)
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
