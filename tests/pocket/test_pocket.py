"""What people can rely on in the pocket: no network, nothing lost, one tab at a time, updates only when accepted."""

import json
import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.e2e.thumb import Thumb, shown, whole_hand
from tests.pocket.host import Host, Pocket, browser_of, with_before
from tests.pocket.kills import play

pytestmark = pytest.mark.slow
GAME = ("ace-trump", 4)


@pytest.fixture
def profile(tmp_path):
    return tmp_path / "profile"


@pytest.fixture
def table(pocket):
    """A table with some cards recorded, and the next ones."""
    told = whole_hand(*GAME)
    thumb = Thumb(pocket)
    thumb.start_table(told)
    events = told["hands"][0]["events"]
    for event in events[:3]:
        thumb.record(event)
    return thumb, events


def test_after_the_first_visit_the_app_needs_no_network(playwright, host, profile):
    with browser_of(playwright, profile) as browser:
        Pocket(browser.pages[0], host).open()
    host.asked.clear()
    with browser_of(playwright, profile) as browser:
        pocket = Pocket(browser.pages[0], host).open()
        for page in ("new/", "ask/", "games/oh-hell/", "privacy/", "copies/"):
            pocket.goto(page)
    assert {path for path in host.asked if not path.endswith("sw.js")} == set()


def test_a_running_table_survives_a_restart(playwright, host, profile):
    told = whole_hand(*GAME)
    events = told["hands"][0]["events"]
    with browser_of(playwright, profile) as browser:
        thumb = Thumb(Pocket(browser.pages[0], host).open())
        thumb.start_table(told)
        for event in events[:5]:
            thumb.record(event)
    host.stop()
    with browser_of(playwright, profile) as browser:
        again = Pocket(browser.pages[0], host).open()
        shown(again.frame, 5)
        thumb = Thumb(again, version=5, names=thumb.names)
        for event in events[5:8]:
            thumb.record(event)


def test_taps_before_python_starts_are_stored_and_recorded_later(playwright, host, profile):
    told = whole_hand(*GAME)
    events = told["hands"][0]["events"]
    with browser_of(playwright, profile) as browser:
        thumb = Thumb(Pocket(browser.pages[0], host).open())
        thumb.start_table(told)
        for event in events[:4]:
            thumb.record(event)
    host.stop()
    with browser_of(playwright, profile) as browser:
        tab = browser.pages[0]
        tab.goto(host.url)
        again = Pocket(tab, host)
        thumb = Thumb(again, version=4, names=thumb.names)
        thumb.record(events[4])
        again.ready()
        shown(again.frame, 5)


def test_a_killed_browser_loses_no_card_it_showed(playwright, host, profile):
    assert play(playwright, host, profile, kills=4).kills == 4


def test_a_second_tab_can_take_over_from_the_first(pocket, table, host):
    thumb, events = table
    second = Pocket(pocket.tab.context.new_page(), host)
    second.tab.goto(host.url)
    expect(second.tab.locator("#words")).to_have_text("The card table is open in another tab.")
    second.tab.get_by_role("button", name="Open it here").click()
    second.ready()
    expect(pocket.tab.locator("#words")).to_have_text("The card table is open in another tab.")
    shown(second.frame, 3)
    Thumb(second, version=3, names=thumb.names).record(events[3])


def test_an_update_waits_until_accepted_and_keeps_the_hand(pocket, table, host, built, tmp_path):
    thumb, events = table
    host.folder = tmp_path / "next"
    shutil.copytree(built, host.folder)
    worker = host.folder / "sw.js"
    worker.write_text(re.sub(r'VERSION = "\w+"', 'VERSION = "next"', worker.read_text()))
    pocket.tab.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => {})")
    expect(pocket.tab.locator("#bar")).to_contain_text("A new version is ready.")
    thumb.record(events[3])
    pocket.tab.locator("#bar").get_by_role("button", name="Restart").click()
    pocket.tab.wait_for_event("load")
    pocket.ready()
    shown(pocket.frame, 4)
    thumb.record(events[4])


def test_a_backup_brings_everything_to_another_phone(pocket, table, host, playwright, tmp_path):
    thumb, events = table
    address = pocket.frame.url.removeprefix(host.url)
    pocket.goto("copies/")
    with pocket.tab.expect_download() as saved:
        pocket.locator("a[download]").click()
    copy = tmp_path / saved.value.suggested_filename
    saved.value.save_as(copy)
    with browser_of(playwright, tmp_path / "other") as browser:
        other = Pocket(browser.pages[0], host).open("copies/")
        other.locator("#file").set_input_files(copy)
        other.locator("form.form button").click()
        expect(other.locator(".notice")).to_be_visible()
        other.ready()
        other.goto(address)
        Thumb(other, version=3, names=thumb.names).record(events[3])


def test_files_are_saved_by_the_phone_itself(pocket, table, host, tmp_path):
    host.stop()
    pocket.locator("#download summary").click()
    with pocket.tab.expect_download() as saved:
        pocket.get_by_role("link", name="JSON", exact=True).click()
    saved.value.save_as(tmp_path / "record")
    assert len(json.loads((tmp_path / "record").read_text())["hands"][0]["events"]) == 3


def digests(host):
    """Return the address of each of the pocket's files at its host."""
    listed = re.search(r"const FILES = (\[.*\]);", (host.folder / "sw.js").read_text())
    assert listed
    return {name: f"files/{digest}.bin" for name, digest, *_ in json.loads(listed[1])}


def choose(pocket, language):
    pocket.locator("[popovertarget=display]").first.click()
    pocket.get_by_role("button", name=language).click()


def test_a_language_is_fetched_when_chosen_and_stays_available_offline(playwright, host, profile):
    german = digests(host)["languages/de.json"]
    with browser_of(playwright, profile) as browser:
        pocket = Pocket(browser.pages[0], host).open()
        assert not any(path.endswith(german) for path in host.asked)
        choose(pocket, "Deutsch")
        expect(pocket.locator("html")).to_have_attribute("lang", "de")
        assert any(path.endswith(german) for path in host.asked)
    host.stop()
    with browser_of(playwright, profile) as browser:
        pocket = Pocket(browser.pages[0], host).open("new/")
        expect(pocket.locator("html")).to_have_attribute("lang", "de")
        expect(pocket.locator("h1")).to_have_text("Was spielt ihr?")
        choose(pocket, "English")
        expect(pocket.locator("html")).to_have_attribute("lang", "en")
        choose(pocket, "Deutsch")
        expect(pocket.locator("html")).to_have_attribute("lang", "de")


def test_a_language_that_cannot_be_fetched_is_reported_and_changes_nothing(pocket, host):
    host.stop()
    choose(pocket, "Deutsch")
    expect(pocket.tab.locator("#bar")).to_contain_text("This language isn’t on your phone yet.")
    expect(pocket.locator("html")).to_have_attribute("lang", "en")
    host.start()
    pocket.tab.locator("#bar").get_by_role("button", name="Close").click()
    choose(pocket, "Deutsch")
    expect(pocket.locator("html")).to_have_attribute("lang", "de")


def test_the_browsers_language_is_installed_with_the_app(playwright, host, profile):
    with browser_of(playwright, profile, locale="de-AT") as browser:
        pocket = Pocket(browser.pages[0], host).open()
        expect(pocket.locator("html")).to_have_attribute("lang", "de")
        host.stop()
        pocket.goto("new/")
        expect(pocket.locator("h1")).to_have_text("Was spielt ihr?")


def test_an_unreachable_server_is_reported(playwright, host, profile):
    gone = Host(host.folder).start()
    with browser_of(playwright, profile) as browser:
        tab = browser.pages[0]
        tab.route("**/*.bin", lambda route: route.abort())
        tab.goto(gone.url)
        gone.stop()
        expect(tab.locator("#words")).to_contain_text("No connection")


SLOW_TO_TELL = """
const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (data, ...rest) {
  setTimeout(() => post.call(this, data, ...rest), data.ready ? 3000 : 0);
};
"""


def test_the_first_tap_counts_even_if_python_is_announced_late(playwright, built, profile, tmp_path):
    host = Host(with_before(built, tmp_path / "slow", SLOW_TO_TELL)).start()
    with browser_of(playwright, profile) as browser:
        pocket = Pocket(browser.pages[0], host).open()
        choose(pocket, "Deutsch")
        expect(pocket.locator("html")).to_have_attribute("lang", "de")
    host.stop()


def test_a_language_can_be_chosen_before_python_has_started(playwright, host, profile):
    with browser_of(playwright, profile) as browser:
        pocket = Pocket(browser.pages[0], host)
        pocket.tab.goto(host.url)
        choose(pocket, "Deutsch")
        pocket.ready()
        expect(pocket.locator("html")).to_have_attribute("lang", "de")
        expect(pocket.locator("main")).to_contain_text("Beliebiges Spiel")


def test_a_change_not_requested_by_a_pocket_page_is_refused(pocket):
    foreign = (
        "fetch('language/', {method: 'POST', body: 'language=de', referrerPolicy: 'no-referrer'}).then((a) => a.status)"
    )
    assert pocket.frame.evaluate(foreign) == 403
