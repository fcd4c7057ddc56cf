"""Single questions about plays in Ace Trump and Ransom Trump: who wins a trick, what is legal.

Each sets up a hand as far as the question tells of it and lets the hand itself judge, so that a
question and a record are never answered by different rules.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from referee.engine.events import Play
from referee.engine.hand import class_of
from referee.engine.language import say
from referee.engine.options import Problem
from referee.engine.phases import PLAY
from referee.engine.questions import MOST_CARDS, Asked
from referee.engine.rules import Rules, Setup
from referee.engine.rulings import Reason, Refusal
from referee.tricks.hand import TrickHand
from referee.tricks.rules import TrickRules

ASKER = 0
"""The seat whose hand, bid or first card a question is about."""


def opened(rules: Rules, *, cards: int = 2, known: int | None = None) -> Any:
    """Return a hand in its play phase: so many cards to play each, perhaps one hand entered.

    Seat 0 sits at the dealer's left. The games' hands differ in their attributes, hence ``Any``.
    """
    kind = cast(type[TrickHand], class_of(rules))
    size = cards + kind.SET_ASIDE
    hands = () if known is None else (known, *(None,) * (rules.players - 1))
    seats = tuple(range(rules.players))
    carry = rules.options.get("fixed_trump")
    hand = kind(cast(TrickRules, rules), Setup(0, seats[-1], seats, (size,) * rules.players, hands, carry))
    hand.phase = PLAY
    return hand


# -- tricks -------------------------------------------------------------------------------


class Shown(NamedTuple):
    """One play as it was asked about, texts as they were typed."""

    cards: tuple[str, ...]
    ruling_card: str | None
    suit: str | None


def read_plays(question: Asked) -> tuple[Shown, ...]:
    """Read the plays of a trick, in the order in which they fell."""
    if "plays" not in question.given:
        question.missing("plays")
    plays = []
    given_plays = question.reader.array(question.given.get("plays", ()), "/plays")
    for position, value in enumerate(given_plays[: MOST_CARDS + 1]):
        pointer = f"/plays/{position}"
        given = question.reader.mapping(value, pointer)
        question.reader.keys(given, ("cards", "ruling_card", "suit"), pointer)
        if "cards" not in given:
            question.missing("cards", pointer)
        words = [
            None if given.get(key) is None else question.reader.text(given[key], f"{pointer}/{key}")
            for key in ("ruling_card", "suit")
        ]
        plays.append(Shown(question.listed(given.get("cards", ()), f"{pointer}/cards"), *words))
    return tuple(plays)


def read_trick(asked: Mapping[str, Any]) -> tuple[Asked, Rules, tuple[Shown, ...], tuple[int, ...]]:
    """Read a trick: the rules for as many players as it needs, its plays and their cards."""
    question = Asked(asked, "players", "trump", "plays")
    players = question.integer("players", needed=False)
    question.text("trump")
    plays = read_plays(question)
    question.check()
    misfit = Problem("/plays", "wrong-count", "A trick has no more cards than there are players.")
    rules = question.fitting_rules(players, lambda rules: len(plays) <= rules.players, misfit)
    if not plays:
        question.reader.value("/plays", "A trick has at least one card.", "wrong-count")
    for position, play in enumerate(plays):
        if len(play.cards) != 1:
            question.reader.value(f"/plays/{position}/cards", "Exactly one card is needed here.", "wrong-count")
    question.check()
    cards: list[int] = []
    for position, play in enumerate(plays):
        pointer = f"/plays/{position}/cards/0"
        card = question.card(rules.pack, play.cards[0], pointer)
        if card >= 0 and card in cards:
            question.twice(rules.pack, card, pointer)
        cards.append(card)
    question.check()
    return question, rules, plays, tuple(cards)


def hear_trump(question: Asked, hand: Any) -> None:
    """Let the trump before the trick be what was said, where the rules leave it open (AT-V1, AT-V6)."""
    said = question.given.get("trump")
    if said is None:
        return
    trump = hand.rules.pack.suit(said)
    if trump is None or not hand.trump_fits(trump):
        question.reader.value("/trump", say("“{suit}” cannot be trump here.", suit=said[:40]), "bad-suit")
    else:
        hand.hear_trump(trump)


def put_down_all(question: Asked, hand: Any, plays: Sequence[Shown], cards: Sequence[int]) -> None:
    """Put the cards on the table, seat after seat; a suit can be named only on a lead (AT-V7)."""
    for seat, (play, card) in enumerate(zip(plays, cards, strict=True)):
        refused = hand.wrong_suit(Play(seat=seat, cards=play.cards, suit=play.suit), card)
        if refused:
            question.reader.value(f"/plays/{seat}/suit", refused.reason.said(), "bad-suit")
            return
        hand.put_down(seat, card, play.suit and hand.rules.pack.suit(play.suit))


def trick(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say who wins a trick, or is winning it so far, and what trump is after it."""
    question, rules, plays, cards = read_trick(asked)
    for position, play in enumerate(plays):
        if play.ruling_card is not None:
            question.reader.value(f"/plays/{position}/ruling_card", "This game has no ruling cards.")
    hand = opened(rules)
    if all(hand.rules.free >> card & 1 for card in cards):
        question.reader.value("/plays", "The Excuse alone does not make a trick.", "wrong-count")
    hear_trump(question, hand)
    put_down_all(question, hand, plays, cards)
    question.check()
    return finish_trick(hand)


def finish_trick(hand: Any) -> dict[str, Any]:
    """Let the hand resolve the cards on the table."""
    hand.complete()
    taken = hand.taken[-1]
    return {"winner": taken.winner, "trump": hand.trump, "reason": taken.reason}


# -- legal plays --------------------------------------------------------------------------


def read_hand(question: Asked) -> tuple[Rules, tuple[int, ...]]:
    """Read the hand that is asked about, once the shapes are checked."""
    texts = question.listed(question.given["hand"], "/hand")
    misfit = Problem("/hand", "too-many-cards", "Nobody is dealt so many cards.")
    rules = question.fitting_rules(None, lambda rules: len(texts) <= len(rules.pack) // rules.players, misfit)
    if not texts:
        question.reader.value("/hand", "A hand has at least one card.", "wrong-count")
    return rules, question.cards(rules.pack, texts, "/hand")


def legal(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Say which cards of a hand may be played on the card led, or may be led."""
    question = Asked(asked, "hand", "led_card", "led_suit", foreign=("ruling_card",))
    question.texts("hand")
    led_card, led_suit = question.text("led_card"), question.text("led_suit")
    question.check()
    rules, cards = read_hand(question)
    led = None if led_card is None else question.card(rules.pack, led_card, "/led_card")
    if led in cards:
        question.twice(rules.pack, led, "/led_card")
    question.check()
    hand = opened(rules, cards=len(cards), known=rules.pack.mask(cards))
    if led is not None:
        lead_before(question, hand, led, led_suit)
    elif led_suit is not None:
        question.reader.value("/led_suit", "A suit is named only with the card led.", "bad-suit")
    question.check()
    return judge_each(hand, cards)


def lead_before(question: Asked, hand: Any, led: int, suit: str | None) -> None:
    """Let the player before the asker lead this card, and name this suit with it."""
    leader = hand.rules.players - 1
    code = hand.rules.pack.cards[led].code
    refused = hand.wrong_suit(Play(seat=leader, cards=(code,), suit=suit), led)
    if refused:
        question.reader.value("/led_suit", refused.reason.said(), "bad-suit")
        return
    hand.put_down(leader, led, suit and hand.rules.pack.suit(suit))


def judge_each(hand: Any, cards: Sequence[int]) -> dict[str, Any]:
    """Let the hand judge each of the asker's cards, as if it were played now."""
    pack = hand.rules.pack
    lawful: list[str] = []
    illegal: list[dict[str, Any]] = []
    for card in cards:
        shown = pack.cards[card]
        suit = shown.suits[0] if shown.suits and hand.names_suit(card) else None
        refused = hand.copy().take(Play(seat=ASKER, cards=(shown.code,), suit=suit))
        if refused is None:
            lawful.append(shown.code)
        else:
            illegal.append({"card": shown.code, "reason": may_not(refused)})
    return {"legal": lawful, "illegal": illegal, "reason": why_legal(hand, cards, illegal)}


def may_not(refused: Refusal) -> Reason:
    """Say of a card in hand what the hand says of a card played."""
    reason = refused.reason
    return Reason(reason.code, reason.clauses, reason.facts, f"may-not-{reason.code}")


def why_legal(hand: Any, cards: Sequence[int], illegal: Sequence[Mapping[str, Any]]) -> Reason:
    """Say what the answer as a whole rests on."""
    if not hand.plays:
        if not illegal:
            return Reason("any-lead", hand.CITES["lead"])
        first = illegal[0]["reason"]
        return Reason(first.code, first.clauses, phrase=f"none-{first.code}")
    if illegal:
        return Reason("must-follow", hand.CITES["follow"])
    follows = any(hand.follows[ASKER] >> card & 1 for card in cards)
    return Reason("all-follow" if follows else "void", hand.CITES["follow"])


ANSWERS = {"trick": trick, "legal": legal}
