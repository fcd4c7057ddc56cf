"""Combinations of cards: typed names, previews, one-tap rulings and recording depths."""

from playwright.sync_api import expect

from tests.e2e.pads import LAWFUL, REVOKE, SUITS
from tests.e2e.test_for_everybody import complaints
from tests.e2e.test_taps import waiting
from tests.e2e.thumb import at_table, play, shown


def test_a_typed_card_shows_its_name(page):
    at_table(page, "ace-trump", 3)
    expect(page.locator("#names")).to_be_visible()  # the script is there
    page.keyboard.type("8sm")
    expect(page.locator("#typed")).to_contain_text("Diplomat")
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_have_text("Cy follows Moons or Suns.")
    page.keyboard.type("pac")
    expect(page.locator("#typed")).to_contain_text("Pact")
    page.keyboard.press("Escape")
    expect(page.locator("#typed")).to_be_empty()
    page.keyboard.press("?")
    expect(page.locator("#names")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".status")).to_have_text("Cy follows Moons or Suns.")


def test_a_combination_is_named_before_it_is_played(phone):
    at_table(phone, "american-deuce", 4, *SUITS, play(0, "7S", "7H"))
    for card in ("9S", "9H"):
        phone.locator("label.card", has=phone.locator(f"input[value='{card}']")).tap()
    expect(phone.locator(".preview")).to_contain_text("Pair of nines. The pair of nines beats the pair of sevens.")
    assert complaints(phone) == []


def test_a_refused_combination_keeps_its_ticked_cards(phone):
    at_table(phone, "american-deuce", 4, *SUITS, play(0, "7S", "7H", "7C", "3S", "3H"))
    cards = ["4S", "4H", "6S", "6H", "6C"]
    for card in cards:
        phone.locator("label.card", has=phone.locator(f"input[value='{card}']")).tap()
    phone.locator(".table-main > form.ask .submit .primary").tap()
    phone.get_by_role("link", name="Wrong tap").tap()
    for card in cards:
        expect(phone.locator(f".pad input[value='{card}']")).to_be_checked()
    expect(phone.locator(".preview")).to_contain_text("doesn’t beat")
    assert waiting(phone) == 0


def test_a_proved_revoke_is_settled_with_one_tap(phone):
    thumb = at_table(phone, "ace-trump", 3, *LAWFUL, REVOKE)
    scene = phone.locator(".caught")
    expect(scene.get_by_role("heading", name="Cy had a Moon.")).to_be_visible()
    expect(scene).to_contain_text("Bob led")
    assert complaints(phone) == []
    before = scene.locator(".wine").bounding_box()
    thumb.tap(scene.get_by_text("Decide later"))
    expect(scene).to_be_hidden()
    felt = phone.locator(".table-felt").bounding_box()
    assert [felt[side] for side in ("x", "y", "width")] == [before[side] for side in ("x", "y", "width")]
    assert before["height"] >= felt["height"] - 4, "the wine lies where the felt lay"
    thumb.record(play(1, "2SY"))
    thumb.record(play(2, "6SY"))
    phone.reload()
    expect(phone.locator(".raised-note")).to_be_visible()
    expect(scene).to_be_hidden()
    thumb.tap(phone.locator(".raised-note"))
    expect(phone.locator(".pad")).to_be_hidden()
    assert complaints(phone) == []
    scene.get_by_role("button", name="Let it stand").tap()
    shown(phone, 9)
    expect(scene).to_have_count(0)
    expect(phone.locator(".pad")).to_be_visible()
    expect(phone.locator(".felt-foot")).to_contain_text("Let it stand")


def test_only_a_two_can_be_chosen_if_a_two_was_given(phone):
    """A Constipated King gives any other card; a card chosen before is then deselected (AD-7)."""
    thumb = at_table(phone, "american-deuce", 4, *SUITS)
    phone.get_by_role("button", name="Drop a Deuce").tap()
    form = phone.locator("form[data-event=drop-deuce]")
    form.locator(".chip", has=phone.locator("input[name=king][value='1']")).tap()
    given = form.locator("label.card", has=phone.locator("input[name=given]"))
    form.locator(".chip", has_text="Constipated").tap()
    given.filter(has=phone.locator("[value='5H']")).tap()
    form.locator(".chip", has_text="Gives a 2").tap()
    offered = "(cards) => cards.filter((card) => card.checkVisibility()).map((card) => card.innerText.trim())"
    assert given.evaluate_all(offered) == ["2"] * 4
    expect(form.locator("input[name=given]:checked")).to_have_count(0)
    given.first.tap()
    form.locator(".chip", has_text="Constipated").tap()
    assert "2" not in given.evaluate_all(offered)
    expect(form.locator("input[name=given]:checked")).to_have_count(0)
    assert complaints(phone) == []
    phone.get_by_role("button", name="Close").tap()
    taps = thumb.taps
    thumb.record({"type": "drop-deuce", "king": 2, "given": "2C", "returned": "3D"})
    assert thumb.taps == taps + 4


def test_one_tap_passes_for_everyone_and_undo_takes_all_passes_back(phone):
    thumb = at_table(phone, "american-deuce", 4, *SUITS, play(0, "7S"))
    thumb.tap(phone.locator("#do-all-pass"))
    shown(phone, 7)
    expect(phone.locator(".status")).to_have_text("Ann leads.")
    expect(phone.locator("#do-all-pass")).to_have_count(0)
    thumb.tap(phone.locator("#undo"))
    expect(phone.locator(".status")).to_have_text("Bob beats it or passes.")
    thumb.version = 10
    for seat in (1, 2):
        thumb.record({"type": "pass", "seat": seat})
    expect(phone.locator("#do-all-pass")).to_have_count(0)
