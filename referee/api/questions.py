"""The single questions that the API takes: those that the games declare, each at one address."""

from collections.abc import Iterable
from dataclasses import dataclass

from referee.engine.catalogue import all_games
from referee.engine.game import Game
from referee.engine.questions import Example, Question
from referee.engine.shapes import Schema, answer, closed, joined_keys, ref


@dataclass(frozen=True, slots=True)
class Posed:
    """A question as the API takes it: what its games declare, put together.

    ``game`` is the game it is about where none is named.
    """

    name: str
    summary: str
    description: str
    game: str | None
    request: Schema
    response: Schema
    examples: tuple[Example, ...]


def questions(games: Iterable[Game]) -> tuple[Posed, ...]:
    """Return every question that these games answer, in the order in which they declare them."""
    declared: dict[str, list[tuple[Game, Question]]] = {}
    for game in games:
        for question in game.QUESTIONS:
            declared.setdefault(question.name, []).append((game, question))
    return tuple(_posed(name, each) for name, each in declared.items())


def _posed(name: str, declared: list[tuple[Game, Question]]) -> Posed:
    game, question = declared[0]
    request: dict[str, Schema] = {}
    response: dict[str, Schema] = {}
    for _, each in declared:
        request, response = joined_keys(request, each.request), joined_keys(response, each.response)
    needed = [key for key in question.needed if all(key in each.needed for _, each in declared)]
    remarks = dict.fromkeys(remark for _, each in declared for remark in each.help)
    return Posed(
        name,
        question.label,
        " ".join(remarks),
        game.id if question.sole else None,
        closed(
            {"game": ref("GameId"), "options": ref("Options"), **request},
            needed if question.sole else ("game", *needed),
            extra=True,
        ),
        answer(response),
        tuple(example for _, each in declared for example in each.examples),
    )


def component(name: str, part: str) -> str:
    """Return the name of a component of a question: ``TrickQuestion``, ``TrickAnswer``."""
    return "".join(word.capitalize() for word in name.split("-")) + part


QUESTIONS = questions(all_games())
QUESTION_SHAPES: dict[str, Schema] = {
    component(question.name, part): shape
    for question in QUESTIONS
    for part, shape in (("Question", question.request), ("Answer", question.response))
}
