"""Single questions and their answers."""

from referee.api.schemas.common import FLAG, Schema, answer, array, closed, nullable, number, ref, text

GAME = ref("GameId")
OPTIONS = ref("Options")
CARD = ref("Card")
SUIT = ref("Suit")
NULL_SUIT = nullable(text("A suit, or null.", longest=60))
NULL_CARD = nullable(text("A card, or null.", longest=60))
REASON = ref("Reason")
INTEGER: Schema = {"type": "integer"}
COMBINATIONS = [
    "single", "pair", "triple", "straight", "flush", "full-house", "straight-flush", "riot", "five-of-a-kind",
]  # fmt: skip


def question(required: tuple[str, ...], **fields: Schema) -> Schema:
    """Describe what may be asked."""
    return closed({"game": GAME, "options": OPTIONS, **fields}, required, extra=True)


PLAY_SHOWN = closed(
    {"cards": array(CARD, "One card."), "ruling_card": NULL_CARD, "suit": NULL_SUIT}, ("cards",), extra=True
)

ANSWERS: dict[str, Schema] = {
    "TrickQuestion": question(
        ("game", "plays"),
        players=nullable(number("How many play; the fewest that fit, where it is left out.")),
        trump=NULL_SUIT,
        plays=array(PLAY_SHOWN, "In the order in which the cards fell."),
    ),
    "TrickAnswer": answer(
        {
            "winner": nullable(INTEGER | {"description": "A position in `plays`."}),
            "trump": nullable(text("Trump after the trick.")),
            "reason": REASON,
        }
    ),
    "LegalQuestion": question(
        ("game", "hand"), hand=array(CARD), led_card=NULL_CARD, ruling_card=NULL_CARD, led_suit=NULL_SUIT
    ),
    "LegalAnswer": answer(
        {
            "legal": array(text(), "In the order given."),
            "illegal": array(answer({"card": text(), "reason": REASON})),
            "reason": REASON,
        }
    ),
    "SuitQuestion": question(("card", "ruling_card"), card=CARD, ruling_card=CARD),
    "SuitAnswer": answer({"suit": text(), "reason": REASON}),
    "RansomQuestion": question(("cards",), cards=array(CARD, "One card for each seat.")),
    "RansomAnswer": answer({"winner": nullable(INTEGER), "suits": array(text()), "reason": REASON}),
    "BeatsQuestion": question(
        ("decks", "suit_order", "on", "play"),
        decks=number("1 or 2."),
        suit_order=array(SUIT, "Highest first."),
        on=nullable(array(CARD, "The last play; null for a lead.")),
        play=array(CARD),
        under_five_of_a_kind=FLAG | {"description": "A five of a kind lies in this trick."},
    ),
    "BeatsAnswer": answer(
        {
            "beats": FLAG,
            "combination": nullable(answer({"kind": {"type": "string", "enum": COMBINATIONS}})),
            "reason": REASON,
        }
    ),
    "ResponseQuestion": question(("laid", "response"), laid=CARD, response=array(CARD, "One card or two.")),
    "ResponseAnswer": answer(
        {
            "winner": {"type": ["string", "null"], "enum": ["leader", "responder", None]},
            "points": INTEGER,
            "lines": array(answer({"item": text(example="pin"), "points": INTEGER})),
            "reason": REASON,
        }
    ),
    "ScoreQuestion": question(
        ("game",),
        bid=nullable(number()),
        tricks=number(),
        players=nullable(number()),
        cards_left=array(number(), "Per seat, exactly one 0."),
        dealt=array(number(), "Per seat."),
    ),
    "ScoreAnswer": answer(
        {
            "points": {"anyOf": [INTEGER, array(INTEGER, "Per seat.")]},
            "lines": array(ref("ScoreLine")),
            "reason": REASON,
        }
    ),
    "DealQuestion": question(
        ("game", "players"),
        players=number(),
        last_trick=nullable(
            array(CARD, "The cards of the last trick in the order played; null or absent: the first hand.")
        ),
        trump=NULL_SUIT,
        hand_size=nullable(number()),
    ),
    "DealAnswer": answer(
        {
            "cards_each": array(INTEGER, "Per seat, from the dealer’s left."),
            "aside": INTEGER,
            "tricks": nullable(INTEGER),
            "reason": REASON,
        }
    ),
}
