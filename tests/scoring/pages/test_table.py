"""The page of a table, whole and in part."""

import re
from unittest.mock import patch

import pytest
from django.conf import settings

from scoring.models import Table
from scoring.page_urls import urlpatterns
from tests.scoring.pages.reading import QUEUED, UNFOLDED, in_order, marked_keys, text

NAMES = ["Ann", "Bob", "Cy", "Dot", "Eve"]

# --- The page of a table, as it works without scripts, and its fragment for htmx


def test_a_tap_plays_a_card_and_names_the_next_player(device):
    address = device.open_table()
    assert "Ann leads." in text(device.get(address))
    answer = device.tap(address, "play", seat="0", cards="8MS", version="0")
    assert (answer.status_code, answer["Location"]) == (302, address)
    page = device.get(address)
    assert "Bob follows Moons or Suns." in text(page)
    [key] = re.findall(r'<button class="card[^"]*"[^>]*value="8MS"[^>]*>', page.content.decode())
    assert 'type="button" aria-disabled="true"' in key, "it can be reached, and plays nothing"


def test_htmx_gets_the_same_content_as_a_fragment(device):
    address = device.open_table()
    answer = device.tap(address, "play", htmx=True, seat="0", cards="8MS", version="0")
    fragment = answer.content.decode()
    assert "<html" not in fragment
    start, end = fragment.index('<div class="table"'), fragment.index('<div id="announce"')
    told = marked_keys(fragment[start:end].strip())  # scripts have the mark of the device already
    whole = re.sub(r'(name="csrfmiddlewaretoken" value=)"\w{64}"', r'\1""', device.get(address).content.decode())
    assert told in whole


def test_the_trick_names_its_winner_and_why(device):
    address = device.open_table(plays="0:8MS 1:XS 2:XM")
    page = device.get(address)
    assert "Trick 1: Cy." in text(page)
    assert "the Huntress" in text(page)
    assert '/games/ace-trump/#AT-12"' in page.content.decode()


def test_a_play_out_of_turn_can_be_taken_back_or_accepted_with_a_note(device):
    address = device.open_table()
    asked = device.tap(address, "play", seat="1", cards="8MS", version="0")
    assert asked.status_code == 409
    assert "Bob acted out of turn; it was Ann’s turn." in text(asked)
    assert in_order(asked, "Out of turn: it’s ", "Bob takes it back", "Wrong tap", "It stands", "Note (optional)")
    assert Table.objects.get().version == 0
    device.tap(address, "play", seat="1", cards="8MS", version="0", accepted="1", why=" Cy said she may ")
    page = text(device.get(address))
    assert "Cy follows Moons or Suns." in page
    assert "Rule breaks" in page
    assert Table.objects.get().log.get().event["x_why"] == "Cy said she may"
    assert "Cy said she may" in text(device.get(f"{address}log/"))
    assert "not kept" not in text(device.tap(address, "play", seat="2", cards="9WY", why="not accepted, not kept"))


def test_an_impossible_play_is_explained(device):
    address = device.open_table(plays="0:8MS")
    answer = device.tap(address, "play", seat="1", cards="8MS")
    assert answer.status_code == 422
    assert "has already been played" in text(answer)
    assert "It really happened" not in text(answer)


def test_malformed_forms_are_answered_and_record_nothing(device):
    address = device.open_table()
    for fields in ({"seat": "nine", "cards": "8MS"}, {"seat": "0"}, {"seat": "9", "cards": "8MS"}, {"cards": "8MS"}):
        assert device.tap(address, "play", **fields).status_code == 422
    assert device.tap(address, "no-such-event").status_code == 412
    assert Table.objects.get().version == 0


def test_a_tap_on_a_stale_page_records_nothing(device):
    address = device.open_table()
    device.tap(address, "play", seat="0", cards="8MS", version="0")
    answer = device.tap(address, "play", seat="0", cards="9MS", version="0")
    assert answer.status_code == 412
    assert "The table has moved on" in text(answer)
    assert Table.objects.get().version == 1


def test_undo_takes_back_the_last_tap(device):
    address = device.open_table(plays="0:8MS")
    assert device.post(f"{address}undo/", {"version": "1"}).status_code == 302
    page = device.get(address + UNFOLDED)
    assert "Ann leads." in text(page)
    assert "<del>Ann plays Diplomat (8 of Moons and Suns)</del>" in page.content.decode()
    assert "There’s nothing to undo" in text(device.post(f"{address}undo/"))


def test_a_different_device_can_watch(device, other):
    address = device.open_table()
    page = other.get(address)
    assert "You are watching." in text(page)
    assert "<form" not in page.content.decode().partition("<footer")[0]  # below it is the language
    assert other.tap(address, "play", seat="0", cards="8MS").status_code == 403
    assert other.post(f"{address}undo/").status_code == 403
    assert Table.objects.get().version == 0


def test_the_next_hand_is_offered_when_a_hand_is_over(device):
    address = device.open_table()
    device.tap(address, "result", tricks=["3", "4", "5"])
    assert "Hand 2 · 12 cards each" in text(device.get(address))
    assert "Bob leads." in text(device.get(address))
    device.tap(address, "play", seat="1", cards="8MS")
    assert Table.objects.get().hand_number == 1


@pytest.mark.parametrize(
    ("game", "players", "brief"),
    [
        ("ace-trump", 3, "12 cards each"),
        ("ransom-trump", 3, "10 cards each"),
        ("american-deuce", 5, "20–21 cards each"),
    ],
)
def test_a_hand_about_to_be_dealt_shows_its_number_of_cards(device, game, players, brief):
    assert brief in text(device.get(device.open_table(game, NAMES[:players])))


@pytest.mark.parametrize(("players", "high", "low"), [(3, 4, 8), (4, 3, 6)])
def test_both_deals_are_shown_if_there_are_two(device, players, high, low):
    address = device.open_table("wildcat-chicane", NAMES[:players])
    assert f"{high} + {low} cards each" in text(device.get(address))
    device.tap(address, "ruling-card", seat="0", cards="AM")
    device.tap(address, "redeal")
    dealt_again = f"Cy deals {high} Aces and Crowns to each, then {low} number cards."
    assert dealt_again in text(device.get(address))


def test_the_dealer_and_hand_size_are_shown_until_the_first_card(device):
    address = device.open_table()
    assert "Cy deals 12 cards to each." in text(device.get(address))
    device.tap(address, "play", seat="0", cards="8MS")
    page = text(device.get(address))
    assert "12 cards to each" not in page
    assert "12 cards each" not in page


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("8YK AW 3LY", "The Betrayal (8 of Wyrms and Knots) is the highest card that no one matched. RT-4"),
        ("XM AW 3LY", "The Huntress (Crown of Moons) is the highest card that no one matched. RT-4"),
        ("2MK 2WL 2SY", "No rank was shown just once, so no one names trump. RT-5"),
    ],
)
def test_a_won_ransom_is_explained_until_a_trick_begins(device, cards, said):
    address = device.open_table("ransom-trump")
    device.taps(address, "ransom", cards)
    assert said in text(device.get(address))
    if cards.startswith("XM"):
        device.tap(address, "play", seat="0", cards="8MS")
        assert said not in text(device.get(address))


def test_points_can_be_moved_by_agreement(device):
    address = device.open_table(plays="0:8MS")
    assert device.tap(address, "penalty", seat="2", points="-3", reason="slow").status_code == 302
    page = text(device.get(address + UNFOLDED))
    assert "Cy: −3 points (slow)" in page
    assert "Score adjusted by −3: slow." in page


def test_a_long_log_is_paged(device):
    address = device.open_table(plays="0:8MS")
    for number in range(2, 6):
        device.tap(address, "note", text=f"note {number}")
    device.post(f"{address}undo/", {"version": "5"})
    with patch("scoring.tables.pages.table.ON_A_PAGE", 2):
        seen: list[str] = []
        where: str | None = f"{address}log/"
        while where:
            page = device.get(where).content.decode()
            seen += re.findall(r'<li value="(\d+)"', page)
            assert page.count("<li value") == 2
            earlier = re.search(r'href="(\?before=\d+)"', page)
            where = f"{address}log/{earlier[1]}" if earlier else None
    assert seen == ["6", "5", "4", "3", "2", "1"]
    for odd in ("0", "-1", "x", "9" * 40):
        assert device.get(f"{address}log/", {"before": odd}).status_code == 200


def test_the_log_shows_hands_and_tricks_and_who_won_them(device):
    address = device.open_table(plays="0:8MS 1:AW 2:XM 1:9LK")
    device.tap(address, "note", text="a fine lead")
    device.tap(address, "play", seat="2", cards="4YK")
    device.post(f"{address}undo/", {"version": "6"})
    page = text(device.get(f"{address}log/"))
    assert in_order(
        page, "Hand 1 · Trick 2", "Taken back", "Note: a fine lead", "9 of Leaves", "Hand 1 · Trick 1 · ✓ Bob",
        "Crown of Moons",
    )  # fmt: skip
    assert page.count("Trick 1") == page.count("Trick 2") == 1


def test_the_log_shows_the_end_of_a_hand_recorded_by_result(device):
    address = device.open_table()
    for tricks in ("5 4 3", "2 9 1"):
        device.tap(address, "result", tricks=tricks.split())
    page = text(device.get(f"{address}log/"))
    assert in_order(page, "Hand 2", "Hand 1")
    assert "Trick" not in page


def test_a_code_may_be_typed_as_it_is_read_aloud(device):
    address = device.open_table()
    code = address.split("/")[2]
    assert device.get(f"/t/{code[:4].lower()}-{code[4:].lower()}/")["Location"] == address


def test_the_pad_shows_the_whole_extended_deck(device):
    more = {f"option-{extra}": "1" for extra in ("excuse", "pawns", "courts")}
    page = device.get(device.open_table(**more)).content.decode()
    assert page.count('class="card" name="cards"') == 45


def test_a_trick_is_recorded_with_its_points(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"], dealer=1)
    assert device.tap(address, "trick", winner="1", points="95").status_code == 302
    assert Table.objects.get().log.get().event == {"type": "trick", "winner": 1, "points": {"1": 95}}
    assert device.tap(address, "trick", winner="1").status_code == 422


def test_a_response_of_two_cards_is_sent_together(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"], dealer=1, plays="0:9H 1:8H+10H")
    assert "95 points" in text(device.get(address))


@pytest.mark.parametrize(
    ("fields", "event"),
    [
        ({"king": ""}, {"king": None}),
        ({"king": "2"}, {"king": 2}),
        ({"king": "2", "given": "2S", "returned": "3C"}, {"king": 2, "given": "2S", "returned": "3C"}),
    ],
)
def test_a_deuce_can_be_dropped(device, fields, event):
    address = device.open_table("american-deuce", NAMES[:4], dealer=0)
    device.taps(address, "suit", "0:S 1:H 2:C")
    assert device.tap(address, "drop-deuce", **fields).status_code == 302
    recorded = Table.objects.get().log.get(seq=4).event
    assert {key: recorded.get(key) for key in event} == event


def test_a_suit_can_be_called_with_the_card(device):
    address = device.open_table(**{"option-called_suit": "1"})
    assert device.tap(address, "play", seat="0", cards="8MS", suit="").status_code == 409
    assert device.tap(address, "play", seat="0", cards="8MS", suit="M").status_code == 302
    assert Table.objects.get().log.get().event["suit"] == "M"


def test_the_bid_that_the_hook_forbids_is_struck_out(device):
    address = device.open_table(**{"option-bidding": "1", "option-hook": "1"})
    device.taps(address, "bid", "0:4 1:4")
    assert "<del>4</del>" in device.get(address).content.decode()
    assert "The hook rules out 4" in text(device.tap(address, "bid", seat="2", tricks="4"))


def test_an_unseen_card_is_recorded_and_its_trick_waits_for_its_winner(device):
    address = device.open_table(plays="0:8MS 1:? 2:9MS")
    waiting = device.get(address)
    assert waiting.status_code == 200
    assert "Who wins this trick?" in text(waiting)
    assert 'name="winner" value="1"' in waiting.content.decode()
    assert device.tap(address, "play", seat="2", cards="XM").status_code == 412
    assert device.tap(address, "trick", winner="1").status_code == 302
    assert "Bob leads." in text(device.get(address))
    for other in ("log/", "hands/1/", "screen/", "amend/"):
        assert device.get(f"{address}{other}").status_code == 200


def test_a_trump_named_before_each_deal_is_tapped_first(device):
    address = device.open_table(**{"option-trump": "3"})
    page = device.get(address)
    assert page.status_code == 200
    assert "Name the trump suit." in text(page)
    assert device.tap(address, "trump", suit="K").status_code == 302
    assert "Ann leads." in text(device.get(address))
    assert "Trump: Knots" in text(device.get(f"{address}log/"))


def test_every_form_that_records_is_queued():
    """The tap script sends these, again if need be; htmx must not send them, too, which every page is checked for."""
    routes = {each.name: "/" + re.sub(r"<\w+:\w+>", "1", str(each.pattern)) for each in urlpatterns}
    queued = {name for name, route in routes.items() if QUEUED.search(route)}
    assert queued == {"record", "undo", "redo", "settle", "guide-carry-out", "confirm"}


def test_every_place_htmx_scrolls_to_is_in_a_template():
    """It is in the answer, not yet on the page that asks for it."""
    templates = "".join(path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html"))
    places = set(re.findall(r"show:#([\w-]+)", templates))
    assert places
    assert [place for place in places if f'id="{place}"' not in templates] == []
