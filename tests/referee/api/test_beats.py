"""POST referee/beats/: does this play beat that one?"""

import pytest

ASKED = {"decks": 1, "suit_order": ["S", "H", "C", "D"], "on": ["2S"], "play": ["4S", "4H", "4D", "4C"]}


def test_it_works(api):
    answer = api.post("referee/beats/", ASKED | {"game": "american-deuce"}).json()
    assert answer["beats"] is True
    assert answer["combination"]["kind"] == "riot"
    assert answer["reason"]["clauses"]


def test_the_game_may_be_left_out(api):
    assert api.post("referee/beats/", ASKED).json()["beats"] is True


def test_cards_that_are_no_combination_beat_nothing(api):
    answer = api.post("referee/beats/", ASKED | {"play": ["4S", "5H"]}).json()
    assert (answer["beats"], answer["combination"]) == (False, None)


@pytest.mark.parametrize(
    ("change", "status", "pointer"),
    [
        ({"decks": "1"}, 400, "/decks"),
        ({"decks": 3}, 422, "/decks"),
        ({"on": "2S"}, 400, "/on"),
        ({"on": ["2S*"]}, 422, "/on/0"),
        ({"play": []}, 422, "/play"),
        ({"play": ["2S"]}, 422, "/play/0"),
        ({"suit_order": ["S", "H"]}, 422, "/suit_order"),
        ({"under_five_of_a_kind": 1}, 400, "/under_five_of_a_kind"),
    ],
)
def test_what_cannot_be_asked_is_a_problem(api, change, status, pointer):
    assert api.refused("referee/beats/", ASKED | change, status)["errors"][0]["pointer"] == pointer
