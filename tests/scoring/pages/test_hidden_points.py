"""A table that hides its points until the game is over (AP-18): what the pages of each device show."""

import re
from html import unescape

import pytest

from scoring.models import Role, Table
from scoring.services.tables import make_link
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.german import GermanPhone
from tests.scoring.pages.reading import UNFOLDED, text

NUMBERS = ("235", "345", "95", "380", "145")
PAGES = ("", UNFOLDED, "screen/", "log/", "share/", "hands/1/", "hands/2/?trick=1")


@pytest.fixture
def address(device):
    """A hand by its result, and two tricks of the next one; two hands are played."""
    house = {"option-totals": "1", "end": "hands", "end-hands": "2"}
    address = device.open_table("ace-pit", ("Ann", "Bob"), 1, **house)
    assert Table.objects.get().options["totals"] == "hidden"
    device.tap(address, "result", points=["235", "345"])
    for seat, cards in (("1", ["8H"]), ("0", ["7H", "9H"]), ("0", ["AD"]), ("1", ["2C"])):
        assert device.tap(address, "play", seat=seat, cards=cards).status_code == 302
    return address


def shown(phone, address) -> str:
    page = phone.get(address)
    assert page.status_code == 200, address
    # forms hold numbers of their own: what can be recorded
    html = re.sub(r"<form\b.*?</form>", "", page.content.decode(), flags=re.DOTALL)
    told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))
    return unescape(told) + " ".join(re.findall(r'(?:aria-label|title)="([^"]*)"', html))


def leaks(said: str) -> list[str]:
    return [number for number in NUMBERS if re.search(rf"(?<![\w.:-]){number}(?![\w:-])", said)]


def joined(role: Role, seat: int | None = None) -> Device:
    phone = Device()
    row = Table.objects.get()
    phone.post(f"/t/{row.code}/join/", {"token": make_link(row, role, seat=seat)})
    return phone


@pytest.mark.parametrize("tail", PAGES)
@pytest.mark.parametrize("role", ["scorekeeper", "player", "spectator", "stranger"])
def test_no_page_shows_points_unasked(device, other, address, role, tail):
    phone = {"scorekeeper": device, "stranger": other}.get(role) or joined(Role(role), 1 if role == "player" else None)
    assert leaks(shown(phone, address + tail)) == []


def test_tricks_and_winners_are_shown(device, address):
    said = shown(device, address)
    assert "Trick 2: Ann." in said
    assert "The 2 of clubs does not beat the ace of diamonds: Ann wins." in said
    assert "Points are hidden until the game is over." in said
    assert "Score curve" not in said
    assert "Total" not in said
    again = shown(device, f"{address}hands/2/?trick=1")
    assert "Ann wins with Spoon, Pin and Flush." in again
    assert "The rest of the hand by its result" in shown(device, f"{address}log/")
    assert "The rest of the hand by its result" in shown(device, f"{address}amend/?hand=0")


def test_who_keeps_the_score_can_ask_for_the_points(device, other, address):
    assert "Show the points" in shown(device, address)
    said = shown(device, f"{address}points/")
    assert {"235", "345", "380", "145"} <= set(re.findall(r"\d+", said))
    assert "Ann +95" in said
    assert leaks(shown(device, address)) == []
    for phone in (other, joined(Role.PLAYER, 1), joined(Role.SPECTATOR)):
        assert "Show the points" not in shown(phone, address)
        answer = phone.get(f"{address}points/")
        assert (answer.status_code, answer["Location"]) == (302, address)


def test_what_is_put_together_is_named_without_points(device, address):
    device.tap(address, "play", seat="0", cards="8S")
    asked = {"event": "play", "seat": "1", "cards": ["8D", "8C"]}
    seen = text(device.get(f"{address}preview/", asked))
    assert "Bob wins with Even Stevens and Double Fork." in seen
    assert not re.search(r"\d+ points", seen)


def test_the_front_page_and_going_on_name_people_without_totals(device, address):
    home = shown(device, "/")
    assert "Hand 2: Ann, Bob" in home
    assert leaks(home) == []
    device.tap(address, "redeal")
    assert leaks(shown(device, f"{address}continue/")) == []


def test_a_correction_says_no_points(device, address):
    device.tap(address, "result", points=["185", "100"])
    assert "380" not in shown(device, f"{address}amend/")
    entry = Table.objects.get().log.get(seq=3).seq
    device2 = device.open_table("ace-pit", ("Ann", "Bob"), 1, **{"option-totals": "1"})
    for seat, cards in (("0", ["8H"]), ("1", ["7H", "9H"])):
        device.tap(device2, "play", seat=seat, cards=cards)
    asked = {"event": "play", "seat": "1", "cards": ["7H", "10H"]}
    said = text(device.get(f"{device2}amend/2/", asked))
    assert "Points are hidden until the game is over." in said
    assert "95" not in said
    assert "80" not in said
    assert entry == 3


def test_everything_is_shown_when_the_game_is_over(device, other, address):
    device.tap(address, "result", points=["185", "100"])
    for phone in (device, other):
        said = shown(phone, address)
        assert {"235", "345", "420", "445"} <= set(re.findall(r"\d+", said))
        assert "hidden" not in said
    answer = device.get(f"{address}points/")
    assert (answer.status_code, answer["Location"]) == (302, address)


def test_it_is_said_in_german(device, address):
    said = shown(GermanPhone(), address)
    assert "Die Punkte bleiben verdeckt, bis das Spiel zu Ende ist." in said
    assert leaks(said) == []
