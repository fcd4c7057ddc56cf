"""The operator's commands: find, grant, close, delete, rename and prune, all of it logged."""

import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from scoring.models import Group, OperatorAct, Person, Table
from tests.scoring.conftest import holder, open_table, play
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(capsys):
    def run(*words, **options):
        call_command(*words, **options)
        return capsys.readouterr().out

    return run


@pytest.fixture
def group():
    return make_group()


def written():
    return [(act.what, act.on) for act in OperatorAct.objects.order_by("pk")]


def test_tables_and_groups_are_found_by_code_name_and_person(run, group):
    table, loose = group.open_table(), open_table(seats=["Zoë", "Bob", "Cy"])
    for words in (group.code, "thursd", "ANN"):
        assert f"group {group.row.spoken_code} Thursday: 3 people, 1 tables, 1 running" in run("find", words)
    assert f"table {table.row.spoken_code}" in run("find", table.code.lower())
    assert f"table {loose.row.spoken_code} ace-trump, Zoë, Bob, Cy: running" in run("find", "zoë")
    assert re.search(r"^  link \d+ scorekeeper$", run("find", loose.code), re.MULTILINE)
    assert run("find", "Nobody") == "Nothing found.\n"
    assert table.token not in run("find", table.code)


def test_give_right_makes_a_new_link_for_a_group(run, group):
    address = run("give_right", group.code).strip()
    path, token = address.split("#")
    assert path == f"/g/{group.code}/"
    assert holder(token).get(group.url).json()["role"] == "member"
    looking = run("give_right", group.row.spoken_code, "--looking").strip().partition("#")[2]
    assert holder(looking).get(group.url).json()["role"] == "viewer"
    assert token not in str(written())


def test_give_right_makes_a_table_link_at_the_public_address(run, settings):
    settings.PUBLIC_URL = "https://cards.example"
    table = open_table()
    address = run("give_right", table.code).strip()
    assert address.startswith(f"https://cards.example/t/{table.code}/join/#")
    recorded = holder(address.partition("#")[2]).post(f"/api/v1/tables/{table.code}/events/", play(0, "AM"))
    assert recorded.status_code == 201


def test_a_closed_table_or_group_opens_for_no_one(run, group):
    table = open_table()
    assert run("close", table.code) == "Links revoked: 1.\n"
    assert holder(table.token).get(f"/api/v1/tables/{table.code}/").status_code == 404
    run("close", group.code)
    assert group.member.get(group.url).status_code == 404
    assert (Table.objects.count(), Group.objects.count()) == (1, 1)


def test_deletion_asks_for_confirmation(run, group):
    table, own = open_table(), group.open_table()
    with pytest.raises(CommandError, match="codes differ"):
        run("delete", table.code, again=own.code)
    run("delete", table.code, again=table.row.spoken_code)
    assert [row.code for row in Table.objects.all()] == [own.code]
    run("delete", group.code, again=group.code)
    assert (Table.objects.count(), Group.objects.count()) == (0, 0)


def test_a_person_is_renamed_everywhere(run, group):
    table = group.open_table()
    run("rename_person", group.code, "Ann", "Annegret")
    assert table.row.seats == ["Annegret", "Bob", "Cy"]
    for code, before, after, said in (
        (group.code, "Nobody", "X", "no such person"),
        (group.code, "Annegret", "Bob", r"\w"),
        ("ABCDEFGH", "Ann", "Anna", "group"),
    ):
        with pytest.raises(CommandError, match=said):
            run("rename_person", code, before, after)
    assert Person.objects.filter(name="Annegret").exists()


@pytest.mark.parametrize(("command", "more"), [("give_right", {}), ("close", {}), ("delete", {"again": "ABCDEFGH"})])
def test_an_unknown_code_is_reported(run, command, more):
    with pytest.raises(CommandError, match="No table or group"):
        run(command, "ABCDEFGH", **more)
    assert written() == []


def grown_old(*tables):
    codes = [table.code for table in tables]
    Table.objects.filter(code__in=codes).update(updated=timezone.now() - timedelta(days=500))


def test_data_is_kept_unless_the_operator_sets_a_limit(run):
    grown_old(open_table())
    assert run("prune") == "All tables are kept: KEEP_TABLES_DAYS is 0.\n"
    assert Table.objects.count() == 1


def test_idle_tables_without_a_group_are_deleted(run, group, settings):
    settings.KEEP_TABLES_DAYS = 400
    old, young, own = open_table(), open_table(), group.open_table()
    grown_old(old, own)
    assert run("prune", dry_run=True).endswith(": 1.\n")
    assert (Table.objects.count(), written()) == (3, [])
    assert run("prune") == "Tables deleted: 1.\n"
    assert {row.code for row in Table.objects.all()} == {young.code, own.code}
    assert written() == [("prune", "1 tables not touched for 400 days")]
    assert run("prune", days=0).startswith("All tables are kept")
    with pytest.raises(CommandError, match="negative"):
        run("prune", days=-1)


def test_operator_acts_are_logged_without_names_and_tokens(run, group):
    table = group.open_table()
    code, token = table.row.spoken_code, run("give_right", table.code).partition("#")[2].strip()
    run("rename_person", group.code, "Bob", "Bobby")
    run("close", table.code)
    run("limits", lift=True)
    run("delete", table.code, again=table.code)
    assert [what for what, _ in written()] == ["give-right", "rename-person", "close", "lift-limits", "delete"]
    log = run("operator_log")
    assert f"give-right table {code}" in log
    assert [secret for secret in (token, "Bob", "Ann", "Thursday") if secret in log] == []


def test_group_export_and_import_are_logged(run, group, tmp_path):
    run("export_group", group.code, str(tmp_path / "thursday"))
    run("import_group", str(tmp_path / "thursday"))
    first, second = Group.objects.order_by("pk")
    assert written() == [
        ("export-group", f"group {first.spoken_code}"), ("import-group", f"group {second.spoken_code}")
    ]  # fmt: skip


def test_the_audit_log_names_the_sudo_user(run, monkeypatch):
    monkeypatch.setenv("LOGNAME", "card-table")
    run("limits", lift=True)
    monkeypatch.setenv("OPERATOR", "ann")
    run("limits", lift=True)
    assert [act.who for act in OperatorAct.objects.order_by("pk")] == ["card-table", "ann"]


def test_history_is_append_only(run):
    run("limits", lift=True)
    act = OperatorAct.objects.get()
    with pytest.raises(TypeError):
        act.save()
    with pytest.raises(TypeError):
        act.delete()


def test_the_installation_is_summarized_without_names(run, group):
    group.open_table()
    said = run("installation")
    assert "tables: 1\n" in said
    assert "people: 3\n" in said
    assert "Ann" not in said
