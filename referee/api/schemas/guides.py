"""Guided rulings: what is asked next, or what to do now."""

from referee.api.schemas.adjudication import POSITION
from referee.engine.shapes import FLAG, INTEGER, Schema, answer, array, closed, nullable, ref, text

ANSWER: Schema = {"type": ["integer", "string"]}
ANSWERS: Schema = {
    "type": "object",
    "description": "The answers so far, by question: a seat, the number of a trick, or the code of an answer.",
    "additionalProperties": ANSWER,
}
CHOSEN = text("One of the remedies of the ruling: refused where it does not offer it.", longest=60, example="note")
SITUATION = text("What went wrong, one of those listed at `referee/guides/`.", longest=60, example="revoke")
EFFECT = nullable(ref("Effect"))
CHOICES = array(answer({"answer": ANSWER, "text": text()}), "The answers that can be given.")
KIND: Schema = {"type": "string", "enum": ["choice", "seat", "trick"]}

GUIDES: dict[str, Schema] = {
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
    "Guide": answer(
        {"situation": SITUATION, "title": text(), "says": text()},
        "Something that can have gone wrong.",
    ),
    "Guidance": answer(
        {
            "situation": SITUATION,
            "title": text(),
            "says": text(),
            "answered": array(ref("GuideAnswer"), "The questions that are answered, in order."),
            "answers": ANSWERS,
            "question": nullable(ref("GuideStep")),
            "ruling": nullable(ref("Reason")),
            "disproved": FLAG | {"description": "The record disproves the accusation: `ruling` says why."},
            "evidence": array(ref("Reason"), "What disproves it, act by act."),
            "models": array(text(), "The laws of Bridge after which the rules of the ruling are made."),
            "remedies": array(ref("GuideRemedy"), "What the table can do, once there is a ruling."),
            "precedents": array(ref("GuidePrecedent"), "At a table: what its group decided about this, latest first."),
        },
        "How far the answers lead: to the next `question`, or to a `ruling`; one of them is null. What the record"
        " disproves has no remedies.",
        optional=["precedents"],
    ),
    "GuidePrecedent": answer(
        {"question": text(), "decision": text(), "since": text()},
        "Something that the group of a table has decided, and since when.",
    ),
    "GuideStep": answer(
        {"id": text(), "kind": KIND, "text": text(), "choices": CHOICES},
        "A question to the table.",
    ),
    "GuideAnswer": answer(
        {
            "id": text(),
            "kind": KIND,
            "text": text(),
            "choices": CHOICES,
            "answer": ANSWER,
            "answer_text": text(),
            "by": {"type": "string", "enum": ["you", "record", "rules"]},
            "reason": nullable(ref("Reason")),
        },
        "A question that is answered: by `you`, or by what the `record` or the house `rules` say.",
    ),
    "GuideRemedy": answer(
        {
            "code": ref("RemedyCode"),
            "title": text(),
            "text": text(),
            "clauses": array(text()),
            "proposed": FLAG | {"description": "The house rule proposes this one."},
            "amends": nullable(array(ref("GuideAmend"), "Entries that are put right first.")),
            "events": nullable(array(ref("Event"), "The events that carry it out, then.")),
            "effect": EFFECT,
            "pending": nullable(ref("Reason")),
            "each": nullable(
                answer(
                    {"amends": array(ref("GuideAmend")), "events": array(ref("Event")), "effect": EFFECT},
                    "A penalty, by the point.",
                )
            ),
        },
        "Something the table can do; `pending` says why it cannot be carried out by events now.",
        optional=["each"],
    ),
    "GuideAmend": answer(
        {"event": POSITION, "instead": nullable(ref("Event")), "seq": INTEGER},
        "An entry that is put right: its place in the record, what stands there instead, and at a table its row `seq`.",
        optional=["seq"],
    ),
}
