"""Setting up a table in a browser: seats, taps and house rules."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.test_for_everybody import complaints
from tests.e2e.thumb import Thumb, shown, sit_down

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
    expect(phone.locator("#word-partners")).to_have_text("with partners")
    expect(phone.locator("#word-fixed_trump")).to_have_count(0)
    assert complaints(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.locator("#name-3").fill("")
    deal = phone.get_by_role("button", name="Deal")
    deal.tap()
    problem = phone.get_by_role("alert")
    expect(problem).to_have_text("Partners: only for 4 or 6 players.")
    expect(problem).to_be_in_viewport()
    phone.locator("#name-3").fill("Dee")
    deal.tap()
    shown(phone, 0)
    expect(phone.locator(".house-line")).to_contain_text("with partners, bidding for tricks")


def test_a_late_answer_does_not_overwrite_a_newly_typed_number(phone):
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


def test_names_swap_places_by_dragging_and_by_keyboard(page):
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


# --- The seats round the table


def test_typed_names_are_seated_with_one_tap(phone):
    thumb = Thumb(phone)
    phone.goto("/new/ace-trump/")
    thumb.tap(phone.locator(".grip").first)
    for name in NAMES:
        phone.keyboard.type(name)
        phone.keyboard.press("Enter")
    phone.get_by_text("Trick winners").tap()
    expect(phone.locator("#deal")).to_have_text("Deal · Bob leads")
    thumb.tap(phone.locator("#deal"))
    expect(phone.locator(".seat-name")).to_have_text([*NAMES])
    expect(phone.locator("form.ask").first).to_have_attribute("data-event", "trick")
    assert thumb.taps == 2


def test_a_tapped_seat_can_deal_be_renamed_or_leave(phone, screenshot):
    phone.goto("/new/ace-trump/")
    sit_down(phone, NAMES, dealer=2)
    expect(phone.locator("#deal")).to_have_text("Deal · Dee leads")
    phone.locator(".grip").nth(1).tap()
    expect(phone.locator("#seat-menu-name")).to_have_text("Bob")
    screenshot(phone, "seat-menu")
    assert complaints(phone) == []
    phone.get_by_role("button", name="Rename").tap()
    expect(phone.locator("#name-1")).to_be_focused()
    phone.keyboard.type("Alma")
    phone.keyboard.press("Enter")
    expect(phone.locator(".place.taken .person")).to_have_text(["An", "Al", "C", "D"])
    phone.locator(".grip").nth(0).tap()
    phone.get_by_role("button", name="Remove").tap()
    expect(phone.locator(".place.taken .person")).to_have_text(["A", "C", "D"])
    assert sitting(phone) == ["Alma", "Cy", "Dee", ""]
    expect(phone.locator("#deal")).to_have_text("Deal · Dee leads")


@pytest.mark.parametrize("width", [320, 360, 740])
def test_seats_do_not_overlap(phone, width):
    """For every number of players, each circle is on the screen and no name touches another circle."""
    phone.set_viewport_size({"width": width, "height": 740})
    for number in range(1, 9):
        names = "&".join(f"name={name}" for name in ("Anna", "Ben", "Clara", "Dominik", *"EFGH")[:number])
        phone.goto(f"/new/american-deuce/?{names}")
        circles = [grip.bounding_box() for grip in phone.locator(".grip:visible").all()]
        assert len(circles) == (max(4, number) if number < 4 or number == 8 else number + 1)
        assert all(box["width"] >= 44 and box["height"] >= 44 and 0 <= box["x"] <= width - 44 for box in circles)
        centres = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in circles]
        for place, (x, y) in enumerate(centres):
            assert all(abs(x - u) >= 44 or abs(y - v) >= 60 for u, v in centres[:place]), (number, centres)


@pytest.mark.parametrize(("width", "height"), [(320, 600), (360, 740), (740, 360)])
def test_the_focused_element_is_never_behind_the_button(phone, width, height):
    phone.set_viewport_size({"width": width, "height": height})
    phone.goto("/new/oh-hell/?name=Ann&name=Bob&name=Cy")
    phone.locator("#more-rules > summary").tap()
    covered = """() => {
      const top = (element) => element.getBoundingClientRect().top;
      const below = (element) => {
        element.focus();
        return top(element) > top(document.getElementById("deal"));
      };
      const all = [...document.querySelectorAll(".questions :is(a, button, summary, input)")];
      return all.filter((e) => e.offsetParent && !e.closest("[popover]") && below(e)).map((e) => e.outerHTML);
    }"""
    assert phone.evaluate(covered) == []
