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


def test_without_a_wake_lock_a_silent_film_keeps_the_screen_awake(phone):
    """Browsers know a wake lock at secure addresses only, and at home the address is a plain one."""
    phone.add_init_script("delete Navigator.prototype.wakeLock")
    Thumb(phone).open_table(table("ace-trump", 2))
    phone.wait_for_function("() => document.querySelector('video')?.currentTime > 0")
    assert phone.evaluate("document.querySelector('video').muted && !document.querySelector('video').paused")
    record_result(phone)
    phone.wait_for_function("() => document.querySelector('video').paused")
