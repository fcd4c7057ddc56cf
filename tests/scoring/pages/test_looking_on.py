"""What is drawn once for all who look on: as nobody in particular sees it, at the moment that was looked at."""

from typing import Any

import pytest
from django.test import AsyncRequestFactory
from django_htmx.middleware import HtmxDetails

from scoring.models import Table
from scoring.pages.device.access import LOOK
from scoring.pages.views.table import table
from scoring.queries.looking_on import who_look_on
from scoring.services import seen
from scoring.services.devices import devices_of
from tests.scoring.conftest import play
from tests.scoring.pages.conftest import Device


@pytest.fixture
def address(device: Device) -> str:
    return device.open_table()


def cookies_of(device: Device) -> dict[str, str]:
    return {name: morsel.value for name, morsel in device.cookies.items()}


def look_of(device: Device, address: str):
    follower = (address.split("/")[2], devices_of(cookies_of(device)))
    return who_look_on([follower]).get(follower)


def drawn(device, address, look) -> tuple[dict[str, Any], str]:
    """Have the page drawn for a device that the server has looked at already; return the scope that this leaves."""
    request: Any = AsyncRequestFactory().get(address, headers={"HX-Request": "true"})
    request.scope[LOOK] = look
    request.COOKIES = cookies_of(device)
    request.htmx = HtmxDetails(request)
    answer: Any = table(request, look.code)
    return request.scope, answer.content.decode()


@pytest.fixture
def follower(address, other: Device) -> Device:
    """A device that has come back to a table that it opened by its code."""
    other.get(address)
    other.get(address)
    return other


def test_who_records_is_not_among_them(device, follower, address):
    assert look_of(device, address) is None
    assert look_of(follower, address) is not None


def test_it_holds_no_form_even_for_who_records(device, follower, address):
    assert "<form" in device.get(address).content.decode()
    _, page = drawn(device, address, look_of(follower, address))
    assert 'id="table"' in page
    assert "<form" not in page


def test_a_table_that_is_remembered_is_drawn_as_it_was_looked_at(device, follower, address):
    look = look_of(follower, address)
    scope, before = drawn(follower, address, look)
    device.tap(address, "play", seat="0", cards="8MS")
    assert drawn(follower, address, look)[1] == before
    assert LOOK in scope


@pytest.mark.parametrize("by_us", [True, False], ids=["recorded here", "recorded in another process"])
def test_what_was_drawn_of_another_moment_is_for_nobody_else(device, follower, address, by_us):
    look = look_of(follower, address)
    device.tap(address, "play", seat="0", cards="8MS")
    if not by_us:
        seen.tables.forget(look.code)
    scope, page = drawn(follower, address, look)
    assert LOOK not in scope
    assert 'data-version="1"' in page
    now = look_of(follower, address)
    assert now.version == 1
    scope, again = drawn(follower, address, now)
    assert LOOK in scope
    assert again == page


def test_a_new_name_is_another_moment(device, follower, address):
    before = look_of(follower, address)
    drawn(follower, address, before)
    row = Table.objects.get(code=before.code)
    row.seats = ["Anna", *row.seats[1:]]
    row.save()
    after = look_of(follower, address)
    assert (after.version, before.version) == (0, 0)
    assert after != before
    assert "Anna" in drawn(follower, address, after)[1]


def test_tables_that_change_without_a_version_are_drawn_for_each(device, follower):
    for more in ({"end": "time", "end-time": "60"}, {"end": "hands", "end-hands": "1"}):
        address = device.open_table(**more)
        follower.get(address)
        follower.get(address)
        row = Table.objects.get(code=address.split("/")[2])
        assert (look_of(follower, address) is None) is (row.end["kind"] == "time")
        row.finished = True
        row.save()
        assert look_of(follower, address) is None


def test_a_few_statements_do_for_any_number(table, django_assert_num_queries):
    table.record(play(0, "8MS"))
    many = [(table.code, (f"{number:064}",)) for number in range(1200)]
    who_look_on(many)
    with django_assert_num_queries(3):
        assert who_look_on(many) == {}
