"""What the referee makes of a record."""

from referee.api.schemas.common import PER_SEAT, SEATS
from referee.engine.catalogue import all_games
from referee.engine.shapes import FLAG, INTEGER, TIME, Schema, answer, array, nullable, ref, text

POSITION = array({"type": "integer"}, "Hand and event, counted from 0.", minItems=2, maxItems=2)
IRREGULAR_ACT: dict[str, Schema] = {
    "code": ref("IrregularityCode"),
    "certainty": ref("Certainty"),
    "seat": nullable(ref("Seat")),
    "suspects": SEATS,
    "event": POSITION,
    "trick": nullable(INTEGER),
}
"""Whose act was irregular, when, and how it is known."""
SEQ = nullable(INTEGER)
GAMES_OWN = {key: shape for game in all_games() for key, shape in game.hand_shape.items()}
"""What the hands of single games are described by besides."""
TABLE: dict[str, Schema] = {
    "game": ref("GameId"),
    "rules_version": INTEGER | {"description": "By which version of the game’s rules this was judged."},
    "options": ref("Options"),
    "end": ref("End"),
    "totals": array(nullable(INTEGER), "One number for each seat; null while a table hides its points."),
    "points_hidden": FLAG | {"description": "Points are not told before the game is over."},
    "finished": FLAG,
    "winners": SEATS,
    "next": nullable(ref("NextDeal")),
    "course": array(INTEGER, "The sizes of all hands of a game, where they are known before it begins."),
}
"""Where a game stands, whatever is told of its hands."""

ADJUDICATION: dict[str, Schema] = {
    "Adjudication": answer(
        {
            "options_now": ref("Options"),
            "hands": array(ref("Hand")),
            **TABLE,
            "rejected": nullable(ref("Rejected")),
        },
        "The record as the referee sees it; `options` with all defaults filled in, as the table began. "
        "`options_now` are those of the hand in play, or of the next one, where the table has changed them since.",
        optional=["options_now"],
    ),
    "Hand": answer(
        {
            "number": INTEGER,
            "options": ref("Options"),
            "dealer": ref("Seat"),
            "seating": array(INTEGER, "The seats clockwise as they sit in this hand."),
            "hand_size": PER_SEAT,
            "phase": ref("Phase"),
            "to_act": array(INTEGER, "The seats that may act now."),
            "cards_left": array(nullable(INTEGER)),
            "trump": nullable(text("Trump now.")),
            "has_trump": FLAG | {"description": "Whether one suit can be trump for all alike."},
            "trumps": array(nullable(text()), "Each seat’s own trump, where they differ."),
            "seat_notes": array(nullable(text()), "What stands beside each player’s name, in words."),
            "titles": array(nullable(text()), "What each player is called in this hand."),
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
            "withdrawn": array(
                ref("Withdrawn"), "What was irregular as far as anybody could see, until a card disproved it."
            ),
            "unchecked": array(ref("Reason"), "What the record did not allow to check."),
            **GAMES_OWN,
        },
        "One hand as far as it is recorded; `options` are its house rules, where they are not those of the first hand.",
        optional=[
            "options",
            "trump",
            "has_trump",
            "trumps",
            "seat_notes",
            "titles",
            "suit_order",
            "bids",
            "tricks_won",
            "opening",
            "moved",
            "given",
            *GAMES_OWN,
        ],
    ),
    "Trick": answer(
        {
            "number": INTEGER,
            "leader": nullable(ref("Seat")),
            "plays": array(ref("PlayMade")),
            "winner": nullable(ref("Seat")),
            "points": {"type": "object", "additionalProperties": INTEGER, "description": "Points by seat."},
            "trump": nullable(text("The trump that decided it.")),
            "called_suit": nullable(text("The suit that the leader named.")),
            "reads": array(nullable(text()), "The suit that each card is to its owner."),
            "names": array(nullable(text()), "What the cards of each play are together, in words."),
            "reason": nullable(ref("Reason")),
            "best": ref("BestAnswer"),
        },
        "A trick, from its first play on.",
        optional=["trump", "called_suit", "reads", "names", "best"],
    ),
    "BestAnswer": answer(
        {
            "known": {
                "type": "boolean",
                "description": "Of the hand its player held, else of all cards out.",
            },
            "cards": array(text(), "None: no card of that hand could win."),
            "points": INTEGER,
            "reason": ref("Reason"),
        },
        "The answer to a card laid that would have scored most; a running hand is never looked into.",
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
            **IRREGULAR_ACT,
            "proved_by": array(POSITION),
            "claims": array(POSITION, "Joint findings: the acts that cannot all have been lawful."),
            "argument": nullable(ref("Argument")),
            "reason": ref("Reason"),
            "remedies": array(ref("Remedy")),
            "acts": array(ref("Act"), "The cards in question, where they were laid to tricks and claim something."),
            "shown": nullable(ref("LaidCard")),
            "steps": array(ref("Step"), "What was done, asked and shown, where no card that was led says it."),
            "seq": SEQ | {"description": "At a table: the row of its event in the log."},
            "proved_by_seq": array(SEQ, "At a table: the rows of `proved_by`."),
            "claims_seq": array(SEQ, "At a table: the rows of `claims`."),
            "accepted": nullable(ref("Accepted")),
            "settled": nullable(ref("Settled")),
        },
        "A deviation from the rules, as the record shows it; at a table also how it was settled (null: it is open).",
        optional=[
            *("claims", "argument", "acts", "shown", "steps", "seq", "proved_by_seq", "claims_seq", "accepted"),
            "settled",
        ],
    ),
    "Withdrawn": answer(
        {
            **IRREGULAR_ACT,
            "proved_by": array(POSITION),
            "reason": ref("Reason"),
            "withdrawn_by": POSITION | {"description": "The event that disproved it."},
            "why": ref("Reason"),
            "seq": SEQ | {"description": "At a table: the row of its event in the log."},
            "withdrawn_by_seq": SEQ | {"description": "At a table: the row of the event that disproved it."},
            "settled": nullable(ref("Settled")),
            "undo": array(
                SEQ, "At a table: the rows that settled it, last first; an amendment with `event` null strikes each."
            ),
        },
        "A finding that a later card of its hand has disproved; `settled` is a remedy that rests on it.",
        optional=["seq", "withdrawn_by_seq", "settled", "undo"],
    ),
    "Accepted": answer(
        {
            "by": text("By which link.", example="scorekeeper"),
            "name": text("What that link is called."),
            "at": TIME,
            "why": text("Their reason, where they gave one (`x_why` of the event)."),
        },
        "Who recorded an irregular act as it was, when, and why.",
    ),
    "Settled": answer(
        {
            "how": nullable(text("The type of the event that settled it.", example="penalty")),
            "events": array(ref("Event"), "What carried it out."),
            "seq": INTEGER,
            "by": text("By which link.", example="scorekeeper"),
            "name": text("What that link is called."),
            "at": TIME,
        },
        "How the table settled it, and when.",
    ),
    "Step": answer(
        {
            "part": {"type": "string", "enum": ["done", "asked", "shown"]},
            "reason": ref("Reason"),
            "cards": array(text(), "`?` is a card that nobody saw."),
            "trick": nullable(INTEGER),
        },
        "A step of what was done, what the rule asks for, or what showed it.",
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
            "code": ref("RemedyCode"),
            "title": text("In a few words, as for a button."),
            "text": text(),
            "clauses": array(text()),
            "proposed": {"type": "boolean", "description": "The house rule proposes this one."},
            "strikes": array(POSITION, "Entries to strike before, in this order: amendments with `event` null."),
            "events": nullable(array(ref("Event"), "What carries it out; null where that cannot be told.")),
            "effect": nullable(ref("Effect")),
            "pending": nullable(ref("Reason")),
            "each": nullable(ref("EachPoint")),
        },
        "What the table can do about it; in the last hand of a record with what that would change.",
        optional=["title", "clauses", "proposed", "strikes", "events", "effect", "pending", "each"],
    ),
    "EachPoint": answer(
        {"events": array(ref("Event")), "effect": nullable(ref("Effect"))},
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
            "verdict": ref("RefusingVerdict"),
            "reason": ref("Reason"),
        },
        "The event that was not taken.",
    ),
}
