"""POST referee/suit/: which suit is this card?"""


def test_it_works(api):
    answer = api.post("referee/suit/", {"game": "wildcat-chicane", "card": "8YK", "ruling_card": "XM"}).json()
    assert answer["suit"] == "Y"
    assert answer["reason"]["clauses"] == ["WC-4"]


def test_the_game_may_be_left_out(api):
    assert api.post("referee/suit/", {"card": "8YK", "ruling_card": "AM"}).json()["suit"] == "K"


def test_both_cards_are_needed(api):
    said = api.refused("referee/suit/", {}, 400)
    assert [error["pointer"] for error in said["errors"]] == ["/card", "/ruling_card"]


def test_only_an_ace_or_a_crown_rules(api):
    assert api.refused("referee/suit/", {"card": "8YK", "ruling_card": "8MS"}, 422)["code"] == "not-in-deck"
