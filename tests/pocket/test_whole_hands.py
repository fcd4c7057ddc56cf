"""A whole hand of every game in the pocket, offline: the same taps, the same page, the same score."""

import pytest
from playwright.sync_api import expect

from tests.e2e.thumb import TABLES, Thumb, totals, whole_hand
from tests.games.discovery import ORACLES

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_whole_hand_is_recorded_without_a_network(pocket, host, game, players):
    told = whole_hand(game, players)
    host.stop()
    thumb = Thumb(pocket)
    thumb.start_table(told)
    for event in told["hands"][0]["events"]:
        thumb.record(event)
    assert totals(pocket) == ORACLES[game](told)["totals"]
    expect(pocket.locator(".tag.warn")).to_have_count(0)
