"""Importing old seasons: one game in a form, many from a spreadsheet or BG Stats, and exporting them again."""

import json
import re
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.groups.acts.scores import statistics_differences
from scoring.models import Group, PastImport, Person, SeatScore, Table
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db

PEOPLE = ("Ann", "Bob", "Cy")
FIRST_NIGHT = date(2022, 9, 1)
PLAYS = 120


def season():
    """Yield the date, game, place and points of 120 plays, three each Thursday."""
    for number in range(PLAYS):
        day = FIRST_NIGHT + timedelta(weeks=number // 3)
        game = ("Oh Hell", "Ace Trump")[number % 2]
        points = [30 + number % 17, 25 + number % 13, 20 + number % 7]
        yield day, game, ("Club", "At home")[number % 2], points


def as_csv():
    """Return the season as a German spreadsheet saves it: one line per game, one column per person."""
    rows = ["Datum;Spiel;Ort;Bemerkung;Ann;Bob;Cy"]
    rows += [f"{day:%d.%m.%Y};{game};{place};;{a};{b};{c}" for day, game, place, (a, b, c) in season()]
    return "\r\n".join(rows) + "\r\n"


def one_game(**players):
    """Return a spreadsheet with one game and these points."""
    return f"date,game,{','.join(players)}\n2019-03-12,Ace Trump,{','.join(map(str, players.values()))}"


def as_long_csv():
    """Return the season with one line per player, like this product's own history export."""
    rows = ["evening,game,table,player,total"]
    for number, (day, game, _place, points) in enumerate(season()):
        rows += [f"{day},{game},T{number},{name},{made}" for name, made in zip(PEOPLE, points, strict=True)]
    return "\n".join(rows)


def as_bgstats(change=None):
    """Return the season as BG Stats exports it, after a change."""
    games = [{"id": 7, "name": "Oh Hell", "highestWins": True}, {"id": 9, "name": "Ace Trump"}]
    plays = [
        {
            "playDate": f"{day} 20:{number % 3 * 15:02}:00",
            "durationMin": 12,
            "ignored": False,
            "gameRefId": {"Oh Hell": 7, "Ace Trump": 9}[game],
            "locationRefId": {"Club": 1, "At home": 2}[place],
            "comments": f"Play {number}",
            "playerScores": [
                {"playerRefId": seat + 1, "score": str(made), "seatOrder": seat + 1, "winner": made == max(points)}
                for seat, made in enumerate(points)
            ],
        }
        for number, (day, game, place, points) in enumerate(season())
    ]
    data = {
        "players": [{"id": place + 1, "name": name} for place, name in enumerate(PEOPLE)],
        "locations": [{"id": 1, "name": "Club"}, {"id": 2, "name": "At home"}],
        "games": games,
        "plays": plays,
        "challenges": [],
        "userInfo": {"meRefId": 1},
    }
    if change:
        change(data)
    return json.dumps(data)


def sent(device, group, content):
    """Return the preview of a file."""
    name = "BGStatsExport.json" if content.startswith("{") else "season.csv"
    return device.post(f"{group}past/file/", {"file": SimpleUploadedFile(name, content.encode())})


def confirm(device, group, content, page, **answers):
    """Send the preview's form as a browser does, with these answers."""
    roles = dict(re.findall(r'name="(role-\d+)" value="([a-z]*)" checked', page.content.decode()))
    return device.post(f"{group}past/file/", {"text": content, "file_name": "season", "add": "1", **roles, **answers})


def added(device, group, content, **answers):
    """Take a file through the preview, import it, and return the preview."""
    page = sent(device, group, content)
    assert page.status_code == 200, text(page)
    answer = confirm(device, group, content, page, **answers)
    assert answer.status_code == 302, text(answer)
    return page


@pytest.mark.parametrize("season_as", [as_csv, as_long_csv, as_bgstats])
def test_a_season_of_120_plays_can_be_imported_and_found(device, thursday, season_as):
    page = added(device, thursday, season_as())
    assert "120 games to add" in text(page)
    group = Group.objects.get()
    assert Table.objects.filter(group=group, finished=True).count() == PLAYS
    assert [person.name for person in Person.objects.order_by("pk")] == list(PEOPLE)
    for row, (day, game, _place, points) in zip(Table.objects.order_by("pk"), season(), strict=True):
        assert (row.evening, row.game) == (day, {"Oh Hell": "oh-hell", "Ace Trump": "ace-trump"}[game])
        scores = SeatScore.objects.filter(table=row).order_by("seat")
        assert [(score.total, score.hands) for score in scores] == [(made, None) for made in points]
    assert not list(statistics_differences(group))
    assert "2022" in text(device.get(f"{thursday}history/?last=2022-09-08"))
    assert "120" in text(device.get(f"{thursday}statistics/"))


def test_importing_the_same_file_twice_adds_nothing(device, thursday):
    added(device, thursday, as_csv())
    page = sent(device, thursday, as_csv())
    assert "No game in this file can be added" in text(page)
    assert "This game has already been added" in text(page)


def test_undoing_an_import_removes_its_games_and_new_people(device, thursday):
    added(device, thursday, as_csv().replace("Cy\r", "Zoe\r", 1))
    assert Person.objects.filter(name="Zoe").exists()
    page = device.post(f"{thursday}past/{PastImport.objects.get().pk}/undo/")
    assert "120 games are gone" in text(page)
    assert not Table.objects.exists()
    assert not Person.objects.filter(name="Zoe").exists()
    assert not list(statistics_differences(Group.objects.get()))


def test_a_past_games_final_scores_are_corrected_in_its_settings(device, thursday):
    added(device, thursday, one_game(Ann=41, Bob=38, Cy=12))
    row = Table.objects.get()
    device.post(f"{thursday}tables/{row.code}/keep/")
    page = device.get(f"/t/{row.code}/settings/").content.decode()
    assert "Final scores" in page
    assert [f'value="{points}"' in page for points in (41, 38, 12)] == [True] * 3
    wrong = device.post(f"/t/{row.code}/names/", {"points": ["41", "a lot", "12"]})
    assert (wrong.status_code, "Enter the points as whole numbers." in text(wrong)) == (422, True)
    assert device.post(f"/t/{row.code}/names/", {"points": ["−1", "38", "12"]}).status_code == 302
    assert Table.objects.get().carried == [-1, 38, 12]
    device.post(f"/t/{row.code}/names/", {"name": ["Ann", "Bob", "Cy"]})
    assert Table.objects.get().carried == [-1, 38, 12]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("12th March,Oh Hell,60,41,38,12", "We can’t read the date"),
        ("0001-01-01 00:00,Oh Hell,9,3,2,1", "Enter a date from 1900 on."),
        ("2999-01-01,Oh Hell,60,41,38,12", "That day is still to come"),
        (f"2019-03-12,{'Chess' * 20},60,1,0,", "A title has 1 to 60 characters"),
        (f"2019-03-12,Oh Hell,{'+'.join(['9999999'] * 600)},3,2,1", "A game can last a week at most."),
        ("2019-03-12,Oh Hell,60,41,many,12", "Bob’s points aren’t a whole number"),
        ("2019-03-12,Oh Hell,60,41,,", ""),
    ],
    ids=["unreadable date", "before 1900", "future", "long title", "long game", "points", "one player"],
)
def test_an_impossible_line_is_left_out_and_named(device, thursday, line, why):
    good = [f"2019-03-{day},Oh Hell,60,41,38,12" for day in (12, 13, 14)]
    page = text(sent(device, thursday, "\n".join(["date,game,minutes,Ann,Bob,Cy", *good, line])))
    assert "3 games to add" in page
    assert "1 line left out" in page
    assert f"Line 5: {why}" in page


def test_an_unknown_game_is_imported_under_its_name(device, thursday):
    file = "date,game,Ann,Bob\n2019-03-12,Golf,41,38\n2019-03-13,golf,3,5"
    page = sent(device, thursday, file)
    assert "Who wins at Golf?" in text(page)
    added(device, thursday, file, **{"wins-golf": "lowest"})
    assert [row.game for row in Table.objects.order_by("pk")] == ["any-game:Golf"] * 2
    scores = SeatScore.objects.order_by("pk").values_list("rank", "total")
    assert [*scores] == [(2, 41), (1, 38), (1, 3), (2, 5)]
    assert not list(statistics_differences(Group.objects.get()))


def test_bgstats_tells_whether_the_lowest_score_wins(device, thursday):
    def golf(data):
        data["plays"] = data["plays"][:1]
        data["games"][0] = {"id": 7, "name": "Golf", "highestWins": False}

    added(device, thursday, as_bgstats(golf))
    row = Table.objects.get()
    assert (row.game, row.options["wins"]) == ("any-game:Golf", "lowest")


def test_a_similar_name_is_asked_about_before_an_import(device, thursday):
    file = one_game(Anne=41, Bob=38)
    Person.objects.filter(name="Ann").update(name="Anna")
    page = sent(device, thursday, file)
    assert "Is Anne the same person as Anna?" in text(page)
    assert confirm(device, thursday, file, page).status_code == 422
    assert not Table.objects.exists()
    confirm(device, thursday, file, page, **{"spelt-Anne": "same"})
    assert Table.objects.get().seats == ["Anna", "Bob"]
    assert Person.objects.count() == 3


def test_columns_can_be_rematched(device, thursday):
    file = "when it was,kind,Ann,Bob\n2019-03-12,Ace Trump,41,38"
    page = sent(device, thursday, file)
    assert "We can’t read the date" in text(page)
    roles = {"role-0": "date", "role-1": "game", "role-2": "person", "role-3": "person"}
    again = device.post(f"{thursday}past/file/", {"text": file, **roles})
    assert "1 game to add" in text(again)


def test_ambiguous_dates_with_slashes_are_asked_about(device, thursday):
    file = "date,game,Ann,Bob\n3/4/2019,Ace Trump,41,38"
    page = sent(device, thursday, file)
    assert "the 3rd of April" in text(page)
    added(device, thursday, file, order="month")
    assert Table.objects.get().evening == date(2019, 3, 4)
    surely = "date,game,Ann,Bob\n3/4/2019,Ace Trump,41,38\n3/24/2019,Ace Trump,1,2"
    assert "the 3rd of April" not in text(sent(device, thursday, surely))


@pytest.mark.parametrize("content", ["{}", '{"plays": 3}', "nothing here", "a\nb", "\0", '{"plays": [3, {}]}'])
def test_an_invalid_file_is_reported(device, thursday, content):
    page = sent(device, thursday, content)
    assert page.status_code in (200, 422)
    assert not Table.objects.exists()


def test_ignored_bgstats_plays_and_those_without_points_are_skipped(device, thursday):
    def spoil(data):
        data["plays"] = data["plays"][:3]
        data["plays"][0]["ignored"] = True
        data["plays"][1]["playerScores"][0]["score"] = ""
        del data["locations"], data["plays"][2]["comments"], data["plays"][2]["locationRefId"]

    page = text(sent(device, thursday, as_bgstats(spoil)))
    assert "1 game to add" in page
    assert "Play 1: This play is ignored in BG Stats" in page
    assert "Play 2: Ann’s points aren’t a whole number" in page


def test_a_season_round_trips_through_bgstats(device, thursday):
    added(device, thursday, as_csv())
    data = bgstats(device, thursday)
    assert (len(data["plays"]), len(data["players"]), len(data["games"])) == (PLAYS, 3, 2)
    first = data["plays"][0]
    assert (first["playDate"][:10], first["durationMin"]) == (str(FIRST_NIGHT), 0)
    assert {each["score"]: each["winner"] for each in first["playerScores"]} == {"30": True, "25": False, "20": False}
    assert len(bgstats(device, thursday, f"?first={FIRST_NIGHT}&last={FIRST_NIGHT}")["plays"]) == 3
    sunday = device.post("/g/new/", {"name": "Sunday", "people": "Ann\nBob, Cy"})["Location"].removesuffix("who/")
    added(device, sunday, json.dumps(data))
    again = bgstats(device, sunday)["plays"]
    assert [play["playerScores"] for play in again] == [play["playerScores"] for play in data["plays"]]


def bgstats(device, group, query=""):
    """Return the group's games as exported to BG Stats."""
    return json.loads(device.get(f"{group}export/bgstats/{query}").content)


def form(**more):
    """Return the form of one past game, with changes."""
    played = {"game": "oh-hell", "day": "2019-03-12", "name": ["Ann", "Bob", "Cy", ""], "points": [41, "−8", 12, ""]}
    return played | {"place": "Club", "note": "Bob slept.", "tags": "cup, #final"} | more


def test_a_past_game_is_added_by_a_form(device, thursday):
    answer = device.post(f"{thursday}past/", form())
    row = Table.objects.get()
    assert answer.headers["Location"] == f"/t/{row.code}/"
    assert (row.carried, row.place, row.note, row.tags) == ([41, -8, 12], "Club", "Bob slept.", ["cup", "final"])
    history = text(device.get(f"{thursday}history/"))
    assert "Club" in history
    assert "Bob slept." in history
    page = text(device.get(answer.headers["Location"]))
    assert "final scores only" in page
    assert "Ann wins." in page
    assert "void" not in page


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"game": ""}, "Choose the game."),
        ({"day": ""}, "Enter the day."),
        ({"points": ["41", "x", "12"]}, "Enter the points of Bob as a whole number."),
        ({"name": ["Ann"], "points": ["3"]}, "players"),
        ({"name": ["Ann", "", "Cy"]}, "Enter who had the points."),
    ],
)
def test_a_missing_value_is_named_and_the_input_kept(device, thursday, change, told):
    page = device.post(f"{thursday}past/", form(**change))
    assert page.status_code == 422
    assert told in text(page)
    assert "Bob slept." in page.content.decode()
    assert not Table.objects.exists()


def test_the_form_asks_about_a_similar_name(device, thursday):
    Person.objects.filter(name="Ann").update(name="Anna")
    filled = form(name=["Anne", "Bob", "Cy"])
    assert "Is Anne the same person as Anna?" in text(device.post(f"{thursday}past/", filled))
    device.post(f"{thursday}past/", filled | {"spelt-Anne": "new"})
    anne = Person.objects.get(name="Anne")
    assert anne.distinct_from == [Person.objects.get(name="Anna").pk]


def test_an_evenings_notes_appear_on_its_page(device, thursday):
    device.post(f"{thursday}past/", form(place="", note="", tags=""))
    answer = device.post(f"{thursday}said/2019-03-12/", {"place": "At Ann’s", "note": "Snow.", "tags": "winter"})
    page = text(device.get(answer.headers["Location"]))
    assert [told in page for told in ("At Ann’s", "Snow.", "winter")] == [True] * 3


def test_a_table_shows_where_it_was_played(device, thursday):
    device.post(f"{thursday}past/", form(place="", note="", tags=""))
    row = Table.objects.get()
    device.post(f"{thursday}tables/{row.code}/keep/")
    device.post(f"/t/{row.code}/about/", {"place": "Club", "note": "Late.", "tags": "cup"})
    row.refresh_from_db()
    assert (row.place, row.note, row.tags) == ("Club", "Late.", ["cup"])
    assert (
        "Club" in text(device.get(f"/t/{row.code}/settings/"))
        or "Club" in device.get(f"/t/{row.code}/settings/").content.decode()
    )


def test_bgstats_games_without_ids_are_skipped(device, thursday):
    def add_games(data):
        data["games"] += [{"id": [], "name": "Chess"}, {"id": {}, "highestWins": True}]

    assert "120 games to add" in text(added(device, thursday, as_bgstats(add_games)))


@pytest.mark.parametrize("day", ["2019-03-12", "x"])
def test_an_evening_without_games_accepts_no_note(device, thursday, day):
    assert device.post(f"{thursday}said/{day}/", {"place": "Club"}).status_code in (404, 409)


def test_a_season_leader_by_places_may_have_no_wins(device, thursday):
    added(device, thursday, "Datum;Spiel;Ann;Bob;Cy;Di\n" + "".join(
        f"2024-01-0{day};Oh Hell;{totals}\n" for day, totals in enumerate(["9;8;3;1", "1;8;9;3", "1;8;3;9"], 1)
    ))  # fmt: skip
    made = device.post(f"{thursday}seasons/", {"name": "2024", "first": "2024-01-01", "ranked_by": "places"})
    page = device.get(made.headers["Location"])
    assert page.status_code == 200
    assert re.findall('pile-bar" width="([0-9.]+)%', page.content.decode()) == ["0.0", "100.0", "100.0", "100.0"]


def test_a_game_past_midnight_is_recognized(device, thursday):
    """It belongs to the evening before."""
    content = "Datum;Spiel;Ann;Bob;Cy\n2019-03-13 00:30;Oh Hell;3;2;1\n"
    added(device, thursday, content)
    assert Table.objects.get().evening == date(2019, 3, 12)
    assert "This game has already been added" in text(sent(device, thursday, content))


def test_the_duration_of_a_game_is_exported_to_bgstats(device, thursday):
    added(device, thursday, "Datum;Spiel;Minuten;Ann;Bob;Cy\n2019-03-12;Oh Hell;45;3;2;1\n")
    [play] = bgstats(device, thursday)["plays"]
    assert play["durationMin"] == 45
