"""POST referee/audit/: a record in, a full check of each of its hands out."""

import pytest

from tests.referee.api.test_judge import RECORD


def test_it_works(api):
    events = [{"type": "play", "seat": 0, "cards": ["8MS"]}, {"type": "play", "seat": 1, "cards": ["9WY"]}]
    record = {"game": "ace-trump", "seats": ["Ann", "Bob"], "first_dealer": 1, "options": {"tides": True}}
    (hand,) = api.post("referee/audit/", {**record, "hands": [{"events": events}]}).json()["hands"]
    assert (hand["complete"], hand["clean"], hand["unchecked"]) == (True, True, [])


def test_what_takes_too_long_is_413(api):
    from referee.api.views import audit

    clock = iter(range(0, 100, 6))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(audit, "thread_time", clock.__next__)
        assert api.refused("referee/audit/", RECORD, 413)["code"] == "too-costly"
