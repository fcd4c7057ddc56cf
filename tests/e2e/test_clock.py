"""Moments are told by the clock of whoever reads them, not by that of the server."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import open_tab
from tests.e2e.test_evening import RESULT, Group, post
from tests.e2e.test_taps import open_table, tap
from tests.e2e.thumb import shown

FAR = "Pacific/Kiritimati"
"""Fourteen hours before UTC: what is told here is never what the server's clock says."""


@pytest.fixture
def far_phone(browser, server):
    with open_tab(browser, server, width=360, height=740, has_touch=True, is_mobile=True, timezone_id=FAR) as tab:
        yield tab


def there(element) -> datetime:
    """Return the moment that an element tells, at that place."""
    return datetime.fromisoformat(element.get_attribute("datetime")).astimezone(ZoneInfo(FAR))


def clock(moment: datetime) -> str:
    return f"{moment:%I:%M\N{NARROW NO-BREAK SPACE}%p}".removeprefix("0")


def test_the_log_tells_the_time_of_the_place(far_phone):
    address = f"/t/{open_table(far_phone)}/"
    tap(far_phone, "7ML")
    shown(far_phone, 1)
    far_phone.goto(f"{address}log/")
    told = far_phone.locator(".log time").first
    assert abs((there(told) - datetime.now(UTC)).total_seconds()) < 600
    expect(told).to_have_text(clock(there(told)))
    line = told.evaluate("time => parseFloat(getComputedStyle(time).lineHeight)")
    assert told.bounding_box()["height"] < 1.5 * line, "However long the entry, its time is on one line."


def test_a_link_tells_the_day_of_the_place(far_phone):
    address = f"/t/{open_table(far_phone)}/"
    far_phone.goto(f"{address}share/")
    told = far_phone.locator(".row-main time").first
    expect(told).to_have_text(f"{there(told):%b} {there(told).day}, {there(told).year}, {clock(there(told))}")


def test_a_sheet_for_paper_tells_the_time_of_the_place(far_phone):
    far_phone.goto(f"/t/{open_table(far_phone)}/print/")
    told = far_phone.locator("main time")
    expect(told).to_have_text(f"{there(told):%b} {there(told).day}, {there(told).year}, {clock(there(told))}")


@pytest.mark.parametrize(
    ("locale", "written"), [("en-GB", "{0.day} {0:%b} {0:%Y}, {0:%H:%M}"), ("de-AT", "{0:%d.%m.%Y}, {0:%H:%M}")]
)
def test_moments_are_written_as_people_of_the_place_do(browser, server, locale, written):
    with open_tab(browser, server, width=360, height=740, timezone_id=FAR, locale=locale) as tab:
        tab.goto(f"/t/{open_table(tab)}/print/")
        told = tab.locator("main time")
        expect(told).to_have_text(written.format(there(told)))


def test_an_evening_tells_when_somebody_left_by_the_clock_of_the_place(far_phone, server):
    group = Group(server)
    table = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    first = post(server, "tables/", table, group.token)
    post(server, f"tables/{first['code']}/events/", {"events": [RESULT, {"type": "end"}]}, first["token"])
    second = post(server, "tables/", table | {"seats": ["Ann", "Bob"]}, group.token)
    far_phone.goto(f"/g/{group.code}/#{group.token}")
    far_phone.get_by_role("link", name="The whole evening").tap()
    told = far_phone.locator(".ranking tr", has_text="Cy").locator("time")
    expect(told).to_have_text(clock(there(told)))
    event = {"type": "result", "tricks": [5, 4]}
    post(server, f"tables/{second['code']}/events/", {"events": [event]}, second["token"])
    expect(far_phone.locator(".ranking tr", has_text="Ann")).to_contain_text("10")
    expect(told).to_have_text(clock(there(told)))
