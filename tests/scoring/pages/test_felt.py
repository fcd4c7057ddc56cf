"""The table in the middle of the page: what lies before each player, who is ahead, and why trump is what it is."""

import json
import re

import pytest

from tests.e2e.thumb import whole_hand
from tests.scoring.pages.reading import text


def played(device, address, *plays):
    for seat, card in plays:
        device.tap(address, "play", seat=str(seat), cards=card)
    return device.get(address)


def seats(answer):
    """Return what each seat says, by the name of its player."""
    found = re.findall(r'<li class="seat.*?</li>', answer.content.decode(), re.DOTALL)
    return {seat.split('seat-name">')[1].split("<")[0]: seat for seat in found}


def ahead(answer):
    return [name for name, seat in seats(answer).items() if " ahead" in seat]


def test_the_card_that_would_take_the_trick_is_marked_while_it_runs(device):
    address = device.open_table()
    assert ahead(played(device, address, (0, "8MS"))) == ["Ann"]
    assert ahead(played(device, address, (1, "9MS"))) == ["Bob"]
    done = played(device, address, (2, "2SY"))
    assert ahead(done) == ["Bob"]
    assert " took" in seats(done)["Bob"]
    assert ahead(played(device, address, (1, "2MK"))) == ["Bob"], "of the trick before nothing is left"


def test_an_ace_that_falls_late_puts_another_card_ahead(device):
    address = device.open_table()
    page = played(device, address, (0, "8MS"), (1, "5ML"), (2, "AL"))
    assert ahead(page) == ["Bob"], "it is the higher trump now"
    assert "is the highest trump. The Ace of Leaves made it trump." in text(page)


def test_trump_says_since_which_ace_as_long_as_it_holds(device):
    address = device.open_table()
    page = played(device, address, (0, "AS"), (1, "2SY"), (2, "3SK"), (2, "9MS"))
    assert "Trump Suns" in text(page)
    assert "The Ace of Suns made it trump." in text(page)


def test_a_card_in_a_sentence_is_drawn(device):
    page = played(device, device.open_table(), (0, "8MS"), (1, "9MS"), (2, "2SY")).content.decode()
    assert re.search(r'Pact <span class="card small in-words" role="img" aria-label="\(9 of Moons and Suns\)"', page)


def test_the_suits_asked_for_are_said(device):
    assert "Asked for Moons Suns" in text(played(device, device.open_table(), (0, "8MS")))


def test_each_player_of_wildcat_chicane_reads_the_own_suit_of_every_card(device):
    address = device.open_table("wildcat-chicane")
    for seat, card in enumerate(("XM", "AK", "XY")):
        device.tap(address, "ruling-card", seat=str(seat), cards=card)
    for seat in range(3):
        device.tap(address, "bid", seat=str(seat), tricks="2")
    assert "reads-first" in device.get(address).content.decode()
    assert "reads-last" in played(device, address, (0, "2WL")).content.decode()


def test_ransom_cards_of_one_rank_are_struck_out_once_all_are_turned(device):
    address = device.open_table("ransom-trump")
    for seat, card in enumerate(("8YK", "8WL", "3LY")):
        assert "struck-out" not in device.get(address).content.decode()
        device.tap(address, "ransom", seat=str(seat), cards=card)
    shown = seats(device.get(address))
    assert [name for name, seat in shown.items() if "struck-out" in seat] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("game", "event", "cards"),
    [("ransom-trump", "ransom", "8YK 8WL 3LY"), ("wildcat-chicane", "ruling-card", "XM AW XY")],
)
def test_cards_put_aside_lie_face_down_until_all_are_turned(device, other, game, event, cards):
    address = device.open_table(game)
    for seat, card in enumerate(cards.split()):
        for phone in (device, other):
            shown = seats(phone.get(address))
            assert ["card-back" in each for each in shown.values()] == [seat > owner for owner in range(3)]
            assert not any("seat-shown" in each for each in shown.values())
        device.tap(address, event, seat=str(seat), cards=card)
    shown = seats(device.get(address))
    assert all("seat-shown" in each and "card-back" not in each for each in shown.values())


def test_what_is_to_be_beaten_is_in_the_middle_and_who_has_passed_at_the_seats(device):
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0)
    for seat, suit in enumerate("SHC"):
        device.tap(address, "suit", seat=str(seat), suit=suit)
    device.tap(address, "play", seat="0", cards=["7S", "7H"])
    device.tap(address, "pass", seat="1")
    page = device.get(address)
    assert "To beat pair of sevens" in text(page)
    assert ["pass" in text_of for text_of in seats(page).values()] == [False, True, False, False]


@pytest.mark.parametrize("private", [False, True])
def test_the_big_screen_shows_where_to_look_on_unless_only_links_open_the_table(device, private):
    address = device.open_table(**({"private": "1"} if private else {}))
    page = device.get(f"{address}screen/").content.decode()
    assert ("QR code of this table" in page) is not private


@pytest.mark.parametrize(
    ("game", "names", "taps", "said"),
    [
        ("ransom-trump", 3, [], "Each lays one card face down. When all lie, turn them together, then tap them."),
        ("wildcat-chicane", 3, [], "Each lays an Ace or a Crown face down."),
        ("american-deuce", 4, [], "Ann is the President-Elect and names the highest suit."),
        ("american-deuce", 4, [("suit", {"seat": "0", "suit": "S"})], "Bob is the Vice and names the second suit."),
        (
            "ace-pit",
            2,
            [("play", {"seat": "1", "cards": "7H"}), ("play", {"seat": "0", "cards": ["6C", "8C"]})],
            "Ann draws a card.",
        ),
    ],
)
def test_what_to_do_with_the_real_cards_is_said_when_it_matters(device, game, names, taps, said):
    address = device.open_table(game, ["Ann", "Bob", "Cy", "Dot"][:names], dealer=0)
    assert said not in text(device.get(address)) or not taps
    for event, fields in taps:
        device.tap(address, event, **fields)
    assert said in text(device.get(address))


def test_a_bid_that_can_bring_nothing_is_warned_of(device):
    address = device.open_table("wildcat-chicane")
    for seat, card in enumerate(("XM", "AK", "XY")):
        device.tap(address, "ruling-card", seat=str(seat), cards=card)
    assert "A bid of 0 brings no points, even if it is made." in text(device.get(address))


def test_the_keys_of_american_deuce_go_from_the_three_to_the_two_by_the_suits_named(device):
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0)
    for seat, suit in enumerate("HCD"):
        device.tap(address, "suit", seat=str(seat), suit=suit)
    page = device.get(address).content.decode()
    keys = re.findall(r'name="cards" value="(\w+)" id="play-', page)
    assert (keys[0], keys[12], keys[13], keys[-1]) == ("3H", "2H", "3C", "2S")
    assert re.search(r'value="single" checked', page)
    device.tap(address, "play", seat="0", cards=["7S", "7H"])
    assert re.search(r'value="several" checked', device.get(address).content.decode())


def test_nothing_is_chosen_beforehand_when_a_deuce_is_dropped(device):
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0)
    for seat, suit in enumerate("SHC"):
        device.tap(address, "suit", seat=str(seat), suit=suit)
    page = device.get(address).content.decode()
    form = page[page.index('data-event="drop-deuce"') :]
    assert " checked" not in form[: form.index("</form>")]
    device.tap(address, "drop-deuce", king="2", constipated="1", given="", returned="")
    assert "Cy is the Constipated King: no 2 to drop." in text(device.get(address))


def test_tricks_stand_beside_what_was_bid_a_piece_each(device):
    address = device.open_table("wildcat-chicane")
    for seat, card in enumerate(("XM", "AK", "XY")):
        device.tap(address, "ruling-card", seat=str(seat), cards=card)
    for seat, tricks in enumerate("201"):
        device.tap(address, "bid", seat=str(seat), tricks=tricks)
    for winner in ("0", "1"):
        device.tap(address, "trick", winner=winner)
    pieces = {name: re.findall(r'<i class="(\w+)">', seat) for name, seat in seats(device.get(address)).items()}
    assert pieces == {"Ann": ["won", "open"], "Bob": ["over"], "Cy": ["open"]}


def test_when_the_game_is_over_its_winner_alone_is_marked(device):
    """Dot wins, and Bob took the last trick: two marks that look alike would leave it open."""
    told = whole_hand("ace-trump", 4, house_rules=False)
    address = device.post("/import/", {"text": json.dumps(told)})["Location"]
    shown = seats(device.get(address))
    assert [name for name, seat in shown.items() if " winner" in seat] == ["Dot"]
    assert [name for name, seat in shown.items() if " took" in seat] == []
    assert " ahead" in shown["Bob"], "the card of the last trick stays marked"
