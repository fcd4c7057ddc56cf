"""House rules as JSON Schema: enough to check a record, and to make a form."""

from referee.api.language import caller_language
from referee.engine.game import Game
from referee.engine.options import Option

TYPES = {bool: "boolean", int: "integer", str: "string"}


def options_schema(game: Game) -> dict[str, object]:
    """Return the schema of a record's ``options`` in this game."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"House rules of {game.name}",
        "type": "object",
        "additionalProperties": False,
        "properties": {option.key: option_schema(option) for option in game.all_options()},
    }


def option_schema(option: Option) -> dict[str, object]:
    """Return the schema of one option; ``x-clauses`` lead to the rulebook."""
    kind, translate = TYPES[option.kind], caller_language().translate
    schema: dict[str, object] = {
        "title": translate(option.label),
        "description": translate(option.help),
        "type": [kind, "null"] if None in option.values else kind,
        "x-clauses": list(option.clauses),
    }
    if option.by_players is None:
        schema["default"] = option.standard
    else:  # filled in from the number of players
        schema["x-by-players"] = {
            str(players): {"default": usual, "maximum": most} for players, (usual, most) in option.by_players.items()
        }
    if option.span is not None:
        schema["minimum"], schema["maximum"] = option.span
    else:
        labels = map(translate, option.labels or tuple(map(str, option.values)))
        schema["oneOf"] = [{"const": value, "title": label} for value, label in zip(option.values, labels, strict=True)]
    return schema
