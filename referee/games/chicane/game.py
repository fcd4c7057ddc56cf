"""Chicane, by P. D. Magnus, for three or four players with the Decktet.

All cards are dealt. The player at the dealer's left calls either how everyone reads the number cards, by their top or
bottom suit, or a trump suit; the next player calls the other. Bidding starts with the player after that, who also
leads. Trump may not be led until one has been played. Follow suit as the cards are read; the highest trump wins, else
the highest card of the suit led. An exact bid scores four times the bid, one off twice, two off once.

Source: "Chicane", P. D. Magnus, Decktet wiki; scoring as in the post on Wildcat Chicane. Deviations: none; where the
page is silent, the defaults CH-4, CH-9 and CH-10 apply.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen
from referee.engine.rules import BY_SCORE, EndRule, Option, Options, Preset, switch
from referee.engine.rulings import Reason
from referee.engine.shapes import CARD, FLAG, NULL_SUIT, REASON, Schema, nullable, text
from referee.engine.state import BIDDING
from referee.engine.texts import noun
from referee.games.chicane.hand import (
    BOTTOM,
    CALLING,
    READINGS,
    READS,
    TOP,
    Call,
    ChicaneHand,
)
from referee.games.decktet_tricks.exact import ExactBidsRules
from referee.packs import Pack, decktet
from referee.packs.decktet import SUIT_NAMES
from referee.tricks import questions
from referee.tricks.hand import TrickGame, TrickHand
from referee.tricks.questions import DEAL, LEGAL, SCORE, TRICK
from referee.tricks.state import ASKER

# --- Questions of Chicane: those of a plain game, plus the reading

READING: Schema = {"type": ["string", "null"], "enum": [*READINGS, None], "description": "How the cards are read."}


def read_by(question: QuestionReader, hand: TrickHand) -> ChicaneHand:
    """Set the hand's reading from the question (CH-3)."""
    assert isinstance(hand, ChicaneHand)
    reading = question.text("reading")
    if reading is None:
        question.lacking("reading", "Say how the cards are read: top or bottom.")
    elif reading not in READINGS:
        question.reader.value("/reading", "Cards are read by their top or their bottom suit.", "bad-value")
    question.check()
    hand.reading = reading
    return hand


def trick(payload: Mapping[str, object]) -> dict[str, object]:
    """Who wins or is winning a trick, by the called reading and trump (CH-7)."""
    question, rules, plays, cards = questions.read_trick(payload)
    hand = read_by(question, ChicaneHand.set_up(cast(ExactBidsRules, rules)))
    questions.reported_trump(question, hand)
    question.check()
    return questions.finish_trick(question, hand, plays, cards)


def legal(payload: Mapping[str, object]) -> dict[str, object]:
    """Which cards of a hand may be played or led (CH-5, CH-6)."""
    return questions.legal_as_told(payload, tell)


def tell(question: QuestionReader, hand: TrickHand) -> None:
    question.text("trump")
    asked = read_by(question, hand)
    asked.broke = question.flag("broken")
    questions.reported_trump(question, asked)
    question.check()


def suit(payload: Mapping[str, object]) -> dict[str, object]:
    """Which suit a card is by a reading (CH-3)."""
    question = QuestionReader(payload, "suit")
    named = question.text("card", needed=True)
    question.text("reading")
    question.check()
    rules = cast(ExactBidsRules, next(question.possible_rules()))
    card = question.card(rules.pack, named or "", "/card")
    hand = read_by(question, ChicaneHand.set_up(rules))
    read, shown = str(hand.suit_of(ASKER, card)), rules.pack.cards[card]
    facts = {"card": shown, "suit": noun(SUIT_NAMES[read])}
    key = f"read-{hand.reading}-suit" if len(shown.suits) > 1 else ""
    return {"suit": read, "reason": Reason("read", ("CH-3",), facts, key)}


def reading_blank(rules: ExactBidsRules, filled: FilledIn) -> tuple[Blank, ...]:
    return (Blank("reading", "choice", "Reading", choices=READINGS, words=tuple(READS.values())),)


def trick_blanks(rules: ExactBidsRules, filled: FilledIn) -> tuple[Blank, ...]:
    return (*questions.trick_blanks(rules, filled), *reading_blank(rules, filled))


def legal_blanks(rules: ExactBidsRules, filled: FilledIn) -> tuple[Blank, ...]:
    led, hand = questions.legal_blanks(rules, filled)
    return (
        *reading_blank(rules, filled), *questions.trump_before(rules), led, hand,
        Blank("broken", "flag", "A trump has already been played"),
    )  # fmt: skip


def called(hand: Seen) -> FilledIn:
    """Prefill: the reading called in the hand."""
    return {"reading": [hand["reading"]] if hand.get("reading") else []}


def legal_seen(hand: Seen) -> FilledIn:
    trump = hand.get("trump")
    return {**questions.legal_seen(hand), **called(hand), "trump": [trump] if trump else []}


BY_BOTTOM = Example(
    "Read by the bottom suit, a trump wins",
    {
        "game": "chicane", "reading": BOTTOM, "trump": "W",
        "plays": [{"cards": ["8YK"]}, {"cards": ["9LK"]}, {"cards": ["3MW"]}],
    },
    {"winner": 2, "trump": "W"},
)  # fmt: skip
SUNS_LED = Example(
    "The top suit of the card led is Suns",
    {"game": "chicane", "reading": TOP, "hand": ["3SK", "9MS", "XS", "2SY", "AK"], "led_card": "5SW"},
    {"legal": ["3SK", "XS", "2SY"]},
)
READ_BY_BOTTOM = Example(
    "Read by the bottom suit", {"game": "chicane", "card": "8YK", "reading": BOTTOM}, {"suit": "K"}
)
QUESTIONS = (
    replace(
        TRICK, answer=trick, blanks=trick_blanks, seen=lambda hand: {**questions.trick_seen(hand), **called(hand)},
        help=(*TRICK.help, "Chicane needs the `reading`."), request={**TRICK.request, "reading": READING},
        examples=(BY_BOTTOM,),
    ),
    replace(
        LEGAL, answer=legal, blanks=legal_blanks, seen=legal_seen,
        help=(*LEGAL.help, "Chicane needs the `reading`; there, `broken` says whether trump was played before."),
        request={**LEGAL.request, "reading": READING, "trump": NULL_SUIT, "broken": nullable(FLAG)},
        examples=(SUNS_LED,),
    ),
    Question(
        "suit", "Which suit is this card?", suit, hint="How everyone reads a card.",
        blanks=lambda rules, filled: (*reading_blank(rules, filled), Blank("card", "card", "Card")),
        help=("In Chicane, by the `reading` called.",),
        request={"card": CARD, "reading": READING}, needed=("card",), response={"suit": text(), "reason": REASON},
        examples=(READ_BY_BOTTOM,),
    ),
    replace(SCORE, examples=(Example("Chicane: one off", {"game": "chicane", "bid": 4, "tricks": 5}, {"points": 8}),)),
    DEAL,
)  # fmt: skip


class Chicane(TrickGame):
    id = "chicane"
    place = 4
    name = "Chicane"
    tagline = "Call a reading and a trump for everyone, then bid your tricks exactly."
    gist = "one reading for all"
    emblem = ("XW", "8YK")
    source = "P. D. Magnus, Chicane"
    with_cards = "with the basic deck"
    lesson = ("CH-1", "CH-2", "CH-3", "CH-4", "CH-5", "CH-6", "CH-7", "CH-8", "CH-9")
    players = (3, 4)
    end = EndRule(BY_SCORE.name, 40)
    rules_class = ExactBidsRules
    hand_class = ChicaneHand
    beside_tricks = frozenset({"hook", "zero_bid", "miss_penalty"})
    events = (Call,)
    phases = (CALLING, BIDDING)
    QUESTIONS = QUESTIONS
    options = (
        Option(
            "first_bid", "First bid", "Who bids first, and leads to the first trick.", ("CH-4",),
            ("after-calls", "left"), ("the player after the second caller", "the player on the dealer’s left"),
            says=("", "the player on the dealer’s left bidding first"),
        ),
        Option(
            "trump_lead", "Leading trump", "When trump may be led.", ("CH-5",), ("broken", "never", "free"),
            ("once a trump has been played", "only with nothing else in hand", "at any time"),
            says=("", "trump led only with nothing else in hand", "trump led at any time"),
        ),
        switch(
            "hook", "Hook", "The last bidder may not make the bids add up to the number of tricks.", "CH-4",
            says="with the hook",
        ),
        Option(
            "zero_bid", "A bid of 0", "Points for making a bid of 0.", ("CH-9",), span=(0, 20), default=0,
            says=("{value} points for an exact bid of 0", "one point for an exact bid of 0"),
        ),
        Option(
            "miss_penalty", "Three or more off", "Points lost for missing a bid by three or more.", ("CH-9",),
            span=(0, 20), default=0, says=("losing {value} for missing by three or more",),
        ),
    )  # fmt: skip

    presets = (Preset("With the hook", {"hook": True}), Preset("Daring", {"zero_bid": 5, "miss_penalty": 5}))

    def words(self) -> Iterable[tuple[str, str]]:
        return (("", word) for word in (*READS.values(), *READINGS, "trump"))

    def pack(self, options: Options, players: int) -> Pack:
        return decktet()


GAME = Chicane()
