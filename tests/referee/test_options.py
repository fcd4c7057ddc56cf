"""House rules whose default and highest value follow from the number of players."""

import pytest

from referee.api.option_schema import option_schema
from referee.engine.options import Option, Refused, fill

LARGEST = Option(
    "largest", "Longest hand", "Cards each.", ("TOY-1",), span=(1, 17), by_players={3: (10, 17), 7: (7, 7)}
)


@pytest.mark.parametrize(("players", "usual", "most"), [(3, 10, 17), (7, 7, 7)])
def test_what_is_usual_and_what_is_most_follow_from_the_number_of_players(players: int, usual: int, most: int):
    assert fill((LARGEST,), {}, players=players) == {"largest": usual}
    assert fill((LARGEST,), {"largest": most}, players=players) == {"largest": most}
    with pytest.raises(Refused) as refusal:
        fill((LARGEST,), {"largest": most + 1}, players=players)
    assert (refusal.value.problems[0].code, refusal.value.malformed) == ("bad-option", False)


def test_a_number_that_is_left_out_is_not_null():
    with pytest.raises(Refused) as refusal:
        fill((LARGEST,), {"largest": None}, players=3)
    assert (refusal.value.problems[0].code, refusal.value.malformed) == ("wrong-type", True)


def test_the_schema_says_the_default_for_each_number_of_players():
    schema = option_schema(LARGEST)
    assert "default" not in schema
    assert schema["type"] == "integer"
    assert schema["x-by-players"] == {
        "3": {"default": 10, "maximum": 17},
        "7": {"default": 7, "maximum": 7},
    }
