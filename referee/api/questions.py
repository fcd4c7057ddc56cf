"""The single questions of the API: each question that games declare, at one address."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict

from referee.api.problems import caller_language
from referee.engine.game import Game, all_games
from referee.engine.questions import Example, Question
from referee.engine.rules import Option
from referee.engine.shapes import Internal, Schema, also, answer, closed, joined_keys, ref
from referee.engine.sheet import Plain


@dataclass(frozen=True, slots=True)
class Posed:
    """A question, merged from the games that declare it; ``game`` is the default game, if only one answers it."""

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
    found = []
    for name, each in declared.items():
        first, question = each[0]
        request: dict[str, Schema] = {"game": ref("GameId"), "options": ref("Options")}
        response: dict[str, Schema] = {}
        for _, other in each:
            request, response = joined_keys(request, other.request), joined_keys(response, other.response)
        needed = [key for key in question.needed if all(key in other.needed for _, other in each)]
        needed = needed if question.sole else ["game", *needed]
        some = [key for key in response if any(key not in other.response for _, other in each)]
        found.append(
            Posed(
                name,
                question.label,
                " ".join(dict.fromkeys(remark for _, other in each for remark in other.help)),
                first.id if question.sole else None,
                closed(request, needed, f"{question.label}: the question.", extra=True),
                answer(response, f"{question.label}: the answer.", some),
                tuple(example for _, other in each for example in other.examples),
            )
        )
    return tuple(found)


def component(name: str, part: str) -> str:
    """Return the name of a question's component: ``TrickQuestion``, ``TrickAnswer``."""
    return "".join(word.capitalize() for word in name.split("-")) + part


QUESTIONS = questions(all_games())
QUESTION_SHAPES: dict[str, Schema] = {
    component(question.name, part): shape
    for question in QUESTIONS
    for part, shape in (("Question", question.request), ("Answer", question.response))
}


TYPES = {bool: "boolean", int: "integer", str: "string"}


class OptionValue(TypedDict):
    """A value of a house rule, with its label."""

    const: Plain
    title: str


class ByPlayers(TypedDict):
    """The default and the maximum of a house rule for one number of players."""

    default: bool | int
    maximum: NotRequired[int]


OptionSchema = TypedDict(
    "OptionSchema",
    {
        "title": Annotated[str, "The label, for a form."],
        "description": Annotated[str, "What it means at the table."],
        "type": str | list[str],
        "default": NotRequired[Plain],
        "minimum": NotRequired[int],
        "maximum": NotRequired[int],
        "oneOf": NotRequired[Annotated[list[OptionValue], "The possible values."]],
        "x-clauses": Annotated[list[str], "The clauses that define it."],
        "x-by-players": NotRequired[
            Annotated[dict[str, ByPlayers], "Default and maximum by number of players, if they depend on it."]
        ],
    },
)
OptionSchema.__doc__ = "A house rule as a JSON Schema."
OptionsSchema = TypedDict(
    "OptionsSchema",
    {
        "$schema": str,
        "title": str,
        "type": str,
        "properties": dict[str, OptionSchema],
        "additionalProperties": Annotated[bool, Internal],
    },
)
# As a pattern: generated clients use a key of this name for other purposes.
also({"patternProperties": {"^additionalProperties$": {"type": "boolean"}}})(OptionsSchema)
OptionsSchema.__doc__ = "The house rules of a game as a JSON Schema: of the `options` of a record."


def options_schema(game: Game) -> dict[str, object]:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"House rules of {game.name}",
        "type": "object",
        "additionalProperties": False,
        "properties": {option.key: option_schema(option) for option in game.all_options()},
    }


def option_schema(option: Option) -> dict[str, object]:
    """Return the JSON Schema of one option; ``x-clauses`` refer to the rulebook."""
    kind, translate = TYPES[option.kind], caller_language().translate
    schema: dict[str, object] = {
        "title": translate(option.label),
        "description": translate(option.help),
        "type": [kind, "null"] if None in option.values else kind,
        "x-clauses": list(option.clauses),
    }
    if option.by_players is None:
        schema["default"] = option.standard
    else:  # it depends on the number of players
        schema["x-by-players"] = {
            str(players): {"default": usual, "maximum": most} if option.span else {"default": usual}
            for players, (usual, most) in option.by_players.items()
        }
    if option.span is not None:
        schema["minimum"], schema["maximum"] = option.span
    else:
        labels = map(translate, option.labels or tuple(map(str, option.values)))
        schema["oneOf"] = [{"const": value, "title": label} for value, label in zip(option.values, labels, strict=True)]
    return schema
