"""What everything else refers to: reasons, cards, seats, problems."""

from referee.engine.shapes import Schema, answer, array, number, ref, text

SEATS = array({"type": "integer"}, "Seats in ascending order.")
PER_SEAT = array({"type": "integer"}, "One number for each seat.")

COMMON: dict[str, Schema] = {
    "Seat": number("A seat, counted from 0 clockwise, in the order in which the players were given."),
    "Card": text(
        "A card by its code (`8MS`, `10S`) or any name people use for it (`Diplomat`, `10♠`); answers always use"
        " the code.",
        longest=60,
        example="8MS",
    ),
    "Suit": text("A suit by its letter or name; answers use the letter.", longest=60, example="M"),
    "Options": {
        "type": "object",
        "description": "House rules by their key; what is left out has its default. Each game lists its own at"
        " `games/{game}/`.",
        "additionalProperties": {"type": ["boolean", "integer", "string", "null"]},
    },
    "GameId": text("The game, one of those listed at `games/`.", longest=60, example="ace-trump"),
    "Reason": answer(
        {
            "code": text("Stable; never translated.", example="highest-trump"),
            "text": text("A sentence for players.", example="The Sea (Crown of Waves) is the highest trump."),
            "clauses": array(text(), "Clauses of the game’s rulebook.", examples=[["AT-9"]]),
        },
        "Why the referee decided so.",
    ),
    "ScoreLine": answer(
        {"seat": ref("Seat"), "points": {"type": "integer"}, "reason": ref("Reason")},
        "One line of a score sheet; lines add up to the score.",
    ),
    "Problem": answer(
        {
            "type": text("Leads to the explanation of `code`.", example="/api/v1/problems/#missing-key"),
            "title": text(),
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": text("What is wrong here, for people."),
            "code": text("Stable.", example="missing-key"),
            "errors": array(ref("ProblemAt"), "Every single thing that is wrong with the body."),
        },
        "An error (RFC 9457).",
        optional=["errors"],
    ),
    "ProblemAt": answer(
        {
            "pointer": text("A JSON pointer into the body.", example="/hands/0/events/3/cards/0"),
            "code": text(example="wrong-type"),
            "detail": text(),
        },
        "One thing that is wrong, and where.",
    ),
}
