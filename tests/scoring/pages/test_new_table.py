"""Opening a table through its form."""

import re

import pytest

from referee.engine.catalogue import all_games
from scoring.models import Table


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_it_works(device, game):
    assert device.get(f"/new/{game.id}/").status_code == 200
    names = [f"Player {n}" for n in range(game.players[0])]
    address = device.open_table(game.id, names, dealer=1)
    table = Table.objects.get()
    assert address == f"/t/{table.code}/"
    assert (table.seats, table.first_dealer) == (names, 1)
    assert table.options == {option.key: option.standard_for(len(names)) for option in game.all_options()}


def test_every_house_rule_is_explained(device):
    page = device.get("/new/ace-trump/").content.decode()
    assert "Tides of Fortune" in page
    assert "The last card of a hand sets the size of the next." in page
    assert '/games/ace-trump/#AT-V5"' in page


def test_house_rules_are_chosen_by_their_place(device):
    device.open_table(**{"option-ties": "1", "option-tides": "1"})
    options = Table.objects.get().options
    assert (options["ties"], options["tides"]) == ("early", True)


def test_numbers_are_taken_as_they_are(device):
    device.open_table("wildcat-chicane", **{"option-zero_bid": "5", "end": "score", "end-score": "60"})
    table = Table.objects.get()
    assert table.options["zero_bid"] == 5
    assert table.end == {"kind": "score", "value": 60}


def test_places_left_empty_are_left_out(device):
    device.open_table(names=["Ann", "", "Cy", " ", "Eve"], dealer=2)
    table = Table.objects.get()
    assert table.seats == ["Ann", "Cy", "Eve"]
    assert table.seats[table.first_dealer] == "Cy"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"option-fixed_trump": "1"}, "fixed_trump goes with trump=fixed, and only with it."),
        ({"option-ties": "9"}, "9 is not one of the available choices."),
        ({"end": "hands", "end-hands": ""}, "A whole number is needed here."),
        ({"end": "whenever"}, "whenever is not one of the available choices."),
        ({"name": ["Ann"]}, "is played by 2 to 6 players"),
        ({"name": ["Ann", "Bob", ""], "dealer": "2"}, "Nobody sits where the dealer is marked."),
        ({"name": ["Ann", "Bob", "ann "]}, "Two of you are called ann. Tell them apart, perhaps by a letter."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_lost(device, fields, said):
    form = {"name": ["Ann", "Bob"], "dealer": "0", "end": "open"} | fields
    answer = device.post("/new/ace-trump/", form)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert said in page
    assert 'value="Ann"' in page
    assert not Table.objects.exists()


def test_what_is_wrong_with_a_house_rule_is_said_first_with_a_way_to_it(device):
    """Its field is some screens below, in a list of twenty."""
    answer = device.post("/new/ace-trump/", {"name": ["Ann", "Bob"], "end": "open", "option-hook": "1"})
    page = answer.content.decode()
    assert '<li><a href="#option-hook">Hook</a>: hook goes only with bidding.</li>' in page
    assert page.index('href="#option-hook"') < page.index("Who plays?")
    assert re.search(r'<select id="option-hook" [^>]*aria-invalid="true"', page)
    assert page.count("aria-invalid") == 1


def test_what_was_typed_stays_where_it_was_typed(device):
    """Places left empty, marks, numbers, and what is wrong with a house rule beside it."""
    form = {"name": ["Ann", "", "Cy", "Dee"], "dealer": "2", "end": "score", "end-score": "60", "private": "1"}
    answer = device.post("/new/wildcat-chicane/", form | {"option-zero_bid": "99", "option-revoke": "2"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'name="name" value="Ann"' in page
    assert 'id="name-1" name="name" value=""' in page
    assert 'id="name-2" name="name" value="Cy"' in page
    assert 'name="dealer" value="2" checked' in page
    assert 'name="end" value="score" checked' in page
    assert 'value="60"' in page
    assert 'name="private" value="1" checked' in page
    assert 'value="99"' in page
    assert re.search(r'<p class="problem">zero_bid cannot be 99; it takes [^<]*</p>', page)
    assert '<option value="2" selected>' in page
    assert '<details class="box" open>' in page


@pytest.mark.parametrize("number", ["soon", "1.5", "9" * 5000])
def test_a_number_is_one(device, number):
    form = {"name": ["Ann", "Bob", "Cy"], "end": "open", "option-zero_bid": number}
    answer = device.post("/new/wildcat-chicane/", form)
    assert answer.status_code == 422
    assert '<p class="problem">Enter a whole number.</p>' in answer.content.decode()
    assert not Table.objects.exists()


def test_a_number_left_empty_is_as_usual(device):
    device.open_table("wildcat-chicane", **{"option-zero_bid": ""})
    game = next(game for game in all_games() if game.id == "wildcat-chicane")
    usual = next(option for option in game.all_options() if option.key == "zero_bid")
    assert Table.objects.get().options["zero_bid"] == usual.standard


def test_play_again_begins_with_the_same_people_and_rules(device):
    address = device.open_table(**{"option-ties": "1"})
    page = device.get("/new/ace-trump/", {"again": address.split("/")[2]}).content.decode()
    assert 'value="Cy"' in page
    assert '<option value="1" selected>earlier card (Early Bird)</option>' in page


def test_an_unknown_game_is_not_found(device):
    assert device.get("/new/no-such-game/").status_code == 404
