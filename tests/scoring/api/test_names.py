"""Names that nobody can see, or that leave their line, are refused wherever they come in; others hold any letter."""

import pytest

from scoring.models import Table
from tests.scoring.conftest import ACE_TRUMP, play
from tests.scoring.pages.conftest import Device

UNSEEN = (
    "\u200b", "\u200b\u200d\u2060", "\u202e\u202c", "\u2066\u2069", "\u200e", "\u3164", "\u115f\u1160", "\uffa0",
    "\u2800", "\ufe0f", "\U000e0041", "\u00ad", "\ufeff", "\u0301", "\x1b\x07", "\u180e", "\U0001d159", "\u2065",
    " \u200b ",
)  # fmt: skip
SEEN = ("Ann\u200b", "\u05d0\u05dc", "e\u0301", "\u738b", "7", "?", "\U0001f0a1", "\U0001faef", "\u200fA", "A\u3164")
TURNED = "This name turns the writing beside it: leave its marks of direction out."
SENTENCE = "This name cannot be seen: it needs a letter, a digit or a sign."


def where(answer):
    return [(error["pointer"], error["detail"]) for error in answer.json()["errors"]]


@pytest.mark.parametrize("name", UNSEEN)
def test_a_player_has_a_name_that_can_be_seen(stranger, name):
    answer = stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": ["Ann", name, "Cy"]})
    assert answer.status_code == 422
    assert where(answer) == [("/seats/1", SENTENCE)]
    assert not Table.objects.exists()


@pytest.mark.parametrize("name", UNSEEN)
def test_and_so_has_a_group(stranger, name):
    answer = stranger.post("/api/v1/groups/", {"name": name})
    assert answer.status_code == 422
    assert where(answer) == [("/name", SENTENCE)]


@pytest.mark.parametrize("name", SEEN)
def test_a_name_may_hold_what_cannot_be_seen_beside_what_can(stranger, name):
    told = stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": ["Eva", name, "Cy"]})
    assert told.status_code == 201


@pytest.mark.parametrize("name", ["\u202eAnn", "Bo\u202b", "\u2067Cy", "\u202dDee\u202c", "E\u2069"])
def test_no_name_turns_the_sentence_that_it_stands_in(stranger, db, name):
    """In a log, a ruling or a finding somebody else would seem to be named."""
    answer = stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": ["Ann", name, "Cy"]})
    assert (answer.status_code, where(answer)) == (422, [("/seats/1", TURNED)])
    answer = stranger.post("/api/v1/groups/", {"name": name, "people": ["Ann"]})
    assert answer.status_code == 422
    for form in ({"name": name, "people": "Ann"}, {"name": "Thursday", "people": f"Ann, {name}"}):
        page = Device().post("/g/new/", form)
        assert page.status_code == 422
        assert TURNED in page.content.decode()


@pytest.mark.parametrize("address", ["tables/import/", "referee/judge/"])
def test_no_record_brings_one(stranger, address):
    answer = stranger.post(f"/api/v1/{address}", ACE_TRUMP | {"seats": ["Ann", "\u3164", "Cy"], "hands": []})
    assert answer.status_code == 422
    assert where(answer) == [("/seats/1", SENTENCE)]


def test_nobody_goes_on_under_one(table, scorekeeper):
    answer = scorekeeper.post(f"/api/v1/tables/{table.code}/continue/", {"seats": ["Ann", "\u200b", "Cy"]})
    assert answer.status_code == 422
    assert where(answer) == [("/seats/1", SENTENCE)]


def test_the_pages_refuse_it_with_the_same_sentence(db):
    device = Device()
    form = {"name": ["Ann", "\u200b", "Cy"], "dealer": "0", "end": "open"}
    opening = device.post("/new/ace-trump/", form)
    going_on = device.post(f"{device.open_table()}continue/", form)
    text = "Format: table-record/1\nGame: ace-trump\nSeats: Ann, \u200b, Cy\nFirst dealer: Ann\n"
    brought = device.post("/import/", {"text": text})
    for answer in (opening, going_on, brought):
        assert answer.status_code == 422
        assert SENTENCE in answer.content.decode()
    assert Table.objects.count() == 1


def test_a_table_that_has_one_already_can_still_be_read(table, scorekeeper):
    Table.objects.update(seats=["Ann", "\u200b", "Cy"])
    for shape in ("json", "text", "csv"):
        assert scorekeeper.get(f"/api/v1/tables/{table.code}/record/", {"as": shape}).status_code == 200


def test_a_claim_may_have_several_lines(ann, table):
    ann.post(f"/api/v1/tables/{table.code}/events/", {"type": "result", "tricks": [4, 4, 4]})
    ann.post(f"/api/v1/tables/{table.code}/events/", play(1, "8MS"))
    claim = {"about": {"hand": 1}, "claim": "First this.\nThen that.\tAnd so on."}
    answer = ann.post(f"/api/v1/tables/{table.code}/disputes/", claim)
    assert answer.status_code == 201, answer.json()
