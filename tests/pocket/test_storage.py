"""What a pocket does where the browser keeps less than others: no handles, no room, no promise, nothing at all."""

import pytest
from playwright.sync_api import expect

from tests.e2e.thumb import Thumb, shown, whole_hand
from tests.pocket.host import Host, Pocket, browser_of, with_before

pytestmark = pytest.mark.slow
MISSING = {
    "no handles": "delete FileSystemFileHandle.prototype.createSyncAccessHandle;",
    "no file system": "navigator.storage.getDirectory = async () => { throw new DOMException('', 'SecurityError'); };",
}
KEPT_THERE = "indexedDB.databases().then((all) => all.some((each) => each.name.startsWith('disk-')))"


@pytest.mark.parametrize("lack", MISSING)
def test_without_handles_a_table_is_kept_in_the_other_store(playwright, built, tmp_path, lack):
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
        assert browser.pages[0].evaluate(
            "indexedDB.databases().then((all) => all.some((each) => each.name.startsWith('disk-')))"
        )
        shown(again.frame, 3)
        Thumb(again, version=3, names=thumb.names).record(events[3])
    host.stop()


def test_where_storage_that_stays_is_refused_it_runs_all_the_same(playwright, host, tmp_path):
    with browser_of(playwright, tmp_path / "profile") as browser:
        browser.add_init_script("navigator.storage.persist = () => Promise.resolve(false)")
        pocket = Pocket(browser.pages[0], host).open()
        told = whole_hand("ace-trump", 4)
        thumb = Thumb(pocket)
        thumb.start_table(told)
        thumb.record(told["hands"][0]["events"][0])


def test_a_phone_whose_store_was_cleared_starts_anew(playwright, host, tmp_path):
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
