"""A second phone with only the code follows the table as it is recorded."""

from playwright.sync_api import expect

from tests.e2e.test_for_everybody import table
from tests.e2e.thumb import Thumb, shown


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
