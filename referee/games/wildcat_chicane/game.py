"""Wildcat Chicane, by P. D. Magnus, for three or four players with the Decktet.

Aces and Crowns are dealt evenly, then the number cards. Everyone chooses an Ace or Crown as ruling card; all are
revealed together. With an Ace, its owner reads number cards by the bottom suit, with a Crown by the top suit, and the
ruling card's suit is its owner's trump. Players bid tricks from the dealer's left. No one may lead their own trump
while holding another suit. The suit led is the one its owner reads; others follow it by their own reading. Trumps win,
each being trump by its owner's ruling card; of equal trumps, the earlier one. An exact bid scores four times the bid,
one off twice, two off once.

Source: "Wildcat Chicane", P. D. Magnus, Decktet blog, 2019. Deviations: none; where the post is silent, the defaults
WC-Q1 .. WC-Q11 apply.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from referee.engine.game import Dealing
from referee.engine.question_reader import QuestionReader
from referee.engine.questions import Blank, Example, FilledIn, Question, Seen
from referee.engine.rules import EndRule, Option, Options, Preset, Problem, Rules, Setup, switch
from referee.engine.rulings import Reason
from referee.engine.shapes import CARD, NULL_CARD, NULL_SUIT, REASON, text
from referee.engine.state import BIDDING
from referee.engine.texts import noun, phrase, sentences
from referee.games.wildcat_chicane.hand import (
    HAND_SIZES,
    HIGH_CARDS,
    READS,
    RULING_CARD,
    ChicaneHand,
    ChicaneRules,
    RulingCard,
)
from referee.packs import Pack, decktet
from referee.packs.decktet import ACE, SUIT_NAMES
from referee.tricks import questions
from referee.tricks.hand import TrickGame
from referee.tricks.questions import DEAL, LEGAL, PLAYS, SCORE, TRICK
from referee.tricks.state import ASKER

# --- Questions of Wildcat Chicane, where each player reads cards by a ruling card


def read_ruling(question: QuestionReader, rules: ChicaneRules, text: str, pointer: str) -> int:
    """Parse a ruling card; reports a problem unless it is an Ace or a Crown (WC-3)."""
    card = question.card(rules.pack, text, pointer)
    if card >= 0 and not rules.high >> card & 1:
        detail = phrase(sentences()["no-ruling-card"], card=rules.pack.cards[card])
        question.reader.value(pointer, detail, "not-in-deck")
    return card


def suit(payload: Mapping[str, object]) -> dict[str, object]:
    """Which suit a card is for the owner of a ruling card (WC-4)."""
    question = QuestionReader(payload, "suit")
    text, ruling_text = question.text("card", needed=True), question.text("ruling_card")
    if ruling_text is None:
        question.lacking("ruling_card", "The player’s ruling card is needed.")
    question.check()
    rules = cast(ChicaneRules, next(question.possible_rules()))
    card = question.card(rules.pack, text or "", "/card")
    ruling = read_ruling(question, rules, ruling_text or "", "/ruling_card")
    question.check()
    hand = ChicaneHand.set_up(rules)
    hand.read_by(ruling)
    read = str(hand.suit_of(ASKER, card))
    read_card = rules.pack.cards[card]
    facts = {"card": read_card, "suit": noun(SUIT_NAMES[read]), "ruling": rules.pack.cards[ruling]}
    end = "bottom" if rules.pack.cards[ruling].rank == ACE else "top"
    key = f"read-{end}" if len(read_card.suits) > 1 else ""
    return {"suit": read, "reason": Reason("read", ("WC-4",), facts, key)}


def trick(payload: Mapping[str, object]) -> dict[str, object]:
    """Who wins or is winning a trick; each play has its player's ruling card."""
    question, rules, plays, cards = questions.read_trick(payload)
    hand = ChicaneHand.set_up(cast(ChicaneRules, rules))
    rulings: list[int] = []
    for position, play in enumerate(plays):
        pointer = f"/plays/{position}"
        text = play.get("ruling_card")
        if text is None:
            question.lacking("ruling_card", "Give the ruling card of every player in the trick.", pointer)
            continue
        ruling = read_ruling(question, hand.rules, text, f"{pointer}/ruling_card")
        if ruling >= 0 and (ruling in cards or ruling in rulings):
            question.twice(rules.pack, ruling, f"{pointer}/ruling_card")
        rulings.append(ruling)
    questions.reported_trump(question, hand)
    question.check()
    hand.read_by(*rulings)
    return questions.finish_trick(question, hand, plays, cards)


def legal(payload: Mapping[str, object]) -> dict[str, object]:
    """Which cards of a hand may be played to the suit led, or led (WC-10, WC-11)."""
    question = QuestionReader(payload, "legal")
    texts = question.texts("hand")
    ruling_text, led = question.text("ruling_card"), question.text("led_suit")
    led_card = question.text("led_card")
    if ruling_text is None:
        question.lacking("ruling_card", "Give the player’s ruling card.")
    question.check()
    rules = cast(ChicaneRules, next(question.possible_rules()))
    cards = question.cards(rules.pack, texts, "/hand")
    ruling = read_ruling(question, rules, ruling_text or "", "/ruling_card")
    if ruling in cards and ruling >= 0:
        question.twice(rules.pack, ruling, "/ruling_card")
    led_suit = None if led is None else rules.pack.suit(led)
    if led is not None and led_suit is None:
        question.reader.value("/led_suit", phrase("“{suit}” is not a suit.", suit=led[:40]), "bad-suit")
    if led_card is not None:
        question.reader.value("/led_card", "Give the suit led: it depends on who led the card.")
    question.check()
    dealt = rules.pack.mask((*cards, ruling))
    highs = (dealt & rules.high).bit_count()
    most_high = rules.high.bit_count() // rules.players
    most_numbers = len(rules.pack) // rules.players - most_high
    if not cards:
        question.reader.value("/hand", "A hand needs at least one card.", "wrong-count")
    if highs > most_high or dealt.bit_count() - highs > most_numbers:
        detail = phrase(
            "No player is dealt more than {high} Aces and Crowns and {numbers} number cards.",
            high=most_high, numbers=most_numbers,
        )  # fmt: skip
        question.reader.wrong.append(Problem("/hand", "too-many-cards", detail))
    question.check()
    hand = ChicaneHand.set_up(rules, cards=len(cards), known=dealt)
    hand.read_by(ruling)
    hand.gone |= 1 << ruling
    if led_suit is not None:
        leader = rules.players - 1  # some card of that suit was led; the ruling card stands in for it
        hand.follows = tuple(hand.own(seat)[led_suit] for seat in range(rules.players))
        hand.lead, hand.plays, hand.there = ruling, ((leader, ruling, 0, None),), 1 << leader
    return questions.judge_each(hand, cards)


RULING = "ruling_card"


def high(rules: ChicaneRules) -> tuple[str, ...]:
    """Codes of possible ruling cards (WC-3)."""
    return tuple(card.code for card in rules.pack.cards if rules.high >> card.index & 1)


def trick_blanks(rules: ChicaneRules, filled: FilledIn) -> tuple[Blank, ...]:
    most, cards = max(1, len(filled.get(PLAYS, ()))), high(rules)
    rulings = Blank(RULING, "cards", "Ruling cards of the players, in the same order", choices=cards, most=most)
    return (*questions.trick_blanks(rules, filled), rulings)


def plays(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, object]:
    """Build the payload of a trick, each play with its ruling card."""
    payload = questions.plays([blank for blank in blanks if blank.name != RULING], filled)
    for play, ruling in zip(payload["plays"], filled.get(RULING, ()), strict=False):
        play[RULING] = ruling
    return payload


def legal_blanks(rules: ChicaneRules, filled: FilledIn) -> tuple[Blank, ...]:
    hint = "As the player who led it reads it. Leave it empty if you lead."
    return (
        Blank(RULING, "card", "Ruling card", choices=high(rules)),
        Blank("led_suit", "suit", "Suit led", hint, choices=questions.suit_codes(rules), optional=True),
        Blank("hand", "cards", "Cards in hand"),
    )


def trick_seen(hand: Seen) -> FilledIn:
    """Prefill: the cards of the last trick, and the ruling cards of their players."""
    trick = questions.last_trick(hand)
    ruling = hand.get("ruling_cards") or []
    if trick is None or None in ruling:
        return {}
    return {**questions.trick_seen(hand), RULING: [ruling[play["seat"]] for play in trick["plays"]]}


def legal_seen(hand: Seen) -> FilledIn:
    """Prefill: the suit led, as the leader reads the card."""
    trick = questions.last_trick(hand, running=True)
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
        request={**TRICK.request, "plays": questions.shown(ruling_card=NULL_CARD, suit=NULL_SUIT)},
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
        hint="How you read a card with your ruling card.",
        blanks=lambda rules, filled: (
            Blank(RULING, "card", "Ruling card", choices=high(rules)),
            Blank("card", "card", "Card"),
        ),
        help=("Returns the suit of a card as its owner reads it, by the ruling card.",),
        request={"card": CARD, "ruling_card": NULL_CARD},
        needed=("card", "ruling_card"),
        response={"suit": text(), "reason": REASON},
        examples=(Example("Read by a Crown", {"card": "8YK", "ruling_card": "XM"}, {"suit": "Y"}),),
        sole=True,
    ),
    SCORE,
    DEAL,
)


TARGET = 40


class WildcatChicane(TrickGame):
    id = "wildcat-chicane"
    place = 3
    name = "Wildcat Chicane"
    tagline = "Bid your tricks exactly; your ruling card sets your suits and your trump."
    gist = "bid it exactly"
    emblem = ("XY", "7WY")
    source = "P. D. Magnus, Wildcat Chicane"
    with_cards = "with the basic pack"
    lesson = ("WC-2", "WC-3", "WC-4", "WC-5", "WC-7", "WC-10", "WC-11", "WC-13", "WC-16")
    players = (3, 4)
    end = EndRule("score", TARGET)
    rules_class = ChicaneRules
    hand_class = ChicaneHand
    beside_tricks = frozenset({"hook", "zero_bid", "miss_penalty"})
    events = (RulingCard,)
    phases = (RULING_CARD, BIDDING)
    QUESTIONS = QUESTIONS
    options = (
        switch(
            "hook", "Hook", "The last bidder may not make the bids add up to the number of tricks.", "WC-Q3",
            says="with the hook",
        ),
        Option(
            "zero_bid", "Bid of 0", "Points for making a bid of 0.", ("WC-Q2",), span=(0, 20), default=0,
            says=("{value} points for an exact bid of 0", "1 point for an exact bid of 0"),
        ),
        Option(
            "miss_penalty", "Three or more off", "Points lost for missing a bid by three or more.", ("WC-Q1",),
            span=(0, 20), default=0,
            says=("{value} points off for missing by three or more", "1 point off for missing by three or more"),
        ),
    )  # fmt: skip

    presets = (Preset("With the hook", {"hook": True}), Preset("Daring", {"zero_bid": 5, "miss_penalty": 5}))

    def words(self) -> Iterable[tuple[str, str]]:
        return (("", name) for name in READS.values())

    def pack(self, options: Options, players: int) -> Pack:
        return decktet()

    def dealing(self, setup: Setup, dealer: str) -> Dealing:
        """Aces and Crowns are dealt first, then number cards (WC-2)."""
        high = HIGH_CARDS[len(setup.seating)]
        low = HAND_SIZES[len(setup.seating)] - high
        words = phrase(
            "{dealer} deals {high} Aces and Crowns to each, then {low} number cards.", dealer=dealer, high=high, low=low
        )
        return Dealing((high, low), words)

    def can_hold(self, rules: Rules, cards: int) -> bool:
        """A hand has a fixed number of Aces and Crowns (WC-2)."""
        assert isinstance(rules, ChicaneRules)
        return (cards & rules.high).bit_count() == HIGH_CARDS[rules.players]


GAME = WildcatChicane()
