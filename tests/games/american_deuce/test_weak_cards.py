"""Cards that beat nothing, and everyone passing at once: what pages offer while a play is to be beaten."""

from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.engine.events import Pass, Play
from referee.engine.rulings import Verdict
from referee.engine.state import PLAY
from referee.engine.table import TableState, hand_for, judge, open_table
from referee.games.american_deuce.game import GAME
from referee.games.american_deuce.tricks import unplayed
from tests.games.american_deuce.told_rounds import name
from tests.referee.telling import exercises, plays
from tests.referee.test_offers import after

OUT = 13
"""The most unplayed cards with which every play is tried."""


def named(suits: Iterable[str], players: int = 4, **options: object) -> TableState:
    table = hand_for(open_table(GAME.rules(options, players), first_dealer=0))
    return after(table, *(name(seat, suit) for seat, suit in enumerate(suits)))


def states(seed: int) -> Iterator[Any]:
    """Yield states of a random round in which a play is to be beaten and few cards are left."""
    chance = Random(seed)
    players = 4
    options: dict[str, object] = {"same_type": chance.random() < 0.5}
    if chance.random() < 0.3:
        players, options = 5, options | {"riot_equal": chance.choice(("colour", "never"))}
    table: Any = named(chance.sample("SHCD", 3), players, **options)
    while table.hand.phase is PLAY:
        hand = table.hand
        if hand.last and len(unplayed(hand)) <= OUT:
            yield table
        field = next(ask.fields[0] for ask in hand.asks() if ask.event == "play")
        groups = list(islice(hand.card_groups(hand.turn, field), 200))
        events: list[Play | Pass] = [Play(seat=hand.turn, cards=cards) for cards in chance.sample(groups, len(groups))]
        events.insert(0 if chance.random() < 0.3 else len(events), Pass(seat=hand.turn))
        rulings = (judge(table, event) for event in events)
        table = next(ruling.table for ruling in rulings if ruling.verdict is Verdict.ACCEPTED)


@given(st.integers(0, 10_000))
@exercises("AD-10")
def test_a_card_is_weak_if_and_only_if_no_play_with_it_beats(seed):
    for table in islice(states(seed), 3):
        hand, seat = table.hand, table.hand.turn
        out, weak = unplayed(hand), {*hand.weak_cards()}
        sizes = {size for size in (len(hand.last.cards), 4) if size <= hand.left[seat]}
        tried = [cards for size in sizes for cards in combinations(out, size)]
        taken = {cards for cards in tried if judge(table, Play(seat=seat, cards=cards)).verdict is Verdict.ACCEPTED}
        assert all(weak.isdisjoint(cards) for cards in taken)
        beating = {cards for cards in tried if (seen := hand.preview(Play(seat=seat, cards=cards))) and seen.fits}
        assert weak == {*out} - {card for cards in beating for card in cards}


@exercises("AD-11", "AD-12")
def test_everyone_passes_in_turn_until_the_trick_is_over():
    table = after(named("SHC"), *plays("0:3S 1:9S 2:-"))
    assert table.hand.all_pass() == (Pass(seat=3), Pass(seat=0))
    for event in table.hand.all_pass():
        table = judge(table, event).table
    assert (table.hand.last, table.hand.turn, table.hand.all_pass()) == (None, 1, ())
