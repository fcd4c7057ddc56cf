"""The *Display* sheet: a tap takes effect at once and on every later page, cached ones and those without scripts
included.
"""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import open_tab
from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_language import SMALLEST
from tests.e2e.test_taps import open_table, wait_until


def root(tab):
    return tab.locator("html")


def open_sheet(tab):
    tab.get_by_role("button", name="Display").click()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_display_sheet_is_accessible(phone, theme):
    phone.emulate_media(color_scheme=theme)
    phone.goto("/new/")
    open_sheet(phone)
    assert complaints(phone) == []
    for control in phone.locator("#display button").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= SMALLEST


def test_a_display_setting_takes_effect_at_once_and_persists(phone):
    phone.goto("/new/")
    open_sheet(phone)
    phone.get_by_role("button", name="Dark", exact=True).tap()
    expect(root(phone)).to_have_attribute("data-theme", "dark")
    expect(phone.get_by_role("button", name="Dark", exact=True)).to_have_attribute("aria-pressed", "true")
    switch = phone.get_by_role("switch", name="Four-color suits")
    switch.tap()
    expect(switch).to_be_checked()
    expect(phone.locator("#display")).to_be_visible()
    phone.goto("/ask/")
    for name, value in (("data-theme", "dark"), ("data-deck", "four")):
        expect(root(phone)).to_have_attribute(name, value)
    open_sheet(phone)
    switch.tap()
    expect(root(phone)).not_to_have_attribute("data-deck", "four")


def test_the_display_can_be_set_without_scripts(browser, server):
    with open_tab(browser, server, width=360, height=740, java_script_enabled=False) as tab:
        tab.goto("/new/")
        open_sheet(tab)
        tab.get_by_role("switch", name="Left hand").click()
        expect(root(tab)).to_have_attribute("data-hand", "left")
        assert tab.url.endswith("/new/")


def test_cached_pages_use_the_display_settings_offline_too(phone):
    open_table(phone)
    phone.evaluate("navigator.serviceWorker.ready")
    wait_until(phone, "caches.match(location.pathname).then(Boolean)")
    kept = phone.url
    copy = f"caches.match('{kept}', {{ ignoreVary: true }}).then((copy) => copy?.text())"
    open_sheet(phone)
    phone.get_by_role("button", name="Light", exact=True).tap()
    wait_until(phone, f"{copy}.then((text) => text?.includes('data-theme=\"light\"'))")
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Dark", exact=True).tap()
    phone.goto(kept)
    expect(root(phone)).to_have_attribute("data-theme", "dark")
