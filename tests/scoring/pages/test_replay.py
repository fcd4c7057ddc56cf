"""A hand replayed as it was, and under other rules."""

import re

import pytest

from scoring.models import Table
from tests.scoring.pages.reading import tells, text

# --- A hand replayed trick by trick; the big screen; and playing again

REVOKE = "0:8MS 1:AW 2:XM 1:2SY 2:5SW 0:7SK"
"""Bob discards an Ace of Waves on Moons and Suns, wins with it, and then leads a Sun."""


ONE_HAND = {"end": "hands", "end-hands": "1"}


def play_hands(device, hands, **more):
    """Record this many hands by their results; return the table's address."""
    address = device.open_table(names=["Ann", "Bob"], dealer=0, **more)
    for number in range(hands):
        tricks = [str(3 + number), str(6 - number)]
        assert device.tap(address, "result", tricks=tricks).status_code == 302
    return address


@pytest.fixture
def address(device):
    return device.open_table(plays=REVOKE)


def test_a_hand_is_replayed_trick_by_trick(device, address):
    assert f'href="{address}hands/1/"' in device.get(address).content.decode()
    page = device.get(f"{address}hands/1/")
    assert "Trick 1 of 2" in text(page)
    assert "Bob wins. The Ace of Waves is the highest trump." in text(page)
    assert '/games/ace-trump/#AT-9"' in page.content.decode()


def test_links_lead_from_trick_to_trick(device, address):
    first = device.get(f"{address}hands/1/").content.decode()
    assert re.search(r'rel="next" href="\?trick=2"', first)
    assert 'rel="prev"' not in first
    second = device.get(f"{address}hands/1/?trick=2")
    assert "Trick 2 of 2" in text(second)
    assert 'rel="next"' not in second.content.decode()


def test_an_irregular_act_is_shown_beside_the_card_that_disproves_it(device, address):
    page = text(device.get(f"{address}hands/1/"))
    assert re.search(r"Ann led .* Bob played no .* Bob shows", page), page


def test_a_hand_recorded_by_its_result_shows_its_score(device):
    address = play_hands(device, 2)
    page = text(device.get(f"{address}hands/1/"))
    assert "No trick of this hand is recorded." in page
    assert "Ann +3" in page
    assert "Hand 2" in page


def test_a_missing_hand_or_trick_is_not_found(device, address):
    assert device.get(f"{address}hands/2/").status_code == 404
    assert device.get(f"{address}hands/0/").status_code == 404
    for wanted in ("99", "0", "-1", "x", "9" * 50):
        assert device.get(f"{address}hands/1/", {"trick": wanted}).status_code == 200


def test_the_big_screen_shows_the_trick_and_has_no_controls(device, other):
    address = device.open_table(plays="0:8MS 1:AW")
    page = other.get(f"{address}screen/")
    assert "Cy plays the last card." in text(page)
    assert 'aria-label="Diplomat (8 of Moons and Suns)"' in page.content.decode()
    shown = page.content.decode().partition('id="display"')[0]  # below it there are only display settings
    assert "<form" not in shown
    assert "<button" not in shown
    fragment = other.get(f"{address}screen/", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment
    assert 'data-version="2"' in fragment


def test_playing_again_moves_on_to_the_next_dealer(device):
    address = play_hands(device, 1, **ONE_HAND, **{"option-ties": "1"})
    home = device.get("/").content.decode()
    again = re.search(r'href="([^"]*again=[^"]*)"', home)
    assert again
    assert again[1] == f"/new/ace-trump/?again={address.split('/')[2]}"
    form = device.get(again[1]).content.decode()
    assert re.findall(r'name="name" value="([^"]*)"', form)[:2] == ["Ann", "Bob"]
    assert re.search(r'name="dealer" value="1" checked', form), "Ann dealt, so Bob deals now."
    assert "ties to the earlier card (Early Bird)</a>" in form


def test_recent_players_are_seated_with_a_tap(device, other):
    device.open_table()
    form = device.get("/new/ransom-trump/").content.decode()
    assert 'href="?name=Ann&amp;name=Bob&amp;name=Cy"' in form
    seated = device.get("/new/ransom-trump/?name=Ann").content.decode()
    assert 'href="?name=Ann&amp;name=Bob" data-name="Bob"' in seated
    assert not tells(other.get("/new/ransom-trump/"), "Bob")
    assert "same people" not in device.get("/new/ace-pit/").content.decode(), "Three do not play a game for two."


def test_finished_and_running_tables_look_different(device):
    play_hands(device, 1, **ONE_HAND)
    running = device.open_table(plays="0:8MS")
    page = device.get("/")
    assert re.search(r"Your games .*Hand 1 .* Finished games .*Bob wins\. Ann.3 · Bob.6", text(page))
    assert page.content.decode().index(running) < page.content.decode().index("again=")
    assert Table.objects.filter(finished=True).count() == 1


def test_a_finished_table_links_to_its_tricks_if_it_has_any(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"], **ONE_HAND)
    device.tap(address, "trick", winner="1", points="10")
    assert "Replay" not in text(device.get(address))
    device.tap(address, "result", points=["60", "10"])
    assert "Replay" in text(device.get(address))
    by_results = play_hands(device, 1, **ONE_HAND)
    assert "Replay" not in text(device.get(by_results))


def test_a_hand_is_audited_on_request(device, address):
    assert "Check this hand" in text(device.get(f"{address}hands/1/"))
    page = text(device.get(f"{address}hands/1/?audit=1"))
    assert "Not every card of this hand is known; those that are show 1 rule break." in page
    assert re.search(r"Bob didn’t follow suit .* proved · trick 1", page)
    assert "3 hands weren’t entered" in page


# --- The page of a table under other house rules

TRICK = "0:8MS 1:XS 2:XM"
TIE = f"{TRICK} 2:9LK"
"""Two Crowns follow the Diplomat: by the higher symbol Cy wins and leads on, by Early Bird it is Bob."""


@pytest.fixture
def tied(device):
    return device.open_table(plays=TIE)


def test_a_table_is_shown_under_other_rules(device, tied):
    assert f'href="{tied}what-if/"' in device.get(tied).content.decode()
    page = device.get(f"{tied}what-if/?ties=early")
    shown = text(page)
    assert "Bob would be ahead, not Cy." in shown
    assert "With Early Bird, trick 1 goes to Bob, not to Cy." in shown
    assert re.search(r"Rule breaks under these rules 1 Cy acted out of turn; it was Bob’s turn.", shown)
    assert 'id="hand-1"' in page.content.decode()
    assert "what-if/?ties=early" in page.content.decode(), "It can be sent."


def test_the_what_if_page_first_offers_the_rules(device, tied):
    page = device.get(f"{tied}what-if/").content.decode()
    assert "?ties=early" in page
    assert 'name="called_suit"' in page
    assert 'name="partners"' not in page, "Three play no partners."
    assert 'name="revoke"' not in page


def test_dependent_options_follow_the_changed_rule(device, tied):
    assert "Fixed trump suit: none → Moons" in text(device.get(f"{tied}what-if/?trump=fixed"))


@pytest.mark.parametrize("query", ["ties=highest", "excuse=perhaps", "partners=true"])
def test_impossible_option_values_are_explained(device, tied, query):
    page = device.get(f"{tied}what-if/?{query}")
    assert page.status_code == 422
    assert 'role="alert"' in page.content.decode()


def test_unknown_rules_are_ignored(device, tied):
    page = device.get(f"{tied}what-if/?from=chat&hook=&ties=late")
    assert page.status_code == 200
    assert "Nothing would have been different." not in text(page) or "the later card (Late Bird)" in text(page)


def test_a_ruling_links_to_the_what_if_page(device, tied):
    page = device.get(f"{tied}hands/1/")
    assert f'href="{tied}what-if/?ties=early#hand-1"' in page.content.decode()
    assert "And with “the earlier card (Early Bird)”?" in text(page)


def test_hidden_points_stay_hidden(device):
    address = device.open_table(game="ace-pit", names=["Ann", "Bob"], dealer=1, **{"option-totals": "1"})
    device.taps(address, "play", "0:8H 1:9H+9S")
    shown = text(device.get(f"{address}what-if/?fork_spoon=false"))
    assert "Points are hidden until the game is over." in shown
    assert not re.search(r"\b65\b", shown)  # the table's code may contain these digits
    assert "Bob 50" not in shown


def test_a_clause_opened_over_the_table_links_to_the_what_if_page(device):
    address = device.open_table(**{"option-ties": "1"})
    code = address.strip("/").split("/")[-1]
    page = device.get(f"/games/ace-trump/AT-V2/?table={code}")
    assert f'href="{address}what-if/?ties=symbol"' in page.content.decode()
    assert "And without this rule?" in text(page)
    assert "what-if" not in device.get("/games/ace-trump/AT-V2/").content.decode()


def test_a_long_what_if_shows_the_first_hands_trick_by_trick(device, monkeypatch):
    monkeypatch.setattr("scoring.rulings.presenters.what_if.MOST_HANDS", 1)
    address = device.open_table(plays=TRICK)
    assert device.tap(address, "result", tricks=["4", "4", "4"]).status_code == 302
    device.taps(address, "play", "1:8MS 2:XS 0:XM")
    page = device.get(f"{address}what-if/?ties=early")
    assert 'id="hand-1"' in page.content.decode()
    assert 'id="hand-2"' not in page.content.decode()
    assert "Hand 2 1 trick changes" in text(page)


@pytest.mark.parametrize(
    ("plays", "has_result", "query", "said"),
    [
        (TIE, False, "bidding=true", "There were no bids in this hand"),
        (TIE, False, "bidding=true", "We can’t tell how it would have ended."),
        ("", True, "ties=early", "1 hand has only its result, so we can’t tell."),
        ("", True, "excuse=true", "Hand 1 can’t be judged"),
        (TRICK, True, "ties=late", "In 1 hand some cards aren’t known, so we can’t check every trick."),
    ],
    ids=["bids nobody made", "the end without bids", "a result", "a result of other cards", "unknown cards"],
)
def test_the_what_if_page_says_what_it_cannot_judge(device, plays, has_result, query, said):
    address = device.open_table(plays=plays)
    if has_result:
        device.tap(address, "result", tricks=["4", "4", "4"])
    shown = text(device.get(f"{address}what-if/?{query}"))
    assert said in shown
    assert "Nothing would have been different" not in shown
