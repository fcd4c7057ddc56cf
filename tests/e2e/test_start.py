"""The product opens in a browser."""

from playwright.sync_api import expect


def test_it_works(page, screenshot):
    page.goto("/")
    expect(page).to_have_title("Card table")
    screenshot(page, "home")


def test_it_fits_a_phone(phone):
    phone.goto("/")
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_documentation_of_the_api_shows(page):
    page.goto("/api/v1/docs/")
    expect(page.get_by_role("heading", name="Card table referee and scorekeeper")).to_be_visible()
