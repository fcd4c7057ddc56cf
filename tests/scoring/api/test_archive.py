"""Archives of groups: exported, imported, refused."""

import json
from functools import cache
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone
from rest_framework.test import APIClient

from referee.engine.records import load_event
from referee.engine.replaying import TooCostly
from referee.engine.rules import Refused
from scoring.groups.acts import group_importing
from scoring.groups.acts.group_importing import digest_of, forget_cut_imports, import_group
from scoring.groups.acts.scores import statistics_differences
from scoring.groups.reads.group_export import archive_of
from scoring.models import Draw, Group, GroupImport, GroupLink, Person, Precedent, Table
from scoring.operating.reads import differences
from scoring.tables.acts.keys import KEYS_ARE_KEPT, Caller
from scoring.tables.acts.recording import record_events
from tests.scoring.conftest import ACE_TRUMP, holder, play
from tests.scoring.groups import Thursday, brought, made_once, make_group
from tests.scoring.pages.conftest import Device
from tests.scoring.statistics import NAMES, random_tables

# --- groups/{code}/archive/ and groups/import/: a whole group round-trips byte for byte

pytestmark = pytest.mark.django_db
RESULT = {"type": "result", "tricks": [6, 4, 2]}


@made_once
def merged_and_continued():
    """A group with a continued table, corrections, an agreed result, a merged spelling and a guest."""
    group = make_group("Ann", "Bob", "Cy", "Anne")
    people = group.people()
    group.member.post(f"{group.url}people/{people['Anne']}/merge/", {"into": people["Ann"]})
    table = group.open_table(x_note={"b": 1, "a": "„x“"})
    keeper, url = table.keeper, table.url
    for event in (play(0, "8MS"), {"type": "redeal"}, RESULT, RESULT):
        assert keeper.post(f"{url}events/", event).status_code == 201
    keeper.post(f"{url}undo/", {})
    keeper.post(
        f"{url}amendments/", {"seq": 3, "event": {"type": "result", "tricks": [5, 5, 2]}, "reason": "miscounted"}
    )
    holder(table.link("player", 1)).post(f"{url}hands/2/confirmation/")
    keeper.post(f"{url}continue/", {"seats": ["Bob", "Ann", "Zoe"]})
    return group


@pytest.fixture
def group():
    return merged_and_continued()


def test_an_archive_keeps_who_agreed_with_a_ruling():
    group = make_group()
    table = group.open_table()
    keeper, url = table.keeper, table.url
    made = keeper.post(f"{url}events/", {"type": "note", "text": "Bob takes it back.", "x_guide": "exposed-card"})
    seq = made.json()["version"]
    bob, said = holder(table.link("player", 1)), f"{url}hands/1/confirmation/"
    answer = bob.post(said, {"ruling": seq})
    assert answer.status_code == 201, answer.json()
    [agreed] = answer.json()["rulings"]
    assert (agreed["ruling"], [each["seat"] for each in agreed["confirmed"]]) == (seq, [1])
    assert keeper.post(said, {"ruling": seq}).json()["code"] == "not-your-seat"
    assert bob.post(said, {"ruling": seq + 1}).status_code == 412
    assert keeper.get(f"{url}events/").json()["events"][-1]["hidden"] == {"seat": 1, "ruling": seq}
    text = group.archive()
    back = brought(text)
    assert back.archive() == text
    row = Table.objects.get(group=back.row)
    assert differences(row) == []
    assert APIClient().get(f"/api/v1/tables/{row.code}/hands/1/confirmation/").json()["rulings"] == [agreed]


def test_an_archive_keeps_the_draws_of_an_evening():
    group = make_group(*NAMES[:6])
    people = group.people()
    body = {"people": [*people.values()], "game": "ace-trump", "seed": 7}
    assert group.member.post(f"{group.url}tonight/", body).status_code == 201
    assert group.member.post(f"{group.url}tonight/start/", {}).status_code == 201
    assert group.member.post(f"{group.url}tonight/", {"people": [*people.values()][:3]}).status_code == 201
    text = group.archive()
    back = brought(text)
    assert back.archive() == text
    before, after = (each.member.get(f"{each.url}tonight/").json() for each in (group, back))
    named = [{pk: name for name, pk in each.people().items()} for each in (group, back)]
    first, again = (Draw.objects.filter(group=each.row).order_by("number") for each in (group, back))
    for one, other in zip(first, again, strict=True):
        assert [[named[0][who] for who in table] for table in one.tables] == [
            [named[1][who] for who in table] for table in other.tables
        ]
        assert (one.seed, one.started, len(one.codes)) == (other.seed, other.started, len(other.codes))
    opened = first[0].codes, again[0].codes
    seats = [[Table.objects.get(code=code).seats for code in codes] for codes in opened]
    assert seats[0] == seats[1]
    assert set(opened[0]) & set(opened[1]) == set()
    assert before.keys() == after.keys()


def test_an_archive_with_too_many_seasons_is_refused():
    group = make_group()
    group.member.post(f"{group.url}seasons/", {"name": "Spring", "first": "2026-05-01"})
    head = json.loads(group.archive())
    season = head["seasons"][0]
    most = archive_with(head, [season | {"name": f"Season {number}"} for number in range(100)])
    assert len(json.loads(brought(most).archive())["seasons"]) == 100
    answer = APIClient().post("/api/v1/groups/import/", {"text": archive_with(head, [season] * 101)})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/0/seasons"
    assert "up to 100 seasons" in answer.json()["errors"][0]["detail"]


def archive_with(head, seasons):
    return json.dumps(head | {"seasons": seasons}) + "\n"


def test_a_group_round_trips_byte_for_byte(group):
    text = group.archive()
    back = brought(text)
    assert back.archive() == text
    rows = Table.objects.filter(group=back.row)
    assert rows.count() == 2
    assert [*map(differences, rows)] == [[], []]
    assert [*statistics_differences(back.row)] == []
    before, after = (each.member.get(f"{each.url}statistics/").json() for each in (group, back))
    assert [row["points"] for row in before["people"]] == [row["points"] for row in after["people"]]


def test_random_tables_round_trip():
    group = make_group(*NAMES)
    assert len([*random_tables(group.row, [*group.people().values()], seed=5, count=12)]) == 12
    text = group.archive()
    assert brought(text).archive() == text


def test_an_archive_contains_no_rights_and_no_codes(group):
    text = group.archive()
    for secret in (group.token, group.code, *Table.objects.values_list("code", flat=True)):
        assert secret not in text


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", "x", '{"format": "group-archive/1"}', "1\n2"])
def test_malformed_archives_are_refused(text):
    answer = APIClient().post("/api/v1/groups/import/", {"text": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-archive")


def test_the_commands_export_and_import_the_same_archive(group, tmp_path, capsys):
    first, second = tmp_path / "a.ndjson", tmp_path / "b.ndjson"
    call_command("export_group", group.code, str(first))
    call_command("import_group", str(first))
    said = capsys.readouterr().out
    assert "Thursday: 2 tables." in said
    code = said.rsplit("/g/", 1)[1].split("/")[0]
    call_command("export_group", code, str(second))
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(CommandError, match="already exists"):
        call_command("export_group", group.code, str(second))
    second.write_text("x")
    with pytest.raises(CommandError, match="isn’t what a group archive"):
        call_command("import_group", str(second))


@pytest.fixture
def long(group):
    """The archive of a group with six tables."""
    for _ in range(4):
        group.open_table().record(RESULT, {"type": "end"})
    return group.archive()


class PowerGoneError(Exception):
    """The power failed."""


def cut_after(tables):
    def progress(done, _all):
        if done == tables:
            raise PowerGoneError

    return progress


def test_an_interrupted_import_resumes_and_stays_hidden_until_complete(long):
    lines, links = long.splitlines(), GroupLink.objects.count()
    with pytest.raises(PowerGoneError):
        import_group(lines, digest=digest_of(lines), progress=cut_after(3))
    coming = GroupImport.objects.get()
    assert (coming.done, coming.group.tables.count(), GroupLink.objects.count()) == (3, 3, links)
    told = []
    made = import_group(lines, digest=digest_of(lines), progress=lambda done, tables: told.append((done, tables)))
    assert told == [(4, 6), (5, 6), (6, 6)]
    assert made.link.group == coming.group
    back = Thursday(coming.group.code, made.token)
    assert back.archive() == long
    assert [*statistics_differences(back.row)] == []
    assert not GroupImport.objects.exists()


def test_a_resumed_import_that_is_refused_leaves_nothing(long):
    lines = long.splitlines()
    lines[5] = lines[5].replace('"ace-trump"', '"poker"', 1)
    groups, tables = Group.objects.count(), Table.objects.count()
    with pytest.raises(PowerGoneError):
        import_group(lines, digest=digest_of(lines), progress=cut_after(2))
    with pytest.raises(Refused):
        import_group(lines, digest=digest_of(lines))
    assert (Group.objects.count(), Table.objects.count()) == (groups, tables)


def test_an_interrupted_import_reports_progress_and_resumes(long, monkeypatch):
    spent = iter([None, None, *["up"] * 9])

    def watch():
        if next(spent):
            raise TooCostly

    monkeypatch.setattr("scoring.groups.api.archives.judging_watch", lambda: watch)
    asked: Any = {"data": {"text": long}, "headers": {"Idempotency-Key": str(uuid4())}}
    first = APIClient().post("/api/v1/groups/import/", **asked)
    assert (first.status_code, first.json()) == (202, {"done": 2, "tables": 6})
    monkeypatch.undo()
    made = APIClient().post("/api/v1/groups/import/", **asked)
    assert made.status_code == 201
    assert Group.objects.get(code=made.json()["code"]).tables.count() == 6
    assert APIClient().post("/api/v1/groups/import/", **asked).json()["code"] == made.json()["code"]


def test_an_abandoned_import_is_deleted(long):
    lines = long.splitlines()
    with pytest.raises(PowerGoneError):
        import_group(lines, digest=digest_of(lines), progress=cut_after(1))
    coming = GroupImport.objects.get()
    assert forget_cut_imports() == 0
    GroupImport.objects.update(at=timezone.now() - 2 * KEYS_ARE_KEPT)
    assert forget_cut_imports() == 1
    assert not Group.objects.filter(pk=coming.group_id).exists()


def test_the_command_resumes_an_interrupted_import_and_reports_it(long, tmp_path, capsys):
    path, lines = tmp_path / "a.ndjson", long.splitlines()
    path.write_text(long)
    with pytest.raises(PowerGoneError):
        import_group(lines, digest=digest_of(lines), progress=cut_after(3))
    call_command("import_group", str(path))
    assert "3 tables are already imported; continuing from there." in capsys.readouterr().out


def test_a_chain_of_tables_survives_the_archive(group):
    """Cy returns at the third table; correcting the first one reaches all of them, before and after the import."""
    first = group.open_table(end={"kind": "open"})
    result = {"type": "penalty", "seat": 0, "points": 7, "reason": "as it stood"}
    first.record(result, {"type": "redeal"})
    second = first.go_on("Ann", "Bob", "Dee")
    third = second.go_on("Ann", "Cy", "Dee", newcomer="lowest")
    first.keeper.post(f"{first.url}events/", {**result, "seat": 2, "points": 4})
    assert third.row.carried == [7, 4, 0]
    text = group.archive()
    back = brought(text)
    assert back.archive() == text
    there = list(Table.objects.filter(group=back.row).order_by("created", "pk"))[-3:]
    assert [row.carried for row in there] == [[0, 0, 0], [7, 0, 0], [7, 4, 0]]
    event = load_event({**result, "seat": 2, "points": 1})
    record_events(there[0].code, [event], Caller())
    assert Table.objects.get(pk=there[2].pk).carried == [7, 5, 0]
    assert [differences(Table.objects.get(pk=row.pk)) for row in there] == [[]] * 3
    assert [*statistics_differences(back.row)] == []


def test_an_archive_with_wrong_carried_totals_is_refused(group):
    lines = group.archive().splitlines()
    told = json.loads(lines[2])
    assert told["carried_from"]
    told["carried"] = [99, *told["carried"][1:]]
    answer = APIClient().post("/api/v1/groups/import/", {"text": "\n".join([*lines[:2], json.dumps(told), *lines[3:]])})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-archive")


# --- groups/import/: lines of every kind round-trip, and a refused or failed import leaves nothing


@made_once
def two_tables():
    """A group with two tables, one of them over."""
    group = make_group("Ann", "Bob", "Cy")
    group.open_table().record(play(0, "8MS"), play(1, "XS"), play(2, "XM"), RESULT, RESULT)
    group.open_table().record(RESULT, {"type": "end"})
    return group


@pytest.fixture
def club():
    return two_tables()


LINES = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1dh\x1ei\rj\nk\tl\x7f"
"""Every character some program treats as the end of a line."""


def test_remarks_with_any_line_break_round_trip_byte_for_byte(club, tmp_path, capsys):
    club.open_table(x_place=LINES).record({"type": "note", "text": LINES}, RESULT)
    text = club.archive()
    assert brought(text).archive() == text
    sent = text.replace("\n", "\r\n").encode()
    plain = APIClient().post("/api/v1/groups/import/", sent, content_type="text/plain")
    assert plain.status_code == 201
    path = tmp_path / "a.ndjson"
    path.write_bytes(b"\xef\xbb\xbf" + sent)
    call_command("import_group", str(path))
    page = Device().post("/g/import/", {"text": text})
    assert page.status_code == 302
    codes = [plain.json()["code"], capsys.readouterr().out.rsplit("/g/", 1)[1].split("/")[0], page["Location"][3:11]]
    for code in codes:
        assert "".join(archive_of(Group.objects.get(code=code))) == text


@pytest.mark.parametrize("letter", "\n\t\x1c\x85\u2028\x7f")
def test_no_name_with_a_line_break_is_accepted(club, letter):
    name, member = f"Ann{letter}Bob", club.member
    table, person = club.open_table(), club.people()["Cy"]
    keeper, url = table.keeper, table.url
    told = json.dumps({"game": "ace-trump", "seats": [name, "Bob", "Cy"], "first_dealer": 0})
    head, *rest = club.archive().split("\n")
    archives = [
        json.dumps(json.loads(head) | {"name": name}),
        head.replace('"Cy"', json.dumps(name)),
        json.dumps(json.loads(head) | {"people": [each | {"aliases": [name]} for each in json.loads(head)["people"]]}),
    ]
    groups = Group.objects.count()
    answers = [
        APIClient().post("/api/v1/groups/", {"name": name}),
        APIClient().post("/api/v1/groups/", {"name": "x", "people": [name]}),
        APIClient().post("/api/v1/tables/", ACE_TRUMP | {"seats": [name, "Bob", "Cy"]}),
        APIClient().post("/api/v1/tables/import/", told, content_type="application/json"),
        APIClient().post("/api/v1/referee/judge/", told, content_type="application/json"),
        member.patch(club.url, {"name": name}),
        member.post(f"{club.url}people/", {"name": name}),
        member.post(f"{club.url}people/", {"name": "Dot", "aliases": [name]}),
        member.patch(f"{club.url}people/{person}/", {"name": name}),
        member.post(f"{club.url}links/", {"role": "viewer", "name": name}),
        keeper.patch(url, {"seats": [name, "Bob", "Cy"]}),
        keeper.post(f"{url}links/", {"role": "spectator", "name": name}),
        keeper.post(f"{url}continue/", {"seats": [name, "Bob", "Cy"]}),
        *(APIClient().post("/api/v1/groups/import/", {"text": "\n".join([each, *rest])}) for each in archives),
    ]
    assert [answer.status_code for answer in answers] == [422] * 16
    assert Group.objects.count() == groups
    phone = Device()
    assert phone.post(f"/g/{club.code}/join/", {"token": club.token}).status_code == 302
    for address, form in (
        ("/g/new/", {"name": name}),
        ("/new/ace-trump/", {"name": [name, "Bob", "Cy"], "dealer": "0", "end": "open"}),
        (f"/g/{club.code}/settings/", {"name": name}),
        (f"/g/{club.code}/people/{person}/", {"name": name}),
    ):
        assert phone.post(address, form).status_code in (404, 405, 422)
    assert not Person.objects.filter(name__contains=letter).exists()
    with pytest.raises(CommandError):
        call_command("rename_person", club.code, "Cy", name)


@pytest.mark.parametrize(
    "merged", [{0: 0}, {0: 1, 1: 0}, {0: 1, 1: 2, 2: 0}, {0: 1, 1: 2}, {0: 9}, {0: 1, 1: 9}, {0: -1}, {0: True}]
)
def test_circular_merges_are_refused(merged):
    head = json.loads(make_group("Ann", "Bob", "Cy").archive())
    for place, into in merged.items():
        head["people"][place]["merged_into"] = into
    groups = Group.objects.count()
    answer = APIClient().post("/api/v1/groups/import/", {"text": json.dumps(head)})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-archive")
    assert "Line 1" in answer.json()["detail"]
    assert Group.objects.count() == groups


@pytest.mark.parametrize("circle", ["AA", "ABA", "ABCA", "ABC"])
def test_an_existing_cycle_does_not_break_reading(club, circle):
    people = club.people()
    initials = {name[0]: pk for name, pk in people.items()}
    for one, other in pairwise(circle):
        Person.objects.filter(pk=initials[one]).update(merged_into=initials[other])
    member, phone = club.member, Device()
    assert phone.post(f"/g/{club.code}/join/", {"token": club.token}).status_code == 302
    for path in (
        "", "people/", "tables/", "evenings/", "statistics/", "statistics/?part=ratings", "statistics/?part=hands",
        "statistics/?by=evening", f"statistics/?person={people['Ann']}", "what-if/?ties=early", "archive/",
        f"statistics/?part=pair&person={people['Ann']}&with={people['Bob']}", "archive/?as=history",
        "archive/?as=statistics", "archive/?as=text", "archive/?as=calendar",
    ):  # fmt: skip
        assert member.get(f"{club.url}{path}").status_code < 500, path
    for path in ("", "history/", "statistics/", "people/", "settings/", "export/calendar/", "export/text/"):
        assert phone.get(f"/g/{club.code}/{path}").status_code < 500, path


DEEP = [
    "[" * 200_000,
    '{"a":' * 100_000,
    '{"a":' + "[" * 2_000 + "]" * 2_000 + "}",
    '{"a":' + "[" * 60 + "]" * 60 + "}",
]


@pytest.mark.parametrize("deep", DEEP)
@pytest.mark.parametrize("line", [0, 1, 2])
def test_too_deep_nesting_is_refused_and_leaves_nothing(club, deep, line):
    lines = club.archive().split("\n")
    lines[line] = deep
    groups = Group.objects.count()
    text, url = "\n".join(lines), "/api/v1/groups/import/"
    for answer in (APIClient().post(url, {"text": text}), APIClient().post(url, text, content_type="text/plain")):
        assert (answer.status_code, answer.json()["code"]) == (400, "too-deep"), answer.json()
    assert Device().post("/g/import/", {"text": "\n".join(lines)}).status_code == 422
    assert (Group.objects.count(), GroupImport.objects.count()) == (groups, 0)


def test_values_at_the_nesting_limit_round_trip(club):
    deep: object = 0
    for _ in range(35):
        deep = [deep]
    club.open_table(x_deep=deep).record({"type": "note", "text": "x", "x_deep": deep}, RESULT)
    text = club.archive()
    assert brought(text).archive() == text


STEPS = [
    "new_group", "_person", "insert_table", "add_to_log", "index_disputes", "hands_again", "sheet_of", "differences",
    "score_table", "check_precedent", "first_link",
]  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("failure", [RecursionError, OperationalError])
def test_a_failed_import_leaves_nothing(club, monkeypatch, step, failure):
    head, *rest = club.archive().split("\n")
    decided = {"game": "ace-trump", "code": "", "clause": "AT-9", "facts": {}, "question": "q", "decision": "d"}
    more = {"option": "", "value": None, "table": None, "dispute": None, "since": timezone.now().isoformat()}
    text = "\n".join([json.dumps(json.loads(head) | {"precedents": [decided | more]}), *rest])
    kept = [model.objects.count() for model in (Group, Table, Person, GroupImport, GroupLink)]
    calls = iter(range(1)) if step in ("insert_table", "add_to_log", "score_table", "_person") else iter(())
    real = getattr(group_importing, step)

    def failing(*args, **more):
        if next(calls, None) is None:
            raise failure("injected")
        return real(*args, **more)

    monkeypatch.setattr(group_importing, step, failing)
    client = APIClient(raise_request_exception=False)
    assert client.post("/api/v1/groups/import/", {"text": text}).status_code in (400, 422, 500, 503)
    assert [model.objects.count() for model in (Group, Table, Person, GroupImport, GroupLink)] == kept


def test_a_refused_event_is_named_with_its_entry(club):
    lines = club.archive().split("\n")
    table = json.loads(lines[1])
    table["log"][0][3] = {"type": "play", "seat": 1, "cards": ["8MS"]}
    lines[1] = json.dumps(table)
    answer = APIClient().post("/api/v1/groups/import/", {"text": "\n".join(lines)}).json()
    assert answer["detail"] == "Line 2, entry 1 of the log: Bob acted out of turn; it was Ann’s turn."


@cache
def archive_with_all() -> str:
    """Return an archive with a value in every place, made once in this process."""
    group = two_tables()
    people, first = group.people(), group.open_table(x_place="Kitchen", time_zone=None)
    first.record(RESULT, {"type": "end"})
    group.member.patch(group.url, {"time_zone": "Europe/Berlin"})
    group.member.patch(f"{group.url}people/{people['Ann']}/", {"aliases": ["Annie"], "colour": "green"})
    decided = {"question": "Ties?", "decision": "Early.", "game": "ace-trump", "option": "ties", "value": "early"}
    assert group.member.post(f"{group.url}precedents/", decided | {"facts": {"trick": 1}}).status_code == 201
    return group.archive()


def with_all():
    return [json.loads(line) for line in archive_with_all().splitlines()]


PLACES = {
    "the group": lambda head, table: head,
    "a person": lambda head, table: head["people"][0],
    "a decision": lambda head, table: head["precedents"][0],
    "a table": lambda head, table: table,
    "the end of a table": lambda head, table: table["end"],
    "the options of a table": lambda head, table: table["options"],
    "a row": lambda head, table: table["log"][0],
    "an entry": lambda head, table: table["log"][0][3],
    "what is kept beside": lambda head, table: table["extra"],
}


def bring(head, *tables):
    answer = APIClient().post("/api/v1/groups/import/", {"text": "\n".join(map(json.dumps, (head, *tables)))})
    return answer.status_code, answer.json().get("code"), answer.json().get("detail", "")


def counted():
    return [model.objects.count() for model in (Group, GroupImport, Person, Table, Precedent)]


@pytest.mark.parametrize("place", [place for place in PLACES if place != "a row"])
def test_an_unknown_key_is_named_at_any_depth(place):
    head, *tables = with_all()
    before = counted()
    PLACES[place](head, tables[-1])["bogus"] = 1
    status, code, detail = bring(head, *tables)
    known = (422, "bad-archive") if place.startswith("the options") else (400, "bad-archive")
    assert (status, code) == known
    assert "bogus" in detail
    assert counted() == before


ZONES: tuple[object, ...] = ("Mars/X", "localtime", "posixrules", "Factory", "europe/berlin", "", 5)


@pytest.mark.parametrize(
    ("place", "key", "value"),
    [
        *(("the group", "time_zone", zone) for zone in ZONES),
        *(("a table", "time_zone", zone) for zone in ZONES),
        ("the group", "format", "group-archive/2"),
        ("the group", "name", 3),
        ("the group", "tables", 9),
        ("the group", "people", [{}]),
        ("a person", "merged_into", 9),
        ("a person", "colour", "mauve"),
        ("a person", "aliases", ["Bob"]),
        ("a person", "aliases", ["Ann\u200b"] * 2 + [""]),
        ("a person", "distinct_from", [0]),
        ("a decision", "facts", [1]),
        ("a decision", "facts", {"trick": [1]}),
        ("a decision", "facts", {f"fact-{n}": n for n in range(1000)}),
        ("a decision", "code", "x" * 61),
        ("a decision", "code", 5),
        ("a decision", "question", "x" * 3000),
        ("a decision", "value", "never"),
        ("a decision", "value", {"ties": "early"}),
        ("a decision", "game", "poker"),
        ("a decision", "option", "bogus"),
        ("a table", "game", "poker"),
        ("a table", "previous", 5),
        ("a table", "finished_at", None),
        ("a table", "agreed", [1]),
        *(("a table", "people", seated) for seated in ([7], [0, 0, 1], [0, 1], [0, 1, 2, 0], [None, 2, 2])),
        ("a table", "log", []),
        ("a row", 0, 2),
        ("a row", 3, {"type": "play", "seat": 9}),
        ("a row", 8, "yesterday"),
        ("a table", "options", {"ties": "never"}),
        ("a table", "end", {"kind": "hands", "value": 0}),
        ("a table", "extra", {"x_place": "x" * 70_000}),
        ("a table", "shares_rulings", "yes"),
    ],
)
def test_archive_values_are_validated_like_requests(place, key, value):
    head, *tables = with_all()
    before = counted()
    PLACES[place](head, tables[-1])[key] = value
    status, code, detail = bring(head, *tables)
    assert (status, code) == (422, "bad-archive")
    assert detail.startswith("Line ")
    assert counted() == before


@pytest.mark.parametrize("wrong", ["more decisions than there may be", "one person on two seats"])
def test_errors_in_the_whole_body_are_refused(wrong):
    head, *tables = with_all()
    if wrong == "one person on two seats":
        head["people"][1]["merged_into"] = 0
    else:
        head["precedents"] *= 301
    before = counted()
    assert bring(head, *tables)[:2] == (422, "bad-archive")
    assert counted() == before
