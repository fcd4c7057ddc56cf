"""House rules and clauses in a browser."""

import re

from playwright.sync_api import Route, expect

from referee.engine.game import all_games
from tests.e2e.conftest import follow
from tests.e2e.scenes import imported
from tests.e2e.test_for_everybody import complaints
from tests.e2e.thumb import Thumb, plate, shown, sit_down

# --- A table is opened by people who change how they play, and where they sit

NAMES = ("Ann", "Bob", "Cy", "Dee")


def sitting(page):
    return [page.locator(f"#name-{place}").input_value() for place in range(len(NAMES))]


def test_house_rules_are_chosen_in_their_sentence(phone, screenshot):
    phone.goto("/new/ace-trump/")
    sit_down(phone, NAMES)
    phone.locator("#word-trump").tap()
    pick = phone.locator("#pick-trump")
    expect(pick).to_be_visible()
    screenshot(phone, "house-rule")
    assert complaints(phone) == []
    pick.get_by_text("fixed before the deal", exact=True).tap()
    expect(pick).to_be_hidden()
    expect(phone.locator("#word-fixed_trump")).to_have_text("Moons as trump")
    phone.get_by_role("button", name="Partners with bidding").tap()
    expect(phone.locator("#word-partners")).to_have_text("as partners")
    expect(phone.locator("#word-fixed_trump")).to_have_count(0)
    assert complaints(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.locator("#name-3").fill("")
    deal = phone.get_by_role("button", name="Deal")
    deal.tap()
    problem = phone.get_by_role("alert")
    expect(problem).to_have_text("Partners: that takes 4 or 6 players.")
    expect(problem).to_be_in_viewport()
    phone.locator("#name-3").fill("Dee")
    deal.tap()
    shown(phone, 0)
    expect(phone.locator(".house-line")).to_contain_text("as partners, bidding for tricks")


def test_a_late_answer_takes_no_number_back_that_was_typed_meanwhile(phone):
    phone.goto("/new/ace-trump/")
    held: list[Route] = []
    phone.route("**/new/ace-trump/", lambda route: held.append(route) if not held else route.continue_())
    phone.locator("#name-0").fill("Ann")
    phone.locator("#word-end").tap()
    phone.locator("input[name=end-hands]").fill("4")
    while not held:
        phone.wait_for_timeout(10)
    with phone.expect_response("**/new/ace-trump/"):
        held[0].continue_()
    phone.locator("#pick-end .primary").tap()
    expect(phone.locator("#word-end")).to_have_text("for 4 hands")


def test_names_change_places_by_hand_and_by_keyboard(page):
    page.goto("/new/ace-trump/")
    sit_down(page, NAMES, dealer=3)
    page.locator(".grip").nth(3).focus()
    page.keyboard.press("ArrowUp")
    assert sitting(page) == ["Ann", "Bob", "Dee", "Cy"]
    expect(page.locator(".grip").nth(2)).to_be_focused()
    expect(page.locator("input[name=dealer]").nth(2)).to_be_checked()
    expect(page.locator("#moved")).to_have_text("Dee: place 3")
    first, third = (page.locator(".grip").nth(place).bounding_box() for place in (0, 2))
    page.mouse.move(first["x"] + 20, first["y"] + 20)
    page.mouse.down()
    page.mouse.move(third["x"] + 20, third["y"] + 20, steps=4)
    page.mouse.up()
    assert sitting(page) == ["Bob", "Dee", "Ann", "Cy"]
    page.locator("#word-ties").focus()
    page.keyboard.press("Enter")
    page.locator("#option-ties-0").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#word-ties")).to_have_text(re.compile("Early Bird"))
    expect(page.locator("#option-ties-1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".seat-name")).to_have_text(["Bob", "Dee", "Ann", "Cy"])


# --- A rule opens over the table, and what is decided below stays


def test_a_rule_is_read_in_the_middle_of_a_decision(phone, screenshot):
    thumb = Thumb(phone)
    seats = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0, "options": {"ties": "early"}}
    thumb.open_table(seats)
    thumb.record({"type": "play", "seat": 1, "cards": ["8MS"]})
    plate(phone, "Ann").tap()
    phone.locator("#table button[value='9MS']").tap()
    decision = phone.locator("#message")
    expect(decision).to_be_visible()
    before = phone.url
    decision.locator("a[href*='#']").last.tap()
    sheet = phone.locator("dialog.rule-sheet")
    expect(sheet).to_be_visible()
    assert complaints(phone) == []
    screenshot(phone, "rule-sheet")
    phone.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(decision).to_be_visible()
    assert phone.url == before
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.get_by_role("link", name="Ask the referee").tap()
    expect(phone.get_by_role("heading", name="Who wins this trick?")).to_be_visible()
    expect(phone.locator(".entered .card[title^='Diplomat']")).to_be_visible()
    phone.get_by_role("link", name="Back to the table").tap()
    shown(phone, 1)


def test_a_rulebook_is_searched_and_printed_on_two_pages(page, screenshot):
    for game in all_games():
        page.goto(f"/games/{game.id}/")
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 2, game.id
    page.goto("/games/ace-trump/")
    page.get_by_label("Find a rule").fill("late bird")
    expect(page.locator(".clause-text")).to_have_count(1)
    page.get_by_role("link", name="An example").click()
    expect(page.locator("dialog.rule-sheet")).to_contain_text("by Late Bird the later one")
    screenshot(page, "rulebook-sheet")


def test_a_table_is_printed_on_two_pages(page, server):
    results = [{"type": "result", "tricks": [number % 4, 3 - number % 4, 9]} for number in range(40)]
    told = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    end = {"type": "end"}
    hands = [{"events": [each]} for each in results[:-1]] + [{"events": [results[-1], end]}]
    follow(page, imported(server.url, told | {"hands": hands}))
    page.get_by_role("link", name="For paper").click()
    expect(page.get_by_role("row", name="Total")).to_be_visible()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 2


def test_a_first_trick_is_learnt_by_tapping(phone, screenshot):
    phone.goto("/games/ace-trump/teach/")
    phone.locator("#guess-3-9WY").tap()
    expect(phone.locator("#step-3 .verdict")).to_contain_text("Not quite.")
    phone.locator("#guess-3-3MW").tap()
    expect(phone.locator("#step-3 .verdict")).to_contain_text("Right!")
    assert phone.url.endswith("/teach/")
    assert complaints(phone) == []
    screenshot(phone, "teach")
