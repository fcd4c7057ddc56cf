"""Single questions of Wildcat Chicane, where each player reads the cards by a ruling card."""

from collections.abc import Mapping
from typing import Any, cast

from referee.engine.language import say
from referee.engine.options import Problem
from referee.engine.questions import Asked
from referee.engine.rulings import Reason
from referee.engine.sentences import sentences
from referee.games.wildcat_chicane.hand import ChicaneRules
from referee.packs.decktet import ACE, SUITS
from referee.tricks.questions import (
    ASKER,
    finish_trick,
    hear_trump,
    judge_each,
    opened,
    put_down_all,
    read_trick,
)

SUIT_NAMES = {suit.code: suit.name for suit in SUITS}


def read_ruling(question: Asked, rules: ChicaneRules, text: str, pointer: str) -> int:
    """Return the ruling card that a text names; only an Ace or a Crown can be one (WC-3)."""
    card = question.card(rules.pack, text, pointer)
    if card >= 0 and not rules.high >> card & 1:
        detail = say(sentences()["no-ruling-card"], card=rules.pack.cards[card])
        question.reader.value(pointer, detail, "not-in-deck")
    return card


def suit(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say which suit a card has for the owner of a ruling card (WC-4)."""
    question = Asked(asked, "card", "ruling_card")
    text, ruling_text = question.text("card", needed=True), question.text("ruling_card", needed=True)
    question.check()
    rules = cast(ChicaneRules, next(question.possible_rules()))
    card = question.card(rules.pack, text or "", "/card")
    ruling = read_ruling(question, rules, ruling_text or "", "/ruling_card")
    question.check()
    hand = opened(rules)
    hand.rulings = (ruling,) * rules.players
    read = next(code for code, cards in hand.own(ASKER).items() if cards >> card & 1)
    shown = rules.pack.cards[card]
    facts = {"card": shown, "suit": say(SUIT_NAMES[read]), "ruling": rules.pack.cards[ruling]}
    end = "bottom" if rules.pack.cards[ruling].rank == ACE else "top"
    phrase = f"read-{end}" if len(shown.suits) > 1 else "read-only"
    return {"suit": read, "reason": Reason("read", ("WC-4",), facts, phrase)}


def trick(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say who wins a trick, or is winning it so far; each play comes with its ruling card."""
    question, rules, plays, cards = read_trick(asked)
    hand = opened(rules)
    rulings: list[int] = []
    for position, play in enumerate(plays):
        pointer = f"/plays/{position}"
        if play.ruling_card is None:
            question.lacking("ruling_card", "Every play needs its player’s ruling card.", pointer)
            continue
        ruling = read_ruling(question, hand.rules, play.ruling_card, f"{pointer}/ruling_card")
        if ruling >= 0 and (ruling in cards or ruling in rulings):
            question.twice(rules.pack, ruling, f"{pointer}/ruling_card")
        rulings.append(ruling)
    hear_trump(question, hand)
    question.check()
    # Who has not played yet reads nothing, so any ruling card will do.
    hand.rulings = (*rulings, *rulings[:1] * (rules.players - len(rulings)))
    put_down_all(question, hand, plays, cards)
    question.check()
    return finish_trick(hand)


def legal(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say which cards of a hand may be played to the suit led, or may be led (WC-10, WC-11)."""
    question = Asked(asked, "hand", "ruling_card", "led_card", "led_suit")
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
        question.reader.value("/led_suit", say("“{suit}” is no suit.", suit=led[:40]), "bad-suit")
    if led_card is not None:
        question.reader.value("/led_card", "Give led_suit: the suit depends on who led the card.")
    question.check()
    dealt = rules.pack.mask((*cards, ruling))
    check_dealt(question, rules, cards, dealt)
    hand = opened(rules, cards=len(cards), known=dealt)
    hand.rulings = (ruling,) * rules.players
    hand.show(ASKER, ruling)
    if led_suit is not None:
        lead_suit(hand, led_suit, ruling)
    return judge_each(hand, cards)


def check_dealt(question: Asked, rules: ChicaneRules, cards: tuple[int, ...], dealt: int) -> None:
    """Refuse a hand that the two deals cannot give (WC-2)."""
    high = (dealt & rules.high).bit_count()
    numbers = dealt.bit_count() - high
    most_high = rules.high.bit_count() // rules.players
    most_numbers = len(rules.pack) // rules.players - most_high
    if not cards:
        question.reader.value("/hand", "A hand has at least one card.", "wrong-count")
    if high > most_high or numbers > most_numbers:
        detail = say(
            "Nobody is dealt more than {high} Aces and Crowns and {numbers} number cards.",
            high=most_high,
            numbers=most_numbers,
        )
        question.reader.wrong.append(Problem("/hand", "too-many-cards", detail))
    question.check()


def lead_suit(hand: Any, led: str, placeholder: int) -> None:
    """Let the player before the asker have led this suit, whatever the card was."""
    leader = hand.rules.players - 1
    hand.follows = tuple(hand.own(seat)[led] for seat in range(hand.rules.players))
    hand.lead = placeholder
    hand.plays = ((leader, placeholder, 0, None),)
    hand.there = 1 << leader


ANSWERS = {"trick": trick, "legal": legal, "suit": suit}
