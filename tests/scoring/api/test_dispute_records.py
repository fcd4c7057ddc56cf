"""A record with disputes comes back byte for byte, whichever way it is taken away, and so do the disputes."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from scoring.models import Dispute, Table
from scoring.queries.verifying import differences
from scoring.services.dispute_index import rebuild_disputes
from scoring.services.seen import state_cache
from tests.scoring.conftest import holder, open_table, play
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
FINE = {"type": "penalty", "seat": 1, "points": -1, "x_settles": [0, 1]}
UPHELD = {"state": "upheld", "text": "He had; „so“.", "clauses": ["IR-4"], "remedy": [FINE]}
LISTED = ("number", "state", "situation", "ruling", "decided")


def heated(table):
    """Play an evening on which much is disputed: upheld with a remedy, agreed, voted on, withdrawn, left open."""
    ann, bob, cy = holder(table.token), holder(table.link("player", 1)), holder(table.link("player", 2))
    url = f"/api/v1/tables/{table.code}/"
    plays = [play(0, "8MS"), play(1, "4WL"), play(2, "XM"), play(2, "2MK"), play(0, "3MW"), play(1, "7SK")]
    acts = [
        (ann, "events/", {"events": plays}),
        (cy, "disputes/", {"claim": "Bob, you had a Sun!", "about": {"hand": 1, "event": 1}, "pause": True}),
        (
            ann,
            "disputes/1/ruling/",
            {"state": "upheld", "text": "He had; „so“.", "clauses": ["IR-4"], "remedy": [FINE]},
        ),
        (bob, "disputes/", {"claim": "Cy looked at my cards.", "about": {"hand": 1, "trick": 2}}),
        (bob, "disputes/2/agreement/", {"text": "We forget it."}),
        (cy, "disputes/2/agreement/", {}),
        (ann, "events/", {"type": "redeal"}),
        (ann, "events/", play(0, "5SW")),
        (ann, "disputes/", {"claim": "That was no lead.", "seat": 2}),
        (ann, "disputes/3/withdrawal/", {"text": "It was."}),
        (cy, "disputes/", {"claim": "Still: Bob had a Sun.", "about": {"hand": 1, "score_line": 0}}),
    ]
    for client, path, body in acts:
        answer = client.post(f"{url}{path}", body)
        assert answer.status_code == 201, (path, answer.json())
    # An entry before what is disputed is struck, so that the rest moves up in the record.
    note = {"type": "note", "text": "first"}
    assert ann.post(f"{url}amendments/", {"seq": 1, "event": play(0, "9MS")}).status_code == 201
    assert ann.post(f"{url}events/", note).status_code == 201
    return url


def streamed(answer: Any) -> Any:
    """Return the parts of an answer that comes in parts."""
    return answer.streaming_content


def told(url):
    """Return the disputes of a table without what its own log calls them."""
    found = APIClient().get(f"{url}disputes/").json()["disputes"]
    for each in found:
        for said in (each, each["about"], each["ruling"] or {}, *each["votes"]):
            said.pop("seq", None)
    return found


@pytest.mark.parametrize("shape", ["json", "text"])
def test_a_record_comes_back_byte_for_byte(shape):
    url = heated(open_table())
    record = APIClient().get(f"{url}record/?as={shape}").content
    brought = {"text": record.decode()} if shape == "text" else APIClient().get(f"{url}record/").json()
    answer = APIClient().post("/api/v1/tables/import/", brought)
    assert answer.status_code == 201, answer.json()
    back = f"/api/v1/tables/{answer.json()['code']}/"
    assert APIClient().get(f"{back}record/?as={shape}").content == record
    assert told(back) == told(url)
    assert [each["state"] for each in told(back)] == ["upheld", "agreed", "withdrawn", "open"]
    row = Table.objects.get(code=answer.json()["code"])
    assert (differences(row), rebuild_disputes(row)) == ([], [])
    assert row.disputes["open"] == [4]


def test_an_archive_comes_back_byte_for_byte():
    group = make_group("Ann", "Bob", "Cy")
    url = heated(group.open_table())
    group.member.patch(group.url, {"shares_rulings": True})
    row = Table.objects.get(code=url.split("/")[-2])
    Table.objects.filter(pk=row.pk).update(ruled_by={"kind": "majority"}, shares_rulings=True)
    text = b"".join(streamed(group.member.get(f"{group.url}archive/")))
    answer = APIClient().post("/api/v1/groups/import/", {"text": text.decode()})
    assert answer.status_code == 201, answer.json()
    back = holder(answer.json()["token"])
    again = b"".join(streamed(back.get(f"/api/v1/groups/{answer.json()['code']}/archive/")))
    assert again == text
    (brought,) = Table.objects.exclude(pk=row.pk)
    assert told(f"/api/v1/tables/{brought.code}/") == told(url)
    assert APIClient().get(f"/api/v1/tables/{brought.code}/").json()["rules_by"] == "majority"
    assert Dispute.objects.filter(table=brought).count() == 4


def test_what_lists_know_is_made_again_from_the_log():
    url = heated(open_table())
    row = Table.objects.get(code=url.split("/")[-2])
    kept = list(Dispute.objects.filter(table=row).values_list(*LISTED))
    Dispute.objects.all().delete()
    Table.objects.filter(pk=row.pk).update(disputes={})
    state_cache.drop(row.code)
    row.refresh_from_db()
    assert len(rebuild_disputes(row)) == 2
    assert differences(row) != []
    rebuild_disputes(row, write=True)
    assert list(Dispute.objects.filter(table=row).values_list(*LISTED)) == kept
    row.refresh_from_db()
    assert (differences(row), rebuild_disputes(row)) == ([], [])


@pytest.mark.parametrize(
    "mark",
    [
        3, None, [], {}, {"id": "1"}, {"id": 0}, {"id": -1}, {"id": True}, {"id": 1, "about": 4, "at": "x", "by": 3},
        {"of": 7, "state": "upheld"}, {"of": 1, "state": "maybe"}, {"id": 1, "about": {"hand": 9, "event": "1"}},
        {"id": 1, "situation": ["x"], "pause": "yes"},
    ],
)  # fmt: skip
def test_what_another_program_marks_wrongly_says_nothing_and_breaks_nothing(mark):
    events = [
        play(0, "8MS"),
        {"type": "note", "text": "x", "x_dispute": mark},
        {"type": "note", "text": "y", "x_dispute": mark},
    ]
    record = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2, "hands": [{"events": events}]}
    answer = APIClient().post("/api/v1/tables/import/", record)
    assert answer.status_code == 201, answer.json()
    url, page = f"/api/v1/tables/{answer.json()['code']}/", f"/t/{answer.json()['code']}/"
    assert len(told(url)) <= 1
    for each in told(url):
        assert APIClient().get(f"{url}disputes/{each['id']}/").status_code == 200
        assert APIClient().get(f"{page}disputes/{each['id']}/").status_code == 200
    for path in ("", "log/", "disputes/", "hands/1/", "screen/"):
        assert APIClient().get(f"{page}{path}").status_code == 200
    assert differences(Table.objects.get()) == []
