"""The single questions that the API takes; what they mean is each game's own business."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its name in paths, the game it is about when none is named, and its help."""

    name: str
    summary: str
    description: str
    game: str | None = None


QUESTIONS = (
    Question(
        "trick",
        "Who wins this trick?",
        "`plays` in the order in which the cards fell; `trump` is what was trump before the trick. `winner` is a"
        " position in `plays`. Wildcat Chicane needs each player’s `ruling_card`; under the house rule Called Suit the"
        " lead names its `suit`.",
    ),
    Question(
        "legal",
        "What may be played?",
        "Which cards of a hand may be played on `led_card` (null: the hand leads), and why the others may not."
        " Wildcat Chicane needs `ruling_card`, and `led_suit` instead of `led_card`.",
    ),
    Question(
        "suit",
        "Which suit is this card?",
        "The suit of a card as its owner reads it, by the ruling card.",
        game="wildcat-chicane",
    ),
    Question(
        "ransom",
        "Who wins the ransom?",
        "The ransom cards seat by seat; the answer is the seat that names trump, and the suits to choose from.",
        game="ransom-trump",
    ),
    Question(
        "beats",
        "Does this play beat that one?",
        "`on` is the last play (null: a lead); `suit_order` the suits from the highest down.",
        game="american-deuce",
    ),
    Question(
        "response",
        "What is this response worth?",
        "Who wins the trick, and for which items, when `response` is played on the card that was `laid`.",
        game="ace-pit",
    ),
    Question(
        "score",
        "How many points is that?",
        "With `bid` and `tricks` the points of one player; with `cards_left` and `dealt` those of every seat.",
    ),
    Question(
        "deal",
        "How many cards does everybody get?",
        "From the dealer’s left. Under Tides of Fortune `last_trick` sets the size of the hand.",
    ),
)
