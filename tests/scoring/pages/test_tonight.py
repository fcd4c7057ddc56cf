"""Who is here tonight: people are checked, tables drawn, previewed, redrawn and opened, and latecomers join."""

import re
from datetime import date

import pytest
from django.utils import timezone

from scoring.models import Draw, Table
from tests.scoring.conftest import OpenTable, play
from tests.scoring.groups import END, make_group, on, played, result
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ivy")


@pytest.fixture
def group():
    return make_group(*NAMES)


@pytest.fixture
def address(group):
    return f"/g/{group.code}/tonight/"


def draw(group, names=NAMES, **more):
    people = group.people()
    answer = group.member.post(f"{group.url}tonight/", {"people": [people[name] for name in names]} | more)
    assert answer.status_code == 201, answer.json()
    return answer.json()


def start(group, **body):
    """Open the tables drawn, and return their codes."""
    answer = group.member.post(f"{group.url}tonight/start/", body)
    assert answer.status_code == 201, answer.json()
    return answer.json()["codes"]


def play_round(group, names=NAMES):
    """Draw tables of three, open them, end their games, and return the draw."""
    drawn = draw(group, names, game="wildcat-chicane")
    for code in start(group):
        OpenTable(code, "").record(END)
    return drawn


def test_a_draw_is_previewed_and_one_tap_opens_all_its_tables(group, phone, address):
    people = group.people()
    assert "Tap who is here" in text(phone.get(address))
    ticked = {"here": [str(people[name]) for name in NAMES], "game": "wildcat-chicane", "draw": "1"}
    assert phone.post(address, ticked).status_code == 302
    assert not Table.objects.exists()
    shown = text(phone.get(address))
    assert "Round 1" in shown
    assert "Table 2 Wildcat Chicane" in shown
    first = Draw.objects.get()
    assert sorted(map(len, first.tables)) == [3, 3, 3]
    assert phone.post(address, ticked).status_code == 302
    assert Draw.objects.get().pk != first.pk, "drawn again"
    answer = phone.post(address, {"start": "1"})
    assert answer["Location"] == f"/g/{group.code}/screen/"
    assert [row.game for row in Table.objects.all()] == ["wildcat-chicane"] * 3
    screen = text(phone.get(answer["Location"]))
    assert "3 tables" in screen
    assert screen.count("Wildcat Chicane") == 3
    assert phone.post(address, {"start": "1"}).status_code == 409, "the second phone was slower"


def test_the_same_seed_draws_the_same_tables(group):
    first, second = draw(group, seed=7), draw(group, seed=7)
    assert (first["tables"], first["out"], first["seed"]) == (second["tables"], second["out"], 7)


def test_players_who_sat_out_play_next(group):
    people, names = group.people(), NAMES[:5]
    out = [who for _ in range(3) for who in play_round(group, names)["out"]]
    assert len(out) == len(set(out)) == 3
    told = group.read("tonight/")
    assert told["rounds"] == 3
    assert [each["person"] for each in told["people"] if each["here"]] == [people[name] for name in names]


def test_the_next_round_has_other_pairings(group):
    first, second = ([set(table) for table in play_round(group)["tables"]] for _ in range(2))
    # Nine people at three tables of three: no one needs to meet anyone twice.
    assert max(len(one & other) for one in first for other in second) == 1


def test_each_table_picks_its_game_and_one_without_a_game_waits(group):
    drawn = draw(group, names=NAMES[:8])
    assert [len(table) for table in drawn["tables"]] == [4, 4]
    assert [bool(code) for code in start(group, games=["oh-hell", ""])] == [True, False]
    assert Table.objects.get().game == "oh-hell"


def test_last_times_players_are_offered_first(group):
    played(group, (5, 4, 3), seats=["Hal", "Gus", "Ivy"])
    Table.objects.update(evening="2020-01-01")
    told = group.read("tonight/")["people"]
    names = {number: name for name, number in group.people().items()}
    assert [names[each["person"]] for each in told][:4] == ["Gus", "Hal", "Ivy", "Ann"]


@pytest.fixture
def table(group):
    return group.open_table(seats=["Ann", "Bob", "Cy"], first_dealer=0)


@pytest.fixture
def late(group, table):
    """The form with which Dee joins the table."""
    return {"join": f"{group.people()['Dee']}:{table.code}"}


def test_a_latecomer_joins_between_two_hands(phone, address, table, late):
    table.record(play(1, "8MS"))
    refused = phone.post(address, late)
    assert (refused.status_code, "Join between two hands" in text(refused)) == (409, True)
    table.undo()
    table.record(result(5, 4, 3))
    joined = phone.post(address, late)
    following = Table.objects.get(previous=table.row)
    assert joined["Location"] == f"/t/{following.code}/"
    assert (following.seats, following.carried) == (["Ann", "Bob", "Cy", "Dee"], [5, 4, 3, 0])


def test_a_latecomer_can_start_with_the_lowest_score(group, phone, address, table, late):
    draw(group, NAMES[3:7])
    Draw.objects.update(started=timezone.now())
    table.record(result(5, 4, 3))
    shown = phone.get(address).content.decode()
    assert re.search(r'name="newcomer"\s+value="zero"\s+checked', shown), "nothing, unless they choose otherwise"
    assert "last place’s score" in shown
    assert phone.post(address, late | {"newcomer": "rich"}).status_code == 422
    phone.post(address, late | {"newcomer": "lowest"})
    assert Table.objects.get(previous=table.row).carried == [5, 4, 3, 3]


def test_the_big_screen_shows_each_table_and_its_referee_calls(group, phone, table):
    table.keeper.post(f"{table.url}disputes/", {"claim": "Bob had a Moon.", "seat": 0})
    screen = phone.get(f"/g/{group.code}/screen/")
    assert re.search(r"Ann calls the referee.*Bob had a Moon", text(screen))
    assert "data-stream" in screen.content.decode()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"people": []}, 422),
        ({"people": [999_999]}, 422),
        ({"people": ["Ann"], "game": "chess"}, 422),
        ({"people": NAMES, "seed": -1}, 422),
    ],
)
def test_an_impossible_draw_is_refused(group, body, status):
    people = group.people()
    named = {"people": [people.get(who, who) for who in body["people"]]} if body else {}
    assert group.member.post(f"{group.url}tonight/", body | named).status_code == status
    assert group.member.post(f"{group.url}tonight/start/", {}).status_code == 409


def test_a_season_has_a_page_and_its_champion_a_trophy(group, phone):
    on(played(group, (5, 4, 3), seats=["Ann", "Bob", "Cy"]), date(2026, 5, 7))
    form = {"name": "Spring", "first": "2026-05-01", "last": "2026-05-31", "ranked_by": "wins"}
    address = phone.post(f"/g/{group.code}/seasons/", form)["Location"]
    shown = text(phone.get(address))
    assert "Ann is the champion." in shown
    assert "Ranked by wins" in shown
    assert "Ann won" in text(phone.get(f"/g/{group.code}/seasons/"))
    assert "Spring" in text(phone.get(f"/g/{group.code}/statistics/people/{group.people()['Ann']}/"))
    assert "Spring" not in text(phone.get(f"/g/{group.code}/statistics/people/{group.people()['Bob']}/"))
    both = phone.post(address, form | {"evenings": "3"})
    assert (both.status_code, "not both" in text(both)) == (422, True)
    assert phone.post(address, {"delete": "1"}).status_code == 302
    assert phone.get(address).status_code == 404
