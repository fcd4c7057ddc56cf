"""Single questions of Wildcat Chicane, where each player reads the cards by a ruling card."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from referee.engine.options import Problem
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen
from referee.engine.rulings import Reason
from referee.engine.sentences import sentences
from referee.engine.shapes import CARD, NULL_CARD, NULL_SUIT, REASON, text
from referee.engine.translation import phrase
from referee.games.wildcat_chicane.hand import ChicaneHand, ChicaneRules
from referee.packs.decktet import ACE, SUITS
from referee.tricks import questions
from referee.tricks.plays import finish_trick, judge_each, put_down_all, read_trick, reported_trump
from referee.tricks.questions import DEAL, LEGAL, PLAYS, SCORE, TRICK, fallen, last_trick, running, shown, suit_codes
from referee.tricks.state import ASKER

SUIT_NAMES = {suit.code: suit.name for suit in SUITS}


def read_ruling(question: QuestionReader, rules: ChicaneRules, text: str, pointer: str) -> int:
    """Return the ruling card that a text names; only an Ace or a Crown can be one (WC-3)."""
    card = question.card(rules.pack, text, pointer)
    if card >= 0 and not rules.high >> card & 1:
        detail = phrase(sentences()["no-ruling-card"], card=rules.pack.cards[card])
        question.reader.value(pointer, detail, "not-in-deck")
    return card


def suit(payload: Mapping[str, object]) -> dict[str, object]:
    """Say which suit a card has for the owner of a ruling card (WC-4)."""
    question = QuestionReader(payload, "suit")
    text, ruling_text = question.text("card", needed=True), question.text("ruling_card", needed=True)
    question.check()
    rules = cast(ChicaneRules, next(question.possible_rules()))
    card = question.card(rules.pack, text or "", "/card")
    ruling = read_ruling(question, rules, ruling_text or "", "/ruling_card")
    question.check()
    hand = ChicaneHand.set_up(rules)
    hand.read_by(ruling)
    read = next(code for code, cards in hand.own(ASKER).items() if cards >> card & 1)
    shown = rules.pack.cards[card]
    facts = {"card": shown, "suit": phrase(SUIT_NAMES[read]), "ruling": rules.pack.cards[ruling]}
    end = "bottom" if rules.pack.cards[ruling].rank == ACE else "top"
    key = f"read-{end}" if len(shown.suits) > 1 else ""
    return {"suit": read, "reason": Reason("read", ("WC-4",), facts, key)}


def trick(payload: Mapping[str, object]) -> dict[str, object]:
    """Say who wins a trick, or is winning it so far; each play comes with its ruling card."""
    question, rules, plays, cards = read_trick(payload)
    hand = ChicaneHand.set_up(cast(ChicaneRules, rules))
    rulings: list[int] = []
    for position, play in enumerate(plays):
        pointer = f"/plays/{position}"
        text = play.more.get("ruling_card")
        if text is None:
            question.lacking("ruling_card", "Every play needs its player’s ruling card.", pointer)
            continue
        ruling = read_ruling(question, hand.rules, text, f"{pointer}/ruling_card")
        if ruling >= 0 and (ruling in cards or ruling in rulings):
            question.twice(rules.pack, ruling, f"{pointer}/ruling_card")
        rulings.append(ruling)
    reported_trump(question, hand)
    question.check()
    hand.read_by(*rulings)
    put_down_all(question, hand, plays, cards)
    question.check()
    return finish_trick(question, hand)


def legal(payload: Mapping[str, object]) -> dict[str, object]:
    """Say which cards of a hand may be played to the suit led, or may be led (WC-10, WC-11)."""
    question = QuestionReader(payload, "legal")
    texts = question.texts("hand")
    ruling_text, led = question.text("ruling_card"), question.text("led_suit")
    led_card = question.text("led_card")
    if ruling_text is None:
        question.lacking("ruling_card", "The player’s ruling card is needed.")
    question.check()
    rules = cast(ChicaneRules, next(question.possible_rules()))
    cards = question.cards(rules.pack, texts, "/hand")
    ruling = read_ruling(question, rules, ruling_text or "", "/ruling_card")
    if ruling in cards and ruling >= 0:
        question.twice(rules.pack, ruling, "/ruling_card")
    led_suit = None if led is None else rules.pack.suit(led)
    if led is not None and led_suit is None:
        question.reader.value("/led_suit", phrase("“{suit}” is no suit.", suit=led[:40]), "bad-suit")
    if led_card is not None:
        question.reader.value("/led_card", "Give led_suit: the suit depends on who led the card.")
    question.check()
    dealt = rules.pack.mask((*cards, ruling))
    check_dealt(question, rules, cards, dealt)
    hand = ChicaneHand.set_up(rules, cards=len(cards), known=dealt)
    hand.read_by(ruling)
    hand.gone |= 1 << ruling
    if led_suit is not None:
        hand.suit_led(rules.players - 1, led_suit, ruling)
    return judge_each(hand, cards)


def check_dealt(question: QuestionReader, rules: ChicaneRules, cards: tuple[int, ...], dealt: int) -> None:
    """Refuse a hand that the two deals cannot give (WC-2)."""
    high = (dealt & rules.high).bit_count()
    numbers = dealt.bit_count() - high
    most_high = rules.high.bit_count() // rules.players
    most_numbers = len(rules.pack) // rules.players - most_high
    if not cards:
        question.reader.value("/hand", "A hand has at least one card.", "wrong-count")
    if high > most_high or numbers > most_numbers:
        detail = phrase(
            "Nobody is dealt more than {high} Aces and Crowns and {numbers} number cards.",
            high=most_high,
            numbers=most_numbers,
        )
        question.reader.wrong.append(Problem("/hand", "too-many-cards", detail))
    question.check()


# -- forms and shapes -----------------------------------------------------------------------

RULING = "ruling_card"


def trick_blanks(rules: ChicaneRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told of a trick in which each player reads the cards by a ruling card (WC-3)."""
    most = max(1, len(filled.get(PLAYS, ())))
    return (
        fallen(rules),
        Blank(RULING, "cards", "Ruling cards of the players, in the same order", choices=high(rules), most=most),
    )


def high(rules: ChicaneRules) -> tuple[str, ...]:
    """Return the cards that can be ruling cards."""
    return tuple(card.code for card in rules.pack.cards if rules.high >> card.index & 1)


def plays(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, object]:
    """Return a trick as it is asked about, each play with its ruling card."""
    payload = questions.plays([blank for blank in blanks if blank.name != RULING], filled)
    for play, ruling in zip(payload["plays"], filled.get(RULING, ()), strict=False):
        play[RULING] = ruling
    return payload


def legal_blanks(rules: ChicaneRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told to know what may be played by this ruling card (WC-10, WC-11)."""
    hint = "As the player who led reads the card; leave it empty if you lead."
    return (
        Blank(RULING, "card", "Ruling card", choices=high(rules)),
        Blank("led_suit", "suit", "Suit led", hint, choices=suit_codes(rules), optional=True),
        Blank("hand", "cards", "Cards in hand"),
    )


def suit_blanks(rules: ChicaneRules, filled: FilledIn) -> tuple[Blank, ...]:
    """Return what has to be told to know how a card is read (WC-4)."""
    return (Blank(RULING, "card", "Ruling card", choices=high(rules)), Blank("card", "card", "Card"))


def trick_seen(hand: Seen) -> FilledIn:
    """Return the cards of the last trick, with the ruling cards of those who played them."""
    trick = last_trick(hand)
    ruling = hand.get("ruling_cards") or []
    if trick is None or None in ruling:
        return {}
    return {**questions.trick_seen(hand), RULING: [ruling[play["seat"]] for play in trick["plays"]]}


def legal_seen(hand: Seen) -> FilledIn:
    """Return the suit that was led, as its player reads the card."""
    trick = running(hand)
    read = (trick.get("reads") or [None])[0] if trick else None
    return {"led_suit": [read]} if read else {}


EVERYBODYS_TRUMP = Example(
    "Everybody has a trump suit",
    {
        "game": "wildcat-chicane",
        "plays": [
            {"cards": ["6LK"], "ruling_card": "XL"},
            {"cards": ["9MS"], "ruling_card": "XM"},
            {"cards": ["9LK"], "ruling_card": "AW"},
        ],
    },
    {"winner": 1},
)
QUESTIONS = (
    replace(
        TRICK,
        answer=trick,
        blanks=trick_blanks,
        seen=trick_seen,
        compose=plays,
        help=(*TRICK.help, "Wildcat Chicane needs each player’s `ruling_card`."),
        request={**TRICK.request, "plays": shown(ruling_card=NULL_CARD, suit=NULL_SUIT)},
        examples=(EVERYBODYS_TRUMP,),
    ),
    replace(
        LEGAL,
        answer=legal,
        blanks=legal_blanks,
        seen=legal_seen,
        help=(*LEGAL.help, "Wildcat Chicane needs `ruling_card`, and `led_suit` instead of `led_card`."),
        request={**LEGAL.request, "ruling_card": NULL_CARD, "led_suit": NULL_SUIT},
    ),
    Question(
        "suit",
        "Which suit is this card?",
        suit,
        hint="How a card is read by its owner’s ruling card.",
        blanks=suit_blanks,
        help=("The suit of a card as its owner reads it, by the ruling card.",),
        request={"card": CARD, "ruling_card": CARD},
        needed=("card", "ruling_card"),
        response={"suit": text(), "reason": REASON},
        examples=(Example("Read by a Crown", {"card": "8YK", "ruling_card": "XM"}, {"suit": "Y"}),),
        sole=True,
    ),
    SCORE,
    DEAL,
)
