"""Going on with other people, from the page."""

import pytest

from scoring.models import Table
from tests.scoring.pages.reading import text


@pytest.fixture
def address(device):
    address = device.open_table(end="score", **{"end-score": "50"})
    device.tap(address, "result", tricks=["5", "4", "3"])
    return address


def test_it_works(device, address):
    assert "Go on with other people" in text(device.get(address))
    assert 'value="Bob"' in device.get(f"{address}continue/").content.decode()
    answer = device.post(f"{address}continue/", {"name": ["Ann", "", "Cy", "Dee"], "newcomer": "lowest"})
    assert answer.status_code == 302
    after = Table.objects.get(previous__isnull=False)
    assert (after.seats, after.carried) == (["Ann", "Cy", "Dee"], [5, 3, 3])
    assert answer["Location"] == f"/t/{after.code}/"
    assert device.tap(answer["Location"], "result", tricks=["12", "0", "0"]).status_code == 302
    assert f'href="/t/{after.code}/"' in device.get(address).content.decode()


def test_too_few_are_told_so(device, address):
    answer = device.post(f"{address}continue/", {"name": ["Ann", "", ""]})
    assert answer.status_code == 422
    assert "is played by 2 to 6 players" in text(answer)


def test_two_with_one_name_are_told_apart(device, address):
    answer = device.post(f"{address}continue/", {"name": ["Ann", "Bob", "Bob"]})
    assert answer.status_code == 422
    assert "Two of you are called Bob." in text(answer)


def test_what_was_typed_stays(device, address):
    answer = device.post(f"{address}continue/", {"name": ["", "Bob", ""], "newcomer": "lowest"})
    assert 'id="name-1" name="name" value="Bob"' in answer.content.decode()
    assert 'value="lowest" checked' in answer.content.decode()
    answer = device.post(f"{address}continue/", {"name": ["Ann", "Bob"], "newcomer": "ten"})
    assert answer.status_code == 422
    assert "ten is not one of the available choices." in text(answer)


def test_not_during_a_hand(device, address):
    device.tap(address, "play", seat="1", cards="8MS")
    assert "Go on with other people" not in text(device.get(address))
    answer = device.post(f"{address}continue/", {"name": ["Ann", "Bob"]})
    assert "A hand is running" in text(answer)


def test_only_the_scorekeeper_goes_on(other, address):
    assert other.get(f"{address}continue/").status_code == 403
    assert other.post(f"{address}continue/", {"name": ["Ann", "Bob"]}).status_code == 403


def test_a_table_for_an_hour(device):
    address = device.open_table(end="time", **{"end-time": "60"})
    assert "No new hand after 60 minutes" in text(device.get(address))
