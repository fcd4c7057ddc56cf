"""Guided rulings: the situations of a game, and the next question or the ruling of one of them."""

from time import thread_time

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.caching import CataloguedAPIView
from referee.api.examples import EXAMPLES
from referee.api.language import caller_language
from referee.api.parsers import refuse
from referee.api.schema import answers, body, examples
from referee.api.throttled import CostlyAPIView
from referee.engine.bounds import deadline
from referee.engine.catalogue import all_games, find_game
from referee.engine.options import Problem, Refused
from referee.engine.what_if_sheet import View
from referee.guides.remedies import chosen
from referee.guides.requests import guides_listed, load_case
from referee.guides.sheet import describe_guidance, describe_guide
from referee.guides.walking import walk

GAME = OpenApiParameter(
    "game",
    str,
    OpenApiParameter.QUERY,
    required=True,
    description="The game, one of those listed at `games/`.",
    examples=[OpenApiExample("ace-trump", value="ace-trump")],
)


class GuidesView(CataloguedAPIView):
    """What can go wrong in a game that no record shows."""

    @extend_schema(
        operation_id="list_guides",
        summary="List what can go wrong in a game, for a guided ruling",
        description="Some are offered only under house rules that know them, such as those about bids.",
        tags=["referee"],
        parameters=[GAME],
        responses=answers("Guide", 400, many=True),
    )
    def get(self, request: Request) -> Response:
        name = request.query_params.get("game")
        if name is None:
            refuse("missing-key", "The game’s id is needed here, as a text.", "/game")
        game = find_game(name)
        if game is None:
            known = ", ".join(each.id for each in all_games())
            raise Refused([Problem("/game", "unknown-game", f"The games are: {known}.")], malformed=True)
        return Response([describe_guide(guide, caller_language()) for guide in guides_listed(game)])


class GuideView(CostlyAPIView):
    """One guided ruling, as far as the answers lead."""

    @extend_schema(
        operation_id="guide",
        summary="Ask what to do now about something no record shows",
        description=(
            "A short tree of questions leads to a ruling with its clauses and to what the table can do, each with the"
            " events that carry it out and what they change. Send the answers given so far; the answer is the next"
            " question or the ruling. With a record the referee answers what the record shows by itself, and says so;"
            " an answer that is sent all the same is believed, but for who did it and in which trick: what the record"
            " disproves has no remedies. With a `remedy` it is refused what the ruling does not offer."
        ),
        tags=["referee"],
        request=body("GuideQuestion"),
        responses=answers("Guidance", 400, 413, 415, 422, 429),
        examples=examples(EXAMPLES["guide"]),
    )
    def post(self, request: Request) -> Response:
        case = load_case(request.data, deadline(thread_time, settings.SECONDS_TO_JUDGE))
        table = None if case.looked is None else case.looked.table
        view = View(case.names, caller_language(), points=table is None or not table.hides_points())
        walked = walk(case)
        if "remedy" in request.data:
            chosen(walked, request.data["remedy"])
        return Response(describe_guidance(walked, view))
