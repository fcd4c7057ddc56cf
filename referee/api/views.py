"""Views of the stateless referee; they contain no rules of games."""

from collections.abc import Mapping
from time import thread_time

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from referee.api.catalogue_views import DeckView, GamesView, GameView, RulebookView
from referee.api.middleware import CataloguedAPIView, CostlyAPIView
from referee.api.problems import IMPOSSIBLE, IRREGULAR, REQUESTS, caller_language, describe_for_caller
from referee.api.questions import QUESTIONS, Posed, component
from referee.api.requests import RECORD_PARSERS, takes_parameters
from referee.api.schema import answers, body, examples, operation
from referee.engine.adjudication import View, adjudicate
from referee.engine.audit import audit, describe_audits
from referee.engine.game import all_games, find_game
from referee.engine.reader import refuse
from referee.engine.records import load_record
from referee.engine.replaying import deadline
from referee.engine.rules import Problem, Refused
from referee.engine.rulings import Reason, ScoreLine
from referee.engine.texts import Phrase, phrase
from referee.engine.what_if import judge_as_it_lay, load_what_if, pointing_into
from referee.engine.what_if_sheet import describe_what_if
from referee.guides.remedies import chosen
from referee.guides.sheet import describe_guidance, describe_guide, guides_listed, load_case
from referee.guides.walking import walk
from referee.notation import read_any_form


class JudgeView(CostlyAPIView):
    parser_classes = RECORD_PARSERS

    @operation(
        "judge",
        "Judge a record",
        answers("Adjudication", 422),
        request={**body("Record"), "text/plain": {"type": "string"}, "text/csv": {"type": "string"}},
    )
    def post(self, request: Request) -> Response:
        """Returns trick winners, scores and irregularities, each with its reason. Send the record as JSON, in the text
        notation or as CSV. If an event is not taken, the events before it are judged, and `rejected` says which one it
        is and why.
        """
        watch = deadline(thread_time, settings.SECONDS_TO_JUDGE)
        return Response(adjudicate(read_any_form(request.data, watch).record, watch, caller_language()))


class AuditView(CostlyAPIView):
    @operation("audit", "Check the hands of a record in full", answers("Audits", 422), request=body("Record"))
    def post(self, request: Request) -> Response:
        """If a hand was played to its last card, or the players’ cards were entered, every card is judged against the
        hand it came from. Returns each infraction with its certainty, and what could not be checked.
        """
        watch = deadline(thread_time, settings.SECONDS_TO_JUDGE)
        record = load_record(request.data, watch=watch)
        judged, checked = audit(record, watch)
        return Response(describe_audits(judged, checked, View(record.seats, caller_language())))


class WhatIfView(CostlyAPIView):
    @operation(
        "what_if",
        "Judge a record under other house rules",
        answers("WhatIf", 422),
        request=body("WhatIfQuestion"),
    )
    def post(self, request: Request) -> Response:
        """`options` are the house rules to change; the others stay as recorded, except those that depend on a changed
        one. Each trick keeps its cards and their order. The answer compares every trick and hand under both sets of
        rules (`then`, `now`). If a hand cannot be judged by the new rules, `unscored` says why.
        """
        watch = deadline(thread_time, settings.SECONDS_TO_JUDGE)
        record, options = load_what_if(request.data, watch)
        with pointing_into("/record", but="/options"):
            found = judge_as_it_lay(record, options, watch)
        return Response(describe_what_if(found, View(record.seats, caller_language()), watch))


GAME = OpenApiParameter(
    "game",
    str,
    OpenApiParameter.QUERY,
    required=True,
    description="The game, one of those listed at `games/`.",
    enum=[game.id for game in all_games()],
    examples=[OpenApiExample("ace-trump", value="ace-trump")],
)


class GuidesView(CataloguedAPIView):
    @operation(
        "list_guides",
        "List the situations in a game that have a guided ruling",
        answers("Guide", many=True),
        parameters=[GAME],
    )
    def get(self, request: Request) -> Response:
        """Some appear only under certain house rules, such as those about bids."""
        name = request.query_params.get("game")
        if name is None:
            refuse("missing-key", "The game’s id is needed here, as a string.", "/game")
        game = find_game(name)
        if game is None:
            refuse("unknown-game", f"The games are: {', '.join(each.id for each in all_games())}.", "/game")
        return Response([describe_guide(guide, caller_language()) for guide in guides_listed(game)])


class GuideView(CostlyAPIView):
    @operation(
        "guide",
        "Ask for a ruling on something the record does not show",
        answers("Guidance", 422),
        request=body("GuideQuestion"),
    )
    def post(self, request: Request) -> Response:
        """Send the answers so far; the response is the next question, or the ruling with its clauses and remedies. Each
        remedy has the events that carry it out and their effect. With a record, the referee answers what the record
        shows. Your answers override the record, except for who did it and in which trick: an accusation that the record
        disproves has no remedies. A `remedy` that the ruling does not offer is refused.
        """
        case = load_case(request.data, deadline(thread_time, settings.SECONDS_TO_JUDGE))
        table = None if case.looked is None else case.looked.table
        view = View(case.names, caller_language(), points=table is None or not table.hides_points())
        walked = walk(case)
        if "remedy" in request.data:
            chosen(walked, request.data["remedy"])
        return Response(describe_guidance(walked, view))


class QuestionView(APIView):
    question: Posed

    def post(self, request: Request) -> Response:
        question, name = self.question, request.data.get("game", self.question.game)
        if not isinstance(name, str):
            code = "wrong-type" if "game" in request.data else "missing-key"
            refuse(code, "The game’s id is needed here, as a string.", "/game")
        game = find_game(name)
        answering = ", ".join(each.id for each in all_games() if question.name in each.questions)
        if game is None:
            wrong = phrase("The games that answer this are: {known}.", known=answering)
            raise Refused([Problem("/game", "unknown-game", wrong)])
        if question.name not in game.questions:
            wrong = phrase("{game} does not answer this; these do: {known}.", game=game.name, known=answering)
            raise Refused([Problem("/game", "unknown-question", wrong)])
        return Response(plain(game.answer(question.name, request.data)))


def plain(value: object) -> object:
    """Return an answer as JSON: reasons, phrases and score lines are rendered, however deep."""
    if isinstance(value, Reason):
        return describe_for_caller(value)
    if isinstance(value, ScoreLine):
        return {"seat": value.seat, "points": value.points, "reason": describe_for_caller(value.reason)}
    if isinstance(value, Phrase):
        return caller_language().render(value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def question_view(question: Posed) -> type[QuestionView]:
    view = type(component(question.name, "View"), (QuestionView,), {"question": question, "__doc__": question.summary})
    described = extend_schema(
        operation_id="ask_" + question.name.replace("-", "_"),
        summary=question.summary,
        description=question.description,
        tags=["single questions"],
        request=body(component(question.name, "Question")),
        responses=answers(component(question.name, "Answer"), 422),
        examples=examples(question.examples),
    )
    extend_schema_view(post=described)(view)
    return view


VIEWS = {question.name: question_view(question) for question in QUESTIONS}


@takes_parameters("request")
@require_safe
def problem_page(request: HttpRequest) -> HttpResponse:
    groups = {
        "What can be wrong with a request": REQUESTS,
        "Why an event cannot have happened": IMPOSSIBLE,
        "Which rule an event breaks, although it can have happened": IRREGULAR,
    }
    return render(request, "api/problems.html", {"groups": groups.items()})


# --- Paths


urlpatterns: list[URLPattern] = [
    path("referee/judge/", JudgeView.as_view(), name="judge"),
    path("referee/audit/", AuditView.as_view(), name="audit"),
    path("referee/what-if/", WhatIfView.as_view(), name="what-if"),
    path("referee/guides/", GuidesView.as_view(), name="guides"),
    path("referee/guide/", GuideView.as_view(), name="guide"),
    *(path(f"referee/{name}/", view.as_view(), name=f"ask-{name}") for name, view in VIEWS.items()),
    path("games/", GamesView.as_view(), name="games"),
    path("games/<str:game>/", GameView.as_view(), name="game"),
    path("games/<str:game>/rulebook/", RulebookView.as_view(), name="rulebook"),
    path("decks/<str:deck>/", DeckView.as_view(), name="deck"),
    path("problems/", problem_page, name="problems"),
]
