"""A hand looked at again with the arrow keys, and with a finger across the felt."""

from playwright.sync_api import expect

from tests.e2e.conftest import follow
from tests.e2e.scenes import opened
from tests.e2e.thumb import whole_hand

SWIPE = """(across) => {
  const felt = document.querySelector(".felt");
  const at = (x) => new Touch({ identifier: 1, target: felt, clientX: x, clientY: 200 });
  const send = (name, x, more) => felt.dispatchEvent(new TouchEvent(name, { changedTouches: [at(x)], ...more }));
  send("touchstart", 200, { touches: [at(200)] });
  send("touchend", 200 + across, { touches: [] });
}"""


def test_a_hand_is_looked_through_by_keys_and_by_swiping(phone, server):
    told = whole_hand("ace-trump", 4, house_rules=False)
    address = opened(server.url, told, told["hands"][0]["events"])
    follow(phone, address)
    path = address.partition("join/")[0]
    phone.goto(f"{server.url}{path}hands/1/")
    heading = phone.locator("#trick")
    expect(heading).to_contain_text("Trick 1 of")
    for key, trick in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 1), ("ArrowLeft", 1)]:
        phone.keyboard.press(key)
        expect(heading).to_contain_text(f"Trick {trick} of")
    phone.evaluate(SWIPE, -120)
    expect(heading).to_contain_text("Trick 2 of")
    phone.evaluate(SWIPE, -20)
    phone.evaluate(SWIPE, 120)
    expect(heading).to_contain_text("Trick 1 of")
    phone.keyboard.press("End")
    expect(phone.locator(".steps [rel=next]")).to_have_count(0)
