"""groups/{code}/precedents/: what a group has decided once and for all."""

import pytest

from scoring.models import Precedent
from tests.scoring.conftest import holder
from tests.scoring.groups import Thursday, make_group

VOID = {"question": "Who deals after a void hand?", "decision": "The same dealer."}
EARLY = {"question": "Ties?", "decision": "Early Bird.", "game": "ace-trump", "option": "ties", "value": "early"}


@pytest.fixture
def group(db) -> Thursday:
    return make_group()


def post(group, **body):
    return group.member.post(f"{group.url}precedents/", body)


def listed(group):
    return group.member.get(f"{group.url}precedents/").json()["precedents"]


def archived(group):
    return b"".join(group.member.get(f"{group.url}archive/").streaming_content).decode()


def test_it_works(group):
    answer = post(group, **VOID)
    assert answer.status_code == 201, answer.json()
    (made,) = listed(group)
    assert (made["question"], made["decision"], made["game"], made["dispute"]) == (*VOID.values(), None, None)
    changed = group.member.patch(f"{group.url}precedents/{made['id']}/", {"decision": "The next one."})
    assert (changed.status_code, changed.json()["decision"]) == (200, "The next one.")
    assert changed.json()["since"] > made["since"]
    assert group.member.delete(f"{group.url}precedents/{made['id']}/").status_code == 204
    assert listed(group) == []
    assert group.member.delete(f"{group.url}precedents/{made['id']}/").json()["code"] == "no-such-precedent"


def test_a_ruling_becomes_the_rule_of_the_group_by_its_number(group):
    table = group.open_table()
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    keeper.post(f"{url}disputes/", {"claim": "The Excuse was led!"})
    early = post(group, dispute={"table": table.code, "number": 1})
    assert early.status_code == 422, "nobody has decided it yet"
    ruling = {"state": "upheld", "text": "Then the next suit counts.", "clauses": ["AT-Q10"]}
    assert keeper.post(f"{url}disputes/1/ruling/", ruling).status_code == 201
    made = post(group, dispute={"table": table.code, "number": 1}).json()
    assert (made["question"], made["decision"]) == ("The Excuse is your last card?", "Then the next suit counts.")
    assert (made["game"], made["clause"], made["dispute"]) == (
        "ace-trump",
        "AT-Q10",
        {"table": table.code, "number": 1},
    )
    elsewhere = make_group(name="Friday")
    assert post(elsewhere, dispute={"table": table.code, "number": 1}).status_code == 422


def test_what_it_says_of_a_house_rule_is_how_the_next_table_begins(group):
    post(group, **EARLY)
    opened = group.open_table().row
    assert opened.options["ties"] == "early"
    assert group.open_table(options={"ties": "late"}).row.options["ties"] == "late"
    post(group, **EARLY | {"option": "hook", "value": True})
    assert group.open_table().row.options["hook"] is False, "the hook goes only with bidding"
    assert group.open_table(options={"bidding": True}).row.options["hook"] is True


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"decision": " "}, "bad-value"),
        ({"question": ""}, "bad-value"),
        ({"game": "whist"}, "unknown-game"),
        ({"clause": "AT-999"}, "bad-value"),
        ({"option": "no_such"}, "unknown-option"),
        ({"value": "never"}, "bad-option"),
        ({"option": "", "value": "early"}, "bad-value"),
    ],
)
def test_what_cannot_be_is_refused(group, changes, code):
    answer = post(group, **EARLY | changes)
    assert answer.status_code == 422, answer.json()
    assert answer.json()["errors"][0]["code"] == code
    assert not Precedent.objects.exists()


def test_a_shape_that_is_none_is_malformed(group):
    wrong: list[dict[str, object]] = [
        {"facts": []}, {"value": [1]}, {"dispute": {"table": "X"}}, {"facts": {"seat": {}}}
    ]  # fmt: skip
    for changes in wrong:
        assert post(group, **EARLY | changes).status_code == 400, changes


def test_viewers_read_and_strangers_do_not(group, stranger):
    post(group, **VOID)
    viewer = holder(group.link("viewer"))
    assert len(viewer.get(f"{group.url}precedents/").json()["precedents"]) == 1
    assert viewer.post(f"{group.url}precedents/", VOID).status_code == 403
    assert stranger.get(f"{group.url}precedents/").status_code == 401


def test_a_retry_decides_once(group):
    key = {"HTTP_IDEMPOTENCY_KEY": "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c15"}
    for _ in range(2):
        assert group.member.post(f"{group.url}precedents/", VOID, **key).status_code == 201
    assert len(listed(group)) == 1


def test_they_go_and_come_back_with_the_archive(group, stranger):
    table = group.open_table()
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    keeper.post(f"{url}disputes/", {"claim": "Out of turn"})
    keeper.post(f"{url}disputes/1/ruling/", {"state": "upheld", "text": "Take it back."})
    post(group, dispute={"table": table.code, "number": 1})
    post(group, **EARLY | {"facts": {"seat": 1}, "code": "revoke"})
    text = archived(group)
    brought = stranger.post("/api/v1/groups/import/", {"text": text})
    assert brought.status_code == 201, brought.json()
    again = Thursday(brought.json()["code"], brought.json()["token"])
    assert archived(again) == text
    assert [each["question"] for each in listed(again)] == ["Ties?", "Out of turn"]
