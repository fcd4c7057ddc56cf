"""Ann shares her table by links, and the others choose in secret on their own phones."""

from contextlib import contextmanager

from playwright.sync_api import expect

from tests.e2e.conftest import open_tab
from tests.e2e.test_for_everybody import complaints


@contextmanager
def phones(browser, server, addresses):
    """Open each address on a phone of its own."""
    opened = [open_tab(browser, server, width=360, height=740, has_touch=True, is_mobile=True) for _ in addresses]
    tabs = [each.__enter__() for each in opened]
    try:
        for tab, address in zip(tabs, addresses, strict=True):
            tab.goto(address)
        yield tabs
    finally:
        for each in opened:
            each.__exit__(None, None, None)


def open_table(phone):
    phone.goto("/new/ransom-trump/")
    for place, name in enumerate(("Ann", "Bob", "Cy")):
        phone.locator(f"#name-{place}").fill(name)
    phone.get_by_role("button", name="Deal").tap()
    phone.wait_for_url("**/t/*/")
    return phone.url


def links(phone, table):
    """Make a link for each player, as the page shows it."""
    phone.goto(f"{table}share/")
    made = []
    for name in ("Ann", "Bob", "Cy"):
        phone.get_by_role("button", name=name, exact=True).tap()
        expect(phone.locator("#made-title")).to_have_text(f"Link: {name}")
        expect(phone.locator("#made .qr")).to_have_js_property("complete", True)
        assert phone.locator("#made .qr").evaluate("image => image.naturalWidth") > 100
        assert complaints(phone) == []
        made.append(phone.locator("#made-url").inner_text())
    return made


def test_ransom_cards_are_chosen_in_secret_on_three_phones_and_shown_together(phone, browser, server):
    table = open_table(phone)
    made = links(phone, table)
    phone.goto(table)
    with phones(browser, server, made) as (ann, bob, cy):
        assert [tab.url for tab in (ann, bob, cy)] == [table] * 3
        bob.get_by_role("button", name="Crown of Moons").tap()
        expect(bob.locator("#secret")).to_contain_text("You have chosen.")
        for watcher in (phone, ann, cy):
            expect(watcher.locator("#secret")).to_have_text("Have chosen: Bob")
            assert watcher.evaluate("document.documentElement.scrollWidth") <= 360
        assert complaints(bob) == []
        bob.locator("#change summary").tap()
        bob.get_by_role("button", name="Crown of Suns").tap()
        ann.get_by_role("button", name="Crown of Suns").tap()
        expect(ann.locator("#secret")).to_contain_text("You have chosen.")
        cy.get_by_role("button", name="Ace of Waves").tap()
        for watcher in (phone, ann, bob, cy):
            expect(watcher.locator("#secret")).to_contain_text("do not go together: everybody chooses again.")
        ann.get_by_role("button", name="Crown of Moons").tap()
        bob.get_by_role("button", name="Crown of Suns").tap()
        cy.get_by_role("button", name="Ace of Waves").tap()
        for watcher in (phone, ann, bob, cy):
            expect(watcher.locator(".seat-shown")).to_have_count(3)
            expect(watcher.locator("#secret")).to_have_count(0)


def test_people_go_on_between_two_hands(phone):
    table = open_table(phone)
    phone.goto(f"{table}continue/")
    assert complaints(phone) == []
    phone.locator("#name-1").fill("")
    phone.locator("#name-3").fill("Dot")
    phone.get_by_role("button", name="Go on").tap()
    expect(phone.locator(".seat-name")).to_have_text(["Ann", "Cy", "Dot"])
