"""Single questions of Ace Trump, where the last trick of a hand may set the size of the next."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, deal_blanks
from referee.engine.rulings import Reason
from referee.engine.shapes import CARD, NULL_SUIT, array, nullable, number
from referee.games.ace_trump.hand import HIGHEST_TIDE, AceTrumpHand, AceTrumpRules
from referee.games.decktet_tricks.questions import SUITED_LEGAL, SUITED_TRICK
from referee.packs.decktet import COURT, EXCUSE, PAWN
from referee.tricks.deals import describe_deal, first_deal
from referee.tricks.plays import reported_trump
from referee.tricks.questions import DEAL, SCORE, trump_before

UNRANKED = (PAWN, COURT, EXCUSE)
"""Ranks whose tide is a default, not the page's own."""


def deal(payload: Mapping[str, object]) -> dict[str, object]:
    """Say how a hand is dealt: the first one, or one whose size the last trick has set (AT-V5)."""
    question = QuestionReader(payload, "deal")
    players, size = question.integer("players"), question.integer("hand_size", needed=False)
    question.text("trump")
    last = question.texts("last_trick") if question.has("last_trick") else None
    question.check()
    rules = cast(AceTrumpRules, question.rules(players or 0))
    if last is None:
        return first_deal(rules)
    if not rules.options["tides"]:
        question.reader.value("/last_trick", "The last trick sets the deal only under Tides of Fortune.")
        question.check()
    hand = last_trick(question, rules, last, size)
    return describe_deal(rules, hand.tide_after(hand.taken[-1]) or 0, tide_reason(hand))


def last_trick(
    question: QuestionReader, rules: AceTrumpRules, texts: tuple[str, ...], size: int | None
) -> AceTrumpHand:
    """Return a hand in which this trick was the last; ``size`` is how many cards it was dealt."""
    if len(texts) != rules.players:
        question.reader.value("/last_trick", "A trick has one card of each player.", "wrong-count")
    cards = question.cards(rules.pack, texts, "/last_trick")
    question.check()
    if size is not None:
        question.between("hand_size", size, 1, HIGHEST_TIDE)
    hand = AceTrumpHand.set_up(rules, cards=size or 1)
    same = rules.options["tides_excuse"] == "same" and rules.options["tides_last"] == "played"
    if same and size is None and 1 << cards[-1] == rules.excuse:
        question.lacking("hand_size", "After an Excuse, the same size again: the size is needed.")
    reported_trump(question, hand)
    if rules.options["tides_last"] == "winning" and hand.needs_trump():
        question.lacking("trump", "The trump of the hand is needed.")
    question.check()
    for seat, card in enumerate(cards):
        hand.put_down(seat, card, None)
    hand.complete()
    return hand


def tide_reason(hand: AceTrumpHand) -> Reason:
    """Say which card of the last trick set the size (AT-V5, AT-Q18, AT-Q19)."""
    trick, cards = hand.taken[-1], hand.rules.pack.cards
    card = cards[hand.tide_card(trick)]
    winning = hand.rules.options["tides_last"] == "winning"
    last = card if winning else cards[trick.plays[-1][1]]
    unranked = ("AT-Q18",) if last.rank in UNRANKED else ()
    return Reason("dealt", ("AT-V5", *(("AT-Q19",) if winning else ()), *unranked), {"card": card}, "dealt-tide")


def dealt_blanks(rules: AceTrumpRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told to know how many cards are dealt."""
    blanks = [*deal_blanks(rules, filled)]
    if rules.options["tides"]:
        most = rules.game.players[-1]
        hint = "Leave it empty for the first hand."
        blanks.append(Blank("last_trick", "cards", "Last trick of the hand before", hint, most=most, optional=True))
        if rules.options["tides_last"] == "winning":
            blanks.extend(trump_before(rules))
        if rules.options["tides_excuse"] == "same":
            blanks.append(Blank("hand_size", "number", "Cards in that hand", least=1, most=HIGHEST_TIDE, optional=True))
    return tuple(blanks)


LATE_ACE = Example(
    "An Ace falls late",
    {"game": "ace-trump", "trump": None, "plays": [{"cards": ["XM"]}, {"cards": ["9WY"]}, {"cards": ["AY"]}]},
    {"winner": 1, "trump": "Y"},
)
DIPLOMAT_LED = Example(
    "The Diplomat is led",
    {"game": "ace-trump", "hand": ["3MW", "9WY", "AK"], "led_card": "8MS"},
    {"legal": ["3MW"]},
)
FOR_FIVE = Example(
    "Ace Trump for five",
    {"game": "ace-trump", "players": 5},
    {"cards_each": [7, 7, 7, 7, 7], "aside": 1},
)
BID_MADE = Example(
    "Ace Trump: a bid made with a trick over",
    {"game": "ace-trump", "options": {"bidding": True}, "bid": 3, "tricks": 4},
    {"points": 16},
)
TIDES = "Under Tides of Fortune `last_trick` sets the size of the hand."
LAST_TRICK = "The cards of the last trick in the order played; null or absent: the first hand."

QUESTIONS = (
    replace(SUITED_TRICK, examples=(LATE_ACE,)),
    replace(SUITED_LEGAL, examples=(DIPLOMAT_LED,)),
    replace(SCORE, examples=(BID_MADE,)),
    replace(
        DEAL,
        answer=deal,
        blanks=dealt_blanks,
        help=(*DEAL.help, TIDES),
        request={
            **DEAL.request,
            "last_trick": nullable(array(CARD, LAST_TRICK)),
            "trump": NULL_SUIT,
            "hand_size": nullable(number()),
        },
        examples=(FOR_FIVE,),
    ),
)
