"""What is asked of a record, or of a game without one, beside the single questions."""

from referee.engine.shapes import INTEGER, Schema, closed, ref, text

ANSWERS: Schema = {
    "type": "object",
    "description": "The answers so far, by question: a seat, the number of a trick, or the code of an answer.",
    "additionalProperties": {"type": ["integer", "string"]},
}
CHOSEN = text("One of the remedies of the ruling: refused where it does not offer it.", longest=60, example="note")
SITUATION = text("What went wrong, one of those listed at `referee/guides/`.", longest=60, example="revoke")

REQUESTS: dict[str, Schema] = {
    "GuideQuestion": {
        "description": "A game and its house rules, or a record, with what went wrong and the answers so far.",
        "oneOf": [ref("GuideOfGame"), ref("GuideOfRecord")],
    },
    "GuideOfGame": closed(
        {
            "game": ref("GameId"),
            "options": ref("Options"),
            "players": INTEGER | {"description": "How many play; as few as can be, where it is not said."},
            "situation": SITUATION,
            "answers": ANSWERS,
            "remedy": CHOSEN,
        },
        ("game", "situation"),
        "A question without a record.",
        extra=True,
    ),
    "GuideOfRecord": closed(
        {
            "record": ref("Record"),
            "hand": INTEGER | {"description": "The hand it is about, from 1; the last one, where it is not said."},
            "situation": SITUATION,
            "answers": ANSWERS,
            "remedy": CHOSEN,
        },
        ("record", "situation"),
        "A question about a record, which answers some of the questions by itself.",
        extra=True,
    ),
    "WhatIfQuestion": closed(
        {"record": ref("Record"), "options": ref("Options")},
        ("record",),
        "A record, and the options that are to be others.",
        extra=True,
    ),
}
