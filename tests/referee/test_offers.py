"""What may come next is told so that a program that knows no rule can play: every event told is taken as it is."""

from random import Random
from typing import Any

import pytest

from referee.engine.catalogue import all_games
from referee.engine.game import Game
from referee.engine.offers import offers
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.rules import Rules
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import deal, hand_for, judge, open_table
from tests.seeds import FIRST, as_often_as

LONGEST_HAND = 400
GAMES: Any = {game.id: game for game in all_games()}
HANDS = range(FIRST, FIRST + as_often_as(always=40, hunting=60, again=1))
"""Random hands of each game in one run; `make offered N=10000` plays as many of all games as somebody likes."""


def random_rules(chance: Random, game: Game) -> Rules:
    """Return a game with some of its house rules chosen at random."""
    while True:
        chosen = [option for option in game.all_options() if chance.random() < 0.2]
        values = {o.key: chance.choice(o.values) if o.values else chance.randint(*(o.span or (0, 0))) for o in chosen}
        try:
            return game.rules(values, chance.choice(game.players))
        except Refused:
            continue


def dealt(game, players, **options):
    """Return a table with its first hand dealt."""
    table = hand_for(open_table(GAMES[game].rules(options, players), first_dealer=players - 1))
    assert not isinstance(table, Refusal)
    return table


def after(table, *events):
    """Return the table after events that are taken."""
    for event in events:
        ruling = judge(table, load_event(event))
        assert ruling.verdict is Verdict.ACCEPTED, ruling.reason
        table = ruling.table
    return table


def offered(table, event, **asked):
    """Return what can come of the first ask for this kind of event."""
    return next(o for o in offers(table, table.hand.asks(), **asked) if o.ask.event == event)


def play_what_is_offered(game: str, seed: int) -> int:
    """Play a random hand, under random house rules, by nothing but what is offered; return how many events it had.

    Fails where an event that was offered is not taken as it is, where nothing is offered, and where it has no end.
    """
    chance = Random(seed)
    rules = random_rules(chance, GAMES[game])
    table: Any = hand_for(open_table(rules, first_dealer=chance.randrange(rules.players)))
    rarely = {"result"} if chance.random() < 0.3 else {"result", "trick"}
    for events in range(LONGEST_HAND):
        if isinstance(table, Refusal) or table.hand.is_over():
            return events
        beside = chance.random() < 0.03
        found = [
            offer for offer in offers(table, table.hand.table_asks() if beside else table.hand.asks()) if offer.events
        ]
        assert beside or found, (rules.options, table.hand.phase)
        likely = [o for o in found if o.ask.event not in rarely or chance.random() < 0.03] or found
        if likely:
            event = chance.choice(chance.choice(likely).events)
            ruling = judge(table, load_event(event))
            assert ruling.verdict is Verdict.ACCEPTED, (game, seed, event, ruling.reason)
            table = ruling.table
    pytest.fail(f"the hand of {game} by seed {seed} does not end")


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_made_of_what_is_offered_is_never_refused_and_ends(game):
    for seed in HANDS:
        play_what_is_offered(game, seed)


def test_a_hook_is_told_with_its_clause():
    table = after(
        dealt("ransom-trump", 3, bidding=True, hook=True),
        {"type": "bid", "seat": 0, "tricks": 5},
        {"type": "bid", "seat": 1, "tricks": 4},
    )
    bid = offered(table, "bid")
    assert [(each.values, each.reason.code) for each in bid.barred] == [((0,), "forbidden-bid")]
    assert 0 not in (bid.values or ())
    assert all(event["tricks"] != 0 for event in bid.events)


def round_of_four():
    """Return a round of American Deuce with its suits named."""
    table = dealt("american-deuce", 4)
    for suit in "SHC":
        table = after(table, {"type": "suit", "seat": table.hand.to_act()[0], "suit": suit})
    return table


def test_only_what_beats_the_last_play_is_told():
    table = round_of_four()
    play = offered(after(table, {"type": "play", "seat": table.hand.to_act()[0], "cards": ["2S"]}), "play")
    assert play.complete
    assert {len(event["cards"]) for event in play.events} == {4}, "riots alone beat the highest card"


def test_what_nothing_can_beat_is_answered_by_a_pass_alone():
    table = round_of_four()
    first, second = table.hand.to_act()[0], (table.hand.to_act()[0] + 1) % 4
    riot = {"type": "play", "seat": second, "cards": ["2S", "2H", "2C", "2D"]}
    beaten = after(table, {"type": "play", "seat": first, "cards": ["3S"]}, riot)
    assert [ask.event for ask in beaten.hand.asks()] == ["pass", "play", "result"]
    told = offers(beaten, beaten.hand.asks())
    assert [offer.ask.event for offer in told] == ["pass", "result"], "nobody can answer an ask for a play"
    assert told[0].forced() == {"type": "pass", "seat": (second + 1) % 4}


def test_the_only_card_that_may_be_played_is_forced():
    rules = GAMES["ace-trump"].rules({}, 3)
    cards = rules.pack.cards
    others = [card for card in cards if "M" not in card.suits][:11]
    hand = [*others, next(card for card in cards if card.code == "XM")]
    table: Any = deal(open_table(rules, first_dealer=2), {1: rules.pack.mask([card.index for card in hand])})
    play = offered(after(table, {"type": "play", "seat": 0, "cards": ["AM"]}), "play")
    assert play.forced() == {"type": "play", "seat": 1, "cards": ["XM"]}
    assert {each.reason.code for each in play.barred} == {"revoke"}
    assert {value for each in play.barred for value in each.values} == {card.code for card in others}


def test_combinations_are_told_by_the_cards_held():
    some = offered(round_of_four(), "play", held=("3S", "3H", "4H"))
    assert some.events
    assert all({"3S", "3H", "4H"} <= set(event["cards"]) for event in some.events)
    assert {len(event["cards"]) for event in some.events} == {5}


def test_points_that_are_hidden_are_not_told_by_what_fits():
    table = dealt("ace-pit", 2, totals="hidden")
    assert [offer.events for offer in offers(table, table.hand.asks()) if offer.ask.event == "result"] == [()]
