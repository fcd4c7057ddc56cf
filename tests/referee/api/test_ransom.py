"""POST referee/ransom/: who wins the ransom?"""


def test_it_works(api):
    asked = {"game": "ransom-trump", "cards": ["XM", "XY", "9MS", "6MW"]}
    answer = api.post("referee/ransom/", asked).json()
    assert (answer["winner"], answer["suits"]) == (2, ["M", "S"])
    assert "RT-4" in answer["reason"]["clauses"]


def test_the_game_may_be_left_out(api):
    assert api.post("referee/ransom/", {"cards": ["9MS", "9LK", "9WY"]}).json()["winner"] is None


def test_a_card_is_needed_from_every_player(api):
    assert api.refused("referee/ransom/", {}, 400)["code"] == "missing-key"
    assert api.refused("referee/ransom/", {"cards": ["9MS"]}, 422)["code"] == "wrong-count"
    assert api.refused("referee/ransom/", {"cards": ["9MS", "9MS"]}, 422)["code"] == "already-played"


def test_pawns_have_to_be_in_play(api):
    cards = ["PMSL", "9LK"]
    assert api.refused("referee/ransom/", {"cards": cards}, 422)["code"] == "not-in-deck"
    assert api.post("referee/ransom/", {"cards": cards, "options": {"pawns": True}}).json()["winner"] == 0
