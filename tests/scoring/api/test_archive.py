"""groups/{code}/archive/ and groups/import/: a whole group goes and comes back, byte for byte the same."""

import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from scoring.models import Group, Table
from scoring.queries.verifying import differences
from scoring.services.rebuilding import statistics_differences
from tests.scoring.conftest import holder, play
from tests.scoring.groups import make_group
from tests.scoring.statistics import NAMES, random_tables

pytestmark = pytest.mark.django_db
RESULT = {"type": "result", "tricks": [6, 4, 2]}


@pytest.fixture
def group():
    """A group with a table that went on, corrections, an agreed result, a merged spelling and a guest."""
    group = make_group("Ann", "Bob", "Cy", "Anne")
    people = group.people()
    group.member.post(f"{group.url}people/{people['Anne']}/merge/", {"into": people["Ann"]})
    table = group.open_table(x_note={"b": 1, "a": "„x“"})
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    for event in (play(0, "8MS"), {"type": "redeal"}, RESULT, RESULT):
        assert keeper.post(f"{url}events/", event).status_code == 201
    keeper.post(f"{url}undo/", {})
    keeper.post(
        f"{url}amendments/", {"seq": 3, "event": {"type": "result", "tricks": [5, 5, 2]}, "reason": "miscounted"}
    )
    holder(table.link("player", 1)).post(f"{url}hands/2/confirmation/")
    keeper.post(f"{url}continue/", {"seats": ["Bob", "Ann", "Zoe"]})
    return group


def archive(group):
    return b"".join(group.member.get(f"{group.url}archive/").streaming_content).decode()


def brought(text):
    answer = APIClient().post("/api/v1/groups/import/", {"text": text})
    assert answer.status_code == 201, answer.json()
    made = answer.json()
    return type(make_group(name="x"))(made["code"], made["token"])


def test_it_comes_back_byte_for_byte(group):
    text = archive(group)
    back = brought(text)
    assert archive(back) == text
    rows = Table.objects.filter(group=back.row)
    assert rows.count() == 2
    assert [*map(differences, rows)] == [[], []]
    assert [*statistics_differences(back.row)] == []
    before, after = (each.member.get(f"{each.url}statistics/").json() for each in (group, back))
    assert [row["points"] for row in before["people"]] == [row["points"] for row in after["people"]]


def test_random_tables_come_back_as_they_were():
    group = make_group(*NAMES)
    assert len([*random_tables(group.row, [*group.people().values()], seed=5, count=12)]) == 12
    text = archive(group)
    assert archive(brought(text)) == text


def test_it_holds_no_rights_and_no_codes(group):
    text = archive(group)
    for secret in (group.token, group.code, *Table.objects.values_list("code", flat=True)):
        assert secret not in text


def test_only_members_take_it_away(group):
    assert holder(group.link("viewer")).get(f"{group.url}archive/").status_code == 403
    assert holder("x").get(f"{group.url}archive/").status_code == 404


@pytest.mark.parametrize("damage", range(14))
def test_what_is_no_archive_is_refused_and_nothing_is_there(group, damage):
    lines = archive(group).splitlines()
    head, table = json.loads(lines[0]), json.loads(lines[1])
    damages = [
        lambda: head.update(format="group-archive/2"), lambda: head.update(name=3), lambda: head.update(tables=3),
        lambda: head["people"][0].update(merged_into=9), lambda: head["people"].append(head["people"][0]),
        lambda: table.update(game="whist"), lambda: table["log"].pop(0), lambda: table["log"][0].__setitem__(0, 2),
        lambda: table["log"][0].__setitem__(3, {"type": "play", "seat": 9}), lambda: table.update(previous=5),
        lambda: table.update(finished_at=None), lambda: table.update(agreed=[1]), lambda: table.update(people=[7]),
        lambda: table["log"][0].__setitem__(8, "yesterday"),
    ]  # fmt: skip
    damages[damage]()
    text = "\n".join([json.dumps(head), json.dumps(table), *lines[2:]])
    groups, tables = Group.objects.count(), Table.objects.count()
    answer = APIClient().post("/api/v1/groups/import/", {"text": text})
    assert answer.status_code in (400, 422), answer.json()
    assert (Group.objects.count(), Table.objects.count()) == (groups, tables)


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", "x", '{"format": "group-archive/1"}', "1\n2"])
def test_nonsense_is_refused(text):
    answer = APIClient().post("/api/v1/groups/import/", {"text": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-archive")


def test_a_retry_brings_no_second_group(group):
    text, headers = archive(group), {"Idempotency-Key": str(uuid4())}
    first = APIClient().post("/api/v1/groups/import/", {"text": text}, headers=headers).json()
    again = APIClient().post("/api/v1/groups/import/", {"text": text}, headers=headers).json()
    assert (again["code"], again["token"]) == (first["code"], first["token"])


def test_commands_do_the_same(group, tmp_path, capsys):
    first, second = tmp_path / "a.ndjson", tmp_path / "b.ndjson"
    call_command("export_group", group.code, str(first))
    call_command("import_group", str(first))
    said = capsys.readouterr().out
    assert "Thursday: 2 tables." in said
    code = said.rsplit("/g/", 1)[1].split("/")[0]
    call_command("export_group", code, str(second))
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(CommandError, match="is there already"):
        call_command("export_group", group.code, str(second))
    second.write_text("x")
    with pytest.raises(CommandError, match="not what an archive"):
        call_command("import_group", str(second))
