"""The end of a hand: everyone sees its result, and no stray tap starts the next one."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import follow, open_tab
from tests.e2e.scenes import LONG, call, opened
from tests.e2e.test_for_everybody import complaints
from tests.e2e.thumb import shown, table, whole_hand


def with_result(server, seats, *tricks):
    """Open a table whose first hand is over; return its address."""
    return opened(server.url, table("ace-trump", seats), [{"type": "result", "tricks": list(tricks)}])


@pytest.fixture
def address(server):
    return with_result(server, 3, 5, 4, 3)


def test_the_next_hand_waits_for_a_tap(phone, screenshot, address):
    phone.goto(address)
    expect(phone.locator("#scene")).to_contain_text("Ann takes the lead.")
    expect(phone.locator(".pad")).to_be_hidden()
    expect(phone.get_by_role("button", name="Undo")).to_be_visible()
    assert complaints(phone) == []
    screenshot(phone, "scene")
    before = int(phone.locator("#table").get_attribute("data-version") or 0)
    phone.get_by_text("Next hand").tap()
    expect(phone.locator("#scene")).to_be_hidden()
    expect(phone.locator(".pad .card").first).to_be_visible()
    phone.get_by_role("button", name="Diplomat").tap()
    shown(phone, before + 1)
    expect(phone.locator("#scene")).to_have_count(0)
    phone.get_by_role("button", name="Undo").tap()
    shown(phone, before + 2)
    expect(phone.locator("#scene")).to_be_visible()
    expect(phone.locator(".pad")).to_be_hidden()


def test_the_scene_fits_a_small_phone_with_browser_bars(phone, server):
    phone.set_viewport_size({"width": 360, "height": 616})
    follow(phone, with_result(server, 4, 3, 3, 2, 1))
    button = phone.get_by_text("Next hand").bounding_box()
    assert button
    assert button["y"] + button["height"] <= 616
    assert button["height"] >= 48


def test_undo_after_next_hand_goes_back_to_the_end_of_the_hand(phone, address):
    phone.goto(address)
    phone.get_by_text("Next hand").tap()
    expect(phone.locator("#scene")).to_be_hidden()
    phone.wait_for_timeout(400)
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.locator("#scene")).to_be_visible()
    phone.wait_for_timeout(400)
    assert phone.locator("#table").get_attribute("data-version") == "1", "nothing was taken back"


def test_an_undone_event_replaces_the_verdict_and_one_tap_restores_it(phone, server, screenshot):
    told = whole_hand("ace-trump", 4, house_rules=False) | {"end": {"kind": "open"}}
    events = told["hands"][0]["events"]
    follow(phone, opened(server.url, told, events))
    strip = phone.locator(".last-strip")
    place = strip.bounding_box()
    phone.locator(".end-game > summary").tap()
    phone.wait_for_timeout(400)
    phone.locator("#end-game").tap()
    shown(phone, len(events) + 1)
    phone.locator("#undo").tap()
    shown(phone, len(events) + 2)
    expect(strip).to_contain_text("Took back: The game ends here. Redo")
    assert strip.bounding_box() == place
    assert complaints(phone) == []
    screenshot(phone, "took-back")
    for _ in range(2):  # a finger that shakes
        phone.locator("#redo").dispatch_event("click")
    shown(phone, len(events) + 3)
    expect(phone.locator("#table")).to_have_attribute("data-won", "")


def test_an_undone_event_is_shown_for_a_while(phone, server):
    told = whole_hand("ace-trump", 4, house_rules=False)
    events = told["hands"][0]["events"][:6]
    follow(phone, opened(server.url, told, events))
    phone.evaluate("document.documentElement.style.setProperty('--m-told', '300ms')")
    phone.locator("#undo").tap()
    shown(phone, 7)
    expect(phone.locator(".took-back")).to_be_hidden()


def test_eight_rows_with_long_names_fit_a_phone(phone, server):
    left = {"type": "result", "cards_left": [0, 3, 5, 2, 4, 6, 1, 2]}
    follow(phone, opened(server.url, table("american-deuce", LONG), [left]))
    assert phone.locator(".result").count() == 8
    for text in (100, 130, 200):
        phone.evaluate("(text) => (document.documentElement.style.fontSize = `${text}%`)", text)
        wide = phone.evaluate("[...document.querySelectorAll('#scene *')].filter((e) => e.scrollWidth > 360).length")
        assert wide == 0, f"at {text} %"


def test_the_keyboard_moves_to_the_next_card(page, address):
    page.goto(address)
    page.get_by_text("Next hand").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pad .card").first).to_be_focused()


def test_the_scene_works_without_scripts(browser, server, address):
    with open_tab(browser, server, width=360, height=740, java_script_enabled=False) as tab:
        tab.goto(address)
        tab.get_by_label("The link").fill(address)
        tab.locator("form[data-join] button").click()
        expect(tab.locator(".pad")).to_be_hidden()
        tab.get_by_text("Next hand").click()
        expect(tab.locator(".pad")).to_be_visible()


COUNTED = """() => {
  const [next, frame] = [window.requestAnimationFrame.bind(window), 50];
  let now = performance.now();
  performance.now = () => now;
  window.requestAnimationFrame = (step) => next(() => step((now += frame)));
  window.seen = new Set();
  new MutationObserver(() => {
    for (const total of document.querySelectorAll("[data-count-to]")) window.seen.add(total.textContent);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


"""Collects every total shown. It runs on animation frames, since a busy machine could skip some otherwise."""


@pytest.mark.parametrize(("motion", "counts"), [("no-preference", True), ("reduce", False)])
def test_totals_count_up_where_motion_is_allowed(phone, server, motion, counts):
    path, token = with_result(server, 3, 0, 12, 0).split("join/#")
    phone.emulate_media(reduced_motion=motion)
    phone.goto(path)
    phone.wait_for_function("() => document.body.dataset.live === 'open'")
    phone.evaluate(COUNTED)
    call(server.url, f"tables/{path.split('/')[2]}/events/", {"type": "result", "tricks": [12, 0, 0]}, token)
    expect(phone.locator("#scene")).to_contain_text("Ann and Bob are tied.")
    expect(phone.locator("[data-count-to]").first).to_have_text("12")
    seen = phone.evaluate("[...window.seen]")
    assert any(0 < int(total) < 12 for total in seen) is counts, seen
