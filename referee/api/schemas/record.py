"""Records and their events, as they are sent and stored."""

from referee.api.schemas.common import FLAG, Schema, array, closed, nullable, number, ref, text
from referee.engine.records import FORMAT, LONGEST_NAME, LONGEST_TEXT, MOST_SEATS

SEAT = ref("Seat")
CARD = ref("Card")
SUIT = ref("Suit")
LIST = array(number(), "One number for each seat.")
REASON = text("Why the table decided so.", longest=LONGEST_TEXT)
ONE_CARD = array(CARD, "One card.")
ANY_CARD = text("A card, or `?` where nobody saw it.", longest=60)


def event(name: str, description: str, required: tuple[str, ...], **fields: Schema) -> Schema:
    """Describe one type of event."""
    optional = {key: field if key in required else nullable(field) for key, field in fields.items()}
    properties = {"type": {"type": "string", "const": name}, **optional, "accepted": nullable(ACCEPTED)}
    return closed(properties, ("type", *required), description, extra=True)


ACCEPTED = FLAG | {"description": "The table knows that this is irregular and lets it stand."}

EVENTS: dict[str, Schema] = {
    "play": event("play", "A seat plays cards.", ("seat", "cards"), seat=SEAT, cards=array(CARD), suit=SUIT),
    "bid": event("bid", "A seat bids a number of tricks.", ("seat", "tricks"), seat=SEAT, tricks=number()),
    "ransom": event("ransom", "A seat’s ransom card.", ("seat", "cards"), seat=SEAT, cards=ONE_CARD),
    "trump": event("trump", "The winner of the ransom names trump.", ("seat", "suit"), seat=SEAT, suit=SUIT),
    "ruling-card": event("ruling-card", "A seat’s ruling card.", ("seat", "cards"), seat=SEAT, cards=ONE_CARD),
    "suit": event("suit", "A seat names the next highest suit.", ("seat", "suit"), seat=SEAT, suit=SUIT),
    "drop-deuce": event(
        "drop-deuce",
        "The President-Elect asked for a deuce.",
        ("king",),
        king=nullable(number("The seat that holds the king of diamonds.")),
        constipated=FLAG,
        given=nullable(ANY_CARD),
        returned=nullable(ANY_CARD),
    ),
    "pass": event("pass", "A seat passes.", ("seat",), seat=SEAT),
    "trick": event(
        "trick",
        "A trick recorded without its cards.",
        ("winner",),
        winner=SEAT,
        trump=nullable(text("What is trump after it.", longest=60)),
        last=CARD,
        points={"type": "object", "additionalProperties": number(), "description": "Points by seat."},
    ),
    "result": event(
        "result", "The rest of the hand recorded by its result.", (),
        tricks=LIST, cards_left=LIST, points=LIST, last=CARD,
    ),
    "note": event("note", "A remark without effect.", ("text",), text=text(longest=LONGEST_TEXT), seat=SEAT),
    "penalty": event(
        "penalty", "The table changes a score.", ("seat", "points"), seat=SEAT, points=number(), reason=REASON
    ),
    "transfer": event(
        "transfer", "The table moves tricks from one seat to another.", ("from_seat", "to_seat", "tricks"),
        from_seat=SEAT, to_seat=SEAT, tricks=number(), reason=REASON,
    ),
    "redeal": event("redeal", "The hand is void; the same dealer deals again.", (), reason=REASON),
    "end": event("end", "The players agree to end here.", (), reason=REASON),
}  # fmt: skip


def component(name: str) -> str:
    """Return the name of an event’s component: ``RulingCardEvent``."""
    return "".join(part.capitalize() for part in name.split("-")) + "Event"


PLAYERS = array(
    text(longest=LONGEST_NAME), "The players, clockwise.", minItems=1, maxItems=MOST_SEATS
)  # fmt: skip

RECORD: dict[str, Schema] = {component(name): schema for name, schema in EVENTS.items()} | {
    "Event": {
        "description": "Something that happened at the table.",
        "oneOf": [ref(component(name)) for name in EVENTS],
        "discriminator": {
            "propertyName": "type",
            "mapping": {name: ref(component(name))["$ref"] for name in EVENTS},
        },
    },
    "End": {
        "description": "When the game is over.",
        "oneOf": [
            closed({"kind": {"const": "open"}, "value": {"type": "null"}}, ("kind",), "When the players agree."),
            closed(
                {
                    "kind": {"type": "string", "enum": ["score", "hands", "time"]},
                    "value": number("The score, the number of hands, or minutes."),
                },
                ("kind", "value"),
            ),
        ],
    },
    "HandRecord": closed(
        {
            "events": array(ref("Event")),
            "known": {
                "type": "object",
                "description": "Hands that somebody entered, by seat, as they were dealt.",
                "patternProperties": {f"^[0-{MOST_SEATS - 1}]$": array(CARD)},
                "additionalProperties": False,
            },
        },
        (),
        "One deal played out.",
        extra=True,
    ),
    "Record": closed(
        {
            "format": {"type": "string", "const": FORMAT},
            "game": ref("GameId"),
            "options": ref("Options"),
            "end": ref("End"),
            "seats": PLAYERS,
            "first_dealer": ref("Seat"),
            "carried": array(number(), "Where the totals start, per seat."),
            "hands": array(ref("HandRecord")),
        },
        ("game", "seats", "first_dealer"),
        "Everything that happened at a table.",
        extra=True,
    ),
}
