"""groups/import/: lines of every kind come back, and of what is refused or fails nothing is left."""

import json
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.models import Group, GroupImport, GroupLink, Person, Precedent, Table
from scoring.queries.archiving import archive_of
from scoring.services import group_importing
from tests.scoring.api.test_archive import RESULT, archive, brought
from tests.scoring.conftest import ACE_TRUMP, holder, play
from tests.scoring.groups import make_group
from tests.scoring.pages.conftest import Device

pytestmark = pytest.mark.django_db


@pytest.fixture
def group():
    """A group with two tables, one of them over."""
    group = make_group("Ann", "Bob", "Cy")
    group.open_table().record(play(0, "8MS"), play(1, "XS"), play(2, "XM"), RESULT, RESULT)
    group.open_table().record(RESULT, {"type": "end"})
    return group


LINES = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1dh\x1ei\rj\nk\tl\x7f"
"""Everything that some program takes for the end of a line."""


def test_remarks_with_line_breaks_of_every_kind_come_back_byte_for_byte(group, tmp_path, capsys):
    group.open_table(x_place=LINES).record({"type": "note", "text": LINES}, RESULT)
    text = archive(group)
    assert archive(brought(text)) == text
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


@pytest.mark.parametrize("letter", "\n\r\t\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\x7f")
def test_no_door_takes_a_name_that_leaves_its_line(group, letter):
    name, member = f"Ann{letter}Bob", group.member
    table, person = group.open_table(), group.people()["Cy"]
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    told = json.dumps({"game": "ace-trump", "seats": [name, "Bob", "Cy"], "first_dealer": 0})
    head, *rest = archive(group).split("\n")
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
        member.patch(group.url, {"name": name}),
        member.post(f"{group.url}people/", {"name": name}),
        member.post(f"{group.url}people/", {"name": "Dot", "aliases": [name]}),
        member.patch(f"{group.url}people/{person}/", {"name": name}),
        member.post(f"{group.url}links/", {"role": "viewer", "name": name}),
        keeper.patch(url, {"seats": [name, "Bob", "Cy"]}),
        keeper.post(f"{url}links/", {"role": "spectator", "name": name}),
        keeper.post(f"{url}continue/", {"seats": [name, "Bob", "Cy"]}),
        *(APIClient().post("/api/v1/groups/import/", {"text": "\n".join([each, *rest])}) for each in archives),
    ]
    assert [answer.status_code for answer in answers] == [422] * 16
    assert Group.objects.count() == groups
    phone = Device()
    assert phone.post(f"/g/{group.code}/join/", {"token": group.token}).status_code == 302
    for address, form in (
        ("/g/new/", {"name": name}),
        ("/new/ace-trump/", {"name": [name, "Bob", "Cy"], "dealer": "0", "end": "open"}),
        (f"/g/{group.code}/settings/", {"name": name}),
        (f"/g/{group.code}/people/{person}/", {"name": name}),
    ):
        assert phone.post(address, form).status_code in (404, 405, 422)
    assert not Person.objects.filter(name__contains=letter).exists()
    with pytest.raises(CommandError):
        call_command("rename_person", group.code, "Cy", name)


@pytest.mark.parametrize(
    "merged", [{0: 0}, {0: 1, 1: 0}, {0: 1, 1: 2, 2: 0}, {0: 1, 1: 2}, {0: 9}, {0: 1, 1: 9}, {0: -1}, {0: True}]
)
def test_people_who_count_as_each_other_in_a_circle_are_refused(merged):
    head = json.loads(archive(make_group("Ann", "Bob", "Cy")))
    for place, into in merged.items():
        head["people"][place]["merged_into"] = into
    groups = Group.objects.count()
    answer = APIClient().post("/api/v1/groups/import/", {"text": json.dumps(head)})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-archive")
    assert "Line 1" in answer.json()["detail"]
    assert Group.objects.count() == groups


@pytest.mark.parametrize("seated", [[0, 0, 1], [0, 1], [0, 1, 2, 0], [None, 2, 2]])
def test_an_archive_that_seats_somebody_twice_or_nowhere_is_refused(group, seated):
    head, table, *rest = archive(group).split("\n")
    text = "\n".join([head, json.dumps(json.loads(table) | {"people": seated}), *rest])
    refused = APIClient().post("/api/v1/groups/import/", {"text": text})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-archive")
    assert Group.objects.count() == 1


@pytest.mark.parametrize("circle", ["AA", "ABA", "ABCA", "ABC"])
def test_a_circle_that_is_there_already_stops_no_reading(group, circle):
    people = group.people()
    initials = {name[0]: pk for name, pk in people.items()}
    for one, other in pairwise(circle):
        Person.objects.filter(pk=initials[one]).update(merged_into=initials[other])
    member, phone = group.member, Device()
    assert phone.post(f"/g/{group.code}/join/", {"token": group.token}).status_code == 302
    for path in (
        "", "people/", "tables/", "evenings/", "statistics/", "statistics/ratings/", "statistics/hands/", "season/",
        f"statistics/?person={people['Ann']}", f"statistics/pairs/?one={people['Ann']}&other={people['Bob']}",
        "files/history/", "files/statistics/", "files/text/", "files/calendar/", "archive/", "what-if/?ties=early",
    ):  # fmt: skip
        assert member.get(f"{group.url}{path}").status_code < 500, path
    for path in ("", "history/", "statistics/", "people/", "settings/", "export/calendar/", "export/text/"):
        assert phone.get(f"/g/{group.code}/{path}").status_code < 500, path


DEEP = [
    "[" * 200_000,
    '{"a":' * 100_000,
    '{"a":' + "[" * 2_000 + "]" * 2_000 + "}",
    '{"a":' + "[" * 60 + "]" * 60 + "}",
]


@pytest.mark.parametrize("deep", DEEP)
@pytest.mark.parametrize("line", [0, 1, 2])
def test_what_is_too_deep_is_refused_and_leaves_nothing(group, deep, line):
    lines = archive(group).split("\n")
    lines[line] = deep
    groups = Group.objects.count()
    text, url = "\n".join(lines), "/api/v1/groups/import/"
    for answer in (APIClient().post(url, {"text": text}), APIClient().post(url, text, content_type="text/plain")):
        assert (answer.status_code, answer.json()["code"]) == (400, "too-deep"), answer.json()
    assert Device().post("/g/import/", {"text": "\n".join(lines)}).status_code == 422
    assert (Group.objects.count(), GroupImport.objects.count()) == (groups, 0)


def test_values_as_deep_as_a_request_may_send_them_come_back(group):
    deep: object = 0
    for _ in range(35):
        deep = [deep]
    group.open_table(x_deep=deep).record({"type": "note", "text": "x", "x_deep": deep}, RESULT)
    text = archive(group)
    assert archive(brought(text)) == text


STEPS = [
    "new_group", "_person", "insert_table", "add_to_log", "index_disputes", "hands_again", "sheet_of", "differences",
    "score_table", "check_precedent", "first_link",
]  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("failure", [RecursionError, OperationalError])
def test_whatever_fails_within_an_import_leaves_nothing(group, monkeypatch, step, failure):
    head, *rest = archive(group).split("\n")
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


def test_an_event_that_is_not_taken_is_named_with_its_entry(group):
    lines = archive(group).split("\n")
    table = json.loads(lines[1])
    table["log"][0][3] = {"type": "play", "seat": 1, "cards": ["8MS"]}
    lines[1] = json.dumps(table)
    answer = APIClient().post("/api/v1/groups/import/", {"text": "\n".join(lines)}).json()
    assert answer["detail"] == "Line 2, entry 1 of the log: Bob acted out of turn; it was Ann’s turn."


def with_all(group):
    """Return the lines of an archive that has something in every place."""
    people, first = group.people(), group.open_table(x_place="Kitchen", time_zone=None)
    first.record(RESULT)
    group.member.patch(group.url, {"time_zone": "Europe/Berlin"})
    group.member.patch(f"{group.url}people/{people['Ann']}/", {"aliases": ["Annie"], "colour": "green"})
    decided = {"question": "Ties?", "decision": "Early.", "game": "ace-trump", "option": "ties", "value": "early"}
    assert group.member.post(f"{group.url}precedents/", decided | {"facts": {"trick": 1}}).status_code == 201
    return [json.loads(line) for line in archive(group).splitlines()]


PLACES = {
    "the group": lambda head, table: head,
    "a person": lambda head, table: head["people"][0],
    "a decision": lambda head, table: head["precedents"][0],
    "a table": lambda head, table: table,
    "the end of a table": lambda head, table: table["end"],
    "the options of a table": lambda head, table: table["options"],
    "an entry": lambda head, table: table["log"][0][3],
    "what is kept beside": lambda head, table: table["extra"],
}


def bring(head, *tables):
    answer = APIClient().post("/api/v1/groups/import/", {"text": "\n".join(map(json.dumps, (head, *tables)))})
    return answer.status_code, answer.json().get("code"), answer.json().get("detail", "")


def counted():
    return [model.objects.count() for model in (Group, GroupImport, Person, Table, Precedent)]


@pytest.mark.parametrize("place", PLACES)
def test_an_unknown_key_is_named_wherever_it_stands(group, place):
    head, *tables = with_all(group)
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
        ("a decision", "game", "whist"),
        ("a decision", "option", "bogus"),
        ("a table", "options", {"ties": "never"}),
        ("a table", "end", {"kind": "hands", "value": 0}),
        ("a table", "extra", {"x_place": "x" * 70_000}),
        ("a table", "shares_rulings", "yes"),
    ],
)
def test_every_value_is_checked_as_by_every_other_door(group, place, key, value):
    head, *tables = with_all(group)
    before = counted()
    PLACES[place](head, tables[-1])[key] = value
    status, code, detail = bring(head, *tables)
    assert (status, code) == (422, "bad-archive")
    assert detail.startswith("Line ")
    assert counted() == before


def test_more_decisions_than_a_group_may_have_are_refused(group):
    head, *tables = with_all(group)
    head["precedents"] *= 301
    before = counted()
    assert bring(head, *tables)[:2] == (422, "bad-archive")
    assert counted() == before


def test_two_who_are_one_person_do_not_sit_at_one_table(group):
    head, *tables = with_all(group)
    head["people"][1]["merged_into"] = 0
    before = counted()
    assert bring(head, *tables)[:2] == (422, "bad-archive")
    assert counted() == before
