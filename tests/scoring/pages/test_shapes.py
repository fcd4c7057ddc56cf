"""Each game in its own shape, at any depth: what a page shows beyond cards and buttons."""

import pytest

from scoring.models import Table
from tests.scoring.pages.reading import text
from tests.scoring.pages.test_sharing import join, make_link
from tests.toy import GAME as TOY

DEUCE = ("american-deuce", ["Ann", "Bob", "Cy", "Dot"])


@pytest.fixture
def deuce(device):
    address = device.open_table(*DEUCE, dealer=0)
    for seat, suit in enumerate("SHC"):
        device.tap(address, "suit", seat=str(seat), suit=suit)
    return address


def test_a_combination_is_named_while_its_cards_are_tapped(device, deuce):
    device.tap(deuce, "play", seat="0", cards=["7S", "7H"])
    seen = text(device.get(f"{deuce}preview/", {"event": "play", "seat": "1", "cards": ["9S", "9H"]}))
    assert seen.split("✓ ")[-1].strip() == "Pair of nines. The pair of nines beats the pair of sevens."
    assert Table.objects.get().version == 4
    assert "✗" in text(device.get(f"{deuce}preview/", {"event": "play", "seat": "1", "cards": ["6S", "6H"]}))


@pytest.mark.parametrize(
    "asked", [{}, {"event": "play"}, {"event": "bid", "tricks": "2"}, {"event": "play", "seat": "x"}]
)
def test_nothing_is_said_where_there_is_nothing_to_say(device, deuce, asked):
    answer = device.get(f"{deuce}preview/", asked)
    assert (answer.status_code, answer.content.decode().strip()) == (200, "")


def test_a_game_without_a_preview_is_played_as_ever(device, monkeypatch):
    monkeypatch.setattr("referee.engine.catalogue.all_games", lambda: (TOY,))
    monkeypatch.setattr("referee.engine.catalogue.find_game", lambda name: TOY if name == TOY.id else None)
    assert TOY.hand_class.preview is not None
    assert not any(ask.preview for ask in TOY.hand_class(TOY.rules({}, 2), TOY.first(TOY.rules({}, 2), 0)).asks())


def test_cards_that_would_claim_a_void_are_marked_and_stay_open(device):
    address = device.open_table()
    device.tap(address, "play", seat="0", cards="8MS")
    page = device.get(address).content.decode()
    assert "Playing a marked card, Bob claims: no Moons, no Suns." in page
    assert page.count('class="card claims"') == 19, "17 of the 36 cards are Moons or Suns"
    assert page.count(' aria-disabled="true">') == 1
    assert device.tap(address, "play", seat="1", cards="2WL").status_code == 302


def test_readings_and_bids_in_turn_stand_beside_the_players(device):
    address = device.open_table("wildcat-chicane")
    for seat, card in enumerate(("XM", "AK", "XY")):
        device.tap(address, "ruling-card", seat=str(seat), cards=card)
    device.tap(address, "bid", seat="0", tricks="4")
    page = text(device.get(address))
    assert page.count("Bid 4") == 1
    assert page.count("Bid …") == 2
    assert page.count("TOP") == 2
    assert page.count("BOTTOM") == 1
    for bidder in ("1", "2"):
        device.tap(address, "bid", seat=bidder, tricks="3")
    device.tap(address, "play", seat="0", cards="4WL")
    assert '<span class="visually-hidden">Waves</span>' in device.get(address).content.decode()


def test_who_has_chosen_is_told_in_a_simultaneous_phase(device):
    address = device.open_table("ransom-trump")
    device.tap(address, "ransom", seat="1", cards="XM")
    page = device.get(address).content.decode()
    assert "✓ Bob" in page
    assert 'name="seat" value="1"' not in page.split('data-event="ransom"')[1].split("</form>")[0]


# -- depths -----------------------------------------------------------------------------------


def front(device, address):
    """Return the event of the form in front."""
    return device.get(address).content.decode().split('data-event="')[1].split('"')[0]


def test_one_tap_a_trick_and_every_card_again_in_the_middle_of_a_hand(device):
    address = device.open_table()
    assert front(device, address) == "play"
    device.get(address, {"depth": "trick"})
    for _ in range(3):
        assert front(device, address) == "trick"
        device.tap(address, "trick", winner="1")
    device.tap(address, "play", seat="1", cards="8MS")
    assert front(device, address) == "play"
    device.get(address, {"depth": ""})
    assert front(device, address) == "play"
    device.get(address, {"depth": "nonsense"})
    assert device.get(address).status_code == 200


def test_a_chosen_depth_leads_to_the_tables_own_address(device):
    address = device.open_table()
    chosen = device.get(address, {"depth": "trick"})
    assert (chosen.status_code, chosen["Location"]) == (302, address)


@pytest.mark.parametrize(
    ("game", "more", "label"),
    [
        ("wildcat-chicane", {}, "Bid before the ruling cards are known"),
        ("ransom-trump", {"option-bidding": "1"}, "Bid without ransom"),
        ("oh-hell", {}, "Bid without the turned card"),
        ("oh-hell", {"option-bidding": "1"}, "Bid without the turned card"),
    ],
    ids=["ruling card", "ransom", "card turned up", "bids together"],
)
def test_a_hand_recorded_by_its_result_begins_with_the_bids(device, game, more, label):
    address = device.open_table(game, **more)
    assert front(device, address) in ("ruling-card", "ransom", "turn-up")
    assert label in text(device.get(address))
    device.get(address, {"depth": "result"})
    dealer = Table.objects.get().first_dealer
    for place in (1, 2, 3):
        assert front(device, address) == "bid"
        device.tap(address, "bid", seat=str((dealer + place) % 3), tricks="1")
    assert front(device, address) == "result"


@pytest.mark.parametrize("depth", ["trick", "result"])
@pytest.mark.parametrize("game", ["ransom-trump", "wildcat-chicane", "oh-hell", "american-deuce"])
def test_who_records_less_than_every_card_is_not_told_what_to_do_with_the_cards(device, game, depth):
    address = device.open_table(game, ["Ann", "Bob", "Cy", "Dee"])
    for chosen, told in (("", True), (depth, game == "american-deuce" and depth == "trick")):  # it has no such depth
        device.get(address, {"depth": chosen})
        felt = device.get(address).content.decode().partition('class="felt-foot"')[2].partition("</div>")[0]
        assert "deals" in felt
        assert ("<strong>" in felt) is told, felt


@pytest.mark.parametrize("depth", ["trick", "result"])
def test_a_game_that_is_over_offers_no_other_depth(device, depth):
    address = device.open_table(**{"end": "hands", "end-hands": "1"})
    device.get(address, {"depth": depth})
    assert "Record every card again" in text(device.get(address))
    device.tap(address, "result", **{"tricks-0": "4", "tricks-1": "4", "tricks-2": "4"})
    assert "Record every card again" not in text(device.get(address))


def test_a_players_phone_does_not_skip_what_others_choose(device):
    address = device.open_table("wildcat-chicane")
    phone = join(make_link(device, address, "player:0"))
    assert "Ruling card" in text(phone.get(address))
    assert "Bid without" not in text(phone.get(address))


def test_who_went_out_need_not_be_told(device, deuce):
    assert "Whoever has 0 may be left out." in text(device.get(deuce))
    given = {"cards_left-0": "4", "cards_left-1": "", "cards_left-2": "6", "cards_left-3": "1"}
    assert device.tap(deuce, "result", **given).status_code == 302
    assert Table.objects.get().log.get(seq=4).event["cards_left"] == [4, 0, 6, 1]


def test_numbers_that_leave_less_than_nothing_are_told_as_too_many(device):
    address = device.open_table()
    answer = device.tap(address, "result", **{"tricks-0": "7", "tricks-1": "8", "tricks-2": ""})
    assert "these numbers add up to 15" in text(answer)


def test_the_last_number_of_a_result_is_implied(device):
    address = device.open_table()
    assert "Together 12: one player may be left out." in text(device.get(address))
    answer = device.tap(address, "result", **{"tricks-0": "3", "tricks-1": "", "tricks-2": "5"})
    assert answer.status_code == 302
    assert Table.objects.get().log.get().event["tricks"] == [3, 4, 5]


@pytest.mark.parametrize("numbers", [("3", "", ""), ("9", "9", ""), ("3", "4", "6"), ("x", "4", "")])
def test_a_result_that_cannot_be_is_refused(device, numbers):
    address = device.open_table()
    given = {f"tricks-{seat}": number for seat, number in enumerate(numbers)}
    assert device.tap(address, "result", **given).status_code == 422
    assert Table.objects.get().version == 0
