"""A card said to a phone: shown as it was understood, recorded by one tap; or typed in words."""

from playwright.sync_api import expect

from tests.e2e.test_for_everybody import complaints, table
from tests.e2e.thumb import Thumb, shown

HEARS = """
window.webkitSpeechRecognition = window.SpeechRecognition = class {
  start() {
    window.language = this.lang;
    setTimeout(() => {
      this.onresult({ results: [[{ transcript: "night of waves" }, { transcript: "nine of Waves and worms" }]] });
      this.onend();
    }, 50);
  }
  abort() {}
};
"""
DEAF = "delete window.webkitSpeechRecognition; delete window.SpeechRecognition;"


def opened(phone, script):
    phone.add_init_script(script)
    Thumb(phone).open_table(table("ace-trump", 3))


def test_a_card_is_said(phone, screenshot):
    opened(phone, HEARS)
    phone.get_by_role("button", name="Say a card").tap()
    sheet = phone.locator("#saying")
    offered = sheet.get_by_role("button", name="Darkness")
    expect(offered).to_be_visible()
    expect(sheet.get_by_role("textbox")).to_have_value("night of waves")
    assert phone.evaluate("window.language") == "en"
    screenshot(phone, "a-card-is-said")
    assert complaints(phone) == []
    assert phone.locator("#table").get_attribute("data-version") == "0"
    offered.tap()
    shown(phone, 1)
    expect(sheet).to_be_hidden()
    expect(phone.locator("#table .before .card[title*=Darkness]").first).to_be_visible()


def test_it_is_typed_with_a_name_before_it(phone):
    opened(phone, DEAF)
    phone.get_by_role("button", name="Say a card").tap()
    field = phone.locator("#saying").get_by_role("textbox")
    expect(field).to_be_focused()
    expect(phone.get_by_role("button", name="Listen")).to_be_hidden()
    field.fill("hello")
    expect(phone.get_by_text("No card of this pack was understood.")).to_be_visible()
    someone = phone.locator("form.ask input[name=seat]:not(:checked)").first
    seat, name = someone.get_attribute("value"), someone.evaluate("(input) => input.labels[0].textContent.trim()")
    field.fill(f"{name} ace of suns")
    offered = phone.locator(f'#understood [data-card="AS"][data-seat="{seat}"]')
    expect(offered).to_be_visible()
    field.press("Enter")
    shown(phone, 0)
    # Somebody plays out of turn: the referee says so, as after a tap.
    expect(phone.locator("#message")).to_contain_text(name)
