"""What a device keeps of a table goes when its right to it does, or when somebody wants it."""

from playwright.sync_api import expect

from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_sharing import links, open_table, phones
from tests.e2e.test_taps import open_table as open_trump
from tests.e2e.test_taps import tap, wait_until

COPIES = """caches.open('pages').then((pages) => pages.keys())
    .then((all) => all.map(({ url }) => new URL(url).pathname).sort())"""
ASKED = "performance.getEntriesByType('resource').length"


def kept(phone, path):
    wait_until(phone, f"caches.match('{path}').then(Boolean)")


def close(phone, table):
    """Make a table private."""
    phone.goto(f"{table}share/")
    phone.get_by_role("button", name="Make it private").tap()


def test_a_device_whose_link_is_revoked_keeps_nothing_and_asks_no_more(phone, browser, server):
    table = open_table(phone)
    path = "/t/" + table.rstrip("/").rsplit("/", 1)[1] + "/"
    made = links(phone, table)[:1]
    close(phone, table)
    with phones(browser, server, made) as (ann,):
        ann.get_by_role("button", name="Crown of Moons").tap()
        expect(ann.locator("#own-choice")).to_have_count(1)
        typed = path.lower()
        ann.goto(f"{typed}log/")
        ann.goto(f"{path}log/")
        ann.goto("/")
        ann.goto(path)
        expect(ann.locator("#own-choice")).to_have_count(1)
        for page in ("/", path, f"{path}log/"):
            kept(ann, page)
        phone.goto(f"{table}share/")
        phone.get_by_label("Turn off Ann’s link").tap()
        phone.get_by_role("button", name="Yes, turn it off").and_(phone.locator("details[open] button")).tap()
        expect(ann.locator("h1")).to_have_text("There is nothing here")
        assert not [copy for copy in ann.evaluate(COPIES) if copy.lower().startswith(typed)]
        ann.wait_for_load_state("networkidle")
        asked = ann.evaluate(ASKED)
        ann.wait_for_timeout(3000)
        assert ann.evaluate(ASKED) == asked
        ann.context.set_offline(True)
        for page in (path, f"{path}log/"):
            ann.goto(page)
            expect(ann.locator("body")).not_to_contain_text("Crown of Moons")
            expect(ann.locator("body")).not_to_contain_text("Bob")


def test_a_page_that_slept_while_its_right_went_asks_no_more(phone, browser, server):
    """No stream told it: it finds out when it asks for one again."""
    table = open_table(phone)
    with phones(browser, server, [table]) as (eve,):
        expect(eve.locator("body")).to_have_attribute("data-live", "open")
        eve.evaluate("dispatchEvent(new Event('pagehide'))")
        close(phone, table)
        eve.evaluate("dispatchEvent(new Event('online'))")
        expect(eve.locator("h1")).to_have_text("There is nothing here")


def test_the_own_choice_is_not_in_a_copy(phone, browser, server):
    table = open_table(phone)
    with phones(browser, server, links(phone, table)[:1]) as (ann,):
        ann.get_by_role("button", name="Crown of Moons").tap()
        expect(ann.locator("#own-choice")).to_have_count(1)
        ann.reload()
        expect(ann.locator("#own-choice")).to_have_count(1)
        kept(ann, "/t/" + table.rstrip("/").rsplit("/", 1)[1] + "/")
        ann.context.set_offline(True)
        ann.reload()
        expect(ann.locator("#secret")).to_contain_text("You have chosen.")
        expect(ann.locator("#own-choice")).to_have_count(0)
        ann.context.set_offline(False)
        ann.reload()
        expect(ann.locator("#own-choice")).to_have_count(1)


def test_a_table_is_forgotten_on_this_device(phone):
    code = open_trump(phone)
    tap(phone, "8MS")
    kept(phone, f"/t/{code}/")
    phone.goto("/")
    phone.locator("#forget summary").tap()
    assert complaints(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.locator("#forget button").tap()
    expect(phone.locator("#forget")).to_have_count(0)
    assert not [copy for copy in phone.evaluate(COPIES) if code in copy]
    expect(phone.locator("body")).not_to_contain_text("Ann")
    phone.goto(f"/t/{code}/")
    expect(phone.locator("body")).to_contain_text("You are watching.")
