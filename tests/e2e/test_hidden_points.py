"""A table that hides its points until the game is over, on a scorekeeper's and another phone."""

from playwright.sync_api import expect

from tests.e2e.test_for_everybody import complaints
from tests.e2e.thumb import import_here, shown

HAND = [{"type": "result", "points": [235, 345]}]
TRICKS = [
    {"type": "play", "seat": seat, "cards": cards}
    for seat, cards in ((1, ["8H"]), (0, ["7H", "9H"]), (0, ["AD"]), (1, ["2C"]))
]
RECORD = {
    "format": "table-record/1",
    "game": "ace-pit",
    "options": {"totals": "hidden"},
    "end": {"kind": "hands", "value": 2},
    "seats": ["Ann", "Bob"],
    "first_dealer": 1,
    "hands": [{"events": HAND}, {"events": TRICKS}],
}


def fits(phone) -> bool:
    """Return whether nothing is cut off at the side."""
    return bool(phone.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_points_are_shown_to_who_keeps_the_score_and_asks_and_at_the_end_to_all(phone, second_phone, screenshot):
    import_here(phone, RECORD)
    address = phone.url
    expect(phone.locator(".seat-total")).to_have_count(0)
    expect(phone.get_by_text("Points are hidden until the game is over.")).to_be_visible()
    screenshot(phone, "hidden-points")
    assert fits(phone)
    assert complaints(phone) == []
    phone.get_by_role("link", name="Show the points").tap()
    expect(phone.locator("table.sheet tfoot")).to_contain_text("380")
    screenshot(phone, "hidden-points-shown")
    assert fits(phone)
    assert complaints(phone) == []
    phone.goto(address)
    second_phone.goto(address)
    expect(second_phone.get_by_text("Points are hidden until the game is over.")).to_be_visible()
    expect(second_phone.get_by_role("link", name="Show the points")).to_have_count(0)
    second_phone.goto(f"{address}screen/")
    expect(second_phone.locator(".seat-total")).to_have_count(0)
    screenshot(second_phone, "hidden-points-screen")
    second_phone.goto(address)
    phone.locator("summary", has_text="Result of the hand").tap()
    form = phone.locator("form[data-event=result]")
    for number, player in zip(("185", "100"), form.locator("input[type=number]").all(), strict=True):
        player.fill(number)
    form.locator(".primary").tap()
    shown(phone, 6)
    expect(phone.locator(".seat-total").first).to_have_text("420")
    expect(second_phone.locator(".seat-total").last).to_have_text("445")
    expect(second_phone.locator(".winners")).to_be_visible()
