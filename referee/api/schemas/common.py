"""What everything else refers to: reasons, cards, seats, problems."""

from collections.abc import Iterable

from referee.api.problem_codes import IRREGULAR, TITLES
from referee.engine.catalogue import all_games, phases
from referee.engine.claims import JOINT_REVOKE
from referee.engine.game import Game
from referee.engine.rulings import Certainty, Verdict
from referee.engine.sentences import codes
from referee.engine.shapes import Schema, array, number, one_of, ref, text
from referee.engine.strict_json import LARGEST_EXACT
from referee.guides.reading import WORDS as YES_NO
from referee.guides.reading import guides_of

PLAIN = ref("PlainValue")


def ruling_codes(game: Game) -> Iterable[str]:
    """Return the codes of the rulings that the guides of a game lead to."""
    for guide in guides_of(game).guides.values():
        yield from guide.leaves


def remedy_codes(game: Game) -> Iterable[str]:
    """Return the codes of what a table of a game can do about an irregularity."""
    return [*game.hand_class.REMEDIES, *guides_of(game).remedies]


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
        "additionalProperties": PLAIN,
    },
    "GameId": one_of((game.id for game in all_games()), "The game, one of those listed at `games/`."),
    "Phase": one_of(map(str, phases()), "What a hand waits for; games have phases of their own."),
    "Certainty": one_of(
        (certainty.value for certainty in Certainty),
        "How it is known: by itself, by a later card, or that it was one of several acts.",
    ),
    "Verdict": one_of((verdict.value for verdict in Verdict), "The referee’s answer to an event."),
    "RefusingVerdict": one_of(
        (verdict.value for verdict in Verdict if verdict is not Verdict.ACCEPTED),
        "Why an event is not taken: it cannot have happened, or the rules do not allow it.",
    ),
    "IrregularityCode": one_of((*IRREGULAR, JOINT_REVOKE), "The rule that an act breaks. Stable; never translated."),
    "RemedyCode": one_of(
        sorted({code for game in all_games() for code in remedy_codes(game)}),
        "What the table can do. Stable; never translated; there may be more of them later.",
    ),
    "ProblemCode": one_of(TITLES, "What is wrong; each has its line at `problems/`. Stable; never translated."),
    "ReasonCode": one_of(
        sorted(codes().union(YES_NO, [JOINT_REVOKE], *map(ruling_codes, all_games()))),
        "What was decided, and why. Stable; never translated; there may be more of them later.",
    ),
    "PlainValue": {"type": ["boolean", "integer", "string", "null"], "description": "A value without parts."},
    "AnyValue": {
        # No type, and its parts only under a condition: clients made of this take it for anything.
        "description": "Any JSON; numbers go up to 2^53.",
        "minimum": -LARGEST_EXACT,
        "maximum": LARGEST_EXACT,
        "if": {"type": ["array", "object"]},
        "then": {"items": ref("AnyValue"), "additionalProperties": ref("AnyValue")},
    },
    "Fact": {
        "description": "A part of a sentence: a seat, a number, a card by its code, words, or several of these.",
        # What a list holds is not said: a client that is made of a union in it takes none of its items.
        "anyOf": [PLAIN, array({"description": "The same again."})],
    },
}
