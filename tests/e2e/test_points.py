"""Points and results in a browser."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import open_tab
from tests.e2e.scripts import cases
from tests.e2e.test_for_everybody import complaints, table
from tests.e2e.thumb import Thumb, shown

# --- Points the table deducts or gives: the result is shown before the tap

REVOKE = ((1, "8MS"), (2, "2WL"), (0, "9MS"), (0, "9LK"), (1, "XL"), (2, "3MW"))
"""Cy does not follow the Diplomat with the Origin, and shows the Journey, a Moon."""


@cases(
    ("no number", "{ typed: '' }", None),
    ("a chosen number is deducted", "{ chosen: '5', typed: '' }", -5),
    ("or given to the player", "{ chosen: '5', typed: '', way: 'gives' }", 5),
    ("a typed number takes precedence", "{ chosen: '5', typed: ' 7 ' }", -7),
    ("anything else is no number", "{ typed: '7.5' }", None),
)
def test_a_score_change_is_computed(result, expression, expected):
    assert result("points", f"points.changeOf({expression})") == expected


TOTALS = "[{ name: 'Ann', total: 3 }, { name: 'Bob', total: 1 }, { name: 'Cy', total: 3 }]"


@cases(
    ("one seat", f"moved({TOTALS}, [1], -5)", [{"name": "Bob", "before": 1, "after": -4}]),
    (
        "partners move together",
        f"moved({TOTALS}, [0, 2], -5)",
        [{"name": "Ann", "before": 3, "after": -2}, {"name": "Cy", "before": 3, "after": -2}],
    ),
    ("hidden points are not shown", "moved([{ name: 'Ann', total: null }], [0], -5)", []),
    ("a minus is written as a minus sign", "written(-5)", "−5"),
    ("and read back", "readTotal(' −5 ')", -5),
)
def test_which_totals_move(result, expression, expected):
    assert result("points", f"points.{expression}") == expected


def chip(form, number):
    return form.locator(".amounts .chip", has=form.page.locator(f"input[value='{number}']"))


def test_a_revoke_penalty_is_previewed_and_applied(phone, screenshot):
    thumb = Thumb(phone)
    thumb.open_table(table("ace-trump", 3))
    for seat, card in REVOKE:
        thumb.record({"type": "play", "seat": seat, "cards": [card]})
    phone.locator(".caught summary", has_text="Take points away").tap()
    form = phone.locator(".caught form.agreed")
    expect(form.get_by_text("per point:")).to_be_visible()
    form.get_by_role("button", name="Record the penalty").tap()
    shown(phone, 6)
    assert form.locator("input[type=number]").evaluate("(typed) => typed.validationMessage") == "How many points?"
    thumb.tap(chip(form, 5))
    expect(form.locator("output")).to_have_text("Cy 0 → −5")
    assert all(box["height"] >= 44 for each in form.locator(".amounts .chip").all() if (box := each.bounding_box()))
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


# --- A whole hand's result on one screen: the remainder, the implied last number, the result in view

FIVE = {"seats": ["Annabelle", "Bob", "Cy", "Dominik", "Eva"]}


@cases(
    ("nothing yet", "tally([null, null, null], 12)", {"missing": 3, "left": 12}),
    ("some", "tally([4, null, 5], 12)", {"missing": 1, "left": 3}),
    ("too many", "tally([9, null, 5], 12)", {"missing": 1, "left": -2}),
    ("without a total", "tally([4, null, 5], null)", {"missing": 1, "left": None}),
    ("the last follows from the total", "implied([4, null, 5], { total: 12, rest: null })", {"seat": 1, "number": 3}),
    ("not while two are missing", "implied([4, null, null], { total: 12, rest: null })", None),
    ("never below zero", "implied([9, null, 5], { total: 12, rest: null })", None),
    ("the player who went out has none", "implied([4, null, 5], { total: null, rest: 0 })", {"seat": 1, "number": 0}),
    ("nothing follows without a rule", "implied([4, null, 5], { total: null, rest: null })", None),
    ("it starts with none", "standing([null, null], 12)", "none"),
    ("some are left", "standing([4, null], 12)", "left"),
    ("all chosen, with some left", "standing([4, 5], 12)", "left"),
    ("more than available", "standing([9, 5], 12)", "over"),
    ("exactly the total", "standing([7, 5], 12)", "full"),
    ("one is missing and no total is fixed", "standing([7, null], null)", "missing"),
)
def test_sums_of_typed_numbers(result, expression, expected):
    assert result("results", f"results.{expression}") == expected


def choose(thumb, form, seat, number):
    inputs = f"input[name$='-{seat}'][value='{number}']"
    thumb.tap(form.locator(".chip", has=thumb.phone.locator(inputs)))


def open_result(phone, game, players, **more):
    """Open a table and its result form; return the thumb and the form."""
    thumb = Thumb(phone)
    thumb.open_table(table(game, players) | more)
    phone.locator("#other-result > summary").tap()
    return thumb, phone.locator("form[data-event=result]")


@pytest.mark.parametrize(
    ("game", "players", "more"),
    [("ace-trump", 4, {}), ("ace-trump", 4, FIVE | {"options": {}}), ("american-deuce", 4, {}), ("ace-trump", 2, {})],
    ids=["four", "five", "fourteen numbers each", "nineteen numbers each"],
)
def test_all_numbers_and_the_button_are_on_one_screen(phone, game, players, more, screenshot):
    _thumb, form = open_result(phone, game, players, **more)
    for each in form.locator(".each").all():
        expect(each).to_be_in_viewport(ratio=1)
    expect(form.get_by_role("button", name="Record result")).to_be_in_viewport(ratio=1)
    boxes = [chip.bounding_box() for chip in form.locator(".chip").all()]
    assert all(box and box["height"] >= 44 and box["width"] >= 36 for box in boxes)
    assert complaints(phone) == []
    screenshot(phone, f"result-{game}-{form.locator('.each').count()}")


def test_the_result_form_fits_one_screen_at_result_depth(phone):
    Thumb(phone).open_table(table("ace-trump", 3))
    phone.goto(f"{phone.url.split('?')[0]}?depth=result")
    for each in phone.locator("form[data-event=result] .each").all():
        expect(each).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("button", name="Record result")).to_be_in_viewport(ratio=1)


def test_the_sum_updates_and_the_last_number_fills_itself(phone):
    thumb, form = open_result(phone, "ace-trump", 4)
    tally = form.locator(".tally")
    expect(tally).to_have_text("9 in all. Leave one blank and we’ll fill it in.")
    place = form.bounding_box()
    choose(thumb, form, 0, 2)
    expect(tally).to_have_text("7 of 9 left")
    choose(thumb, form, 1, 3)
    choose(thumb, form, 2, 1)
    last = form.locator("input[name=tricks-3]:checked")
    expect(last).to_have_value("3")
    expect(tally).to_have_text("✓ 9 in all")
    choose(thumb, form, 0, 0)
    expect(last).to_have_value("5")
    choose(thumb, form, 1, 9)
    expect(last).to_have_count(0)
    expect(tally).to_have_text("1 too many")
    form.locator(".primary").tap()
    assert form.locator(".primary").evaluate("(button) => button.validationMessage") == "1 too many"
    shown(phone, 0)
    assert form.bounding_box() == place, "nothing moves under the thumb"
    choose(thumb, form, 1, 4)
    expect(last).to_have_value("4")


def test_a_recorded_event_is_in_view_and_its_form_closed(phone, screenshot):
    thumb, form = open_result(phone, "ace-trump", 3)
    for seat, number in enumerate((2, 3)):
        choose(thumb, form, seat, number)
    thumb.tap(form.locator(".primary"))
    shown(phone, 1)
    assert thumb.taps == 3, "a tap for all players but one, and one to record"
    expect(phone.locator(".winners")).to_be_in_viewport(ratio=1)
    expect(phone.locator(".winners")).to_contain_text("7")
    assert complaints(phone) == []
    screenshot(phone, "result-recorded")


def test_a_refused_form_keeps_its_numbers(phone):
    """Only a player who went out has no card left, and the script cannot know how many may have."""
    thumb, form = open_result(phone, "american-deuce", 4)
    for seat, number in enumerate((0, 3, 0, 5)):
        choose(thumb, form, seat, number)
    thumb.tap(form.locator(".primary"))
    expect(phone.locator("#message")).to_be_visible()
    chosen = "(form) => [...form.querySelectorAll('.each input:checked')].map(({ value }) => value)"
    assert form.evaluate(chosen) == ["0", "3", "0", "5"]
    phone.locator("#back").tap()
    expect(phone.locator("#message")).to_have_count(0)
    choose(thumb, form, 2, 4)
    thumb.tap(form.locator(".primary"))
    shown(phone, 1)


def test_a_result_is_recorded_from_the_keyboard(page):
    Thumb(page).open_table(table("ace-trump", 3))
    page.locator("#other-result > summary").focus()
    page.keyboard.press("Enter")
    form = page.locator("form[data-event=result]")
    for name in ("Ann", "Bob"):
        form.get_by_role("radiogroup", name=name).get_by_label("0", exact=True).focus()
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
    expect(form.locator("input[name=tricks-2]:checked")).to_have_value("10")
    page.keyboard.press("Enter")
    shown(page, 1)


def test_without_scripts_a_wrong_sum_is_corrected_in_place(browser, server):
    with open_tab(browser, server, width=360, height=740, has_touch=True, java_script_enabled=False) as phone:
        phone.goto("/new/ace-trump/")
        for seat, name in enumerate(("Ann", "Bob", "Cy")):
            phone.locator(f"#name-{seat}").fill(name)
        phone.get_by_role("button", name="Deal").tap()
        phone.locator("#other-result > summary").tap()
        form = phone.locator("form[data-event=result]")
        for seat, number in enumerate((4, 4, 5)):
            form.locator(f".chip:has(input[name=tricks-{seat}][value='{number}'])").tap()
        form.locator(".primary").tap()
        expect(phone.locator("#message")).to_contain_text("13")
        phone.get_by_role("link", name="Change it").tap()
        expect(form.locator("input[name=tricks-2][value='5']")).to_be_checked()
        form.locator(".chip:has(input[name=tricks-2][value='4'])").tap()
        form.locator(".primary").tap()
        expect(phone.locator("#scene")).to_contain_text("Hand 1 is over.")


def test_the_bidders_are_clear_of_the_heading(phone):
    """On a small phone the heading wraps to two lines."""
    Thumb(phone).open_table(table("wildcat-chicane", 4))
    heading = phone.get_by_text("Enter the bids first").first
    heading.tap()
    asked = phone.locator(".ask-label", has_text="bids").last
    expect(asked).to_be_visible()
    assert asked.bounding_box()["y"] >= heading.evaluate("(heading) => heading.getBoundingClientRect().bottom")
