"""Sound and vibration: off unless enabled on the *Display* sheet, one signal per change."""

import pytest

from tests.e2e.conftest import follow
from tests.e2e.scenes import opened
from tests.e2e.scripts import cases
from tests.e2e.thumb import shown, whole_hand

FACTS = "{ version: 3, trick: 2, over: 0, won: false, caught: false, ...%s }"


@cases(
    ("a card", f"news({FACTS % '{}'}, {FACTS % '{ version: 4 }'})", ""),
    ("a trick", f"news({FACTS % '{}'}, {FACTS % '{ version: 4, trick: 3 }'})", "trick"),
    ("an undone trick", f"news({FACTS % '{}'}, {FACTS % '{ version: 4, trick: 1 }'})", ""),
    (
        "a hand takes precedence over its trick",
        f"news({FACTS % '{}'}, {FACTS % '{ version: 4, trick: 3, over: 1 }'})",
        "hand",
    ),
    (
        "a win takes precedence over both",
        f"news({FACTS % '{}'}, {FACTS % '{ version: 4, over: 1, won: true, caught: true }'})",
        "win",
    ),
    ("an infraction", f"news({FACTS % '{}'}, {FACTS % '{ version: 4, trick: 3, caught: true }'})", "caught"),
    ("the same page again", f"news({FACTS % '{}'}, {FACTS % '{ trick: 3 }'})", ""),
    ("the first page", f"news(null, {FACTS % '{}'})", ""),
)
def test_which_sound_a_change_makes(result, expression, expected):
    assert result("sounds", f"sounds.{expression}") == expected


LISTEN = """
window.felt = [];
navigator.vibrate = (pattern) => window.felt.push(pattern.length);
document.addEventListener("played", ({ detail }) => window.felt.push(detail));
"""


@pytest.mark.parametrize(("wanted", "felt"), [("on", [5, "win"]), ("", [])])
def test_the_end_of_a_game_is_heard_if_sound_is_on(phone, server, wanted, felt):
    told = whole_hand("ace-trump", 4, house_rules=False)
    *events, last = told["hands"][0]["events"]
    phone.add_init_script(LISTEN)
    follow(phone, opened(server.url, told, events))
    phone.evaluate("(wanted) => (document.documentElement.dataset.sound = wanted)", wanted)
    phone.locator(f'#table [name=cards][value="{last["cards"][0]}"]').tap()
    shown(phone, len(events) + 1)
    assert phone.evaluate("window.felt") == felt
