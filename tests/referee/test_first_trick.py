"""The first trick of a lesson: a real deal, played by taps; what the rules forbid is refused with a reason."""

import pytest

from referee.engine.catalogue import all_games, find_game
from referee.engine.first_trick import FirstTrick, choices, first_deal, first_trick
from referee.engine.game import Game

TAUGHT = [game for game in all_games() if game.lesson]


def at(game: Game, *taps: str) -> FirstTrick:
    deal = first_deal(game.id)
    assert deal is not None
    return first_trick(game, deal, taps)


def tap_of(told: FirstTrick, game: Game, before: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return the taps that are taken now, and those that are not."""
    taken: list[str] = []
    refused: list[str] = []
    for ask in told.asks:
        for value in choices(ask, told.held) or ("",):
            tap = f"{ask.event}:{value}"
            (refused if at(game, *before, tap).why else taken).append(tap)
    return taken, refused


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)
def test_every_lesson_has_a_deal_that_is_a_deal_of_the_game(game: Game):
    deal = first_deal(game.id)
    assert deal is not None
    rules = game.rules({}, len(deal.hands))
    sizes = game.first(rules, deal.dealer).sizes
    assert sizes == tuple(map(len, deal.hands))
    dealt = [card for hand in deal.hands for card in hand]
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) <= set(rules.pack.codes)


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.id)
def test_it_is_played_to_its_end_by_taps_and_something_in_it_is_refused(game: Game):
    taps: tuple[str, ...] = ()
    wrong = 0
    while not (told := at(game, *taps)).over:
        taken, refused = tap_of(told, game, taps)
        for tap in refused:
            again = at(game, *taps, tap)
            assert (again.wrong, again.taps, again.held) == (tap, taps, told.held)
            assert again.why is not None
            assert again.why.clauses
        wrong += len(refused)
        taps += (taken[0],)
    assert wrong or game.id == "ace-pit", "two cards that are no set are refused there"
    (trick,) = (trick for trick in told.hand.describe()["tricks"] if trick["winner"] is not None)
    assert trick["reason"]
    assert any(play["seat"] == 0 for play in trick["plays"])


def test_two_cards_are_tapped_together_where_they_may_be_played_together():
    pit = find_game("ace-pit")
    assert pit is not None
    assert at(pit, "play:7S+9S").why is not None
    assert at(pit, "play:7S+AS").over


@pytest.mark.parametrize("tap", ["play:2MK", "play:", "play", "bid:3", "", "play:XM+XL+XY+", "nothing:XM", "play:?"])
def test_what_nobody_can_tap_changes_nothing(tap: str):
    trump = find_game("ace-trump")
    assert trump is not None
    told = at(trump, tap)
    assert (told.over, told.taps) == (False, ())
    assert told.asks
