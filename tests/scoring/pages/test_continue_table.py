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


@pytest.fixture
def continued(device, address):
    """The table, and the one at which Ann, Bob and Dee go on with 5, 4 and 0 points."""
    answer = device.post(f"{address}continue/", {"name": ["Ann", "Bob", "Dee"]})
    return address, answer["Location"]


def test_nobody_wins_a_table_from_which_the_game_goes_on(device, continued):
    page = device.get(continued[0])
    assert "Ann leads." in text(page)
    assert "wins" not in text(page)
    assert "By 1 point." not in text(page)
    assert "Play again" not in text(page)
    assert "Ann leads." in text(device.get("/"))


def test_undo_leads_to_the_next_table(device, continued):
    address, _after = continued
    assert 'id="amend"' in device.get(f"{address}?open=log").content.decode()
    answer = device.post(f"{address}undo/", {"version": str(Table.objects.get(next__isnull=False).version)})
    assert "This game goes on at another table" in text(answer)
    assert "to the next table" in text(answer)


def test_a_correction_says_beforehand_what_changes_at_the_next_table(device, continued):
    address, after = continued
    wrong = {"event": "result", "tricks-0": "1", "tricks-1": "8", "tricks-2": "3"}
    shown = text(device.get(f"{address}amend/1/", wrong))
    assert "Then at the next table, with Ann, Bob, Dee Ann 5 to 1 Bob 4 to 8" in shown
    assert "wins the game" not in shown
    assert device.post(f"{address}amend/1/", wrong | {"version": "2"}).status_code == 302
    log = text(device.get(f"{after}log/"))
    assert "An earlier table was corrected. Totals this table starts from: Ann 5 to 1, Bob 4 to 8" in log


def test_what_would_no_longer_fit_at_the_next_table_is_said(device, address):
    device.post(f"{address}continue/", {"name": ["Ann", "Bob", "Dee"]})
    after = Table.objects.get(previous__isnull=False)
    Table.objects.filter(pk=after.pk).update(end={"kind": "score", "value": 9})
    for _ in range(2):
        device.tap(f"/t/{after.code}/", "result", tricks=["2", "2", "8"])
    shown = text(
        device.get(f"{address}amend/1/", {"event": "result", "tricks-0": "8", "tricks-1": "1", "tricks-2": "3"})
    )
    assert "Then a later table is wrong, too" in shown
    assert "Hand 2 at the next table would no longer fit." in shown
