"""Acts at a table from which the game went on: what they change at later tables is shown before it is done."""

import re

import pytest

from scoring.models import Table
from tests.scoring.pages.reading import text

CHANGES = "This changes a later table, too Then at the next table, with Ann, Bob, Dee"


@pytest.fixture
def continued(device, revoked):
    """The table at which Bob revoked, and the one at which he goes on with Ann and Dee: Ann 5, Bob 4, Dee 0."""
    device.tap(revoked, "result", tricks=["5", "4", "3"])
    answer = device.post(f"{revoked}continue/", {"name": ["Ann", "Bob", "Dee"]})
    assert answer.status_code == 302
    return revoked, Table.objects.get(previous__isnull=False)


def carried(after):
    after.refresh_from_db()
    return after.carried


def do_it(device, page):
    """Send the form with which what was shown is done."""
    form = next(
        form
        for form in re.findall(r'<form[^>]* method="post">.*?</form>', page, re.DOTALL)
        if 'name="later-tables"' in form
    )
    fields = dict(re.findall(r'name="([\w-]+)" value="([^"]*)"', form))
    return device.post(re.findall(r'action="([^"]+)"', form)[0], fields)


def shown_first(device, after, answer, *lines):
    """Check that this was shown before anything was done, and do it."""
    before, log = carried(after), Table.objects.get(next__isnull=False).log.count()
    assert answer.status_code == 409
    page = answer.content.decode()
    assert " ".join((CHANGES, *lines)) in text(answer)
    assert (carried(after), Table.objects.get(next__isnull=False).log.count()) == (before, log)
    assert do_it(device, page).status_code == 302


def test_points_that_are_taken_away(device, continued):
    address, after = continued
    fields = {"seat": "1", "points": "3", "points-way": "takes", "reason": "late"}
    answer = device.tap(address, "penalty", **fields)
    shown_first(device, after, answer, "Bob 4 to 1")
    assert carried(after) == [5, 1, 0]
    penalty = Table.objects.get(next__isnull=False).log.latest("seq").event
    assert (penalty["points"], penalty["reason"]) == (-3, "late")


def test_a_remedy_of_a_finding(device, continued):
    address, after = continued
    answer = device.post(f"{address}settle/", {"finding": "0-0", "remedy": "penalty", "points": "2"})
    shown_first(device, after, answer, "Bob 4 to 2")
    assert carried(after) == [5, 2, 0]


def test_a_guided_ruling(device, continued):
    address, after = continued
    fields = {"situation": "revoke", "answer-who": "1", "answer-trick": "1", "remedy": "penalty", "points": "2"}
    answer = device.post(f"{address}guide/carry-out/", fields)
    shown_first(device, after, answer, "Bob 4 to 2")
    assert carried(after) == [5, 2, 0]


def test_a_ruling_on_a_dispute(device, continued):
    address, after = continued
    device.post(f"{address}disputes/", {"claim": "Bob was late"})
    ruling = {"state": "upheld", "text": "Late it is", "remedy": "points", "seat": "1", "points": "3"}
    answer = device.post(f"{address}disputes/1/ruling/", ruling)
    shown_first(device, after, answer, "Bob 4 to 1")
    assert carried(after) == [5, 1, 0]
    assert "Late it is" in text(device.get(f"{address}disputes/1/"))


def test_what_changes_no_points_is_done_at_once(device, continued):
    address, after = continued
    assert device.tap(address, "note", text="The soup is ready.").status_code == 302
    assert device.post(f"{address}settle/", {"finding": "0-0", "remedy": "stand"}).status_code == 302
    assert carried(after) == [5, 4, 0]
