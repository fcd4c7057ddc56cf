"""Past games: imported with date, people and totals, counted where totals suffice, and undone."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.groups.acts.scores import statistics_differences
from scoring.models import Person, SeatScore, Table
from scoring.operating.reads import differences
from tests.scoring.groups import brought, played, round_trip
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db

THREE_PLAYERS = [{"name": "Ann", "points": 41}, {"name": "Bob", "points": 38}, {"name": "Cy", "points": 12}]
LONG_AGO = {"game": "oh-hell", "date": "2019-03-12", "players": THREE_PLAYERS}


def add(group, *games, status=201, **more):
    answer = group.member.post(f"{group.url}imports/", {"games": list(games), **more})
    assert answer.status_code == status, answer.json()
    return answer.json()


def take_back(group, made):
    """Undo an import; return how many of its games are gone and how many stay."""
    undone = group.member.delete(f"{group.url}imports/{made['id']}/").json()
    return undone["gone"], undone["kept"]


@pytest.fixture
def imported(group):
    """What the import of one game is answered."""
    return add(group, LONG_AGO)


def tables(group, **query):
    return group.read("tables/", **query)["tables"]


def test_a_past_game_is_a_finished_table_on_its_date(group):
    made = add(group, LONG_AGO, name="Old scores")
    [table] = tables(group)
    assert made["tables"] == [table["code"]]
    assert (table["evening"], table["finished"], table["totals_only"]) == ("2019-03-12", True, True)
    assert table["points"] == table["totals"] == [41, 38, 12]
    assert table["winners"] == [0]
    assert [(each["name"], each["points"][0]["points"]) for each in group.evening()["people"]] == [
        ("Ann", 41), ("Bob", 38), ("Cy", 12),
    ]  # fmt: skip


def test_a_past_game_counts_for_wins_and_ratings_only(group, imported):
    stats = group.read("statistics/")
    ann = next(each for each in stats["people"] if each["name"] == "Ann" and each["game"] == "oh-hell")
    assert (ann["tables"], ann["wins"], ann["by_totals"]) == (1, 1.0, 1)
    assert ann["rating"]["mu"] > 25
    assert [ann[name] for name in ("hands", "points", "tricks", "bids", "best_hand", "revokes")] == [None] * 6
    assert stats["by_totals"] == 1
    assert not list(statistics_differences(group.row))


def test_games_are_rated_in_the_order_in_which_they_were_played(group):
    add(group, {**LONG_AGO, "date": "2020-01-01", "players": [*reversed(THREE_PLAYERS)]})
    add(group, LONG_AGO)
    assert not list(statistics_differences(group.row))
    assert [each["evening"] for each in tables(group)] == ["2020-01-01", "2019-03-12"]


def test_the_season_adds_up_the_totals(group, imported):
    ann = group.read("statistics/", by="evening")["people"][0]
    assert (ann["name"], ann["games"]) == ("Ann", [{"game": "oh-hell", "points": 41, "tables": 1}])


def test_a_new_name_creates_a_person_and_an_id_refers_to_a_known_one(group):
    ann = group.people()["Ann"]
    players = [{"name": "Annie", "person": ann, "points": 7}, {"name": "Zoe", "points": 3}]
    made = add(group, {**LONG_AGO, "game": "ace-trump", "players": players})
    [table] = tables(group)
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
def test_one_invalid_past_game_refuses_the_import_and_is_named(group, change, pointer):
    refused = add(group, LONG_AGO, {**LONG_AGO, **change}, status=422)
    assert refused["errors"][0]["pointer"] == pointer
    assert not Table.objects.exists()


def test_undoing_an_import_removes_its_new_people(group):
    players = [*THREE_PLAYERS[:2], {"name": "Zoe", "points": 3}]
    made = add(group, {**LONG_AGO, "players": players}, LONG_AGO)
    assert take_back(group, made) == (2, 0)
    assert not Table.objects.exists()
    assert [person.name for person in Person.objects.order_by("pk")] == ["Ann", "Bob", "Cy"]
    assert not list(statistics_differences(group.row))
    assert group.read("imports/")["imports"] == []


def test_the_final_scores_of_a_past_game_are_corrected(group):
    made = add(group, LONG_AGO, {**LONG_AGO, "date": "2019-03-19"})
    code, people = made["tables"][0], group.people()
    address, before = f"/api/v1/tables/{code}/", Table.objects.get(code=code)
    ratings = [each.mu for each in SeatScore.objects.order_by("pk")]
    key = {"HTTP_IDEMPOTENCY_KEY": "0e1f0000-0000-4000-8000-000000000002"}
    for _ in range(2):
        answer = group.member.patch(address, {"totals": [31, 38, 12]}, **key)
        assert (answer.status_code, answer.json()["state"]["totals"]) == (200, [31, 38, 12]), answer.json()
    assert answer.json()["version"] == 2
    [table] = [each for each in tables(group) if each["code"] == code]
    assert (table["winners"], table["totals_only"], table["evening"]) == ([1], True, "2019-03-12")
    row = Table.objects.get(code=code)
    assert (row.finished_at, row.created) == (before.finished_at, before.created)
    assert SeatScore.objects.get(table=row, person=people["Bob"]).rank == 1
    assert [each.mu for each in SeatScore.objects.order_by("pk")] != ratings, "later players are rated again"
    assert not list(statistics_differences(group.row))
    assert differences(row) == []
    log = group.member.get(f"{address}events/").json()["events"]
    assert log[-1]["hidden"]["carried"] == {"before": [41, 38, 12], "after": [31, 38, 12]}
    assert "Final scores corrected: Ann 41 to 31" in text(APIClient().get(f"/t/{code}/log/"))
    back = brought(group.archive()).row.tables.values_list("carried", flat=True)
    assert sorted(back) == [[31, 38, 12], [41, 38, 12]]
    assert take_back(group, made) == (2, 0), "a corrected game goes with its import, too"


@pytest.mark.parametrize(
    ("totals", "status"), [([1, 2], 422), ([0, 0, 0], 422), ([10**7, 1, 2], 422), (["x", 1, 2], 400)]
)
def test_impossible_final_scores_are_refused(group, imported, totals, status):
    [code] = imported["tables"]
    answer = group.member.patch(f"/api/v1/tables/{code}/", {"totals": totals})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"].split("/")[1]) == (status, "totals")
    assert Table.objects.get(code=code).carried == [41, 38, 12]


def test_final_scores_of_a_recorded_game_cannot_be_edited(group):
    table = played(group, (6, 4, 2))
    answer = table.keeper.patch(table.url, {"totals": [1, 2, 3]})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/totals")


def test_a_table_played_on_survives_undoing_its_import(group, imported):
    assert group.member.post(f"/api/v1/tables/{imported['tables'][0]}/undo/").status_code == 201
    assert take_back(group, imported) == (0, 1)
    assert Table.objects.get().group_id is not None


def test_a_game_is_found_by_place_note_and_tags(group):
    add(group, {**LONG_AGO, "place": "Club", "note": "Bob slept.", "tags": ["cup", "#Cup", "final"]}, LONG_AGO)
    [club] = tables(group, place="club")
    assert (club["place"], club["note"], club["tags"]) == ("Club", "Bob slept.", ["cup", "final"])
    assert [each["code"] for each in tables(group, tag="CUP")] == [club["code"]]
    assert [each["code"] for each in tables(group, q="slept")] == [club["code"]]
    assert tables(group, tag="league") == []


def test_an_evenings_notes_apply_to_its_tables(group):
    add(group, LONG_AGO, {**LONG_AGO, "place": "Club"})
    note = {"place": "At Ann’s", "note": "Snow.", "tags": ["winter"]}
    said = group.member.patch(f"{group.url}evenings/2019-03-12/", note).json()
    assert group.read("evenings/2019-03-12/") == said == {"evening": "2019-03-12", **note}
    assert sorted(each["place"] for each in tables(group)) == ["At Ann’s", "Club"]
    assert len(tables(group, place="At Ann’s")) == 1
    assert len(tables(group, tag="winter")) == len(tables(group, q="snow")) == 2
    assert group.member.patch(f"{group.url}evenings/2019-03-13/", {"place": "x"}).status_code == 404


def test_forgetting_a_person_removes_notes_and_tags(group):
    add(group, {**LONG_AGO, "note": "Cy slept.", "tags": ["Cy’s night"], "place": "Cy’s flat"}, name="Scores of Cy")
    group.member.patch(f"{group.url}evenings/2019-03-12/", {"note": "Cy brought the cards."})
    group.forget("Cy")
    [table] = tables(group)
    [brought] = group.read("imports/")["imports"]
    evening = group.read("evenings/2019-03-12/")
    for words in (table["note"], table["place"], *table["tags"], evening["note"], brought["name"]):
        assert "Cy" not in words
        assert "…" in words


def test_partners_in_a_past_game_are_found_by_their_shared_total(group):
    """Partners share one total, and a list of scores names them in any order."""
    points = {"Ann": 41, "Bob": 38, "Cy": 38, "Dee": 41}
    players = [{"name": name, "points": made} for name, made in points.items()]
    add(group, {**LONG_AGO, "game": "ace-trump", "options": {"partners": True}, "players": players})
    [table] = tables(group)
    assert [points[name] for name in table["seats"]] == [41, 38, 41, 38]
    assert table["winners"] == [0, 2]


def test_past_games_round_trip_in_an_archive_byte_for_byte(group):
    add(group, {**LONG_AGO, "place": "Club", "tags": ["cup"], "note": "Late."})
    group.member.patch(f"{group.url}evenings/2019-03-12/", {"note": "Snow.", "tags": ["winter"]})
    assert not list(statistics_differences(round_trip(group).row))


def test_undoing_an_import_keeps_people_with_a_phone(group):
    """A phone keeps its person; references to deleted people are removed."""
    players = [{"name": "Dee", "points": 5}, {"name": "Eva", "points": 4}, *THREE_PLAYERS]
    made = add(group, {**LONG_AGO, "players": players})
    people = group.people()
    group.member.put(f"{group.url}me/", {"person": people["Dee"]})
    group.member.patch(f"{group.url}people/{people['Ann']}/", {"distinct_from": [people["Eva"]]})
    take_back(group, made)
    assert [*group.people()] == ["Ann", "Bob", "Cy", "Dee"]
    assert group.read("me/")["person"] == people["Dee"]
    assert Person.objects.get(name="Ann").distinct_from == []
