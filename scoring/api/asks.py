"""What may be recorded next."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.parsers import refuse
from scoring.api.access import TableAPIView
from scoring.api.ask_answers import DescribedAsks, describe_asks
from scoring.api.bodies import AsksQuery
from scoring.api.headers import etag_now, not_modified
from scoring.queries.asks import asks_of
from scoring.queries.clock import TIME, standing_now


class AsksView(TableAPIView):
    """What may be recorded at a table now."""

    @extend_schema(
        operation_id="get_asks",
        summary="What may be recorded now",
        description=(
            "`asks` is what the hand waits for, `beside` what the table may record at any time. Each names a kind of "
            "event with its fields and their values, who may record it (`players`: seats whose own link may; a "
            "scorekeeper’s records everything), which values a rule forbids now, and which cards would claim something "
            "about a hand. `events` are whole events that are taken as they are: send one of them to `events/`. Where "
            "`complete` is false there are others. `forced` is the only one there is. With `cards`, a play of several "
            "cards lists only what those cards are among, and `named` says what they are together. Where `asks` is "
            "empty, `why_not` says why the play cannot go on."
        ),
        parameters=[AsksQuery],
        responses={200: DescribedAsks},
    )
    def get(self, request: Request, code: str) -> Response:
        row = self.table
        held = self.query(AsksQuery)["cards"]
        if row.end["kind"] == TIME:  # it ends a table without an event
            self.version, headers = row.version, {}
        else:
            headers = {"ETag": etag_now(row, self.link, {})}
            if not_modified(request, headers["ETag"]):
                return Response(status=304, headers=headers)
        at = standing_now(row)
        cards = tuple(held.split(",")) if held else ()
        codes = tuple(
            at.rules.pack.cards[card].code for text in cards if (card := at.rules.pack.find(text)) is not None
        )
        if len(codes) < len(cards):
            refuse("bad-query", "cards: the pack of this table has no such card.", "/cards")
        return Response(describe_asks(at, asks_of(at, held=codes), self.link, codes), headers=headers)
