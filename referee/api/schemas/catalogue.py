"""Games, house rules, rulebooks and decks."""

from referee.api.schemas.common import PLAIN
from referee.engine.rulebook import BASES
from referee.engine.shapes import INTEGER, Schema, answer, array, nullable, ref, text

SUMMARY: dict[str, Schema] = {
    "id": text(example="ace-trump"),
    "name": text(example="Ace Trump"),
    "tagline": text(),
    "rules_version": INTEGER | {"description": "Counts up when a record would be judged otherwise than before."},
    "source": text("Whose game it is, and where its rules were published."),
    "players": array(INTEGER, "How many can play."),
    "deck": text("The deck, unless house rules or the number of players change it.", example="decktet"),
}
DECK: dict[str, Schema] = {"id": text(example="decktet"), "name": text(), "size": INTEGER}

BY_NAME: Schema = {"type": "object", "additionalProperties": text()}

CATALOGUE: dict[str, Schema] = {
    "Index": answer(
        {"version": {"type": "string", "const": "1"}, "links": BY_NAME, "questions": BY_NAME},
        "The addresses by name.",
    ),
    "GameSummary": answer(SUMMARY),
    "Game": answer(
        SUMMARY
        | {
            "decks": {
                "type": "object",
                "description": "The deck by number of players.",
                "additionalProperties": {"type": "string"},
            },
            "options": ref("OptionsSchema"),
            "end": answer({"kind": text(example="score"), "value": nullable(INTEGER)}, "When it usually ends."),
            "questions": array(text(), "The single questions it answers."),
        }
    ),
    "OptionsSchema": answer(
        {
            "$schema": text(),
            "title": text(),
            "type": text(),
            "properties": {"type": "object", "additionalProperties": ref("OptionSchema")},
        },
        "The house rules of a game as a JSON Schema: of the `options` of a record.",
    )
    # Clients that are made of this have a key of this name for other purposes.
    | {"patternProperties": {"^additionalProperties$": {"type": "boolean"}}},
    "OptionSchema": answer(
        {
            "title": text("What it is called, as for a form."),
            "description": text("What it means at the table."),
            "type": {"anyOf": [text(), array(text())]},
            "default": PLAIN,
            "minimum": INTEGER,
            "maximum": INTEGER,
            "oneOf": array(answer({"const": PLAIN, "title": text()}), "The values there are."),
            "x-clauses": array(text(), "The clauses that say it."),
            "x-by-players": {
                "type": "object",
                "description": "Where they follow from the number of players: by that number.",
                "additionalProperties": answer({"default": INTEGER, "maximum": INTEGER}),
            },
        },
        "A house rule as a JSON Schema.",
        optional=["default", "minimum", "maximum", "oneOf", "x-by-players"],
    ),
    "Clause": answer(
        {
            "id": text(example="AT-9"),
            "title": text(),
            "text": text(),
            "source": text(),
            "basis": {
                "type": "string",
                "enum": list(BASES),
                "description": "Stated by the source, following from it, or chosen where it is silent.",
            },
            "part": text("The part of the rulebook it stands in.", example="ace-trump"),
        },
        "One clause of a rulebook.",
    ),
    "DeckSummary": answer(DECK),
    "Deck": answer(
        DECK
        | {
            "suits": array(answer({"code": text(), "name": text()}), "In printed order."),
            "cards": array(
                answer(
                    {
                        "code": text(example="XM"),
                        "name": text(example="Huntress"),
                        "rank": text(example="X"),
                        "suits": array(text(), "In printed order."),
                        "title": text("Rank and suits in words, where the name does not say them."),
                    }
                )
            ),
        }
    ),
}
