"""What the referee makes of a record."""

from referee.api.schemas.common import PER_SEAT, SEATS
from referee.engine.catalogue import phases
from referee.engine.shapes import Schema, answer, array, nullable, ref, text

POSITION = array({"type": "integer"}, "Hand and event, counted from 0.", minItems=2, maxItems=2)
INTEGER: Schema = {"type": "integer"}
PHASES = [str(phase) for phase in phases()]

ADJUDICATION: dict[str, Schema] = {
    "Adjudication": answer(
        {
            "game": ref("GameId"),
            "options": ref("Options"),
            "hands": array(ref("Hand")),
            "totals": array(nullable(INTEGER), "One number for each seat; null while a table hides its points."),
            "points_hidden": {"type": "boolean", "description": "Points are not told before the game is over."},
            "finished": {"type": "boolean"},
            "winners": SEATS,
            "next": nullable(ref("NextDeal")),
            "course": array(INTEGER, "The sizes of all hands of a game, where they are known before it begins."),
            "rejected": nullable(ref("Rejected")),
        },
        "The record as the referee sees it; `options` with all defaults filled in.",
    ),
    "Hand": answer(
        {
            "number": INTEGER,
            "dealer": ref("Seat"),
            "seating": array(INTEGER, "The seats clockwise as they sit in this hand."),
            "hand_size": PER_SEAT,
            "phase": text(example="play") | {"examples": PHASES},
            "to_act": array(INTEGER, "The seats that may act now."),
            "cards_left": array(nullable(INTEGER)),
            "trump": nullable(text("Trump now.")),
            "has_trump": {"type": "boolean", "description": "Whether one suit can be trump for all alike."},
            "suit_order": nullable(array(text(), "American Deuce: the suits named so far, highest first.")),
            "bids": array(nullable(INTEGER)),
            "tricks_won": array(nullable(INTEGER)),
            "opening": nullable(ref("Reason")),
            "face_up": array(
                answer(
                    {"label": text(), "cards": array(text()), "suit": nullable(text())},
                    "Cards, or a suit alone where the card was not seen, that lie open for the whole hand.",
                )
            ),
            "tricks": array(ref("Trick")),
            "moved": array(ref("MovedTricks")),
            "given": array(ref("GivenUp")),
            "scores": array(nullable(INTEGER), "What is settled, per seat; null where nothing is yet."),
            "score_lines": array(ref("ScoreLine")),
            "irregularities": array(ref("Irregularity")),
            "unchecked": array(ref("Reason"), "What the record did not allow to check."),
        },
        "One hand as far as it is recorded.",
        optional=["trump", "has_trump", "suit_order", "bids", "tricks_won", "opening", "moved", "given"],
    ),
    "Trick": answer(
        {
            "number": INTEGER,
            "leader": nullable(ref("Seat")),
            "plays": array(ref("PlayMade")),
            "winner": nullable(ref("Seat")),
            "points": {"type": "object", "additionalProperties": INTEGER, "description": "Points by seat."},
            "trump": nullable(text("The trump that decided it.")),
            "reason": nullable(ref("Reason")),
        },
        "A trick, from its first play on.",
        optional=["trump"],
    ),
    "GivenUp": answer(
        {"trick": INTEGER, "to": ref("Seat"), "why": text(example="revoke in trick 1")},
        "A trick that went to another seat than its winner, for an infraction.",
    ),
    "MovedTricks": answer(
        {"from_seat": ref("Seat"), "to_seat": ref("Seat"), "tricks": INTEGER}, "Tricks that the table moved."
    ),
    "PlayMade": answer(
        {"seat": ref("Seat"), "cards": array(text()), "pass": {"type": "boolean"}},
        "Cards played, or a pass.",
        optional=["cards", "pass"],
    ),
    "Irregularity": answer(
        {
            "code": text(example="revoke"),
            "certainty": {"type": "string", "enum": ["seen", "proved", "joint"]},
            "seat": nullable(ref("Seat")),
            "suspects": SEATS,
            "event": POSITION,
            "trick": nullable(INTEGER),
            "proved_by": array(POSITION),
            "claims": array(POSITION, "Joint findings: the acts that cannot all have been lawful."),
            "argument": nullable(ref("Argument")),
            "reason": ref("Reason"),
            "remedies": array(ref("Remedy")),
            "acts": array(ref("Act"), "The cards in question, where they were laid to tricks and claim something."),
            "shown": nullable(ref("LaidCard")),
        },
        "A deviation from the rules, as the record shows it.",
        optional=["claims", "argument", "acts", "shown"],
    ),
    "Act": answer(
        {
            "led": nullable(ref("LaidCard")),
            "played": ref("LaidCard"),
            "claims": array(text(), "Suits: by this card its player claimed to hold none of them."),
        },
        "A card that did not follow, or was led, and what it claims of the hand that remained.",
    ),
    "LaidCard": answer(
        {
            "seat": ref("Seat"),
            "trick": INTEGER,
            "card": text(),
            "reads": array(text(), "Its suits, as its player reads them."),
            "matches": array(text(), "Those of them that were asked for."),
        },
        "A card that was laid to a trick; `shown` is the one that contradicts the act.",
    ),
    "Argument": answer(
        {
            "cards": array(text(), "Cards not seen yet that every suspect claims not to hold."),
            "excluded_by": array(ref("Exclusion"), "The claims that exclude them, the same acts as `claims`."),
            "room": array(ref("Room"), "Every other place that has room for such cards; together fewer than `cards`."),
        },
        "Joint findings: why the claims cannot all be true, as the record stood after the event in `proved_by`.",
    ),
    "Exclusion": answer(
        {"seat": ref("Seat"), "event": POSITION}, "An act by which a seat claimed to hold none of certain cards."
    ),
    "Room": answer(
        {
            "place": {
                "anyOf": [ref("Seat"), {"type": "string", "enum": ["aside"]}],
                "description": "A seat, or `aside` for the cards that nobody was dealt.",
            },
            "cards": {"type": "integer", "description": "How many such cards can lie there."},
        },
        "A place where unseen cards can lie. In Wildcat Chicane Aces and Crowns have room apart from number cards.",
    ),
    "Remedy": answer(
        {
            "code": text(),
            "title": text("In a few words, as for a button."),
            "text": text(),
            "clauses": array(text()),
            "proposed": {"type": "boolean", "description": "The house rule proposes this one."},
            "events": nullable(array(ref("Event"), "What carries it out; null where that cannot be told.")),
            "effect": nullable(ref("Effect")),
            "pending": nullable(ref("Reason")),
            "each": nullable(ref("EachPoint")),
        },
        "What the table can do about it; in the last hand of a record with what that would change.",
        optional=["title", "clauses", "proposed", "events", "effect", "pending", "each"],
    ),
    "EachPoint": answer(
        {"events": array(ref("Event")), "effect": ref("Effect")},
        "Of a penalty: what it is by the point. The offender loses the number of points that the table agrees on.",
    ),
    "Effect": answer({"scores": ref("Change"), "totals": ref("Change")}, "What the events of a remedy would change."),
    "Change": answer({"before": array(nullable(INTEGER)), "after": array(nullable(INTEGER))}, "Points per seat."),
    "NextDeal": answer(
        {"number": INTEGER, "dealer": ref("Seat"), "seating": array(INTEGER), "hand_size": nullable(PER_SEAT)},
        "How the next hand is dealt.",
    ),
    "Rejected": answer(
        {
            "hand": INTEGER,
            "event": INTEGER,
            "verdict": {"type": "string", "enum": ["impossible", "irregular"]},
            "reason": ref("Reason"),
        },
        "The event that was not taken.",
    ),
}
