"""The single questions of trick-taking games, as a plain game declares them; others ``replace`` what differs."""

from collections.abc import Sequence
from typing import Any

from referee.engine.questions import Blank, FilledIn, Question, Seen, deal_question, plainly
from referee.engine.shapes import (
    CARD,
    INTEGER,
    NULL_CARD,
    NULL_SUIT,
    REASON,
    Schema,
    answer,
    array,
    closed,
    nullable,
    number,
    ref,
    text,
)
from referee.tricks.deals import deal, most_tricks, score
from referee.tricks.plays import legal, trick
from referee.tricks.rules import TrickRules

PLAYS = "cards"
"""The blank for the cards of a trick."""

# -- what forms ask for -------------------------------------------------------------------


def suit_codes(rules: TrickRules) -> tuple[str, ...]:
    """Return the codes of the suits, in the order of the pack."""
    return tuple(suit.code for suit in rules.pack.suits)


def most_players(rules: TrickRules) -> int:
    """Return the most players the game takes."""
    return rules.game.players[-1]


def fallen(rules: TrickRules) -> Blank:
    """Return the blank for the cards of a trick."""
    return Blank(PLAYS, "cards", "Cards in the order in which they fell", most=most_players(rules))


def trump_before(rules: TrickRules) -> tuple[Blank, ...]:
    """Return the blank for trump before the trick, where the rules leave it open."""
    if len(rules.trump_suits()) <= 1:
        return ()
    return (Blank("trump", "suit", "Trump before the trick", choices=rules.trump_suits(), optional=True),)


def trick_blanks(rules: TrickRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told of a trick."""
    return (fallen(rules), *trump_before(rules))


def plays(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, Any]:
    """Return a trick as it is asked about: its plays, and what stands under its own name."""
    payload = [{"cards": [card]} for card in filled.get(PLAYS, ())]
    return {"plays": payload, **plainly([blank for blank in blanks if blank.name != PLAYS], filled)}


def last_trick(hand: Seen) -> Seen | None:
    """Return the last trick of a hand whose cards are known."""
    tricks = hand.get("tricks", ())
    return tricks[-1] if tricks and all("cards" in play for play in tricks[-1]["plays"]) else None


def running(hand: Seen) -> Seen | None:
    """Return the trick that lies on the table and is not over."""
    trick = last_trick(hand)
    return trick if trick and trick["winner"] is None else None


def trick_seen(hand: Seen) -> FilledIn:
    """Return the cards of the last trick, and what was trump before it."""
    trick = last_trick(hand)
    if trick is None:
        return {}
    earlier = hand["tricks"][:-1]
    trump = earlier[-1]["trump"] if earlier else hand.get("trump")
    return {PLAYS: [card for play in trick["plays"] for card in play["cards"]], "trump": [trump] if trump else []}


def legal_seen(hand: Seen) -> FilledIn:
    """Return the card led to the trick that is being played."""
    trick = running(hand)
    return {"led_card": trick["plays"][0]["cards"]} if trick else {}


def legal_blanks(rules: TrickRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told to know what may be played."""
    led = Blank("led_card", "card", "Card led", "Leave it empty if you lead.", optional=True)
    return (led, Blank("hand", "cards", "Cards in hand"))


def score_blanks(rules: TrickRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told to score a player’s hand."""
    most = max(most_tricks(rules), max(tricks_in(filled), default=0))
    tricks = Blank("tricks", "number", "Tricks taken", most=most)
    return (Blank("bid", "number", "Tricks bid", most=most), tricks) if rules.bidding else (tricks,)


def tricks_in(filled: FilledIn) -> list[int]:
    """Return the numbers of tricks told so far, as far as a hand can have them."""
    texts = [*filled.get("bid", ()), *filled.get("tricks", ())]
    return [int(text) for text in texts if text.isascii() and text.isdecimal() and len(text) <= len("99")]


# -- the questions --------------------------------------------------------------------------


def shown(**more: Schema) -> Schema:
    """Describe the plays of a trick, each with what a game has to be told beside its card."""
    play = closed({"cards": array(CARD, "One card."), **more}, ("cards",), extra=True)
    return array(play, "In the order in which the cards fell.")


TRICK = Question(
    "trick",
    "Who wins this trick?",
    trick,
    hint="Tap the cards as they fell.",
    blanks=trick_blanks,
    compose=plays,
    seen=trick_seen,
    help=(
        "`plays` in the order in which the cards fell; `trump` is what was trump before the trick. `winner` is a"
        " position in `plays`.",
    ),
    request={
        "players": nullable(number("How many play; the fewest that fit, where it is left out.")),
        "trump": NULL_SUIT,
        "plays": shown(),
    },
    needed=("plays",),
    response={
        "winner": nullable(INTEGER | {"description": "A position in `plays`."}),
        "trump": nullable(text("Trump after the trick.")),
        "reason": REASON,
    },
)
LEGAL = Question(
    "legal",
    "May I play this?",
    legal,
    hint="Which cards of a hand may be played, and why the others may not.",
    blanks=legal_blanks,
    seen=legal_seen,
    help=("Which cards of a hand may be played on `led_card` (null: the hand leads), and why the others may not.",),
    request={"hand": array(CARD), "led_card": NULL_CARD},
    needed=("hand",),
    response={
        "legal": array(text(), "In the order given."),
        "illegal": array(answer({"card": text(), "reason": REASON})),
        "reason": REASON,
    },
)
SCORE = Question(
    "score",
    "What does this hand score?",
    score,
    hint="The points of one player.",
    blanks=score_blanks,
    help=("With `bid` and `tricks` the points of one player.",),
    request={"bid": nullable(number()), "tricks": number(), "players": nullable(number())},
    response={"points": INTEGER, "lines": array(ref("ScoreLine")), "reason": REASON},
)
DEAL = deal_question(deal)

PLAIN = (TRICK, LEGAL, SCORE, DEAL)
"""The questions of a game in which everybody reads the cards alike and every hand is dealt in the same way."""
