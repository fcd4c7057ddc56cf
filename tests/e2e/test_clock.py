"""What a phone does by itself: clock, wake lock, start, keys, following."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import follow, join_group, open_tab
from tests.e2e.scenes import opened
from tests.e2e.test_evening import RESULT, Group, post
from tests.e2e.test_for_everybody import table
from tests.e2e.test_looks import record_result
from tests.e2e.test_taps import open_table, tap
from tests.e2e.thumb import Thumb, shown, whole_hand

# --- Times are shown in the reader's time zone, not the server's

FAR = "Pacific/Kiritimati"
"""Fourteen hours from UTC, so a shown time is never the server's."""


@pytest.fixture
def far_phone(browser, server):
    with open_tab(browser, server, width=360, height=740, has_touch=True, is_mobile=True, timezone_id=FAR) as tab:
        yield tab


def there(element) -> datetime:
    """Return an element's moment in that time zone."""
    return datetime.fromisoformat(element.get_attribute("datetime")).astimezone(ZoneInfo(FAR))


def clock(moment: datetime) -> str:
    return f"{moment:%I:%M\N{NARROW NO-BREAK SPACE}%p}".removeprefix("0")


def test_the_log_shows_the_local_time(far_phone):
    address = f"/t/{open_table(far_phone)}/"
    tap(far_phone, "7ML")
    shown(far_phone, 1)
    far_phone.goto(f"{address}log/")
    told = far_phone.locator(".log time").first
    assert abs((there(told) - datetime.now(UTC)).total_seconds()) < 600
    expect(told).to_have_text(clock(there(told)))
    line = told.evaluate("time => parseFloat(getComputedStyle(time).lineHeight)")
    assert told.bounding_box()["height"] < 1.5 * line, "However long the entry, its time is on one line."


def test_a_link_shows_the_local_date(far_phone):
    address = f"/t/{open_table(far_phone)}/"
    far_phone.goto(f"{address}share/")
    told = far_phone.locator(".row-main time").first
    expect(told).to_have_text(f"{there(told):%b} {there(told).day}, {there(told).year}, {clock(there(told))}")


@pytest.mark.parametrize(
    ("locale", "written"), [("en-GB", "{0.day} {0:%b} {0:%Y}, {0:%H:%M}"), ("de-AT", "{0:%d.%m.%Y}, {0:%H:%M}")]
)
def test_times_follow_the_local_format(browser, server, locale, written):
    with open_tab(browser, server, width=360, height=740, timezone_id=FAR, locale=locale) as tab:
        tab.goto(f"/t/{open_table(tab)}/print/")
        told = tab.locator("main time")
        expect(told).to_have_text(written.format(there(told)))


def test_an_evening_shows_the_local_time_when_a_player_left(far_phone, server):
    group = Group(server)
    table = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    first = post(server, "tables/", table, group.token)
    post(server, f"tables/{first['code']}/events/", {"events": [RESULT, {"type": "end"}]}, first["token"])
    second = post(server, "tables/", table | {"seats": ["Ann", "Bob"]}, group.token)
    join_group(far_phone, f"/g/{group.code}/#{group.token}")
    far_phone.locator("a[href*='/evenings/']").first.tap()
    told = far_phone.locator(".ranking tr", has_text="Cy").locator("time")
    expect(told).to_have_text(clock(there(told)))
    event = {"type": "result", "tricks": [5, 4]}
    post(server, f"tables/{second['code']}/events/", {"events": [event]}, second["token"])
    expect(far_phone.locator(".ranking tr", has_text="Ann")).to_contain_text("10")
    expect(told).to_have_text(clock(there(told)))


# --- A screen stays awake during a hand; the test browser has no screen, so requests are recorded

LISTEN = """
window.awake = 0;
navigator.wakeLock.request = async () => {
  window.awake += 1;
  const lock = new EventTarget();
  lock.release = async () => { window.awake -= 1; lock.dispatchEvent(new Event("release")); };
  return lock;
};
"""


@pytest.mark.parametrize("view", ["", "screen/"], ids=["scorekeeper", "the big screen"])
def test_a_screen_stays_awake_until_the_table_is_finished(phone, page, view):
    Thumb(phone).open_table(table("ace-trump", 2))
    address = phone.url
    watched = page if view else phone
    watched.add_init_script(LISTEN)
    watched.goto(f"{address}{view}")
    watched.wait_for_function("() => window.awake === 1")
    record_result(phone)
    watched.wait_for_function("() => window.awake === 0")


def test_a_spectators_phone_may_sleep(phone, second_phone):
    Thumb(phone).open_table(table("ace-trump", 2))
    second_phone.add_init_script(LISTEN)
    second_phone.goto(phone.url)
    second_phone.wait_for_function("() => document.body.dataset.live === 'open'")
    assert second_phone.evaluate("window.awake") == 0


def test_a_silent_video_keeps_the_screen_awake_without_a_wake_lock(phone):
    """Browsers offer a wake lock only at secure addresses, and the address at home is plain HTTP."""
    phone.add_init_script("delete Navigator.prototype.wakeLock")
    Thumb(phone).open_table(table("ace-trump", 2))
    phone.wait_for_function("() => document.querySelector('video')?.currentTime > 0")
    assert phone.evaluate("document.querySelector('video').muted && !document.querySelector('video').paused")
    record_result(phone)
    phone.wait_for_function("() => document.querySelector('video').paused")


# --- Pages that open in a browser


def test_the_api_documentation_loads(page):
    page.goto("/api/v1/docs/")
    expect(page.get_by_role("heading", name="Card table referee and scorekeeper")).to_be_visible()


# --- Browsing a hand with the arrow keys, and by swiping across the felt

SWIPE = """(across) => {
  const felt = document.querySelector(".replay-felt");
  const at = (x) => new Touch({ identifier: 1, target: felt, clientX: x, clientY: 200 });
  const send = (name, x, more) => felt.dispatchEvent(new TouchEvent(name, { changedTouches: [at(x)], ...more }));
  send("touchstart", 200, { touches: [at(200)] });
  send("touchend", 200 + across, { touches: [] });
}"""


def test_a_hand_is_browsed_with_keys_and_swipes(phone, server):
    told = whole_hand("ace-trump", 4, house_rules=False)
    address = opened(server.url, told, told["hands"][0]["events"])
    follow(phone, address)
    path = address.partition("join/")[0]
    phone.goto(f"{server.url}{path}hands/1/")
    heading = phone.locator("#trick")
    expect(heading).to_contain_text("Trick 1 of")
    for key, trick in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 1), ("ArrowLeft", 1)]:
        phone.keyboard.press(key)
        expect(heading).to_contain_text(f"Trick {trick} of")
    phone.evaluate(SWIPE, -120)
    expect(heading).to_contain_text("Trick 2 of")
    phone.evaluate(SWIPE, -20)
    phone.evaluate(SWIPE, 120)
    expect(heading).to_contain_text("Trick 1 of")
    phone.keyboard.press("End")
    expect(phone.locator(".steps [rel=next]")).to_have_count(0)


# --- A second phone with only the code follows the table as it is recorded


def test_a_second_phone_sees_every_card(phone, second_phone):
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 3))
    second_phone.goto(phone.url)
    expect(second_phone.locator("body")).to_have_attribute("data-live", "open")
    second_phone.evaluate("window.mark = true")
    for version, code in enumerate(("8MS", "AW", "XM"), 1):
        phone.locator(f'#table button[value="{code}"]').tap()
        shown(second_phone, version)
    expect(second_phone.locator("#table")).to_contain_text("Cy")
    assert second_phone.evaluate("window.mark"), "followed without a reload"
