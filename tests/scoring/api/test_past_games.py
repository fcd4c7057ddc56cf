"""Past games: imported with date, people and totals, counted where totals suffice, and undone."""

from datetime import date, timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.groups.acts.scores import statistics_differences
from scoring.models import Person, SeatScore, Table
from scoring.operating.reads import differences
from tests.scoring.conftest import holder
from tests.scoring.groups import brought, make_group
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db

ANN_AND_BOB = [{"name": "Ann", "points": 41}, {"name": "Bob", "points": 38}, {"name": "Cy", "points": 12}]
LONG_AGO = {"game": "oh-hell", "date": "2019-03-12", "players": ANN_AND_BOB}


@pytest.fixture
def thursday():
    return make_group("Ann", "Bob", "Cy")


def add(thursday, *games, status=201, **more):
    answer = thursday.member.post(f"{thursday.url}imports/", {"games": list(games), **more})
    assert answer.status_code == status, answer.json()
    return answer.json()


def tables(thursday, **query):
    return thursday.member.get(f"{thursday.url}tables/", query).json()["tables"]


def test_a_past_game_is_a_finished_table_on_its_date(thursday):
    made = add(thursday, LONG_AGO, name="Old scores")
    [table] = tables(thursday)
    assert made["tables"] == [table["code"]]
    assert (table["evening"], table["finished"], table["totals_only"]) == ("2019-03-12", True, True)
    assert table["points"] == table["totals"] == [41, 38, 12]
    assert table["winners"] == [0]
    [evening] = thursday.member.get(f"{thursday.url}evenings/").json()["evenings"]
    assert [(each["name"], each["points"][0]["points"]) for each in evening["people"]] == [
        ("Ann", 41), ("Bob", 38), ("Cy", 12),
    ]  # fmt: skip


def test_a_past_game_counts_for_wins_and_ratings_only(thursday):
    add(thursday, LONG_AGO)
    stats = thursday.member.get(f"{thursday.url}statistics/").json()
    ann = next(each for each in stats["people"] if each["name"] == "Ann" and each["game"] == "oh-hell")
    assert (ann["tables"], ann["wins"], ann["by_totals"]) == (1, 1.0, 1)
    assert ann["rating"]["mu"] > 25
    unknown = ("hands", "points", "tricks", "bids", "best_hand", "revokes")
    assert {name: ann[name] for name in unknown} == dict.fromkeys(unknown)
    assert stats["by_totals"] == 1
    assert not list(statistics_differences(thursday.row))


def test_games_are_rated_in_the_order_in_which_they_were_played(thursday):
    later = {**LONG_AGO, "date": "2020-01-01", "players": [*reversed(ANN_AND_BOB)]}
    add(thursday, later)
    add(thursday, LONG_AGO)
    assert not list(statistics_differences(thursday.row))
    assert [each["evening"] for each in tables(thursday)] == ["2020-01-01", "2019-03-12"]


def test_the_season_adds_up_the_totals(thursday):
    add(thursday, LONG_AGO)
    season = thursday.member.get(f"{thursday.url}statistics/", {"by": "evening"}).json()
    assert "41" in str(season)


def test_a_new_name_creates_a_person_and_an_id_refers_to_a_known_one(thursday):
    ann = thursday.people()["Ann"]
    players = [{"name": "Annie", "person": ann, "points": 7}, {"name": "Zoe", "points": 3}]
    made = add(thursday, {**LONG_AGO, "game": "ace-trump", "players": players})
    [table] = tables(thursday)
    assert table["seats"] == ["Ann", "Zoe"]
    assert table["people"] == [ann, made["people"][0]]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"game": "chess"}, "/games/1/game"),
        ({"date": (timezone.now().date() + timedelta(days=3)).isoformat()}, "/games/1/date"),
        ({"date": "12 March"}, "/games/1/date"),
        ({"players": [{"name": "Ann", "points": 1}, {"name": "ann", "points": 2}]}, "/games/1/seats/1"),
        ({"players": [{"name": name, "points": 0} for name in ("Ann", "Bob", "Cy")]}, "/games/1/carried"),
        ({"tags": [f"tag {number}" for number in range(11)]}, "/games/1/tags"),
    ],
)
def test_one_invalid_past_game_refuses_the_import_and_is_named(thursday, change, pointer):
    refused = add(thursday, LONG_AGO, {**LONG_AGO, **change}, status=422)
    assert refused["errors"][0]["pointer"] == pointer
    assert not Table.objects.exists()


def test_undoing_an_import_removes_its_new_people(thursday):
    players = [*ANN_AND_BOB[:2], {"name": "Zoe", "points": 3}]
    made = add(thursday, {**LONG_AGO, "players": players}, LONG_AGO)
    undone = thursday.member.delete(f"{thursday.url}imports/{made['id']}/").json()
    assert undone == {"gone": 2, "kept": 0}
    assert not Table.objects.exists()
    assert [person.name for person in Person.objects.order_by("pk")] == ["Ann", "Bob", "Cy"]
    assert not list(statistics_differences(thursday.row))
    assert thursday.member.get(f"{thursday.url}imports/").json()["imports"] == []


def test_the_final_scores_of_a_past_game_are_corrected(thursday):
    made = add(thursday, LONG_AGO, {**LONG_AGO, "date": "2019-03-19"})
    code, people = made["tables"][0], thursday.people()
    address, before = f"/api/v1/tables/{code}/", Table.objects.get(code=code)
    ratings = [each.mu for each in SeatScore.objects.order_by("pk")]
    key = {"HTTP_IDEMPOTENCY_KEY": "0e1f0000-0000-4000-8000-000000000002"}
    for _ in range(2):
        answer = thursday.member.patch(address, {"totals": [31, 38, 12]}, **key)
        assert (answer.status_code, answer.json()["state"]["totals"]) == (200, [31, 38, 12]), answer.json()
    assert answer.json()["version"] == 2
    [table] = [each for each in tables(thursday) if each["code"] == code]
    assert (table["winners"], table["totals_only"], table["evening"]) == ([1], True, "2019-03-12")
    row = Table.objects.get(code=code)
    assert (row.finished_at, row.created) == (before.finished_at, before.created)
    assert SeatScore.objects.get(table=row, person=people["Bob"]).rank == 1
    assert [each.mu for each in SeatScore.objects.order_by("pk")] != ratings, "later players are rated again"
    assert not list(statistics_differences(thursday.row))
    assert differences(row) == []
    log = thursday.member.get(f"{address}events/").json()["events"]
    assert log[-1]["hidden"]["carried"] == {"before": [41, 38, 12], "after": [31, 38, 12]}
    assert "Final scores corrected: Ann 41 to 31" in text(APIClient().get(f"/t/{code}/log/"))
    back = brought(thursday.archive())
    assert sorted(Table.objects.filter(group__code=back.code).values_list("carried", flat=True)) == [
        [31, 38, 12], [41, 38, 12],
    ]  # fmt: skip
    undone = thursday.member.delete(f"{thursday.url}imports/{made['id']}/").json()
    assert undone == {"gone": 2, "kept": 0}, "a corrected game goes with its import, too"


@pytest.mark.parametrize(
    ("totals", "status"), [([1, 2], 422), ([0, 0, 0], 422), ([10**7, 1, 2], 422), (["x", 1, 2], 400)]
)
def test_impossible_final_scores_are_refused(thursday, totals, status):
    [code] = add(thursday, LONG_AGO)["tables"]
    answer = thursday.member.patch(f"/api/v1/tables/{code}/", {"totals": totals})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"].split("/")[1]) == (status, "totals")
    assert Table.objects.get(code=code).carried == [41, 38, 12]


def test_final_scores_of_a_recorded_game_cannot_be_edited(thursday):
    table = thursday.open_table()
    table.record({"type": "result", "tricks": [6, 4, 2]}, {"type": "end"})
    answer = table.keeper.patch(table.url, {"totals": [1, 2, 3]})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/totals")


def test_a_table_played_on_survives_undoing_its_import(thursday):
    made = add(thursday, LONG_AGO)
    address = f"/api/v1/tables/{made['tables'][0]}/"
    assert thursday.member.post(f"{address}undo/").status_code in (200, 201)
    undone = thursday.member.delete(f"{thursday.url}imports/{made['id']}/").json()
    assert undone == {"gone": 0, "kept": 1}
    assert Table.objects.get().group_id is not None


def test_only_members_add_past_games(thursday):
    viewer = holder(thursday.link("viewer"))
    assert viewer.post(f"{thursday.url}imports/", {"games": [LONG_AGO]}).status_code == 403
    assert viewer.get(f"{thursday.url}imports/").status_code == 200


def test_a_game_is_found_by_place_note_and_tags(thursday):
    add(thursday, {**LONG_AGO, "place": "Club", "note": "Bob slept.", "tags": ["cup", "#Cup", "final"]}, LONG_AGO)
    [club] = tables(thursday, place="club")
    assert (club["place"], club["note"], club["tags"]) == ("Club", "Bob slept.", ["cup", "final"])
    assert [each["code"] for each in tables(thursday, tag="CUP")] == [club["code"]]
    assert [each["code"] for each in tables(thursday, q="slept")] == [club["code"]]
    assert tables(thursday, tag="league") == []


def test_an_evenings_notes_apply_to_its_tables(thursday):
    add(thursday, LONG_AGO, {**LONG_AGO, "place": "Club"})
    address = f"{thursday.url}evenings/2019-03-12/"
    said = thursday.member.patch(address, {"place": "At Ann’s", "note": "Snow.", "tags": ["winter"]}).json()
    assert said == {"evening": "2019-03-12", "place": "At Ann’s", "note": "Snow.", "tags": ["winter"]}
    assert thursday.member.get(address).json() == said
    assert sorted(each["place"] for each in tables(thursday)) == ["At Ann’s", "Club"]
    assert len(tables(thursday, place="At Ann’s")) == 1
    assert len(tables(thursday, tag="winter")) == len(tables(thursday, q="snow")) == 2
    assert thursday.member.patch(f"{thursday.url}evenings/2019-03-13/", {"place": "x"}).status_code == 404


def test_forgetting_a_person_removes_notes_and_tags(thursday):
    add(thursday, {**LONG_AGO, "note": "Cy slept.", "tags": ["Cy’s night"], "place": "Cy’s flat"}, name="Scores of Cy")
    thursday.member.patch(f"{thursday.url}evenings/2019-03-12/", {"note": "Cy brought the cards."})
    thursday.member.delete(f"{thursday.url}people/{thursday.people()['Cy']}/")
    [table] = tables(thursday)
    said = thursday.member.get(f"{thursday.url}evenings/2019-03-12/").json()
    [brought] = thursday.member.get(f"{thursday.url}imports/").json()["imports"]
    for words in (table["note"], table["place"], *table["tags"], said["note"], brought["name"]):
        assert "Cy" not in words
        assert "…" in words


def test_partners_in_a_past_game_are_found_by_their_shared_total(thursday):
    """Partners share one total, and a list of scores names them in any order."""
    points = {"Ann": 41, "Bob": 38, "Cy": 38, "Dee": 41}
    players = [{"name": name, "points": made} for name, made in points.items()]
    add(thursday, {**LONG_AGO, "game": "ace-trump", "options": {"partners": True}, "players": players})
    [table] = tables(thursday)
    assert [points[name] for name in table["seats"]] == [41, 38, 41, 38]
    assert table["winners"] == [0, 2]


def test_past_games_round_trip_in_an_archive_byte_for_byte(thursday):
    add(thursday, {**LONG_AGO, "place": "Club", "tags": ["cup"], "note": "Late."})
    thursday.member.patch(f"{thursday.url}evenings/{date(2019, 3, 12)}/", {"note": "Snow.", "tags": ["winter"]})
    archive = thursday.archive()
    again = brought(archive)
    assert again.archive() == archive
    assert not list(statistics_differences(again.row))


def test_undoing_an_import_keeps_people_with_a_phone(thursday):
    """A phone keeps its person; references to deleted people are removed."""
    made = add(
        thursday, {**LONG_AGO, "players": [{"name": "Dee", "points": 5}, {"name": "Eva", "points": 4}, *ANN_AND_BOB]}
    )
    people = thursday.people()
    thursday.member.put(f"{thursday.url}me/", {"person": people["Dee"]})
    thursday.member.patch(f"{thursday.url}people/{people['Ann']}/", {"distinct_from": [people["Eva"]]})
    thursday.member.delete(f"{thursday.url}imports/{made['id']}/")
    assert [*thursday.people()] == ["Ann", "Bob", "Cy", "Dee"]
    assert thursday.member.get(f"{thursday.url}me/").json()["person"] == people["Dee"]
    assert Person.objects.get(name="Ann").distinct_from == []
