"""Correcting an earlier event."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.api.access import TableAPIView
from scoring.api.answers import DescribedAmended, amended, describe_amended
from scoring.api.bodies import AmendmentBody, TrialQuery
from scoring.api.headers import caller_of, etag
from scoring.api.schema import PROBLEM_TYPE, answer, problem
from scoring.services.amending import Amendment, Change, amend, preview


class AmendmentsView(TableAPIView):
    """Replacing or striking an earlier event."""

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
            200: answer(DescribedAmended, "What it would change; nothing is done."),
            201: DescribedAmended,
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
            return Response(describe_amended(seen, dry_run=True), headers={"ETag": etag(seen.version)})
        return amended(amend(self.code, amendment, caller))
