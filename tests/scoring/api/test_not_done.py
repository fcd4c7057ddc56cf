"""What a service refuses, the API answers as a problem: every reason there is."""

from scoring.api import problems
from scoring.queries.state import find_table
from scoring.services import exceptions
from scoring.services.exceptions import DisputesOpen, NotDone
from tests.scoring.conftest import holder, open_table, play
from tests.scoring.groups import make_group

WITH_MORE_THAN_A_SENTENCE = {
    exceptions.AlreadyAmended,
    exceptions.AlreadyContinued,
    exceptions.LaterNotTaken,
    exceptions.LaterTableNotTaken,
    exceptions.LinkRevoked,
    exceptions.MovedOn,
    exceptions.NoSuchEvent,
    exceptions.NotImported,
    exceptions.NotTaken,
    exceptions.TooMany,
}
ASKED_BY_PAGES_ALONE = {DisputesOpen}


def test_every_reason_has_an_answer_of_its_own():
    reasons = set(NotDone.__subclasses__())
    assert reasons == set(problems.PLAIN) | WITH_MORE_THAN_A_SENTENCE | ASKED_BY_PAGES_ALONE


def test_a_table_that_has_moved_on_is_not_adopted(db):
    group, table = make_group(), open_table()
    table.record(play(0, "8MS"))
    adopt = f"{group.url}tables/{table.code}/adopt/"
    late = group.member.post(adopt, {"token": table.token}, headers={"If-Match": '"0"'})
    assert (late.status_code, late.json()["code"], late.json()["version"]) == (412, "moved-on", 1)
    assert table.row.group is None
    assert group.member.post(adopt, {"token": table.token}, headers={"If-Match": '"1"'}).status_code == 200


def test_a_table_that_was_deleted_in_that_moment_is_not_there(table, monkeypatch):
    """It has moved on, and before that can be told it is gone."""
    table.record(play(0, "8MS"))

    def too_late(code):
        table.row.delete()
        return find_table(code)

    monkeypatch.setattr(problems, "find_table", too_late)
    answer = holder(table.token).post(
        f"/api/v1/tables/{table.code}/events/", play(1, "XS"), headers={"If-Match": '"0"'}
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "no-such-table")
