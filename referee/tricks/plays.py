"""Answers about plays: who wins a trick, what may be played.

Each sets up a hand as far as the question tells of it and lets the hand itself judge, so that a
question and a record are never answered by different rules.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict, cast

from referee.engine.events import Play
from referee.engine.hand import class_of
from referee.engine.options import Problem
from referee.engine.question_reader import QuestionReader
from referee.engine.rules import Rules
from referee.engine.rulings import Reason, Refusal, impossible
from referee.tricks.hand import TrickHand
from referee.tricks.rules import TrickRules
from referee.tricks.state import ASKER


def set_up(rules: Rules, *, cards: int = 2, known: int | None = None) -> TrickHand:
    """Return a hand of the game as a question tells of it (``TrickHand.told_of``)."""
    kind = cast(type[TrickHand], class_of(rules))
    return kind.set_up(cast(TrickRules, rules), cards=cards, known=known)


# -- tricks -------------------------------------------------------------------------------


class Shown(NamedTuple):
    """One play as it was asked about, texts as they were typed; ``more`` is what stands beside its cards."""

    cards: tuple[str, ...]
    more: Mapping[str, str | None]

    @property
    def suit(self) -> str | None:
        """Return the suit named with the card."""
        return self.more.get("suit")


class TrickQuestion(NamedTuple):
    """A trick that was asked about: the rules for as many players as it needs, its plays and their cards."""

    question: QuestionReader
    rules: Rules
    plays: tuple[Shown, ...]
    cards: tuple[int, ...]


def read_plays(question: QuestionReader) -> tuple[Shown, ...]:
    """Read the plays of a trick, in the order in which they fell."""
    plays = []
    for pointer, play in question.objects("plays"):
        if "cards" not in play:
            question.missing("cards", pointer)
        more = {
            key: question.reader.text(value, f"{pointer}/{key}")
            for key, value in play.items()
            if key != "cards" and value is not None
        }
        plays.append(Shown(question.listed(play.get("cards", ()), f"{pointer}/cards"), more))
    return tuple(plays)


def read_trick(payload: Mapping[str, object]) -> TrickQuestion:
    """Read a trick that is asked about."""
    question = QuestionReader(payload, "trick")
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
    return TrickQuestion(question, rules, plays, tuple(cards))


def reported_trump(question: QuestionReader, hand: TrickHand) -> None:
    """Let the trump before the trick be what was said, where the rules leave it open."""
    text = question.payload.get("trump")
    if text is None:
        return
    trump = hand.rules.pack.suit(text)
    if trump not in hand.rules.trump_suits():
        refused = hand.not_a_suit(text) or impossible("bad-suit", phrase="cannot-be-trump", suit=hand.suit_name(trump))
        question.reader.value("/trump", refused.reason.phrase_for(), "bad-suit")
    else:
        hand.reported_trump(trump)


def put_down_all(question: QuestionReader, hand: TrickHand, plays: Sequence[Shown], cards: Sequence[int]) -> None:
    """Put the cards on the table, seat after seat; a suit can be named only on a lead."""
    for seat, (play, card) in enumerate(zip(plays, cards, strict=True)):
        refused = hand.wrong_suit(Play(seat=seat, cards=play.cards, suit=play.suit), card)
        if refused:
            question.reader.value(f"/plays/{seat}/suit", refused.reason.phrase_for(), "bad-suit")
            return
        hand.put_down(seat, card, play.suit and hand.rules.pack.suit(play.suit))


def trick(payload: Mapping[str, object]) -> dict[str, object]:
    """Say who wins a trick, or is winning it so far, and what trump is after it."""
    question, rules, plays, cards = read_trick(payload)
    hand = set_up(rules)
    reported_trump(question, hand)
    if hand.needs_trump():
        question.lacking("trump", "The trump of the hand is needed.")
    put_down_all(question, hand, plays, cards)
    question.check()
    return finish_trick(question, hand)


def finish_trick(question: QuestionReader, hand: TrickHand) -> dict[str, object]:
    """Let the hand resolve the cards on the table."""
    if not hand.has_winner():
        question.reader.value("/plays", "None of these cards can win a trick.", "wrong-count")
        question.check()
    hand.complete()
    taken = hand.taken[-1]
    return {"winner": taken.winner, "trump": hand.trump, "reason": taken.reason}


# -- legal plays --------------------------------------------------------------------------


def read_hand(question: QuestionReader) -> tuple[Rules, tuple[int, ...]]:
    """Read the hand that is asked about, once the shapes are checked."""
    texts = question.listed(question.payload["hand"], "/hand")
    misfit = Problem("/hand", "too-many-cards", "Nobody is dealt so many cards.")
    rules = question.fitting_rules(None, lambda rules: len(texts) <= len(rules.pack) // rules.players, misfit)
    if not texts:
        question.reader.value("/hand", "A hand has at least one card.", "wrong-count")
    return rules, question.cards(rules.pack, texts, "/hand")


def legal(payload: Mapping[str, object]) -> dict[str, object]:
    """Say which cards of a hand may be played on the card led, or may be led."""
    question = QuestionReader(payload, "legal")
    question.texts("hand")
    led_card, led_suit = question.text("led_card"), question.text("led_suit")
    question.check()
    rules, cards = read_hand(question)
    led = None if led_card is None else question.card(rules.pack, led_card, "/led_card")
    if led in cards:
        question.twice(rules.pack, led, "/led_card")
    question.check()
    hand = set_up(rules, cards=len(cards), known=rules.pack.mask(cards))
    if led is not None:
        lead_before(question, hand, led, led_suit)
    elif led_suit is not None:
        question.reader.value("/led_suit", "A suit is named only with the card led.", "bad-suit")
    question.check()
    return judge_each(hand, cards)


def lead_before(question: QuestionReader, hand: TrickHand, led: int, suit: str | None) -> None:
    """Let the player before the asker lead this card, and name this suit with it."""
    leader = hand.rules.players - 1
    code = hand.rules.pack.cards[led].code
    refused = hand.wrong_suit(Play(seat=leader, cards=(code,), suit=suit), led)
    if refused:
        question.reader.value("/led_suit", refused.reason.phrase_for(), "bad-suit")
        return
    hand.put_down(leader, led, suit and hand.rules.pack.suit(suit))


class Illegal(TypedDict):
    """A card that may not be played, and why."""

    card: str
    reason: Reason


def judge_each(hand: TrickHand, cards: Sequence[int]) -> dict[str, object]:
    """Let the hand judge each of the asker's cards, as if it were played now."""
    pack = hand.rules.pack
    lawful: list[str] = []
    illegal: list[Illegal] = []
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


def why_legal(hand: TrickHand, cards: Sequence[int], illegal: Sequence[Illegal]) -> Reason:
    """Say what the answer as a whole rests on."""
    if not hand.plays:
        if not illegal:
            return Reason("any-lead", hand.CITES["lead"])
        first = illegal[0]["reason"]
        return Reason(first.code, first.clauses, phrase=f"none-{first.code}")
    return hand.why_follow(ASKER, cards, all_may=not illegal)
