"""A group's results in other programs: its files, and a BG Stats play."""

import csv
import json
from datetime import UTC, date, datetime
from io import StringIO
from typing import Any
from urllib.parse import unquote

import pytest
from icalendar import Calendar

from scoring.models import Group, Table
from tests.scoring.conftest import open_table
from tests.scoring.groups import make_group, on, played, result
from tests.scoring.pages.conftest import Device

pytestmark = pytest.mark.django_db


@pytest.fixture
def group():
    return make_group("Ann", "=Bob", "Cy", name="Thursday, at Ann’s; always")


@pytest.fixture
def table(group):
    """A table with two hands, with two people of the group and a guest."""
    table = played(group, (6, 4, 2), (2, 5, 5), seats=["Ann", "=Bob", "Zoe"])
    return on(table, date(2026, 3, 12), 20)


def rows(text):
    return [*csv.DictReader(StringIO(text))]


def test_the_history_has_a_row_for_every_seat(group, table):
    ann, bob, zoe = rows(group.export("history"))
    assert (ann["evening"], ann["game"], ann["table"], ann["player"]) == (
        "2026-03-12", "ace-trump", table.code, "Ann",
    )  # fmt: skip
    assert [(row["points"], row["rank"], row["wins"], row["hands"]) for row in (ann, bob, zoe)] == [
        ("8", "2", "0", "2"), ("9", "1", "1", "2"), ("7", "3", "0", "2"),
    ]  # fmt: skip
    assert zoe["player"] == "Zoe"
    assert rows(group.export("history", game="ransom-trump")) == []


def test_no_cell_can_be_read_as_a_formula(group, table):
    for shape in ("history", "statistics"):
        cells = [cell for row in csv.reader(StringIO(group.export(shape))) for cell in row]
        assert "'=Bob" in cells
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")]


def test_statistics_have_a_row_for_every_game_and_one_for_all(group, table):
    told = rows(group.export("statistics"))
    assert [(row["player"], row["game"]) for row in told][-2:] == [("Ann", ""), ("Ann", "ace-trump")]
    assert told[-1]["revokes"] == ""
    group.member.patch(group.url, {"counts_revokes": True})
    assert rows(group.export("statistics"))[-1]["revokes"] == "0"


def test_the_text_export_is_readable(group, table):
    text = group.export("text")
    assert text.startswith("Thursday, at Ann’s; always\n")
    assert "1 of 1 won, 2 hands" in text
    assert "\n2026-03-12\n  Ace Trump: =Bob 9, Ann 8, Zoe 7\n" in text


def test_evenings_are_exported_as_a_valid_calendar(group, table):
    text = group.export("calendar")
    assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
    event: Any = Calendar.from_ical(text).walk("VEVENT")[0]
    assert event["SUMMARY"] == "Thursday, at Ann’s; always: Ace Trump"
    assert event["DTSTART"].dt == datetime(2026, 3, 12, 20, tzinfo=UTC)
    assert event["DTEND"].dt == datetime(2026, 3, 12, 20, 40, tzinfo=UTC)
    assert event["DESCRIPTION"] == "Ace Trump: =Bob 9, Ann 8"
    assert [*Calendar.from_ical(text).errors, *event.errors] == []
    assert group.export("calendar").split("UID:")[1].split("\r\n")[0] == event["UID"]


def test_the_calendar_of_a_group_without_tables_is_valid(group):
    assert Calendar.from_ical(group.export("calendar")).walk("VEVENT") == []


# -- BG Stats -------------------------------------------------------------------------------


def play(table):
    answer = table.keeper.get(f"{table.url}record/?as=bgstats")
    assert answer.status_code == 200
    url, data = answer.json()["url"], answer.json()["play"]
    address, _, written = url.partition("?data=")
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    assert json.loads(unquote(written)) == data
    return data


def test_a_finished_game_is_exported_as_a_play(group, table):
    told = play(table)
    assert (told["playDate"], told["durationMin"]) == ("2026-03-12 20:40:00", 40)
    assert told["game"] == {"name": "Ace Trump", "sourceGameId": "ace-trump", "highestWins": True, "noPoints": False}
    assert [(each["name"], each["score"], each["winner"], each["startPlayer"]) for each in told["players"]] == [
        ("Ann", "8", False, True), ("=Bob", "9", True, False), ("Zoe", "7", False, False),
    ]  # fmt: skip
    assert table.code not in json.dumps(told)


def test_a_person_has_one_id_at_every_table_and_a_guest_one_per_name(group, table):
    again = played(group, (6, 4, 2), seats=["Zoe", "Ann", "Cy"])
    known = {each["name"]: each["sourcePlayerId"] for each in play(table)["players"]}
    assert {each["name"]: each["sourcePlayerId"] for each in play(again)["players"]}.items() >= {
        ("Ann", known["Ann"]), ("Zoe", known["Zoe"]),
    }  # fmt: skip
    assert play(table)["sourcePlayId"] != play(again)["sourcePlayId"]


def test_two_players_with_one_name_are_exported_as_two_people(group, table):
    """Older tables may still have duplicate names."""
    Table.objects.filter(code=table.code).update(seats=["Zoe", "=Bob", "zoe"])
    table.row.people.filter(seat=0).delete()
    told = play(table)["players"]
    assert len({each["sourcePlayerId"] for each in told}) == 3
    assert play(table)["players"] == told


def test_a_merged_person_is_exported_once(group, table):
    group.add("Anne")
    again = played(group, (6, 4, 2), seats=["Anne", "=Bob", "Cy"])
    group.merge("Anne", "Ann")
    assert play(again)["players"][0]["sourcePlayerId"] == play(table)["players"][0]["sourcePlayerId"]


def test_guests_of_two_groups_are_exported_as_two_people(group, table):
    other = played(make_group("Ann", name="Friday"), (5, 4), seats=["Zoe", "Ann"], first_dealer=0)
    known = {each["name"]: each["sourcePlayerId"] for each in play(table)["players"]}
    assert {each["sourcePlayerId"] for each in play(other)["players"]}.isdisjoint(known.values())


def test_running_games_and_hidden_points_are_not_exported():
    runs = open_table()
    runs.record(result(6, 4, 2))
    assert runs.keeper.get(f"{runs.url}record/?as=bgstats").status_code == 404
    assert runs.keeper.get("/api/v1/tables/ZZZZZZZZ/record/?as=bgstats").status_code == 404


def test_negative_ratings_are_numbers_and_formula_like_names_are_text(group):
    for _ in range(3):
        played(group, (10, 2, 0), seats=["Ann", "=Bob", "Cy"])
    told = rows(group.export("statistics"))
    ordinals = {row["player"]: float(row["rating_ordinal"]) for row in told if not row["game"]}
    assert ordinals["Cy"] < 0 < ordinals["Ann"]
    assert "'=Bob" in ordinals
    for row in told:
        numbers = {name: value for name, value in row.items() if name not in ("player", "game") and value}
        assert not any(value.startswith("'") for value in numbers.values())
        assert all(isinstance(float(value), float) for value in numbers.values())


def test_pages_export_numbers_for_the_readers_spreadsheet(group):
    played(group, (10, 1, 1), seats=["Ann", "=Bob", "Cy"])
    phone = Device(headers={"accept-language": "de"}).join(group)
    for shape in ("history", "statistics"):
        told = phone.get(f"/g/{group.code}/export/{shape}/").content.decode()
        assert told[0] == "\ufeff"
        german = [*csv.DictReader(StringIO(told[1:]), delimiter=";")]
        english = rows(group.export(shape))
        assert [{name: value.replace(",", ".") for name, value in row.items()} for row in german] == english


FORGED = "Ann\n2026-01-01\n  Ace Trump: Bob 99\r\nX\u2028Y\x85Z\x0b"


def test_old_names_with_line_breaks_cannot_forge_a_line(group, table):
    """The name was stored before line breaks were forbidden."""
    group.row.people.filter(name="Ann").update(name=FORGED)
    Group.objects.update(name=FORGED)
    lines = group.export("text").splitlines()
    assert not any(line.startswith(("2026-01-01", "  Ace Trump: Bob")) for line in lines)
    assert sum(line.startswith("  ") for line in lines) == 1
    calendar = group.export("calendar")
    assert len(calendar.splitlines()) == calendar.count("\r\n")
    assert str(Calendar.from_ical(calendar)["X-WR-CALNAME"]).startswith("Ann")
    assert {row["player"] for row in rows(group.export("history"))} == {FORGED, "'=Bob", "Zoe"}
