"""Acts at a continued table: their changes at later tables are shown first."""

import re

import pytest

from scoring.models import Table
from tests.scoring.pages.reading import text

CHANGES = "This changes a later table, too Then at the next table, with Ann, Bob and Dee"


@pytest.fixture
def continued(device, revoked):
    """The table at which Bob revoked, and the next one, with Ann 5, Bob 4, Dee 0."""
    device.tap(revoked, "result", tricks=["5", "4", "3"])
    answer = device.post(f"{revoked}continue/", {"name": ["Ann", "Bob", "Dee"]})
    assert answer.status_code == 302
    return revoked, Table.objects.get(previous__isnull=False)


def carried(after):
    after.refresh_from_db()
    return after.carried


def do_it(device, page):
    """Submit the form that confirms what was shown."""
    form = next(
        form
        for form in re.findall(r'<form[^>]* method="post">.*?</form>', page, re.DOTALL)
        if 'name="later-tables"' in form
    )
    fields = dict(re.findall(r'name="([\w-]+)" value="([^"]*)"', form))
    return device.post(re.findall(r'action="([^"]+)"', form)[0], fields)


GUIDED = {"situation": "revoke", "answer-who": "1", "answer-trick": "1", "remedy": "penalty", "points": "2"}
RULING = {"state": "upheld", "text": "Late it is", "remedy": "points", "seat": "1", "points": "3"}
ACTS = {
    "points taken away": ("record/", {"event": "penalty", "seat": "1", "points": "3", "points-way": "takes"}, 1),
    "the remedy of a finding": ("settle/", {"finding": "0-0", "remedy": "penalty", "points": "2"}, 2),
    "a guided ruling": ("guide/carry-out/", GUIDED, 2),
    "a ruling on a dispute": ("disputes/1/ruling/", RULING, 1),
}


@pytest.mark.parametrize(("path", "fields", "left"), ACTS.values(), ids=ACTS)
def test_changes_at_later_tables_are_previewed(device, continued, path, fields, left):
    address, after = continued
    if path.startswith("disputes"):
        device.post(f"{address}disputes/", {"claim": "Bob was late"})
    first = Table.objects.get(next__isnull=False)
    before = first.log.count()
    answer = device.post(address + path, fields)
    assert answer.status_code == 409
    assert f"{CHANGES} Bob 4 to {left}" in text(answer)
    assert (carried(after), first.log.count()) == ([5, 4, 0], before)
    assert do_it(device, answer.content.decode()).status_code == 302
    assert carried(after) == [5, left, 0]
    assert first.log.count() > before


def test_an_act_without_point_changes_needs_no_confirmation(device, continued):
    address, after = continued
    assert device.tap(address, "note", text="The soup is ready.").status_code == 302
    assert device.post(f"{address}settle/", {"finding": "0-0", "remedy": "stand"}).status_code == 302
    assert carried(after) == [5, 4, 0]
