"""Any game on pages: set up with a title, recorded in rounds, and shown by its title wherever a group looks back."""

import re
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest

from scoring.models import Person, Table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db

HANDS = re.compile(r"\bhands?\b", re.IGNORECASE)
GERMAN_HANDS = re.compile(r"\b(?:Hand|Händen?)\b")
DISPLAY = re.compile(r"Left hand|Linke Hand|For a trick, a rule break, a hand and a win")
ODD = "Phase 10 / wild? & “50%” #1"


@pytest.fixture
def device(db: None) -> Device:
    return Device()


@pytest.fixture
def group(device: Device) -> str:
    answer = device.post("/g/new/", {"name": "Thursday", "people": "Ann\nBob, Cy"})
    return str(answer["Location"]).removesuffix("who/")


def open_table(device: Device, title: str = "Phase 10", **more: Any) -> str:
    return device.open_table("any-game", ("Ann", "Bob", "Cy"), title=title, **more)


def round_of(device: Device, address: str, *numbers: int) -> None:
    for number in numbers:
        assert device.tap(address, "score", seat="", points=str(number)).status_code == 302


def end(device: Device, address: str) -> None:
    assert device.tap(address, "end").status_code == 302


def in_group(group: str) -> dict[str, str]:
    return {"group": group.split("/")[2]}


def played(device: Device, group: str, title: str, *numbers: int) -> str:
    """Play a game of one round at a table of the group; return the table's address."""
    address = open_table(device, title, **in_group(group))
    round_of(device, address, *numbers)
    end(device, address)
    return address


def row_at(address: str) -> Table:
    return Table.objects.get(code=address.split("/")[2])


# --- Setting up: from the front page to a table without a referee


def test_any_game_opens_from_its_tile_on_the_front_page(device):
    page = device.get("/").content.decode()
    assert page.index("/new/any-game/") > page.index("/new/oh-hell/")
    form = device.get("/new/any-game/").content.decode()
    assert 'name="title"' in form
    named = device.get("/new/any-game/?name=Ann&name=Bob").content.decode()
    assert re.search(r'id="deal"[^>]*>\s*Start\s*<', named)
    assert 'name="title"' not in device.get("/new/ace-trump/").content.decode()


@pytest.mark.parametrize(
    ("title", "key", "heading"),
    [
        ("  Phase   10 ", "any-game:Phase 10", "Phase 10"),
        ("x" * 60, "any-game:" + "x" * 60, "x" * 60),
        ("", "any-game", "Any game"),
    ],
)
def test_a_title_names_the_table_if_it_has_one(device, title, key, heading):
    address = open_table(device, title)
    assert row_at(address).game == key
    assert f"<h1>{heading}</h1>" in device.get(address).content.decode()


def test_a_title_has_at_most_sixty_characters(device):
    form = {"name": ["Ann", "Bob"], "dealer": "0", "end": "open", "title": "x" * 61}
    assert device.post("/new/any-game/", form).status_code == 422


def test_a_game_can_be_recorded_as_one_result(device):
    address = open_table(device, end="hands:1", **{"option-wins": "1"})
    round_of(device, address, 12, -3, 5)
    assert row_at(address).finished
    assert "Bob wins" in text(device.get(address))


def test_a_groups_titles_are_offered_with_their_last_settings(device, group):
    open_table(device, "Skat", end="score", **{"end-score": "300", "option-wins": "1"}, **in_group(group))
    form = device.get(f"/new/any-game/?group={group.split('/')[2]}").content.decode()
    assert re.search(r'name="played" value="Skat"[^>]*>\s*Skat\s*<small[^>]*>\s*3 players', form)
    sent = {"played": "Skat", "name": ["", "", ""], "dealer": "0", "end": "open", "title": "", **in_group(group)}
    filled = device.post("/new/any-game/", sent)
    said = text(filled)
    assert "the lowest total wins" in said
    assert "until a player has 300 points" in said
    page = filled.content.decode()
    assert 'name="title" value="Skat"' in page
    assert [name for name in ("Ann", "Bob", "Cy") if f'name="name" value="{name}"' in page] == ["Ann", "Bob", "Cy"]


def test_a_new_title_changes_no_other_setting(device, group):
    sent = {"played": "Chess", "name": ["Ann", "Bob"], "dealer": "0", "end": "open", **in_group(group)}
    page = device.post("/new/any-game/", sent).content.decode()
    assert 'name="title" value="Chess"' in page
    assert 'name="name" value="Cy"' not in page


def test_the_title_can_be_changed_on_the_settings_page(device):
    address = open_table(device, "Skt")
    page = device.get(f"{address}settings/").content.decode()
    assert 'name="title" value="Skt"' in page
    names = ["Ann", "Bob", "Cy"]
    assert device.post(f"{address}names/", {"name": names, "title": " Skat "}).status_code == 302
    assert row_at(address).game == "any-game:Skat"
    assert device.post(f"{address}names/", {"name": names, "title": "x" * 61}).status_code == 422
    assert device.post(f"{address}names/", {"name": names, "title": ""}).status_code == 302
    assert row_at(address).game == "any-game"
    other = device.open_table()
    assert 'name="title"' not in device.get(f"{other}settings/").content.decode()


# --- At the table


def test_numbers_can_be_typed_one_player_at_a_time(device):
    address = open_table(device)
    assert "How many points does Ann score?" in text(device.get(address))
    assert device.tap(address, "score", seat="1", points="−5").status_code == 302
    page = device.get(address)
    assert "How many points does Ann score?" in text(page)
    assert re.search(r'class="seat-entered">−5<', page.content.decode())
    assert 'for="score-seat-1"' not in page.content.decode()
    assert device.tap(address, "score", seat="1", points="4").status_code == 422
    round_of(device, address, 12)
    assert "How many points does Cy score?" in text(device.get(address))


def test_the_worked_case_plays_out_on_pages(device):
    """Worked case AG-c1."""
    address = open_table(device, end="hands", **{"option-wins": "1", "end-hands": "3"})
    for numbers in ([10, -5, 0], [3, 8, 0], [-2, 4, 9]):
        round_of(device, address, *numbers)
    page = text(device.get(address))
    assert "Bob wins" in page
    assert re.search(r"Total 11 7 9", page)


def test_all_numbers_of_a_round_can_be_entered_at_once(device):
    address = open_table(device)
    sent = {"points-0": "7", "points-1": "-1", "points-2": "0"}
    assert device.tap(address, "result", **sent).status_code == 302
    assert re.search(r"Total 7 −1 0", text(device.get(address)))


def test_a_round_has_a_name_on_the_sheet_and_above_it(device):
    address = open_table(device)
    assert "Name this round" in text(device.get(address))
    assert device.tap(address, "round", name="No trump").status_code == 302
    assert "Round 1 · No trump" in text(device.get(address))
    round_of(device, address, 1, 2, 3)
    round_of(device, address, 4)
    page = device.get(address)
    assert re.search(r'class="row-name">No trump<', page.content.decode())
    assert "Name this round" in text(page)


def test_the_last_round_is_named_before_the_next_one_begins(device):
    address = open_table(device)
    round_of(device, address, 1, 2, 3)
    page = text(device.get(address))
    assert "Name the last round" in page
    assert "Name this round" not in page
    assert device.tap(address, "round", name="Grand").status_code == 302
    assert re.search(r'class="row-name">Grand<', device.get(address).content.decode())


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_of_any_game_mentions_hands(device, language):
    device.cookies["language"] = language
    address = open_table(device)
    hands = HANDS if language == "en" else GERMAN_HANDS
    paths = ["", "?open=lines,log,tricks,unchecked,curve", "?depth=result", "screen/", "log/", "settings/", "rules/"]
    paths += ["print/", "points/", "share/", "continue/", "what-if/"]

    def look(moment: str) -> None:
        for path in paths:
            answer = device.get(address + path, follow=True)
            said = DISPLAY.sub("", text(answer))
            assert answer.status_code == 200, path
            assert [said[max(0, each.start() - 40) :][:80] for each in hands.finditer(said)] == [], (moment, path)
            assert f'<html lang="{language}"' in answer.content.decode()

    look("before the first round")
    paths += ["hands/1/", "amend/", "amend/?hand=1"]
    round_of(device, address, 1, 2)
    look("during a round")
    round_of(device, address, 3)
    look("after a round")
    end(device, address)
    look("at the end")
    assert hands.findall(DISPLAY.sub("", text(device.get("/")))) == []
    assert ("Hand 1" if language == "en" else "Runde 1") in text(device.get(device.open_table()))


# --- In the history, each title is a game


@pytest.mark.parametrize("title", ["Skat", ODD])
def test_every_page_of_a_group_shows_a_game_by_its_title(device, group, title):
    played(device, group, title, 5, 3, 1)
    row = row_at(played(device, group, title, 2, 8, 1))
    played(device, group, "Rummy", 1, 1, 9)
    assert row.game == f"any-game:{title}"
    at = quote(row.game, safe="")
    shown = title.replace("&", "&amp;")
    filtered = [f"{path}?game={at}" for path in ("statistics/", "statistics/hands/", "statistics/ratings/", "history/")]
    for path in (*filtered, "history/", f"evenings/{row.evening}/"):
        answer = device.get(group + path)
        assert answer.status_code == 200, path
        assert shown in answer.content.decode(), path
    for path in ("", "statistics/", "statistics/ratings/", "tonight/", "screen/", "law-book/", "more/", "what-if/"):
        assert device.get(group + path, follow=True).status_code == 200, path
    history = device.get(f"{group}history/?game={at}").content.decode()
    assert history.count(f'<strong class="voice">{shown}</strong>') == 2
    assert '<strong class="voice">Rummy</strong>' not in history
    offered = device.get(f"{group}statistics/").content.decode()
    assert f'href="?game={quote(row.game, safe="/")}"' in offered
    counted = text(device.get(f"{group}statistics/?game={at}"))
    assert [said for said in ("Rounds", f"Everyone at {title}", "2 games") if said not in unescape(counted)] == []
    assert re.search(r"/new/any-game/\?[^\"]*title=", device.get(group).content.decode())


def test_ratings_and_statistics_are_kept_for_each_title(device, group):
    played(device, group, "Skat", 5, 3, 1)
    played(device, group, "Rummy", 1, 9, 2)
    played(device, group, "skat", 7, 3, 1)
    skat = text(device.get(f"{group}statistics/?game=any-game:Skat"))
    rummy = text(device.get(f"{group}statistics/?game=any-game:Rummy"))
    assert re.search(r"Ann[^%]*100%", skat)
    assert re.search(r"Bob[^%]*100%", rummy)
    ratings = [device.get(f"{group}statistics/ratings/?game=any-game:{title}") for title in ("Skat", "Rummy")]
    assert [re.search(r"Ann .{0,40}?(\d+)", text(each)) for each in ratings]
    assert text(ratings[0]) != text(ratings[1])
    ann = Person.objects.get(name="Ann")
    person = text(device.get(f"{group}statistics/people/{ann.pk}/"))
    assert all(said in person for said in ("Skat", "Rummy", "2 rounds"))


def test_a_finished_table_keeps_its_title_when_played_again(device):
    address = open_table(device, ODD, **{"option-wins": "1"})
    round_of(device, address, 1, 2, 3)
    end(device, address)
    again = f"/new/any-game/?again={row_at(address).code}"
    assert f'href="{again}"' in device.get("/").content.decode()
    form = device.get(again).content.decode()
    assert f'name="title" value="{ODD.replace("&", "&amp;")}"' in form
    assert "the lowest total wins" in form
    assert device.post(f"{address}again/").status_code == 302
    assert Table.objects.latest("pk").game == f"any-game:{ODD}"


def test_the_rulebook_of_any_game_mentions_neither_hands_nor_a_referee(device):
    page = text(device.get("/games/any-game/"))
    assert "AG-7" in page
    assert "IR-1" not in page
    assert "REC-1" not in page
    assert not HANDS.search(DISPLAY.sub("", page))
