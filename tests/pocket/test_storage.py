"""The pocket in browsers with less storage: no file handles, no space, no persistence, nothing at all."""

import pytest
from playwright.sync_api import expect

from tests.e2e.thumb import Thumb, shown, whole_hand
from tests.pocket.host import Host, Pocket, browser_of, private_browser_of, with_before

pytestmark = pytest.mark.slow
MISSING = {
    "no handles": "delete FileSystemFileHandle.prototype.createSyncAccessHandle;",
    "no file system": "navigator.storage.getDirectory = async () => { throw new DOMException('', 'SecurityError'); };",
}
ROOM = 4_000_000_000
FULL = "This phone is full. Keep this page open: we’ll record your tap when there’s room."
NO_ROOM = "This phone has no room for the card table. Make some room, and try again. What you recorded is still there."
KEPT_THERE = "indexedDB.databases().then((all) => all.some((each) => each.name.startsWith('disk-')))"


@pytest.mark.parametrize("lack", MISSING)
def test_without_file_handles_tables_are_kept_in_indexeddb(playwright, built, tmp_path, lack):
    host = Host(with_before(built, tmp_path / "lacking", MISSING[lack])).start()
    told = whole_hand("ace-trump", 4)
    events = told["hands"][0]["events"]
    with browser_of(playwright, tmp_path / "profile") as browser:
        thumb = Thumb(Pocket(browser.pages[0], host).open())
        thumb.start_table(told)
        for event in events[:3]:
            thumb.record(event)
    with browser_of(playwright, tmp_path / "profile") as browser:
        again = Pocket(browser.pages[0], host).open()
        assert browser.pages[0].evaluate(KEPT_THERE)
        shown(again.frame, 3)
        Thumb(again, version=3, names=thumb.names).record(events[3])
    host.stop()


def test_the_app_runs_without_persistent_storage(playwright, host, tmp_path):
    with browser_of(playwright, tmp_path / "profile") as browser:
        browser.add_init_script("navigator.storage.persist = () => Promise.resolve(false)")
        pocket = Pocket(browser.pages[0], host).open()
        told = whole_hand("ace-trump", 4)
        thumb = Thumb(pocket)
        thumb.start_table(told)
        thumb.record(told["hands"][0]["events"][0])


def test_a_phone_with_cleared_storage_starts_fresh(playwright, host, tmp_path):
    told = whole_hand("ace-trump", 4)
    with browser_of(playwright, tmp_path / "profile") as browser:
        Thumb(Pocket(browser.pages[0], host).open()).start_table(told)
    with browser_of(playwright, tmp_path / "profile") as browser:
        tab = browser.pages[0]
        origin = host.url.split("/cards")[0]
        browser.new_cdp_session(tab).send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        pocket = Pocket(tab, host).open()
        expect(pocket.locator("main")).to_be_visible()
        pocket.goto("new/")
        expect(pocket.locator(".tiles a").first).to_be_visible()


def quota(tab, host, size):
    """Limit the pocket's storage to that of a full phone, as long as the returned object lives."""
    session = tab.context.new_cdp_session(tab)
    origin = host.url.split("/cards")[0]
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": size})
    return session


@pytest.mark.parametrize("lack", [None, "no handles"])
def test_a_full_phone_reports_it_and_records_the_tap_once_space_is_free(playwright, built, tmp_path, lack):
    folder = with_before(built, tmp_path / "lacking", MISSING[lack]) if lack else built
    host = Host(folder).start()
    told = whole_hand("ace-trump", 4)
    events = told["hands"][0]["events"]
    with browser_of(playwright, tmp_path / "profile") as browser:
        thumb = Thumb(Pocket(browser.pages[0], host).open())
        thumb.start_table(told)
        thumb.record(events[0])
    with browser_of(playwright, tmp_path / "profile") as browser:
        quota(browser.pages[0], host, 1)  # before a file is open: files get a megabyte at once
        pocket = Pocket(browser.pages[0], host).open()
        thumb = Thumb(pocket, version=1, names=thumb.names)
        thumb.fill(pocket.locator(f"form.ask[data-event={events[1]['type']}]"), events[1])
        expect(pocket.tab.locator("#bar span")).to_have_text(FULL)
        expect(pocket.locator("#waiting [data-when=offline]")).to_have_text("not recorded yet")
        assert pocket.locator("body").evaluate("() => fetch(location).then((answer) => answer.status)") == 200
        quota(pocket.tab, host, ROOM)
        shown(pocket.frame, 2)
        expect(pocket.tab.locator("#bar")).to_be_hidden()
        thumb.version = 2
        thumb.record(events[2])
    with browser_of(playwright, tmp_path / "profile") as browser:
        shown(Pocket(browser.pages[0], host).open().frame, 3)
    host.stop()


def test_a_phone_without_space_for_the_table_reports_it_and_retries(playwright, host, tmp_path):
    with browser_of(playwright, tmp_path / "profile") as browser:
        tab = browser.pages[0]
        quota(tab, host, 1_000_000)
        tab.goto(host.url)
        expect(tab.locator("#words")).to_have_text(NO_ROOM)
        quota(tab, host, ROOM)
        tab.get_by_role("button", name="Try again").click()
        pocket = Pocket(tab, host)
        pocket.ready()
        Thumb(pocket).start_table(whole_hand("ace-trump", 4))


def test_a_private_window_keeps_a_table_until_closed_and_says_so(playwright, host):
    told = whole_hand("ace-trump", 4)
    with private_browser_of(playwright) as browser:
        tab = browser.new_page()
        pocket = Pocket(tab, host).open()
        thumb = Thumb(pocket)
        thumb.start_table(told)
        thumb.record(told["hands"][0]["events"][0])
        tab.reload()
        pocket.ready()
        shown(pocket.frame, 1)
        pocket.goto("copies/")
        expect(pocket.locator("main")).to_contain_text("A private window forgets everything when you close it.")
