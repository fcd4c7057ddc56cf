"""A tap restyles only what it changes, not the whole page.

A rule that inspects an element's content (`:has`) and then applies to everything restyles everything whenever that
content changes; on a slow phone that took longer than all the rest.
"""

import pytest

from tests.bench.bench_browser import AT_ONCE, SlowPhone, open_all_extras, open_two_packs

MOST_OF_A_PAGE = 400
"""The number of elements that may be restyled."""
ROUNDS = 3


@pytest.mark.parametrize("open_pad", [open_all_extras, open_two_packs], ids=["45 cards", "104 cards"])
def test_a_tap_recalculates_few_styles(phone, open_pad):
    slow = SlowPhone(phone)
    play = open_pad(slow)
    play(0)
    counts: list[int] = []

    def keep(told):
        styled = [each["args"] for each in told["value"] if each["name"] == "UpdateLayoutTree"]
        counts.extend(arguments.get("elementCount", 0) for arguments in styled)

    done: list[bool] = []
    slow.session.on("Tracing.dataCollected", keep)
    slow.session.on("Tracing.tracingComplete", lambda _: done.append(True))
    slow.session.send("Tracing.start", {"categories": "devtools.timeline", "transferMode": "ReportEvents"})
    for number in range(1, ROUNDS + 1):
        play(number)
    slow.session.send("Tracing.end")
    while not done:
        phone.wait_for_timeout(50)
    assert counts
    assert len([count for count in counts if count > MOST_OF_A_PAGE]) < ROUNDS * AT_ONCE
