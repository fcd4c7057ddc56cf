"""A German phone visits everything there is, and reads nothing but German."""

import json
import re
from urllib.parse import urlencode

import pytest
from django.test import override_settings

from referee.engine.game import all_games, find_game
from referee.engine.records import dump_record, load_record, opened, replay
from referee.engine.replaying import known_masks
from referee.engine.rulings import Refusal
from referee.engine.table import deal, judge
from referee.notation import read_text, split_sheet
from scoring.models import Table
from tests.games.discovery import CASES, golden_of
from tests.messages import CATALOGUES, path_of, read
from tests.referee_texts import folder_of
from tests.scoring.pages.german import GermanPhone, english_on, of_the_pages, untranslated
from tests.scoring.pages.phones import make_link
from tests.scoring.pages.reading import UNFOLDED, text
from tests.scoring.pages.test_questions import QUESTIONS, told
from tests.seeds import as_often_as, sampled

GAMES = [game.id for game in all_games() if path_of(f"referee/games/{folder_of(game)}", "de").exists()]
"""The games with German; any other is in English, and `make messages` says so."""
MOST_ENTRIES = as_often_as(always=6, quick=2)


@pytest.fixture
def german(db):
    return GermanPhone()


@pytest.fixture(autouse=True)
def everything_is_german():
    with untranslated() as missing:
        yield
    left = sorted(of_the_pages(missing))
    assert not left, "These texts have no German:\n" + "\n".join(map(repr, left))


def look(phone, address, **query):
    """Open a page and read it."""
    page = phone.get(address, query)
    assert page.headers["Content-Language"] == "de", address
    assert english_on(page.content.decode()) == [], address
    return page


def says(phone, address, *told):
    page = text(look(phone, address))
    assert [each for each in told if each not in page] == [], page


def import_here(phone, data) -> str:
    """Open a table from a record."""
    answer = phone.post("/import/", {"text": json.dumps(data)})
    assert answer.status_code == 302, text(answer)
    return answer["Location"]


def records(game):
    """Return a game's golden records without custom keys."""
    read = [dump_record(read_text(split_sheet(golden.text)[0])) for golden in golden_of(game)]
    return [{key: value for key, value in data.items() if not key.startswith("x_")} for data in read]


def moments(game):
    """Yield a record truncated at every moment unlike the earlier ones."""
    seen = set()
    for data in records(game):
        record = load_record(data)
        table = opened(record)
        for number, hand in enumerate(data["hands"]):
            dealt = deal(table, known_masks(record.rules.pack, record.hands[number].known))
            assert not isinstance(dealt, Refusal)
            table = dealt
            for count in range(len(hand["events"]) + 1):
                if count:
                    table = judge(table, record.hands[number].events[count - 1]).table
                looks = _looks(table.hand)
                if looks not in seen:
                    seen.add(looks)
                    yield data | {"hands": [*data["hands"][:number], hand | {"events": hand["events"][:count]}]}


def unlike_before(data, seen):
    """Yield a table's pages that contain something no earlier page did."""
    kinds = {event["type"] for hand in data["hands"] for event in hand["events"]}
    hands = replay(load_record(data)).hands
    shown = {"": kinds | set(data["options"]), "log/": kinds, "screen/": {repr([hand.phase for hand in hands])}}
    for number, hand in enumerate(hands):
        tricks = [trick["reason"] for trick in hand.describe()["tricks"] if trick["reason"]]
        reasons = [*tricks, *hand.unchecked(), *(found.reason for found in hand.irregularities)]
        reasons += [line.reason for line in hand.score_lines()]
        shown[f"hands/{number + 1}/"] = kinds | {reason.template for reason in reasons}
    for part, things in shown.items():
        new = {(part.partition("/")[0], thing) for thing in things} - seen
        seen |= new
        if new:
            yield part


def _looks(hand):
    fields = [[(field.name, field.label, field.none) for field in ask.fields] for ask in hand.asks()]
    asked = [(ask.event, ask.label, ask.secret, len(ask.seats)) for ask in hand.asks()], fields
    marks = [len(reason.facts) for a in hand.asks() for f in a.fields for reason in f.marks.values()][:1]
    found = [(i.code, i.certainty) for i in hand.irregularities]
    return repr((hand.phase, len(hand.to_act()) > 1, asked, marks, found))


# -- stories --------------------------------------------------------------------------------------


def test_a_german_phone_opens_a_table_and_records_a_trick(german):
    page = look(german, "/")
    assert '<html lang="de">' in page.content.decode()
    assert "Echte Karten. Ehrliche Punkte." in text(page)
    says(german, "/new/", "Was spielt ihr?")
    says(german, "/new/ace-trump/", "Wer spielt?")
    address = german.open_table()
    says(german, address, "Ann spielt aus.")
    german.taps(address, "play", "0:8MS 1:AW 2:XM")
    says(german, address, "Stich 1: Bob.", "Bob spielt aus.")
    german.post(f"{address}undo/")
    undone = "Zurückgenommen: Cy spielt die Jägerin (Krone der Monde)"
    says(german, f"{address}log/", undone, "Ann spielt den Diplomaten (8 der Monde und Sonnen)")


def test_refusals_are_in_german(german):
    address = german.open_table(plays="0:8MS")
    again = german.tap(address, "play", htmx=True, seat="2", cards="8MS")
    assert (again.status_code, again.headers["Content-Language"]) == (422, "de")
    assert "Die Karte wurde schon gespielt." in text(again)
    turn = german.tap(address, "play", seat="2", cards="9MS")
    assert "Nicht an der Reihe: " in text(turn)
    assert "Es bleibt dabei" in text(turn)
    moved = german.tap(address, "play", seat="1", cards="9MS", version="0")
    assert "Am Tisch ging es schon weiter" in text(moved)
    assert "Du schaust nur zu" in text(GermanPhone().post(f"{address}undo/"))
    assert "Das lässt sich nicht eintragen" in text(german.tap(address, "penalty", seat="0", points="x"))


def test_point_changes_are_in_german(german):
    address = german.open_table("ace-trump", end="hands", **{"end-hands": "2"})
    german.tap(address, "result", tricks=["1", "4", "7"])
    german.tap(address, "penalty", seat="2", points="-3", reason="zu laut")
    german.tap(address, "penalty", seat="0", points="1")
    says(german, f"{address}log/", "Ergebnis: Ann 1, Bob 4, Cy 7", "Cy: −3 Punkte (zu laut)", "Ann: +1 Punkt ")
    german.tap(address, "redeal")
    german.tap(address, "end")
    for part in ("", "screen/", "hands/1/", "share/", "continue/"):
        look(german, f"{address}{part}")


def test_sharing_and_secret_choices_are_in_german(german):
    address = german.open_table("ransom-trump")
    for whom in ("player:1", "spectator", "scorekeeper", "nobody", "player:9"):
        assert german.post(f"{address}links/", {"for": whom}).headers["Content-Language"] == "de"
    bob = GermanPhone()
    bob.open_link(make_link(german, address, "player:1"))
    says(bob, address, "Sie bleibt verdeckt, bis alle gewählt haben")
    bob.tap(address, "ransom", seat="1", cards="2MK", version="0")
    says(bob, address, "Du hast gewählt.", "Deine Wahl ändern", "Ann und Cy legen je eine Lösegeldkarte")
    german.tap(address, "ransom", seat="0", cards="2MK", version="0")
    look(german, address)
    look(german, f"{address}log/")
    row = Table.objects.get()
    number = min(row.links.filter(role="scorekeeper").values_list("pk", flat=True))
    for other in row.links.exclude(pk=number):
        german.post(f"{address}links/{other.pk}/revoke/")
    look(german, f"{address}share/")
    assert "Das ist der letzte" in text(german.post(f"{address}links/{number}/revoke/"))
    german.post(f"{address}private/", {"private": "1"})
    says(german, f"{address}share/", "Privater Tisch")


def test_errors_are_in_german(german, settings):
    for address in ("/nothing/", "/games/skat/", "/new/skat/", "/ask/skat/trick/", "/t/AAAAAAAA/", "/find/?code=x"):
        page = german.get(address)
        assert page.status_code == 404
        assert "Es gibt" in text(page) or "gibt es nicht" in text(page) or "Hier ist nichts" in text(page)
    strict = GermanPhone(enforce_csrf_checks=True)
    assert "Das hat nicht geklappt" in text(strict.post("/new/ace-trump/", {}))
    broken = german.post("/t/AAAAAAAA/undo/", headers={"Idempotency-Key": "x"})
    assert broken.status_code == 404
    address = german.open_table()
    assert "Das haben wir nicht verstanden" in text(german.post(f"{address}undo/", headers={"Idempotency-Key": "x"}))
    with override_settings(WRONG_CODES_PER_HOUR=1):
        for _ in range(2):
            page = german.get("/t/AAAAAAAB/")
    assert page.status_code == 429
    assert "Zu viele falsche Codes" in text(page)
    twice = "Game: ace-trump\nSeats: Ann, Bob\n\n== Hand 1, Ann deals ==\n1. Bob 8MS, Ann 8MS"
    for body in ("{", "Format: x", "\x00", twice):
        page = german.post("/import/", {"text": body})
        assert "Nichts wurde importiert" in text(page)
    assert "In der Aufzeichnung fehlt eine Zeile" in text(page)


def test_the_app_can_be_installed_in_german(german):
    manifest = german.get("/manifest.webmanifest").json()
    assert (manifest["lang"], manifest["name"]) == ("de", "Kartentisch")
    says(german, "/offline/", "Keine Verbindung")


@pytest.mark.parametrize("name", [name for name in CATALOGUES if path_of(name, "de").exists()])
def test_no_translation_contains_english(name):
    for message in read(path_of(name, "de"), "de"):
        said = message.string if isinstance(message.string, str) else " ".join(message.string or ())
        bare = re.sub(r"\{\w+(?::[^{}]*)?\}|%\(\w+\)s", "", said)
        assert not message.id or english_on(f"<p>{bare}</p>") == [], message.id


# -- everywhere -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_in_german_before_it_begins(german, game):
    look(german, f"/games/{game}/")
    look(german, f"/new/{game}/")
    refused = german.post(f"/new/{game}/", {"name": [""], "end": "score", "end-score": "x"})
    assert refused.status_code == 422
    for name, question in QUESTIONS:
        if name == game:
            look(german, f"/ask/{game}/{question}/")
            look(german, f"/ask/{game}/{question}/", cards="zz", card="zz", hand="zz", number="-1")


def test_every_answer_by_the_referee_is_in_german(german):
    look(german, "/ask/")
    answered: dict[tuple, dict] = {}
    for case in CASES:
        question, game = case["ask"].split("/")[1], case["body"]["game"]
        rules = find_game(game)
        assert rules is not None
        template = rules.answer(question, case["body"])["reason"].template
        answered.setdefault((game, question, template, *case["body"].get("options", ())), case)
    for (game, question, *_), case in answered.items():
        look(german, f"/ask/{game}/{question}/?" + urlencode(told(case)))


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_table_is_in_german(german, game):
    for cut in sampled([*moments(game)]):
        look(german, import_here(german, cut))


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_a_table_is_in_german(german, game):
    seen: set[tuple[str, str]] = set()
    for data in sampled(records(game)):
        address = import_here(german, data)
        for part in unlike_before(data, seen):
            look(german, address + (part or UNFOLDED))
    for part in ("share/", "continue/", "amend/"):
        look(german, address + part)
    for entry in Table.objects.latest("pk").log.filter(event__isnull=False).order_by("-seq")[:MOST_ENTRIES]:
        look(german, f"{address}amend/{entry.seq}/")
        german.get(f"{address}amend/{entry.seq}/", {"strike": "1"})
    look(german, "/")
