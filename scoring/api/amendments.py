"""Correcting an earlier event."""

from collections.abc import Mapping

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.engine.reader import Reader
from referee.engine.reading import read_event
from scoring.api import schema
from scoring.api.access import TableAPIView
from scoring.api.answers import amended, describe_amended
from scoring.api.headers import caller_of
from scoring.services.amending import Amendment, amend, preview

KEYS = ("seq", "event", "reason", "dry_run")


class AmendmentsView(TableAPIView):
    """Replacing or striking an earlier event."""

    pointer = "/event"

    @extend_schema(
        operation_id="amend",
        summary="Replace or strike an earlier event, and judge again all that follows",
        description=(
            "With `dry_run` nothing is done: the answer says what would change, and under `later` the first event that "
            "would no longer be taken; its `seq` is null where it is the deal of a hand of an imported record. "
            "Without it the amendment is done, or refused with 409 and that event. "
            "The row amended stays readable in the log."
        ),
        tags=["tables"],
        parameters=[schema.CODE, schema.IF_MATCH, schema.KEY],
        request={"application/json": schema.AMENDMENT},
        responses={
            200: schema.json("What it would change; nothing is done.", schema.DRY_RUN),
            201: schema.json("Amended", schema.AMENDED),
            (409, schema.PROBLEM_TYPE): schema.problem(
                "The new event is irregular and needs `accepted`, a later event would no longer be taken, "
                "or the row was amended before."
            ),
            **schema.problems(400, 401, 403, 404, 412, 413, 422),
        },
    )
    def post(self, request: Request, code: str) -> Response:
        caller = caller_of(request, self.own_link)
        amendment, dry_run = read_amendment(request.data)
        if dry_run:
            return Response(describe_amended(preview(self.code, amendment, caller), dry_run=True))
        return amended(amend(self.code, amendment, caller))


def read_amendment(data: Mapping[str, object]) -> tuple[Amendment, bool]:
    """Read an amendment, and whether it is only tried; raises ``Refused`` with every problem."""
    reader = Reader()
    reader.keys(data, KEYS, "")
    seq, event = None, None
    if "seq" in data:
        seq = reader.integer(data["seq"], "/seq")
    else:
        reader.shape("/seq", "The number of a row of the log is needed.", "missing-key")
    if "event" not in data:
        reader.shape("/event", "An event is needed, or null to strike the one there is.", "missing-key")
    elif data["event"] is not None:
        event = read_event(reader, data["event"], "/event")
    reason = "" if data.get("reason") is None else reader.text(data["reason"], "/reason")
    dry_run = data.get("dry_run", False)
    if not isinstance(dry_run, bool):
        reader.shape("/dry_run", "true or false is needed here.")
    if seq is not None and seq < 1:
        reader.value("/seq", "Rows of the log are counted from 1.", "no-such-event")
    reader.check()
    assert seq is not None
    return Amendment(seq=seq, event=event, reason=reason or ""), bool(dry_run)
