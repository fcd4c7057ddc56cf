"""The page of a table under other house rules."""

import re

import pytest

from tests.scoring.pages.reading import text

TIE = [("0", "8MS"), ("1", "XS"), ("2", "XM"), ("2", "9LK")]
"""Two Crowns follow the Diplomat: by the higher symbol Cy wins and leads on, by Early Bird it is Bob."""


def play_cards(device, cards=TIE, **more):
    address = device.open_table(**more)
    for seat, card in cards:
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
    return address


def test_it_works(device):
    address = play_cards(device)
    assert f'href="{address}what-if/"' in device.get(address).content.decode()
    page = device.get(f"{address}what-if/?ties=early")
    shown = text(page)
    assert "Bob would be ahead, not Cy." in shown
    assert "With Early Bird trick 1 goes to Bob, not to Cy." in shown
    assert re.search(r"Irregular by these rules 1 Cy acted out of turn; it was Bob’s turn.", shown)
    assert 'id="hand-1"' in page.content.decode()
    assert "what-if/?ties=early" in page.content.decode(), "It can be sent."


def test_without_a_question_it_offers_rules(device):
    page = device.get(f"{play_cards(device)}what-if/").content.decode()
    assert 'href="' in page
    assert "?ties=early" in page
    assert 'name="called_suit"' in page
    assert 'name="partners"' not in page, "Three play no partners."
    assert 'name="revoke"' not in page


def test_what_depends_on_a_rule_follows_it(device):
    address = play_cards(device)
    assert "Fixed trump suit: none → Moons" in text(device.get(f"{address}what-if/?trump=fixed"))


@pytest.mark.parametrize("query", ["ties=highest", "excuse=perhaps", "partners=true"])
def test_what_cannot_be_is_said(device, query):
    page = device.get(f"{play_cards(device)}what-if/?{query}")
    assert page.status_code == 422
    assert 'role="alert"' in page.content.decode()


def test_what_is_no_rule_of_the_game_is_passed_over(device):
    page = device.get(f"{play_cards(device)}what-if/?from=chat&hook=&ties=late")
    assert page.status_code == 200
    assert "Nothing would have been different." not in text(page) or "later card (Late Bird)" in text(page)


def test_a_hand_that_cannot_be_judged_says_why(device):
    shown = text(device.get(f"{play_cards(device)}what-if/?bidding=true"))
    assert "Nobody bid in this hand" in shown
    assert "Nobody can say what it would have come to." in shown


def test_a_ruling_leads_to_it(device):
    address = play_cards(device)
    page = device.get(f"{address}hands/1/").content.decode()
    assert f'href="{address}what-if/?ties=early#hand-1"' in page
    assert "And with “earlier card (Early Bird)”?" in text(device.get(f"{address}hands/1/"))


def test_hidden_points_stay_hidden(device):
    address = device.open_table(game="ace-pit", names=["Ann", "Bob"], dealer=1, **{"option-totals": "1"})
    for seat, cards in (("0", ["8H"]), ("1", ["9H", "9S"])):
        assert device.tap(address, "play", seat=seat, cards=cards).status_code == 302
    shown = text(device.get(f"{address}what-if/?fork_spoon=false"))
    assert "Points are hidden until the game is over." in shown
    assert not re.search(r"\b65\b", shown)  # the code of the table may hold these figures
    assert "Bob 50" not in shown


def test_a_clause_opened_over_the_table_leads_to_it(device):
    address = device.open_table(**{"option-ties": "1"})
    code = address.strip("/").split("/")[-1]
    page = device.get(f"/games/ace-trump/AT-V2/?table={code}")
    assert f'href="{address}what-if/?ties=symbol"' in page.content.decode()
    assert "And without this rule?" in text(page)
    assert "what-if" not in device.get("/games/ace-trump/AT-V2/").content.decode()


def test_of_very_many_hands_the_first_are_shown_trick_by_trick(device, monkeypatch):
    monkeypatch.setattr("scoring.pages.show.what_if.MOST_HANDS", 1)
    address = play_cards(device, TIE[:3])
    assert device.tap(address, "result", tricks=["4", "4", "4"]).status_code == 302
    for seat, card in (("1", "8MS"), ("2", "XS"), ("0", "XM")):
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
    page = device.get(f"{address}what-if/?ties=early")
    assert 'id="hand-1"' in page.content.decode()
    assert 'id="hand-2"' not in page.content.decode()
    assert "Hand 2 1 trick changes" in text(page)


def test_of_hands_known_by_their_results_nobody_can_say(device):
    address = device.open_table()
    device.tap(address, "result", tricks=["4", "4", "4"])
    shown = text(device.get(f"{address}what-if/?ties=early"))
    assert "1 hand is known by its result only, so nobody can say." in shown
    assert "Nothing would have been different" not in shown


def test_of_hands_with_some_cards_the_page_says_which_nobody_can_judge(device):
    address = play_cards(device, TIE[:3])
    device.tap(address, "result", tricks=["4", "4", "4"])
    shown = text(device.get(f"{address}what-if/?ties=late"))
    assert "In 1 hand some cards are not known, so nobody can say of all its tricks." in shown
    assert "Nothing would have been different" not in shown
