"""Malformed requests to every address, from everyone: `make requests` sends a million, this a few hundred."""

import signal
import sys
from itertools import islice
from random import Random

import pytest

from tests.hunt import asking
from tests.hunt.asking import Asked, Told
from tests.hunt.requests import hunt
from tests.hunt.slow import SLACK, climb
from tests.seeds import FIRST


@pytest.mark.django_db
def test_malformed_requests_are_answered():
    """The run stops after 150 requests; all of them would take an hour."""
    told, before = Told(longest=5.0), []  # templates are read for the first time here

    def enough():
        before.append(told.asked)
        return told.asked == before[0] + 150

    hunt(1_000_000, FIRST, drawn=0, told=told, enough=enough)
    assert told.found == []
    assert told.asked == before[0] + 150
    assert before[0] > 150  # a plain one to every address
    assert {200, 400, 404} <= told.statuses.keys()


def test_a_fuzz_run_with_a_hanging_request_reports_what_it_sent(monkeypatch, capsys):
    said = []
    monkeypatch.setattr(asking, "BEFORE_THE_END", [lambda: said.append("so many")])
    monkeypatch.setattr("os._exit", sys.exit)
    with pytest.raises(SystemExit), asking.alarm(Asked("get", "/slow/")):
        signal.raise_signal(signal.SIGALRM)
    assert said == ["so many"]
    assert "Hangs:\nGET /slow/" in capsys.readouterr().out


def test_judging_respects_its_time_limit():
    for worst, _tried in islice(climb(Random(FIRST), seconds=0.2), 30):
        assert worst.seconds < 0.2 + SLACK, str(worst)
