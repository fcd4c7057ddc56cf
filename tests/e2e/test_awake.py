"""A screen stays awake while a hand runs; the test's browser has no screen, so what is asked of it is written down."""

import pytest

from tests.e2e.test_for_everybody import table
from tests.e2e.test_looks import record_result
from tests.e2e.thumb import Thumb

LISTEN = """
window.awake = 0;
navigator.wakeLock.request = async () => {
  window.awake += 1;
  const lock = new EventTarget();
  lock.release = async () => { window.awake -= 1; lock.dispatchEvent(new Event("release")); };
  return lock;
};
"""


@pytest.mark.parametrize("view", ["", "screen/"], ids=["who records", "the big screen"])
def test_a_screen_stays_awake_until_the_table_is_finished(phone, page, view):
    Thumb(phone).open_table(table("ace-trump", 2))
    address = phone.url
    watched = page if view else phone
    watched.add_init_script(LISTEN)
    watched.goto(f"{address}{view}")
    watched.wait_for_function("() => window.awake === 1")
    record_result(phone)
    watched.wait_for_function("() => window.awake === 0")


def test_a_phone_that_only_looks_on_may_sleep(phone, second_phone):
    Thumb(phone).open_table(table("ace-trump", 2))
    second_phone.add_init_script(LISTEN)
    second_phone.goto(phone.url)
    second_phone.wait_for_function("() => document.body.dataset.live === 'open'")
    assert second_phone.evaluate("window.awake") == 0
