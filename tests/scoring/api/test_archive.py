"""groups/{code}/archive/ and groups/import/: a whole group goes and comes back, byte for byte the same."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from rest_framework.test import APIClient

from referee.engine.bounds import TooCostly
from referee.engine.options import Refused
from referee.engine.reading import load_event
from scoring.models import Group, GroupImport, GroupLink, Table
from scoring.queries.verifying import differences
from scoring.services.group_importing import digest_of, forget_cut_imports, import_group
from scoring.services.keys import KEYS_ARE_KEPT, Caller
from scoring.services.rebuilding import statistics_differences
from scoring.services.recording import record_events
from tests.scoring.conftest import OpenTable, holder, play
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


@pytest.fixture
def long(group):
    """The archive of a group with six tables."""
    for _ in range(4):
        group.open_table().record(RESULT, {"type": "end"})
    return archive(group)


class PowerGoneError(Exception):
    """The power is gone."""


def cut_after(tables):
    def progress(done, _all):
        if done == tables:
            raise PowerGoneError

    return progress


def test_an_import_that_was_cut_goes_on_and_nothing_is_seen_before_it_is_whole(long):
    lines, links = long.splitlines(), GroupLink.objects.count()
    with pytest.raises(PowerGoneError):
        import_group(lines, digest=digest_of(lines), progress=cut_after(3))
    coming = GroupImport.objects.get()
    assert (coming.done, coming.group.tables.count(), GroupLink.objects.count()) == (3, 3, links)
    told = []
    made = import_group(lines, digest=digest_of(lines), progress=lambda done, tables: told.append((done, tables)))
    assert told == [(4, 6), (5, 6), (6, 6)]
    assert made.link.group == coming.group
    back = type(make_group(name="x"))(coming.group.code, made.token)
    assert archive(back) == long
    assert [*statistics_differences(back.row)] == []
    assert not GroupImport.objects.exists()


def test_an_import_that_goes_on_and_is_refused_leaves_nothing(long):
    lines = long.splitlines()
    lines[5] = lines[5].replace('"ace-trump"', '"whist"', 1)
    groups, tables = Group.objects.count(), Table.objects.count()
    with pytest.raises(PowerGoneError):
        import_group(lines, digest=digest_of(lines), progress=cut_after(2))
    with pytest.raises(Refused):
        import_group(lines, digest=digest_of(lines))
    assert (Group.objects.count(), Table.objects.count()) == (groups, tables)


def test_a_request_without_more_time_says_how_far_it_is_and_the_same_one_goes_on(long, monkeypatch):
    spent = iter([None, None, *["up"] * 9])

    def watch():
        if next(spent):
            raise TooCostly

    monkeypatch.setattr("scoring.api.archives.judging_watch", lambda: watch)
    asked: Any = {"data": {"text": long}, "headers": {"Idempotency-Key": str(uuid4())}}
    first = APIClient().post("/api/v1/groups/import/", **asked)
    assert (first.status_code, first.json()) == (202, {"done": 2, "tables": 6})
    monkeypatch.undo()
    made = APIClient().post("/api/v1/groups/import/", **asked)
    assert made.status_code == 201
    assert Group.objects.get(code=made.json()["code"]).tables.count() == 6
    assert APIClient().post("/api/v1/groups/import/", **asked).json()["code"] == made.json()["code"]


def test_what_was_cut_and_never_taken_up_again_is_forgotten(long):
    lines = long.splitlines()
    with pytest.raises(PowerGoneError):
        import_group(lines, digest=digest_of(lines), progress=cut_after(1))
    coming = GroupImport.objects.get()
    assert forget_cut_imports() == 0
    GroupImport.objects.update(at=timezone.now() - 2 * KEYS_ARE_KEPT)
    assert forget_cut_imports() == 1
    assert not Group.objects.filter(pk=coming.group_id).exists()


def test_the_command_says_how_far_it_was(long, tmp_path, capsys):
    path = tmp_path / "a.ndjson"
    path.write_text(long)
    lines = long.splitlines()
    with pytest.raises(PowerGoneError):
        import_group(lines, digest=digest_of(lines), progress=cut_after(3))
    call_command("import_group", str(path))
    said = capsys.readouterr().out
    assert "3 tables are there already; it goes on from them." in said
    assert "Thursday: 6 tables." in said


def test_a_chain_of_tables_comes_back_and_is_still_one(group):
    """Cy comes back at the third table; a correction of the first one reaches all, there as here."""
    first = group.open_table(end={"kind": "open"})
    result = {"type": "penalty", "seat": 0, "points": 7, "reason": "as it stood"}
    first.record(result, {"type": "redeal"})
    second = went_on(first, "Ann", "Bob", "Dee")
    third = went_on(second, "Ann", "Cy", "Dee", newcomer="lowest")
    holder(first.token).post(f"/api/v1/tables/{first.code}/events/", {**result, "seat": 2, "points": 4})
    assert third.row.carried == [7, 4, 0]
    text = archive(group)
    back = brought(text)
    assert archive(back) == text
    there = list(Table.objects.filter(group=back.row).order_by("created", "pk"))[-3:]
    assert [row.carried for row in there] == [[0, 0, 0], [7, 0, 0], [7, 4, 0]]
    event = load_event({**result, "seat": 2, "points": 1})
    record_events(there[0].code, [event], Caller())
    assert Table.objects.get(pk=there[2].pk).carried == [7, 5, 0]
    assert [differences(Table.objects.get(pk=row.pk)) for row in there] == [[]] * 3
    assert [*statistics_differences(back.row)] == []


def test_an_archive_whose_carried_totals_are_not_those_of_the_tables_before_is_refused(group):
    lines = archive(group).splitlines()
    told = json.loads(lines[2])
    assert told["carried_from"]
    told["carried"] = [99, *told["carried"][1:]]
    answer = APIClient().post("/api/v1/groups/import/", {"text": "\n".join([*lines[:2], json.dumps(told), *lines[3:]])})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-archive")


def went_on(table, *seats, **more):
    answer = holder(table.token).post(f"/api/v1/tables/{table.code}/continue/", {"seats": [*seats], **more})
    assert answer.status_code == 201, answer.json()
    return OpenTable(answer.json()["code"], answer.json()["token"])
