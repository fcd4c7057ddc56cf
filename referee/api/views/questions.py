"""Single questions: each is handed to the game it is about, which knows the answer."""

from collections.abc import Mapping

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from referee.api.language import caller_language, describe_for_caller
from referee.api.questions import QUESTIONS, Posed, component
from referee.api.schema import answers, body, examples
from referee.engine.catalogue import all_games, find_game
from referee.engine.game import Game
from referee.engine.options import Problem, Refused
from referee.engine.rulings import Reason, ScoreLine
from referee.engine.translation import Phrase


class QuestionView(APIView):
    """One question, put to the game that the body names."""

    question: Posed

    def post(self, request: Request) -> Response:
        game = game_of_question(request.data, self.question)
        return Response(plain(game.answer(self.question.name, request.data)))


def game_of_question(body: Mapping[str, object], question: Posed) -> Game:
    """Return the game the question is about; raises ``Refused`` where it does not answer it."""
    name = body.get("game", question.game)
    if not isinstance(name, str):
        code = "wrong-type" if "game" in body else "missing-key"
        raise Refused([Problem("/game", code, "The game’s id is needed here, as a text.")], malformed=True)
    game = find_game(name)
    answering = ", ".join(g.id for g in all_games() if question.name in g.questions)
    if game is None:
        raise Refused([Problem("/game", "unknown-game", f"The games that answer this are: {answering}.")])
    if question.name not in game.questions:
        detail = f"{game.name} does not answer this; these do: {answering}."
        raise Refused([Problem("/game", "unknown-question", detail)])
    return game


def plain(value: object) -> object:
    """Return an answer as JSON: reasons and score lines spelled out, wherever they stand."""
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
    """Return the view of a question, described for the schema."""
    view = type(component(question.name, "View"), (QuestionView,), {"question": question, "__doc__": question.summary})
    described = extend_schema(
        operation_id="ask_" + question.name.replace("-", "_"),
        summary=question.summary,
        description=question.description,
        tags=["single questions"],
        request=body(component(question.name, "Question")),
        responses=answers(component(question.name, "Answer"), 400, 413, 415, 422),
        examples=examples(question.examples),
    )
    extend_schema_view(post=described)(view)
    return view


VIEWS = {question.name: question_view(question) for question in QUESTIONS}
