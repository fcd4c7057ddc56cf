"""Golden records of Hearts; `.venv/bin/python -m tests.golden.make` deals missing ones."""

from random import Random
from typing import Any

from referee.engine.records import load_event, load_record
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import deal, judge, open_table
from referee.games.hearts.game import HeartsHand
from tests.golden.any_game import LIE
from tests.golden.variant import LOST, Variant, both, clean, scored

BY_RESULT = {
    "moon-subtract": [[26, 0, 0, 0]], "moon-none": [[0, 26, 0, 0]], "moon-choice": [[0, 0, 26, 0]],
    "tie-play-on": [[13, 13, 0, 0], [0, 0, 26, 0]],
}  # fmt: skip
"""The names of records that tell only the points."""
PASSED = ("usual", "pass-two", "passing-left")


def play(variant: Variant, record: dict, rng: Random) -> bool:
    """Play the hands of a record by the rules, whatever the deal; return whether it is suitable."""
    told = load_record(record)
    table = open_table(told.rules, first_dealer=told.first_dealer)
    for number in range(variant.hands):
        opened = deal(table)
        if isinstance(opened, Refusal):
            return False
        table, events = opened, list[dict[str, Any]]()
        record["hands"].append({"events": events})
        hands = dealt(table.hand, rng)
        while table.hand is not None and not table.hand.is_over():
            assert isinstance(table.hand, HeartsHand)
            results = BY_RESULT.get(variant.name)
            if results and not table.hand.events:
                events.append({"type": "result", "points": results[number]})
            else:
                events.append(next_event(table.hand, hands, rng, variant))
            ruling = judge(table, load_event(events[-1]))
            if ruling.verdict is not Verdict.ACCEPTED:
                return False
            table = ruling.table
    return True


def dealt(hand: Any, rng: Random) -> list[list[str]]:
    cards = list(hand.rules.pack.codes)
    rng.shuffle(cards)
    return [[cards.pop() for _ in range(hand.total)] for _ in range(hand.rules.players)]


def next_event(hand: HeartsHand, hands: list[list[str]], rng: Random, variant: Variant) -> dict[str, Any]:
    """Return the next event; its cards leave the true hands."""
    if hand.phase == "moon":
        return {"type": "moon", "seat": hand.moon(), "subtract": True}
    to = hand.pass_to()
    if hand.phase == "passing" and to and variant.name in PASSED:
        seat = hand.to_act()[0]
        cards = hands[seat][: hand.pass_count()]
        if len(hand.to_act()) == 1:
            given = [cards[: hand.pass_count()] for cards in hands]
            kept = [cards[hand.pass_count() :] for cards in hands]
            hands[:] = [kept[each] + given[to.index(each)] for each in range(len(hands))]
        return {"type": "pass-cards", "seat": seat, "cards": cards}
    began = hand.copy()
    if hand.phase == "passing":
        began.begin_play()
    low = hand.rules.pack.cards[hand.lowest_club().bit_length() - 1].code
    if began.opens_low():
        clubs = [[card for card in cards if card[-1] == "C"] for cards in hands]
        seat = next(each for each in sorted(range(len(hands)), key=lambda s: low not in clubs[s]) if clubs[each])
        able = [low] if low in clubs[seat] else clubs[seat]
    else:
        seat = began.to_act()[0]
        marks = next(ask for ask in began.asks() if ask.event == "play").fields[0].marks
        able = [card for card in hands[seat] if card not in marks] or hands[seat]
    card = rng.choice(hands[seat] if rng.random() < variant.lies * LIE else able)
    hands[seat].remove(card)
    return {"type": "play", "seat": seat, "cards": [card]}


def variant(name: str, about: str, options: dict | None = None, players: int = 4, **more: Any) -> Variant:
    return Variant("hearts", name, about, options or {}, players=players, **{"shows": clean, **more})


VARIANTS = [
    variant("usual", "Hearts as it is played by default, with the cards that were passed."),
    variant("three", "Hearts for three: the two of diamonds is out, the three of clubs is not needed.", players=3),
    variant("five", "Hearts for five: the three of clubs opens.", players=5),
    variant("kitty", "The card left over goes to the winner of the first trick.", {"leftover": "kitty"}, 3,
            shows=both(clean, scored("left-over-points", "the line of HE-2"))),
    variant("passing-left", "Every hand to the left.", {"passing": "left"}, hands=2),
    variant("passing-none", "Nobody passes.", {"passing": "none"}),
    variant("pass-two", "Two cards are passed.", {"pass_count": 2}),
    variant("opening-left", "The dealer's left leads.", {"opening": "left"}),
    variant("hearts-free", "A heart may be led at any time.", {"hearts_lead": "free"}),
    variant("queen-breaks", "The queen of spades breaks hearts.", {"breaks": "queen"}),
    variant("first-free", "Points may fall to the first trick.", {"first_trick": "free"}),
    variant("jack-ten", "The jack of diamonds takes 10 off.", {"jack": "ten"}),
    variant("moon-subtract", "The moon takes 26 off.", {"moon": "subtract"}),
    variant("moon-choice", "The shooter chooses.", {"moon": "choice"}),
    variant("moon-none", "There is no moon.", {"moon": "none"}),
    variant("tie-play-on", "Two are lowest, so another hand is played.", {"tie": "play-on"}, hands=2,
            end={"kind": "hands", "value": 1}),
    *(
        variant(f"revoke-{value}", f"When a revoke is proved, {said}.", {"revoke": value}, lies=1.0, shows=LOST)
        for value, said in (
            ("stand", "it is proposed to let it stand"), ("hand-zero", "the offender takes every point (HE-R1)"),
            ("redeal", "it is proposed to deal again"),
        )
    ),
]  # fmt: skip
