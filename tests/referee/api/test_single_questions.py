"""Single questions: each answers for the games that declare it."""

import pytest

from referee.engine.game import with_game
from tests.toy import GAME as TOY

# --- POST referee/trick/: who wins this trick?

PLAYS = [{"cards": ["XM"]}, {"cards": ["9WY"]}, {"cards": ["AY"]}]


def test_it_works(api):
    answer = api.post("referee/trick/", {"game": "ace-trump", "trump": None, "plays": PLAYS}).json()
    assert (answer["winner"], answer["trump"]) == (1, "Y")
    assert answer["reason"]["clauses"]


def test_names_people_use_are_understood(api):
    plays = [{"cards": ["the Huntress"]}, {"cards": ["9 waves wyrms"]}, {"cards": ["1y"]}]
    assert api.post("referee/trick/", {"game": "ace-trump", "plays": plays}).json()["winner"] == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "missing-key"),
        ({"game": None, "plays": PLAYS}, 400, "wrong-type"),
        ({"game": 7, "plays": PLAYS}, 400, "wrong-type"),
        ({"game": "ace-trump"}, 400, "missing-key"),
        ({"game": "ace-trump", "plays": [1]}, 400, "wrong-type"),
        ({"game": "ace-trump", "plays": PLAYS, "table": 1}, 400, "unknown-key"),
        ({"game": "ace-trump", "plays": PLAYS, "options": []}, 400, "wrong-type"),
        ({"game": "no-such-game", "plays": PLAYS}, 422, "unknown-game"),
        ({"game": "ace-pit", "plays": PLAYS}, 422, "unknown-question"),
        ({"game": "ace-trump", "plays": []}, 422, "wrong-count"),
        ({"game": "ace-trump", "plays": [{"cards": ["9SK"]}]}, 422, "not-in-deck"),
        ({"game": "ace-trump", "plays": [*PLAYS, {"cards": ["XM"]}]}, 422, "already-played"),
        ({"game": "ace-trump", "plays": PLAYS, "trump": "Q"}, 422, "bad-suit"),
        ({"game": "ace-trump", "plays": PLAYS, "options": {"luck": 1}}, 422, "unknown-option"),
    ],
)
def test_what_cannot_be_asked_is_a_problem(api, body, status, code):
    assert api.refused("referee/trick/", body, status)["code"] == code


def test_the_problem_names_the_games_that_answer(api):
    detail = api.refused("referee/trick/", {"game": "ace-pit", "plays": PLAYS}, 422)["detail"]
    assert "ace-trump, ransom-trump, wildcat-chicane" in detail


# --- POST referee/suit/: which suit is this card?


def test_it_works_suit(api):
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


# --- POST referee/ransom/: who wins the ransom?


def test_it_works_ransom(api):
    asked = {"game": "ransom-trump", "cards": ["XM", "XY", "9MS", "6MW"]}
    answer = api.post("referee/ransom/", asked).json()
    assert (answer["winner"], answer["suits"]) == (2, ["M", "S"])
    assert "RT-4" in answer["reason"]["clauses"]


def test_the_game_may_be_left_out_ransom(api):
    assert api.post("referee/ransom/", {"cards": ["9MS", "9LK", "9WY"]}).json()["winner"] is None


def test_a_card_is_needed_from_every_player(api):
    assert api.refused("referee/ransom/", {}, 400)["code"] == "missing-key"
    assert api.refused("referee/ransom/", {"cards": ["9MS"]}, 422)["code"] == "wrong-count"
    assert api.refused("referee/ransom/", {"cards": ["9MS", "9MS"]}, 422)["code"] == "already-played"


def test_pawns_have_to_be_in_play(api):
    cards = ["PMSL", "9LK"]
    assert api.refused("referee/ransom/", {"cards": cards}, 422)["code"] == "not-in-deck"
    assert api.post("referee/ransom/", {"cards": cards, "options": {"pawns": True}}).json()["winner"] == 0


# --- POST referee/response/: what is this response worth?


def test_it_works_response(api):
    answer = api.post("referee/response/", {"game": "ace-pit", "laid": "8H", "response": ["7H", "9H"]}).json()
    assert (answer["winner"], answer["points"]) == ("responder", 95)
    assert sum(line["points"] for line in answer["lines"]) == 95
    assert answer["reason"]["clauses"]


def test_the_game_may_be_left_out_response(api):
    assert api.post("referee/response/", {"laid": "8H", "response": ["JH"]}).json()["winner"] == "leader"


def test_what_is_no_set_wins_nothing(api):
    answer = api.post("referee/response/", {"laid": "8H", "response": ["9H", "8S"]}).json()
    assert (answer["winner"], answer["points"], answer["lines"]) == (None, 0, [])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"laid": "8H"}, 400, "missing-key"),
        ({"laid": 8, "response": ["JH"]}, 400, "wrong-type"),
        ({"laid": "8H", "response": []}, 422, "wrong-count"),
        ({"laid": "8H", "response": ["7H", "9H", "JH"]}, 422, "wrong-count"),
        ({"laid": "8H", "response": ["8H"]}, 422, "already-played"),
        ({"laid": "8H", "response": ["8X"]}, 422, "not-in-deck"),
    ],
)
def test_what_cannot_be_asked_is_a_problem_response(api, body, status, code):
    assert api.refused("referee/response/", body, status)["code"] == code


# --- POST referee/score/: how many points is that?

ROUND = {"game": "american-deuce", "cards_left": [0, 3, 11, 8], "dealt": [13, 13, 13, 13]}


def test_it_works_score(api):
    asked = {"game": "ace-trump", "options": {"bidding": True}, "bid": 3, "tricks": 5}
    answer = api.post("referee/score/", asked).json()
    assert answer["points"] == 17
    assert sum(line["points"] for line in answer["lines"]) == 17
    assert "AT-V4" in answer["reason"]["clauses"]


def test_points_may_be_those_of_every_seat(api):
    answer = api.post("referee/score/", ROUND).json()
    assert answer["points"] == [33, -3, -22, -8]
    for seat, points in enumerate(answer["points"]):
        assert sum(line["points"] for line in answer["lines"] if line["seat"] == seat) == points


def test_a_toy_game_answers_too(api):
    with with_game(TOY):
        answer = api.post("referee/score/", {"game": "plain-whist", "tricks": 5}).json()
    assert answer["points"] == 5
    assert answer["lines"][0]["reason"]["clauses"] == answer["reason"]["clauses"] == ["TOY-4"]


def test_what_cannot_be_asked_is_a_problem_score(api):
    bidding = {"game": "ace-trump", "options": {"bidding": True}}
    assert api.refused("referee/score/", bidding | {"tricks": 5}, 422)["code"] == "missing-key"
    assert api.refused("referee/score/", bidding | {"tricks": 5, "bid": "3"}, 400)["code"] == "wrong-type"
    assert api.refused("referee/score/", ROUND | {"cards_left": [1, 3, 11, 8]}, 422)["code"] == "bad-result"
    assert api.refused("referee/score/", ROUND | {"dealt": [13]}, 422)


# --- POST referee/legal/: what may be played?

HAND = ["3MW", "9WY", "AK"]


def test_it_works_legal(api):
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


# --- POST referee/deal/: how many cards does everybody get?

TIDES = {"game": "ace-trump", "options": {"tides": True}, "players": 3}


def test_it_works_deal(api):
    answer = api.post("referee/deal/", {"game": "ace-trump", "players": 5}).json()
    assert (answer["cards_each"], answer["aside"], answer["tricks"]) == ([7] * 5, 1, 7)
    assert "AT-2" in answer["reason"]["clauses"]


def test_tides_follow_the_last_trick(api):
    assert api.post("referee/deal/", TIDES).json()["cards_each"] == [1, 1, 1]
    last = {"last_trick": ["XM", "9MS", "3MW"]}
    assert api.post("referee/deal/", TIDES | last).json()["cards_each"] == [3, 3, 3]


def test_american_deuce_has_no_number_of_tricks(api):
    answer = api.post("referee/deal/", {"game": "american-deuce", "players": 7}).json()
    assert (answer["cards_each"], answer["tricks"]) == ([15] * 6 + [14], None)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"game": "ace-trump"}, 400, "missing-key"),
        ({"game": "ace-trump", "players": "3"}, 400, "wrong-type"),
        ({"game": "ace-trump", "players": True}, 400, "wrong-type"),
        ({"game": "ace-trump", "players": 7}, 422, "bad-players"),
        ({"game": "ace-pit", "players": 3}, 422, "bad-players"),
        (TIDES | {"players": 5}, 422, "option-conflict"),
        (TIDES | {"last_trick": ["XM"]}, 422, "wrong-count"),
    ],
)
def test_what_cannot_be_asked_is_a_problem_deal(api, body, status, code):
    assert api.refused("referee/deal/", body, status)["code"] == code


# --- POST referee/beats/: does this play beat that one?

ASKED = {"decks": 1, "suit_order": ["S", "H", "C", "D"], "on": ["2S"], "play": ["4S", "4H", "4D", "4C"]}


def test_it_works_beats(api):
    answer = api.post("referee/beats/", ASKED | {"game": "american-deuce"}).json()
    assert answer["beats"] is True
    assert answer["combination"]["kind"] == "riot"
    assert answer["reason"]["clauses"]


def test_the_game_may_be_left_out_beats(api):
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
def test_what_cannot_be_asked_is_a_problem_beats(api, change, status, pointer):
    assert api.refused("referee/beats/", ASKED | change, status)["errors"][0]["pointer"] == pointer
