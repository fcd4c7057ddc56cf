"""The single questions of American Deuce, as it declares them."""

from collections.abc import Sequence

from referee.engine.questions import Blank, Example, FilledIn, Question, Seen, deal_question, plainly
from referee.engine.shapes import (
    CARD,
    FLAG,
    INTEGER,
    REASON,
    SUIT,
    answer,
    array,
    nullable,
    number,
    one_of,
    ref,
    text,
)
from referee.games.american_deuce.answers import ONE_DECK, TWO_DECKS, beats, deal, score
from referee.games.american_deuce.combinations import Kind
from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.seats import cards_each
from referee.packs import french

PLAYERS_OF_ONE_DECK = 4


def beats_blanks(rules: ClimbingRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told of two plays; the cards follow from the number of decks."""
    two = list(filled.get("decks", ()))[-1:] == [str(TWO_DECKS)]
    pack = french(decks=TWO_DECKS if two else ONE_DECK)
    suits = tuple(suit.code for suit in pack.suits)
    return (
        Blank("on", "cards", "The last play", "Leave it empty if you lead.", optional=True, pack=pack),
        Blank("play", "cards", "The play on it", pack=pack),
        Blank("decks", "number", "Decks", least=ONE_DECK, most=TWO_DECKS, standard=(str(ONE_DECK),)),
        Blank("suit_order", "suits", "Suits from high to low", choices=suits, standard=suits, pack=pack),
        Blank("under_five_of_a_kind", "flag", "A five of a kind lies in this trick"),
    )


def score_blanks(rules: ClimbingRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told to score a round, for as many players as are named."""
    numbers = rules.game.players
    named = [int(text) for text in filled.get("players", ())[-1:] if text in map(str, numbers)]
    players = named[0] if named else numbers[0]
    each = cards_each(players, rules.options)
    return (
        Blank("players", "number", "Players", least=numbers[0], most=numbers[-1], standard=(str(players),)),
        Blank("cards_left", "numbers", "Cards left, by player", most=max(each), count=players),
        Blank("dealt", "numbers", "Cards dealt", most=max(each), count=players, standard=tuple(map(str, each))),
    )


def without_players(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, object]:
    """Return what is asked; how many players there are follows from their numbers."""
    return plainly([blank for blank in blanks if blank.name != "players"], filled)


def beats_seen(hand: Seen) -> FilledIn:
    """Return the play that has to be beaten, the order of the suits, and how many decks are in play."""
    tricks = hand.get("tricks") or [{"plays": (), "winner": None}]
    plays = [play["cards"] for play in tricks[-1]["plays"] if "cards" in play]
    decks = TWO_DECKS if len(hand["seating"]) > PLAYERS_OF_ONE_DECK else ONE_DECK
    on = plays[-1] if plays and tricks[-1]["winner"] is None else []
    return {"on": on, "suit_order": hand.get("suit_order") or [], "decks": [str(decks)]}


QUESTIONS = (
    Question(
        "beats",
        "Does this beat that?",
        beats,
        hint="One play against the last one.",
        blanks=beats_blanks,
        seen=beats_seen,
        help=("`on` is the last play (null: a lead); `suit_order` the suits from the highest down.",),
        request={
            "decks": number("1 or 2."),
            "suit_order": array(SUIT, "Highest first."),
            "on": nullable(array(CARD, "The last play; null for a lead.")),
            "play": array(CARD),
            "under_five_of_a_kind": FLAG | {"description": "A five of a kind lies in this trick."},
        },
        needed=("decks", "suit_order", "on", "play"),
        response={
            "beats": FLAG,
            "combination": nullable(
                answer({"kind": one_of(kind.value for kind in Kind), "name": text("What players call it, in words.")})
            ),
            "reason": REASON,
        },
        examples=(
            Example(
                "A riot on a deuce",
                {"decks": 1, "suit_order": ["S", "H", "C", "D"], "on": ["2S"], "play": ["4S", "4H", "4D", "4C"]},
                {"beats": True, "combination": {"kind": "riot"}},
            ),
        ),
        sole=True,
    ),
    Question(
        "score",
        "What does this round score?",
        score,
        hint="The points of every player.",
        blanks=score_blanks,
        compose=without_players,
        help=("With `cards_left` and `dealt` the points of every seat.",),
        request={
            "cards_left": array(number(), "Per seat, exactly one 0."),
            "dealt": array(number(), "Per seat."),
        },
        needed=("cards_left", "dealt"),
        response={"points": array(INTEGER, "Per seat."), "lines": array(ref("ScoreLine")), "reason": REASON},
        examples=(
            Example(
                "American Deuce: what is left in hand",
                {"game": "american-deuce", "cards_left": [0, 3, 11, 8], "dealt": [13, 13, 13, 13]},
                {"points": [33, -3, -22, -8]},
            ),
        ),
    ),
    deal_question(deal),
)
