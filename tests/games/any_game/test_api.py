"""Titles of any game in the API: set, changed, separated in statistics and offered again."""

from typing import Any

import pytest

from tests.scoring.conftest import ACE_TRUMP, OpenTable, holder, open_table
from tests.scoring.groups import Thursday, make_group

pytestmark = pytest.mark.django_db
ANY = {"game": "any-game", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}


def change(table: OpenTable, **changes: Any) -> Any:
    return holder(table.token).patch(f"/api/v1/tables/{table.code}/", changes)


def played(group: Thursday, title: str, *points: int, **more: Any) -> OpenTable:
    table = group.open_table(**ANY, title=title, **more)
    table.record({"type": "result", "points": list(points)}, {"type": "end"})
    return table


def people(group: Thursday, **asked: Any) -> list[dict[str, Any]]:
    answer = group.member.get(f"{group.url}statistics/", asked)
    assert answer.status_code == 200, answer.json()
    return list(answer.json()["people"])


def test_a_title_can_be_changed_and_removed():
    table = open_table(**ANY, title="Skt")
    answer = change(table, title="  Skat  night ")
    assert (answer.status_code, answer.json()["state"]["title"]) == (200, "Skat night")
    assert table.row.game == "any-game:Skat night"
    assert not change(table, title="").json()["state"].get("title")
    assert table.row.game == "any-game"


def test_a_title_that_is_too_long_or_belongs_to_another_game_is_refused():
    for table in (open_table(**ANY), open_table(**ACE_TRUMP)):
        answer = change(table, title="x" * 61 if table.row.game == "any-game" else "Skat")
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/title")


def test_a_group_keeps_the_first_spelling_of_a_title():
    group = make_group()
    group.open_table(**ANY, title="Phase 10")
    assert group.open_table(**ANY, title="PHASE  10").row.game == "any-game:Phase 10"
    other = group.open_table(**ANY, title="Skat")
    assert change(other, title="phase 10").json()["state"]["title"] == "Phase 10"


def test_titles_are_offered_with_their_last_settings():
    group = make_group()
    played(group, "Skat", 1, 2, 3)
    played(group, "skat", 4, 2, 3, options={"wins": "lowest"}, end={"kind": "score", "value": 50})
    (told,) = group.member.get(f"{group.url}titles/").json()["titles"]
    assert told == {
        "game": "any-game",
        "title": "Skat",
        "players": 3,
        "options": {"wins": "lowest", "teams": "none"},
        "end": {"kind": "score", "value": 50},
    }


def test_statistics_and_ratings_are_kept_for_each_title():
    group = make_group()
    played(group, "Skat", 9, 2, 3)
    played(group, "skat", 8, 2, 3)
    played(group, "Golf", 9, 2, 3, options={"wins": "lowest"})
    ann = {row["game"]: row for row in people(group) if row["name"] == "Ann"}
    assert set(ann) == {None, "any-game:Skat", "any-game:Golf"}
    skat, golf = ann["any-game:Skat"], ann["any-game:Golf"]
    assert (skat["tables"], skat["wins"], skat["best_hand"]) == (2, 2, 9)
    assert (golf["tables"], golf["wins"]) == (1, 0)
    assert skat["rating"]["ordinal"] > golf["rating"]["ordinal"]
    assert {row["game"] for row in people(group, game="any-game:Golf")} <= {None, "any-game:Golf"}


def test_statistics_follow_a_changed_title():
    group = make_group()
    table = played(group, "Skt", 9, 2, 3)
    assert change(table, title="Skat").status_code == 200
    assert {row["game"] for row in people(group)} == {None, "any-game:Skat"}
    found = group.member.get(f"{group.url}tables/", {"game": "any-game:Skat"})
    assert [each["code"] for each in found.json()["tables"]] == [table.code]
