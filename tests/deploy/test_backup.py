"""Backups: what they contain, where they can be restored, and what is refused."""

import json
import re
import resource
import shutil
import sqlite3
import stat
import subprocess
from contextlib import closing, contextmanager
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from scoring.models import OperatorAct, SecretChoice, Table
from scoring.tables.acts.opening import create_table
from tests.deploy.managing import ROOT, manage, surroundings
from tests.scoring.conftest import open_table, play
from tests.scoring.groups import make_group
from tests.scoring.live.driving import serving

DOC = ROOT / "docs/how-to/back-up.md"


def rows(path):
    """Return all rows of all tables in a file, as stored."""
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: database.execute(f'SELECT * FROM "{name}" ORDER BY 1').fetchall()
            for name in names
            if name.startswith("scoring_")
        }


@pytest.fixture
def evening(transactional_db):
    """Tables with every kind of row: hands, a secret choice, links, an amendment, a name with an umlaut."""
    table = open_table(seats=["Änn", "Bob ♠", "Cy"], x_note={"b": 1, "a": [1.5, None, "„"]})
    table.record(play(0, "8MS"), play(1, "XS"))
    table.undo()
    table.record(play(1, "9MS"), {"type": "redeal"}, {"type": "result", "tricks": [4, 4, 4]}, play(1, "8MS"))
    table.link("player", 1)
    other = create_table({"game": "wildcat-chicane", "seats": ["A", "B", "C"], "first_dealer": 0}).table
    SecretChoice.objects.create(table=other, hand=0, seat=1, event={"type": "bid", "seat": 1, "tricks": 2})
    return table


def test_a_backup_is_complete_private_and_never_overwritten(evening, tmp_path, capsys):
    path = tmp_path / "friday.sqlite3"
    call_command("backup", str(path))
    assert "is complete and verified" in capsys.readouterr().out
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    before = path.read_bytes()
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(path))
    assert path.read_bytes() == before
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", str(tmp_path / "no folder" / "x"))


def test_a_backup_is_logged_after_it_is_taken(evening, tmp_path):
    call_command("backup", str(tmp_path / "friday.sqlite3"))
    assert [(act.what, act.on) for act in OperatorAct.objects.all()] == [("backup", "friday.sqlite3")]
    assert rows(tmp_path / "friday.sqlite3")["scoring_operatoract"] == []


@pytest.fixture
def full_database(evening, monkeypatch):
    """The evening's table; the operator's acts cannot be stored."""
    full = Mock(side_effect=OperationalError("database or disk is full"))
    monkeypatch.setattr(OperatorAct.objects, "create", full)
    return evening


def test_a_backup_can_be_taken_of_a_full_database(full_database, tmp_path, capsys):
    call_command("backup", str(tmp_path / "friday.sqlite3"))
    assert (tmp_path / "friday.sqlite3").exists()
    assert "The operator's log could not record it: database or disk is full." in capsys.readouterr().err


@contextmanager
def room_for(size):
    """Limit the size of files this process writes, as on an almost full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [0, 8192, 200_000])
def test_a_backup_to_a_full_disk_fails_with_one_sentence_and_leaves_no_file(evening, tmp_path, size):
    with (
        room_for(size),
        pytest.raises(CommandError, match=r"friday.sqlite3 was not written: .*The unfinished file was removed."),
    ):
        call_command("backup", str(tmp_path / "friday.sqlite3"))
    assert list(tmp_path.iterdir()) == []


def test_an_archive_to_a_full_disk_fails_with_one_sentence_and_leaves_no_file(transactional_db, tmp_path):
    group = make_group("Ann", "Bob", "Cy")
    with (
        room_for(100),
        pytest.raises(CommandError, match=r"a.ndjson was not written: .*The unfinished file was removed."),
    ):
        call_command("export_group", group.code, str(tmp_path / "a.ndjson"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_group", group.code, str(tmp_path / "no folder" / "a"))


def test_a_command_on_a_full_database_fails_with_one_sentence(full_database):
    with pytest.raises(CommandError, match=r"is unavailable: database or disk is full\."):
        call_command("give_right", full_database.code)


def test_a_restore_reports_what_it_read(tmp_path):
    ran = manage("backup", tmp_path / "early.sqlite3", VAR_DIR=tmp_path / "var")
    assert ran.returncode == 1
    assert f"{tmp_path}/var/db.sqlite3 has not been set up yet. Check that VAR_DIR" in ran.stderr
    assert not (tmp_path / "early.sqlite3").exists()
    assert manage("migrate", "--verbosity", "0", VAR_DIR=tmp_path / "var").returncode == 0
    ran = manage("backup", tmp_path / "empty.sqlite3", VAR_DIR=tmp_path / "var")
    assert ran.returncode == 0
    assert f"Backed up from {tmp_path}/var/db.sqlite3: 0 tables, 0 groups." in ran.stdout
    assert "The backup contains no tables. Check that VAR_DIR" in ran.stderr


def spoil_text(path):
    path.write_text("Not a database")


def spoil_pages(path):
    content = bytearray(path.read_bytes())
    content[8192:20000] = b"\xff" * (20000 - 8192)
    path.write_bytes(content)


def spoil_release(path, knows="9999_later"):
    with closing(sqlite3.connect(path)) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', ?, '2099-01-01')", (knows,)
        )
        database.commit()


def test_a_backup_from_a_newer_release_is_not_restored(evening, tmp_path):
    call_command("backup", str(tmp_path / "later"))
    spoil_release(tmp_path / "later")
    ran = manage("restore", tmp_path / "later", VAR_DIR=tmp_path / "var")
    assert (ran.returncode, "with migration 9999_later. Update first." in ran.stderr) == (1, True)


def test_a_backup_from_before_the_first_release_is_not_restored(evening, tmp_path):
    call_command("backup", str(tmp_path / "early"))
    spoil_release(tmp_path / "early", knows="0002_amendments")
    ran = manage("restore", tmp_path / "early", VAR_DIR=tmp_path / "var")
    assert ran.returncode == 1
    assert "was made before 0.1.0" in ran.stderr
    assert "Update first" not in ran.stderr


def take_another(path):
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE recipes (name)")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [(spoil_text, "is not a backup"), (spoil_pages, "is damaged"), (take_another, "a database of another program")],
)
def test_an_invalid_backup_is_not_restored(evening, tmp_path, spoil, said):
    path = tmp_path / "friday.sqlite3"
    call_command("backup", str(path))
    Table.objects.all().delete()
    spoil(path)
    with pytest.raises(CommandError, match=said):
        call_command("restore", str(path))
    assert not Table.objects.exists()


def test_the_file_of_a_stopped_server_holds_everything(tmp_path):
    with serving(tmp_path) as server:
        server.note(server.open_table())
        beside = manage("backup", tmp_path / "beside", VAR_DIR=tmp_path)
        assert beside.returncode == 0, beside.stderr
        assert len(rows(tmp_path / "beside")["scoring_tableevent"]) == 1
        assert server.stop() == 0
    (tmp_path / "copied").mkdir()
    shutil.copy(tmp_path / "db.sqlite3", tmp_path / "copied")
    assert len(rows(tmp_path / "copied/db.sqlite3")["scoring_tableevent"]) == 1


def test_a_django_dump_can_be_loaded(evening, tmp_path):
    path, stored = tmp_path / "dump.json", Table.objects.in_bulk()
    call_command("dumpdata", "scoring", output=str(path))
    assert isinstance(json.loads(path.read_text())[0]["fields"], dict)
    before = {pk: (row.snapshot, row.seats, row.extra, row.hand_start) for pk, row in stored.items()}
    call_command("flush", interactive=False)
    call_command("loaddata", str(path), verbosity=0)
    assert {pk: (r.snapshot, r.seats, r.extra, r.hand_start) for pk, r in Table.objects.in_bulk().items()} == before
    call_command("verify_tables", "--expect", "2")


WATCHED = """
import sys
from django.core.management import call_command
from scoring.operating.acts import backup

def database_in(copy, opened=backup.database_in):
    print(f"It is copied to {copy.parent.parent}.", file=sys.stderr)
    return opened(copy)

backup.database_in = database_in
call_command("restore", %r)
"""


def test_a_restore_needs_space_only_beside_the_database(evening, tmp_path, postgres):
    """The temporary directory may be in memory and too small for an installation that is some years old."""
    call_command("backup", str(tmp_path / "friday"))
    (tmp_path / "disk").mkdir()
    database = postgres.url(postgres.create_migrated_database())
    for url, folder in ((f"sqlite:///{tmp_path}/disk/cards.sqlite3", "disk"), (database, "var")):
        ran = manage("shell", "-c", WATCHED % str(tmp_path / "friday"), VAR_DIR=tmp_path / "var", DATABASE_URL=url)
        assert f"It is copied to {tmp_path}/{folder}.\n" in ran.stderr, ran.stderr
        assert not [*(tmp_path / folder).glob("restore-*")], "the copy goes with the command"


ON_POSTGRES = """
from django.core.management import CommandError, call_command
from scoring.tables.acts.opening import create_table
create_table({"game": "wildcat-chicane", "seats": ["A", "B", "C"], "first_dealer": 0})
try:
    call_command("restore", %r)
except CommandError as refused:
    print(refused)
"""


def test_every_command_on_the_page_does_what_it_says(evening, tmp_path, postgres):
    """The data goes to PostgreSQL and back byte for byte; new rows there continue the numbering."""
    (tmp_path / "srv").mkdir()
    (tmp_path / "var").mkdir()
    first = tmp_path / "first"
    call_command("backup", str(first))
    shutil.copy(first, tmp_path / "var/db.sqlite3")
    (tmp_path / "var/secret_key").write_text("secret")
    database = postgres.url(postgres.create_database())
    blocks = re.findall(r"```sh\n(.*?)```", DOC.read_text(), re.DOTALL)
    blocks = [block for block in blocks if "card-table" not in block]  # covered by tests/deploy/test_run_a_service.py
    assert len(blocks) == 5
    for block in blocks:
        lines = block.replace("/srv/", f"{tmp_path}/srv/").replace(" var/", f" {tmp_path}/var/")
        lines = lines.replace("postgres://cards@db.example/cards", database)
        around = surroundings(VAR_DIR=tmp_path / "var")
        ran = subprocess.run(
            ["sh", "-ec", lines], cwd=ROOT, env=around, capture_output=True, text=True, timeout=60, check=False
        )
        assert ran.returncode == 0, block + ran.stdout + ran.stderr
        assert "verify_tables" not in block or "Tables checked: 2. With differences: 0." in ran.stdout
    (night,) = (path.name for path in (tmp_path / "srv/backups").glob("20*"))
    for path, acts in (
        ("srv/backups/friday.sqlite3", []),
        ("var/db.sqlite3", ["backup friday.sqlite3", f"backup {night}"]),
        ("srv/backups/from-postgres.sqlite3", ["restore friday.sqlite3"]),
        ("srv/cards-at-home/db.sqlite3", ["restore friday.sqlite3", "restore from-postgres.sqlite3"]),
    ):
        found = rows(tmp_path / path)
        assert [" ".join(act[3:]) for act in found.pop("scoring_operatoract")] == acts
        assert found == {name: told for name, told in rows(first).items() if name != "scoring_operatoract"}
    ran = manage("shell", "-c", ON_POSTGRES % str(first), DATABASE_URL=database, VAR_DIR=tmp_path / "var")
    assert "The database is not empty" in ran.stdout, ran.stderr
