"""An evening of a group on one page: what runs, who is ahead, how it went; and as a picture to send."""

import re
from datetime import date, timedelta

import pytest

from scoring.models import Table
from tests.scoring.evenings import on, played, result
from tests.scoring.groups import make_group
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db
PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 1}
REVOKE = [
    {"type": "play", "seat": 1, "cards": ["8MS"]},
    {"type": "play", "seat": 2, "cards": ["AW"]},
    {"type": "play", "seat": 0, "cards": ["XM"]},
    {"type": "play", "seat": 2, "cards": ["9MS"], "accepted": True},
]


@pytest.fixture
def group():
    return make_group("Ann", "Bob", "Cy")


@pytest.fixture
def phone(group, device):
    device.post(f"/g/{group.code}/join/", {"token": group.token})
    return device


def address(group):
    return f"/g/{group.code}/evenings/{Table.objects.latest('created').evening.isoformat()}/"


def test_who_looks_after_the_evening_sees_what_is_open_at_each_table(group, phone):
    group.open_table(first_dealer=0).record(*REVOKE)
    second = group.open_table()
    second.record(result(5, 4, 3))
    shown = text(phone.get(address(group)))
    assert "Cy 1 · Ann 0 · Bob 0 Cy leads. Ann’s turn Revoke: Cy to be decided" in shown
    assert "Ace Trump Hand 2" in shown
    assert "Ann 5 · Bob 4 · Cy 3 Ann leads." in shown
    second.record({"type": "end"})
    assert "Tables that are over Ace Trump Ann 5 · Bob 4 · Cy 3" in text(phone.get(address(group)))


def test_what_is_held_back_until_the_hand_is_over_is_not_told_here_either(group, phone):
    table = group.open_table(first_dealer=0)
    table.record({"type": "hold-findings"}, *REVOKE)
    assert "to be decided" not in text(phone.get(address(group)))
    table.record({"type": "trick", "winner": 1}, result(2, 9, 1))
    assert "Revoke: Cy to be decided" in text(phone.get(address(group)))


def test_hidden_points_are_neither_named_nor_drawn(group, phone):
    group.open_table(**PIT, options={"totals": "hidden"}).record({"type": "result", "points": [235, 345]})
    page = phone.get(address(group))
    assert "235" not in re.sub(r'version="\d+"', "", page.content.decode())
    assert "leads" not in text(page)
    assert "Points that a table hides are not counted yet." in text(page)
    assert phone.get(f"{address(group)}picture/").status_code == 404


def test_the_curve_goes_from_hand_to_hand_at_whatever_table(group, phone):
    first, second = group.open_table(), group.open_table(**PIT)
    first.record(result(5, 4, 3))
    second.record({"type": "result", "points": [235, 345]})
    first.record(result(1, 1, 10))
    shown = text(phone.get(address(group)))
    assert "After hand Bob Ann Cy 0 0 0 0 1 4 5 3 2 349 240 3 3 350 241 13" in shown


def test_partners_both_get_what_they_made_together(group, phone):
    seats = {"seats": ["Ann", "Bob", "Cy", "Dee"], "options": {"partners": True}}
    group.open_table(**seats).record(result(5, 2, 1, 1))
    shown = text(phone.get(address(group)))
    assert re.search(r"After hand .* 0 0 0 0 0 1 6 6 3 3", shown)


def test_it_follows_one_stream_while_it_runs_and_asks_for_nothing_later(group, phone):
    table = played(group, (5, 4, 3))
    assert f'data-stream="/api/v1/groups/{group.code}/stream/"' in phone.get(address(group)).content.decode()
    on(table, date(2026, 1, 8))
    Table.objects.update(updated=table.row.created - timedelta(days=1))
    page = phone.get(address(group)).content.decode()
    assert "data-stream" not in page
    assert "hx-get" not in page


def test_what_is_shown_says_how_the_group_stood_then(group, phone):
    table = group.open_table()

    def mark():
        found = re.search(r'data-version="(\d+)"', phone.get(address(group)).content.decode())
        assert found is not None
        return found[1]

    before = mark()
    assert mark() == before
    table.record(result(5, 4, 3))
    assert mark() != before


def test_it_is_sent_as_words_and_as_a_picture(group, phone):
    played(group, (5, 4, 3))
    page = phone.get(address(group)).content.decode()
    assert 'data-text="1. Ann 5, 2. Bob 4, 3. Cy 3 · 1 table: Ace Trump"' in page
    picture = phone.get(f"{address(group)}picture/")
    assert picture["Content-Type"] == "image/svg+xml"
    drawn = picture.content.decode()
    for told in ("Thursday", "1 table: Ace Trump", ">Ann<", ">5<", "polyline"):
        assert told in drawn


def test_who_has_no_link_sees_neither(group):
    played(group, (5, 4, 3))
    stranger = Device()
    assert [stranger.get(address(group) + tail).status_code for tail in ("", "picture/")] == [404, 404]


def test_the_group_shows_the_way_to_its_evening(group, phone):
    assert "The whole evening" not in text(phone.get(f"/g/{group.code}/"))
    played(group, (5, 4, 3))
    page = phone.get(f"/g/{group.code}/").content.decode()
    assert f'href="{address(group)}"' in page
