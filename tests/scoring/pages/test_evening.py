"""What a group has played: evenings, dates, statistics."""

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring import page_urls
from scoring.models import Group, Person, Table
from tests.scoring.conftest import play
from tests.scoring.groups import END, bids, on, played, result, scored
from tests.scoring.pages.reading import text

# --- A group's evening on one page: running tables, ranking, recap; and as a picture to share

pytestmark = pytest.mark.django_db
PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 1}
ROUNDS = {"game": "any-game", "options": {"wins": "lowest"}}
REVOKE = [play(1, "8MS"), play(2, "AW"), play(0, "XM"), play(2, "9MS", accepted=True)]


def rounds(group, *points):
    """Play a game whose lowest total wins, with these points in each round, and end it."""
    table = group.open_table(**ROUNDS)
    table.record(*(scored(*each) for each in points), END)
    return table


def address(group):
    return f"/g/{group.code}/evenings/{Table.objects.latest('created').evening.isoformat()}/"


def test_the_evening_page_shows_every_tables_score_and_open_findings(group, phone):
    group.open_table(first_dealer=0).record(*REVOKE)
    second = group.open_table()
    second.record(result(5, 4, 3))
    shown = text(phone.get(address(group)))
    assert "C Cy 1 A Ann 0 B Bob 0 Cy leads." in shown
    assert "Revoke: Cy to be decided" in shown
    assert "Ace Trump Hand 2" in shown
    assert "A Ann 5 B Bob 4 C Cy 3 Ann leads." in shown
    second.record(END)
    assert re.search(
        r"Finished tables Ace Trump [^A-Z]*(?:UTC)? ?A Ann 5 B Bob 4 C Cy 3", text(phone.get(address(group)))
    )


def test_findings_held_until_the_end_of_the_hand_stay_hidden_here(group, phone):
    table = group.open_table(first_dealer=0)
    table.record({"type": "hold-findings"}, *REVOKE)
    assert "to be decided" not in text(phone.get(address(group)))
    table.record({"type": "trick", "winner": 1}, result(2, 9, 1))
    assert "Revoke: Cy to be decided" in text(phone.get(address(group)))


def test_hidden_points_are_neither_listed_nor_drawn(group, phone):
    group.open_table(**PIT, options={"totals": "hidden"}).record(scored(235, 345))
    page = phone.get(address(group))
    assert not re.search(r"\b235\b", page.content.decode())
    assert "leads" not in text(page)
    assert "Hidden points don’t count yet." in text(page)
    assert phone.get(f"{address(group)}picture/").status_code == 404


def test_the_curve_runs_from_game_to_game_and_adds_up_places_never_points(group, phone):
    played(group, (5, 4, 3))
    group.open_table(**PIT).record(scored(235, 345), END)
    shown = text(phone.get(address(group)))
    assert "After game Bob Ann Cy 0 0 0 0 1 50 100 0 2 150 100 0" in shown
    assert not re.search(r"\b240\b|\b349\b", shown), "5 + 235 and 4 + 345 are points of two games"


def test_partners_share_a_place_and_are_not_opponents(group):
    played(group, (5, 2, 1, 1), seats=["Ann", "Bob", "Cy", "Dee"], options={"partners": True})
    told = {each["name"]: (each["rank"], each["wins"], each["places"]) for each in group.evening()["people"]}
    assert told == {"Ann": (1, 0.5, 100), "Cy": (1, 0.5, 100), "Bob": (3, 0, 0), "Dee": (3, 0, 0)}


@pytest.mark.parametrize("by", ["wins", "places"])
def test_a_group_ranks_its_evenings_by_wins_or_by_places(group, by):
    def told(key):
        return {each["name"]: each[key] for each in group.evening()["people"]}

    assert group.member.patch(group.url, {"ranked_by": by}).json()["ranked_by"] == by
    # Ann: 1st, 3rd, 1st, 3rd; Bob: 2nd, 1st, 2nd, 1st; Cy: 3rd, 2nd, 3rd, 2nd.
    for tricks in ((6, 4, 2), (2, 6, 4), (6, 4, 2), (3, 5, 4)):
        played(group, tricks)
    assert told("rank") == {"Bob": 1, "Ann": 2, "Cy": 3}
    assert told("places") == {"Ann": 200, "Bob": 300, "Cy": 100}
    played(group, (8, 1, 3))
    assert told("rank") == {"Ann": 1, "Bob": 2, "Cy": 3}, "with 300 places each, wins break the tie"


def test_the_recap_summarizes_an_evening(group, phone):
    quiet = played(group, (5, 4, 3), (4, 4, 4))
    loud = played(group, (4, 4, 4), (12, 0, 0))
    shown = text(phone.get(address(group)))
    assert "Ann wins the evening." in shown
    assert "Hand of the night Ann, 12 at Ace Trump" in shown
    assert "Closest game Ace Trump, 1 point apart" in shown
    page = phone.get(address(group)).content.decode()
    assert f"/t/{loud.code}/hands/2/" in page
    assert f"/t/{quiet.code}/" in page
    group.member.patch(f"{group.url}evenings/{loud.row.evening}/", {"note": "Pizza was late."})
    drawn = phone.get(f"{address(group)}picture/").content.decode()
    for told in ("Hand of the night: Ann, 12 at Ace Trump", "Closest game", "Pizza was late"):
        assert told in drawn


def digest_page(group, phone):
    return phone.get(f"{address(group)}digest/")


def test_a_recap_names_the_winner_best_hand_closest_games_and_rulings(group, phone):
    """Cy’s 9 of 12 is the rarest hand; at Ace Trump 9 to 8 is closer than 15 to 12, at Any game 40 to 60."""
    far = played(group, (5, 5, 2), (2, 1, 9), (8, 3, 1))
    close = played(group, (5, 4, 3), (4, 4, 4))
    for number, ruling in enumerate(("The card stays.", "Two points."), 1):
        close.keeper.post(f"{close.url}disputes/", {"claim": "That was mine."})
        act = {"act": "rule", "status": "upheld", "text": ruling}
        close.keeper.post(f"{close.url}disputes/{number}/acts/", act)
    rounds(group, (30, 90, 80))
    again = rounds(group, (40, 60, 95))
    page = digest_page(group, phone)
    shown, html = text(page), page.content.decode()
    assert "Ann wins the evening." in shown
    assert "Hand of the night Cy, 9 at Ace Trump Replay" in shown
    assert f'href="/t/{far.code}/hands/2/"' in html
    assert "Closest game Ace Trump, 1 point apart" in shown
    assert "Closest game Any game, 20 points apart" in shown, "the lowest total wins: 60 is second to 40"
    for table, last in ((close, 2), (again, 1)):
        assert f'href="/t/{table.code}/hands/{last}/">Replay the last hand' in html
    assert f'href="/t/{far.code}/hands/1/">Replay from the first hand' in html
    assert "Ruling Two points." in shown
    assert "Ruling The card stays." in shown
    assert html.index("Two points.") < html.index("The card stays."), "the last ruling is first"
    assert f"/t/{close.code}/disputes/1/" in html
    assert f'href="{address(group)}digest/"' in phone.get(address(group)).content.decode()


def test_points_of_different_games_are_not_compared(group, phone):
    played(group, (5, 4, 3))
    rounds(group, (30, 90, 80))
    assert "Closest game" not in text(digest_page(group, phone)), "each game was played once"
    rounds(group, (30, 30, 80))
    shown = text(digest_page(group, phone))
    assert "Closest game Any game, a tie at the top" in shown
    assert "Closest game Ace Trump" not in shown


def test_the_hand_of_the_night_is_the_lowest_if_the_lowest_total_wins(group, phone):
    rounds(group, (30, 90, 80), (70, 4, 60))
    assert "Round of the night Bob, 4 at Any game" in text(digest_page(group, phone))


def test_there_is_no_recap_before_a_game_is_over(group, phone):
    group.open_table().record(result(5, 4, 3))
    assert digest_page(group, phone).status_code == 404
    played(group, (5, 4, 3))
    assert digest_page(group, phone).status_code == 200


def test_the_recap_recalls_the_evening_a_year_ago(group, phone):
    now = played(group, (5, 4, 3))
    on(played(group, (1, 2, 9)), now.row.evening - timedelta(days=364))
    assert "A year ago tonight Cy won the evening" in text(phone.get(address(group)))


def test_the_evening_page_follows_one_stream_while_running(group, phone):
    table = played(group, (5, 4, 3))
    assert f'data-stream="/api/v1/groups/{group.code}/stream/"' in phone.get(address(group)).content.decode()
    on(table, date(2026, 1, 8))
    Table.objects.update(updated=table.row.created - timedelta(days=1))
    page = phone.get(address(group)).content.decode()
    assert "data-stream" not in page
    assert "hx-get" not in page


def test_the_evening_page_carries_the_groups_version(group, phone):
    table = group.open_table()

    def mark():
        return re.findall(r'data-version="(\d+)"', phone.get(address(group)).content.decode())

    before = mark()
    assert mark() == before
    table.record(result(5, 4, 3))
    assert mark() != before


def test_an_evening_is_shared_as_text_and_as_a_picture(group, phone):
    played(group, (5, 4, 3))
    page = phone.get(address(group)).content.decode()
    assert 'data-text="1. Ann 1 win, 2. Bob 0 wins, 3. Cy 0 wins · 1 table: Ace Trump"' in page
    picture = phone.get(f"{address(group)}picture/")
    assert picture["Content-Type"] == "image/svg+xml"
    drawn = picture.content.decode()
    for told in ("Thursday", "1 table: Ace Trump", ">Ann<", ">1 win<"):
        assert told in drawn


def test_the_group_page_links_to_its_evening(group, phone):
    assert "The whole evening" not in text(phone.get(f"/g/{group.code}/"))
    played(group, (5, 4, 3))
    page = phone.get(f"/g/{group.code}/").content.decode()
    assert f'href="{address(group)}"' in page


# --- Dates on pages: the day of play in the group's time zone, in the reader's format

LA = "America/Los_Angeles"


@pytest.fixture
def at(monkeypatch):
    """Set the clock to a moment in UTC."""

    def put(moment):
        monkeypatch.setattr(timezone, "now", lambda: datetime.fromisoformat(moment).replace(tzinfo=UTC))

    return put


def finish(device, names=("Ann", "Bob", "Cy"), tricks=(5, 4, 3), **more):
    """Play a table of one hand, and return its address."""
    address = device.open_table(names=names, dealer=0, end="hands", **{"end-hands": "1"}, **more)
    assert device.tap(address, "result", tricks=tricks).status_code == 302
    return address


def test_a_group_gets_the_time_zone_of_the_device_that_creates_it(device):
    device.post("/g/new/", {"name": "Thursday", "people": "Ann", "time_zone": LA})
    assert Group.objects.get().time_zone == LA
    assert 'name="time_zone"' in device.get("/g/new/").content.decode()


def test_a_table_without_a_group_uses_the_devices_time_zone(device, at):
    at("2026-11-25T08:52")
    device.open_table(time_zone=LA)
    assert (Table.objects.get().time_zone, Table.objects.get().evening.isoformat()) == (LA, "2026-11-24")
    assert device.open_table(time_zone="Etc/Unknown")
    device.post("/import/", {"text": "Game: ace-trump\nSeats: Ann, Bob\nFirst dealer: Bob\n", "time_zone": LA})
    assert {table.time_zone for table in Table.objects.all()} == {LA, ""}


def test_a_groups_time_zone_can_be_changed_in_its_settings(device, thursday):
    page = device.get(f"{thursday}settings/").content.decode()
    assert 'name="time_zone" maxlength="64" list="zones"' in page
    assert '<option value="Pacific/Auckland">' in page
    answer = device.post(f"{thursday}settings/", {"name": "Thursday", "time_zone": "Pacific/Auckland"})
    assert (answer.status_code, Group.objects.get().time_zone) == (302, "Pacific/Auckland")
    wrong = device.post(f"{thursday}settings/", {"name": "Thursday", "time_zone": "Auckland"})
    assert (wrong.status_code, "Unknown time zone" in text(wrong)) == (422, True)
    device.post(f"{thursday}settings/", {"name": "Thursday"})
    assert Group.objects.get().time_zone == "Pacific/Auckland"


@pytest.mark.parametrize(
    ("languages", "day", "short"),
    [
        ("en-GB,en;q=0.9", "Tuesday, 24 Nov 2026", "24 Nov 2026"),
        ("en-AU", "Tuesday, 24 Nov 2026", "24 Nov 2026"),
        ("en-US,en;q=0.9", "Tuesday, Nov 24, 2026", "Nov 24, 2026"),
        ("", "Tuesday, Nov 24, 2026", "Nov 24, 2026"),
        ("de-DE,de;q=0.9,en-GB;q=0.5", "Dienstag, 24. November 2026", "24. November 2026"),
    ],
)
def test_dates_follow_the_readers_language_everywhere(device, thursday, at, languages, day, short):
    device.post(f"{thursday}settings/", {"name": "Thursday", "time_zone": LA})
    at("2026-11-25T07:10")
    address = finish(device, group=thursday.split("/")[2])
    headers = {"Accept-Language": languages}
    assert day in text(device.get(f"{thursday}evenings/2026-11-24/", headers=headers))
    assert day in text(device.get(f"{thursday}history/", headers=headers))
    assert day in device.get(f"{thursday}evenings/2026-11-24/picture/", headers=headers).content.decode()
    assert short in text(device.get(f"{thursday}statistics/?first=2026-11-24", headers=headers))
    assert short in device.get(f"{address}picture/", headers=headers).content.decode()


def test_recent_games_are_listed_latest_first(device, at):
    at("2026-11-19T20:00")
    first = finish(device)
    at("2026-11-20T20:00")
    finish(device, ("Dee", "Eve"), (5, 4))
    at("2026-11-25T20:00")
    device.post(f"{first}names/", {"name": ["Anna", "Bob", "Cy"]})
    page = text(device.get("/"))
    assert "Nov 19, 2026" in page
    assert "Nov 25, 2026" not in page
    assert page.index("Dee") < page.index("Anna")
    offered = text(device.get("/new/ace-trump/"))
    assert offered.index("Dee, Eve") < offered.index("Anna, Bob, Cy")


def test_renaming_a_person_or_moving_a_table_does_not_reorder_the_history(device, thursday, at):
    at("2026-11-19T20:00")
    loose = finish(device)
    at("2026-11-25T20:00")
    device.post(f"{loose}group/", {"group": thursday.split("/")[2]})
    device.post(f"{thursday}people/{Person.objects.get(name='Ann').pk}/", {"name": "Annegret"})
    assert Table.objects.get().group is not None
    assert "Nov 19, 2026" in text(device.get("/?tab=" + thursday.split("/")[2]))
    assert "Thursday, Nov 19, 2026" in text(device.get(f"{thursday}history/"))


# --- A group's statistics pages: every number in a table, charts with numbers, filters kept


@pytest.fixture
def club(group, phone):
    """A group of three that has played two games of Ace Trump with bids."""
    for made in ((6, 4, 2), (2, 4, 6)):
        group.open_table(options={"bidding": True}).record(*bids(6, 4, 3), result(*made), END)
    return group


def page(phone, group, part="", status=200):
    answer = phone.get(f"/g/{group.code}/statistics/{part}")
    assert answer.status_code == status
    return answer.content.decode()


def words_on(phone, group, part=""):
    return text(phone.get(f"/g/{group.code}/statistics/{part}"))


def test_filters_carry_over_between_pages(device, club):
    chosen = "?game=ace-trump&first=2020-01-01&last=2999-12-31"
    assert f"ratings/{chosen}" in unescape(page(device, club, chosen))
    assert "from Jan 1, 2020 to Dec 31, 2999" in words_on(device, club, chosen)
    assert "No finished game yet" in words_on(device, club, "?first=2999-01-01")
    assert "Everyone at all games" in words_on(device, club, "?first=yesterday&game=chess")


@pytest.mark.parametrize("by", ["best", "average"])
def test_the_best_hands_come_first_even_if_the_lowest_is_best(phone, group, by):
    rounds(group, (30, 90, 8))
    shown = page(phone, group, f"?game=any-game&sort={by}")
    assert re.findall(r'aria-sort="(\w+)"', shown) == ["ascending"]
    rows = re.findall(r'<tr class="p-.*?</tr>', shown, re.DOTALL)
    assert [next(name for name in ("Ann", "Bob", "Cy") if name in row) for row in rows] == ["Cy", "Ann", "Bob"]
    assert "8 for the best round" in words_on(phone, group)


def test_the_history_names_the_best_first_even_if_the_lowest_total_wins(phone, group):
    rounds(group, (30, 90, 8))
    shown = text(phone.get(f"/g/{group.code}/history/"))
    assert shown.index("Cy 8") < shown.index("Ann 30") < shown.index("Bob 90")


def test_each_game_in_a_list_is_counted_in_its_own_hands_or_rounds(device, club):
    for _ in range(3):
        rounds(club, (30, 90, 80))
    ann = f"people/{club.people()['Ann']}/"
    shown = words_on(device, club, ann)
    assert "Game Rating Won Average All games" in shown
    assert "2 hands, best" in shown
    assert "3 rounds, best 30" in shown
    assert "Game Rating Won Points per round" in words_on(device, club, f"{ann}?game=any-game")


def test_ratings_are_drawn_with_their_numbers(device, club):
    shown = page(device, club, "ratings/")
    assert shown.count('class="curve-line"') == 3
    assert re.findall(r'<th scope="row">(\d)</th>', shown) == ["0", "1", "2"]
    assert "No finished game yet" in page(device, club, "ratings/?game=ace-pit")


def test_games_of_guests_alone_have_no_ratings(phone, group):
    played(group, (6, 4, 2), seats=["Guest", "Visitor", "Stranger"])
    pages = [each for each in page_urls.urlpatterns if [*each.pattern.converters] == ["code"]]
    names = [f"scoring:{each.name}" for each in pages if str(each.pattern).startswith("g/")]
    assert len(names) > 15
    assert {phone.get(reverse(name, args=[group.code])).status_code for name in names} <= {200, 302, 404, 405}
    assert 'class="curve-line"' not in page(phone, group, "ratings/")


def test_points_and_bids_are_drawn_with_their_numbers(device, club):
    shown = page(device, club, "hands/")
    assert "Points per hand at Ace Trump" in shown
    assert "here’s the one you play most: Ace Trump" in words_on(device, club, "hands/")
    assert shown.count('class="chart-bar"') > 1
    assert shown.count('class="chart-disc made"') == 2
    assert "the one you play most" not in words_on(device, club, "hands/?game=ace-trump")


def test_every_person_has_a_page(device, club):
    people = club.people()
    shown = words_on(device, club, f"people/{people['Ann']}/")
    for each in ("In every game", "for the best hand", "game won in a row", "All tables", "Bob", "Rating over time"):
        assert each in shown
    assert "Partners" not in shown
    assert page(device, club, "people/999999/", status=404)


def test_partners_are_counted_as_playing_together(device, club):
    played(club, (4, 1, 3, 1), seats=["Ann", "Bob", "Cy", "Zoe"], options={"partners": True})
    people = club.people()
    assert "Together with" in words_on(device, club, f"people/{people['Ann']}/")
    pair = words_on(device, club, f"people/{people['Ann']}/with/{people['Cy']}/")
    assert "As partners" in pair
    assert "Over time" in pair


def test_head_to_head_says_so_if_two_people_never_met(device, club):
    made, ann = club.add("Dan"), club.people()["Ann"]
    assert "haven’t finished a game together" in page(device, club, f"people/{ann}/with/{made}/")
    assert page(device, club, f"people/{ann}/with/{ann}/", status=404)
    assert "No finished games here yet" in page(device, club, f"people/{made}/")


def test_a_download_contains_the_selected_games(device, club):
    shown = page(device, club, "?game=ace-trump")
    assert f"/g/{club.code}/export/history/?game=ace-trump" in shown
    answer = device.get(f"/g/{club.code}/export/history/?game=ace-trump")
    assert answer["Content-Disposition"].endswith('-history.csv"')
    assert answer.content.decode().count("Ann") == 2
    assert device.get(f"/g/{club.code}/export/history/?game=ace-pit").content.decode().count("Ann") == 0
    assert device.get(f"/g/{club.code}/export/pdf/").status_code == 404


def test_a_finished_game_can_be_printed_and_sent_to_bg_stats(device, club):
    table = club.open_table()
    table.record(result(6, 4, 2))
    assert "bgstatsapp" not in device.get(f"/t/{table.code}/").content.decode()
    table.record(END)
    shown = device.get(f"/t/{table.code}/").content.decode()
    assert 'href="https://app.bgstatsapp.com/createPlay.html?data=%7B' in shown
    assert f"/t/{table.code}/print/" in shown
    paper = text(device.get(f"/t/{table.code}/print/"))
    assert "Total 6 4 2" in paper


@pytest.mark.parametrize(("language", "colon"), [("en", ":"), ("fr", "\xa0:")])
def test_no_line_of_a_filter_begins_with_a_sign(group, phone, language, colon):
    """Browsers break a line after a button, so a sign is held together with it."""
    played(group, (5, 4, 3))
    for page, sign in (("statistics/", colon), ("history/", ",")):
        html = phone.get(f"/g/{group.code}/{page}", headers={"accept-language": language}).content.decode()
        assert re.search(rf'<span class="nowrap"><button class="word"[^>]*>[^<]*</button>{sign}</span>', html)
