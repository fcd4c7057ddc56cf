"""Points that the table takes away or gives: what comes of them stands there before the tap."""

from playwright.sync_api import expect

from tests.e2e.scripts import cases
from tests.e2e.test_for_everybody import complaints, table
from tests.e2e.thumb import Thumb, shown

REVOKE = ((1, "8MS"), (2, "2WL"), (0, "9MS"), (0, "9LK"), (1, "XL"), (2, "3MW"))
"""Cy does not follow the Diplomat with the Origin, and shows the Journey, a Moon."""


@cases(
    ("no number", "{ typed: '' }", None),
    ("a number chosen is taken away", "{ chosen: '5', typed: '' }", -5),
    ("or given", "{ chosen: '5', typed: '', way: 'gives' }", 5),
    ("what is typed counts first", "{ chosen: '5', typed: ' 7 ' }", -7),
    ("what is no number is none", "{ typed: '7.5' }", None),
)
def test_by_how_much_a_score_changes(result, expression, expected):
    assert result("adjustment", f"adjustment.changeOf({expression})") == expected


TOTALS = "[{ name: 'Ann', total: 3 }, { name: 'Bob', total: 1 }, { name: 'Cy', total: 3 }]"


@cases(
    ("one seat", f"moved({TOTALS}, [1], -5)", [{"name": "Bob", "before": 1, "after": -4}]),
    (
        "partners move together",
        f"moved({TOTALS}, [0, 2], -5)",
        [{"name": "Ann", "before": 3, "after": -2}, {"name": "Cy", "before": 3, "after": -2}],
    ),
    ("hidden points are not told", "moved([{ name: 'Ann', total: null }], [0], -5)", []),
    ("a minus is written as one", "written(-5)", "−5"),
    ("and read again", "readTotal(' −5 ')", -5),
)
def test_which_totals_move(result, expression, expected):
    assert result("adjustment", f"adjustment.{expression}") == expected


def chip(form, number):
    return form.locator(".amounts .chip", has=form.page.locator(f"input[value='{number}']"))


def test_a_penalty_for_a_revoke_shows_what_it_takes_and_takes_it(phone, screenshot):
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 3))
    for seat, card in REVOKE:
        thumb.record({"type": "play", "seat": seat, "cards": [card]})
    phone.locator(".caught .deciding").tap()
    phone.locator(".caught summary", has_text="Take points away").tap()
    form = phone.locator(".caught form.agreed")
    expect(form.get_by_text("For each point:")).to_be_visible()
    form.get_by_role("button", name="Record the penalty").tap()
    shown(phone, 6)
    assert form.locator("input[type=number]").evaluate("(typed) => typed.validationMessage") == "How many points?"
    thumb.tap(chip(form, 5))
    expect(form.locator("output")).to_have_text("Cy 0 → −5")
    assert all(box["height"] >= 48 for each in form.locator(".amounts .chip").all() if (box := each.bounding_box()))
    assert complaints(phone) == []
    screenshot(phone, "penalty")
    form.get_by_role("button", name="Record the penalty").tap()
    shown(phone, 7)
    expect(phone.locator(".seat", has_text="Cy").locator(".seat-total")).to_have_text("−5")


def test_a_score_is_changed_from_the_keyboard(page):
    Thumb(page).open_table(table("ace-trump", 3))
    page.locator("#play-8MS").click()
    shown(page, 1)
    page.get_by_text("More", exact=True).click()
    page.get_by_text("Change a score").first.click()
    form = page.locator("form[data-event=penalty]")
    form.get_by_label("Bob").focus()
    page.keyboard.press("Space")
    form.get_by_label("take away").focus()
    page.keyboard.press("ArrowRight")
    form.get_by_label("10", exact=True).focus()
    page.keyboard.press("Space")
    expect(form.locator("output")).to_have_text("Bob 0 → 10")
    form.get_by_label("another number").fill("7")
    expect(form.locator(".amounts input:checked")).to_have_count(0)
    expect(form.locator("output")).to_have_text("Bob 0 → 7")
    page.keyboard.press("Enter")
    shown(page, 2)
    expect(page.locator(".seat", has_text="Bob").locator(".seat-total")).to_have_text("7")
    expect(form.locator("output")).to_be_empty()
