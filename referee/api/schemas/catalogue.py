"""Games, house rules, rulebooks and decks."""

from referee.engine.rulebook import BASES
from referee.engine.shapes import INTEGER, Schema, answer, array, nullable, text

SUMMARY: dict[str, Schema] = {
    "id": text(example="ace-trump"),
    "name": text(example="Ace Trump"),
    "tagline": text(),
    "source": text("Whose game it is, and where its rules were published."),
    "players": array(INTEGER, "How many can play."),
    "deck": text("The deck, unless house rules or the number of players change it.", example="decktet"),
}
DECK: dict[str, Schema] = {"id": text(example="decktet"), "name": text(), "size": INTEGER}

CATALOGUE: dict[str, Schema] = {
    "GameSummary": answer(SUMMARY),
    "Game": answer(
        SUMMARY
        | {
            "decks": {
                "type": "object",
                "description": "The deck by number of players.",
                "additionalProperties": {"type": "string"},
            },
            "options": {"type": "object", "description": "A JSON Schema of the house rules."},
            "end": answer({"kind": text(example="score"), "value": nullable(INTEGER)}, "When it usually ends."),
            "questions": array(text(), "The single questions it answers."),
        }
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
