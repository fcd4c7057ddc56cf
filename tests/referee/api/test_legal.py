"""POST referee/legal/: what may be played?"""

HAND = ["3MW", "9WY", "AK"]


def test_it_works(api):
    answer = api.post("referee/legal/", {"game": "ace-trump", "hand": HAND, "led_card": "8MS"}).json()
    assert answer["legal"] == ["3MW"]
    assert [no["card"] for no in answer["illegal"]] == ["9WY", "AK"]
    assert all(no["reason"]["text"] and no["reason"]["clauses"] for no in answer["illegal"])


def test_a_leader_may_play_anything_in_ace_trump(api):
    assert api.post("referee/legal/", {"game": "ace-trump", "hand": HAND, "led_card": None}).json()["legal"] == HAND


def test_wildcat_chicane_needs_the_ruling_card(api):
    asked = {"game": "wildcat-chicane", "hand": ["8MS", "5SW"], "led_suit": None}
    assert api.post("referee/legal/", asked | {"ruling_card": "XM"}).json()["legal"] == ["5SW"]
    assert api.refused("referee/legal/", asked, 422)["code"] == "missing-key"
    assert api.refused("referee/legal/", asked | {"ruling_card": "8YK"}, 422)["code"] == "not-in-deck"


def test_a_card_cannot_be_in_hand_and_on_the_table(api):
    body = {"game": "ace-trump", "hand": HAND, "led_card": "3MW"}
    assert api.refused("referee/legal/", body, 422)["code"] == "already-played"
