"""Records and their events, as they are sent and stored."""

from referee.engine.catalogue import end_kinds, event_kinds
from referee.engine.event_kinds import EventKind
from referee.engine.shapes import FLAG, Schema, closed, nullable, number, one_of, ref

CARD = ref("Card")
ACCEPTED = FLAG | {"description": "The table knows that this is irregular and lets it stand."}


def event(kind: EventKind) -> Schema:
    """Describe a kind of event."""
    properties: dict[str, Schema] = {"type": {"type": "string", "const": kind.name}}
    for field in kind.fields:
        schema = dict(field.type.schema)
        properties[field.name] = schema if field.needed and not field.type.null else nullable(schema)
    properties["accepted"] = nullable(ACCEPTED)
    needed = [field.name for field in kind.fields if field.needed]
    return closed(properties, ("type", *needed), kind.says, extra=True)


def component(name: str) -> str:
    """Return the name of an event’s component: ``RulingCardEvent``."""
    return "".join(part.capitalize() for part in name.split("-")) + "Event"


def events() -> dict[str, Schema]:
    """Describe every kind of event, and the union of them by their ``type``."""
    kinds = event_kinds()
    union: Schema = {
        "description": "Something that happened at the table.",
        "oneOf": [ref(component(name)) for name in kinds],
        "discriminator": {
            "propertyName": "type",
            "mapping": {name: ref(component(name))["$ref"] for name in kinds},
        },
    }
    return {component(name): event(kind) for name, kind in kinds.items()} | {"Event": union}


RECORD: dict[str, Schema] = {
    "End": closed(
        {
            "kind": one_of(kind.name for kind in end_kinds()),
            "value": nullable(number("The score, the number of hands, or minutes; null where the kind has no number.")),
        },
        ("kind",),
        "When the game is over: by a number, when the players agree, or as the game has it.",
    )
    | {
        "if": {"properties": {"kind": {"enum": [kind.name for kind in end_kinds() if kind.counted]}, "value": {}}},
        "then": {"required": ["value"], "properties": {"kind": {}, "value": {"type": "integer"}}},
        "else": {"properties": {"kind": {}, "value": {"type": "null"}}},
    },
    "GuideQuestion": {
        "description": "A game and its house rules, or a record, with what went wrong and the answers so far.",
        "oneOf": [ref("GuideOfGame"), ref("GuideOfRecord")],
    },
}
