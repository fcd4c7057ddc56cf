"""A game without code of its own for playing gets golden records: what the referee asks for plays it."""

from collections.abc import Iterator

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.game import with_game
from referee.engine.records import load_record
from tests import toy
from tests.golden.make import find
from tests.golden.variant import Variant, both, clean, revokes, scored

GAME = "plain-whist"


@pytest.fixture(autouse=True)
def _catalogue() -> Iterator[None]:
    with with_game(toy.GAME):
        yield


@pytest.mark.parametrize("options", [{}, {"bidding": True}])
def test_the_generator_plays_hands_to_their_end_by_the_rules(options):
    shows = both(clean, scored("bid" if options else "tricks", "the lines"))
    data, _looks = find(Variant(GAME, "plain", "Plain.", options, players=4, hands=2, shows=shows))
    judged = adjudicate(load_record(data))
    assert judged["rejected"] is None
    assert judged["finished"]
    assert [sum(filter(None, hand["tricks_won"] or ())) for hand in judged["hands"]] == [13, 13]


@pytest.mark.parametrize("variant", revokes(GAME, "Plain Whist", 3), ids=lambda variant: variant.name)
def test_the_generator_makes_a_false_claim_that_is_proved(variant):
    data, looks = find(variant)
    (found,) = [found for hand in adjudicate(load_record(data))["hands"] for found in hand["irregularities"]]
    assert (found["code"], found["certainty"]) == ("revoke", "proved")
    assert any("proposed" in look for look in looks)
