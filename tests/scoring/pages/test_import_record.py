"""Importing a record: a file or pasted text becomes a table of this device."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.models import Table
from tests.scoring.pages.german import GermanPhone, english_on, untranslated
from tests.scoring.pages.reading import text

TEXT = "Game: ace-trump\r\nSeats: Ann, Bob, Cy\r\nFirst dealer: Cy\r\n== Hand 1 ==\r\n1. Ann 8MS, Bob XS, Cy XM\r\n"
RECORD = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}


def test_it_works(device):
    assert "Open a recorded game" in text(device.get("/new/")) + text(device.get("/import/"))
    answer = device.post("/import/", {"text": TEXT})
    assert answer.status_code == 302
    page = device.get(answer["Location"])
    assert "Trick 1: Cy." in text(page)
    assert device.tap(answer["Location"], "play", seat="2", cards="9MS").status_code == 302


def test_a_file_is_taken(device):
    for name, body in (("a.txt", TEXT.encode()), ("a.json", b"\xef\xbb\xbf" + json.dumps(RECORD).encode())):
        answer = device.post("/import/", {"file": SimpleUploadedFile(name, body), "text": ""})
        assert answer.status_code == 302
    assert Table.objects.count() == 2


def test_what_is_taken_away_can_be_brought_again(device):
    address = device.post("/import/", {"text": TEXT})["Location"]
    links = re.findall(r'href="([^"]+)" download>', device.get(address).content.decode())
    assert len(links) == 4
    for link in links[:2]:
        body = device.get(link.replace("&amp;", "&")).content
        assert device.post("/import/", {"file": SimpleUploadedFile("a", body)}).status_code == 302


NOTATION = re.compile(r"(?:[A-Z][a-z ]+:(?:, )?)+|== Hand 1 ==")
"""What a record in text says in English alone."""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (TEXT.replace("Cy XM", "Cy XS"), "line 5, column 21"),
        (TEXT + "== Score sheet ==\nTotals: Ann 9", "The score sheet says"),
        (json.dumps(RECORD | {"hands": [{"events": [{"type": "pass", "seat": 0}]}]}), "hand 1, entry 1"),
        ('{"game": ', "not JSON"),
        ("{" + '"x_a":[' * 100, "not JSON"),
        ("", "has no line"),
        ("\x00", "line 1"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_opened(device, body, said):
    answer = device.post("/import/", {"text": body})
    assert answer.status_code == 422
    assert said in text(answer)
    assert "<strong>" in answer.content.decode() or not said.startswith(("line", "hand"))
    assert not Table.objects.exists()


def test_a_file_that_is_no_text_is_refused(device):
    answer = device.post("/import/", {"file": SimpleUploadedFile("a.png", b"\x89PNG\xff")})
    assert answer.status_code == 422
    assert "CSV UTF-8" in text(answer)


CELLS = "hand,event,type,seat,player,cards,other,Remark\n,,record,,,,{record},\n1,1,play,0,Ann,8MS,,well done\n"


def test_columns_that_somebody_added_are_left_out_and_named(device):
    record = '"' + json.dumps(RECORD).replace('"', '""') + '"'
    answer = device.post("/import/", {"text": CELLS.format(record=record)})
    assert answer.status_code == 201
    assert "The column Remark isn’t part of a record" in text(answer)
    table = Table.objects.get()
    assert f'href="/t/{table.code}/"' in answer.content.decode()
    assert device.tap(f"/t/{table.code}/", "play", seat="1", cards="XS").status_code == 302


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (TEXT.replace("Cy XM", "Cy XS"), "Zeile 5, Spalte 21"),
        (TEXT.replace("Game: ace-trump", 'x_a: {"b": '), "Zeile 1, Spalte"),
        (TEXT.replace("Ann 8MS", "Dot 8MS"), "Zeile 5, Spalte 4"),
        (json.dumps(RECORD | {"hands": [{"events": [{"type": "pass", "seat": 0}]}]}), "Runde 1, Eintrag 1"),
        (json.dumps(RECORD | {"seats": ["Ann", "Bob\nCy", " "]}), "Spieler 2"),
        (json.dumps(RECORD)[:40], "kein gültiges JSON"),
        ('{"a": 1, "a": 2}', "zweimal"),
        ('{"a": NaN}', "keine Zahl"),
        ("[" * 100, "Zeile 1"),
        ('{"x_a":' + "[" * 100_000 + "]" * 100_000 + "}", "Ebenen"),
        ("hand,event,kind\n", "Zeile 1"),
        ("hand,event,type,other\n,,record,{\n", "Zeile 2"),
        ("hand,event,type,other\n1,1,play,\n", "Zeile 1"),
        ('hand,event,type,other\n1,1,play,"' + "x" * 200_000 + '"\n', "kein CSV"),
        (b"\x89PNG\xff", "CSV UTF-8"),
    ],
)
def test_a_german_page_says_what_is_wrong_in_german(body, said):
    sent = body if isinstance(body, bytes) else body.encode()
    with untranslated() as missing:
        answer = GermanPhone().post("/import/", {"file": SimpleUploadedFile("a", sent)})
    assert answer.status_code == 422
    assert said in text(answer)
    problems = re.findall(r"<li>(.*?)</li>", answer.content.decode(), re.DOTALL)
    words = [NOTATION.sub("", each) for each in problems]
    assert [english_on(f"<p>{each}</p>") for each in words] == [[] for _ in problems]
    assert not any("/hands/" in each or "/seats/" in each for each in problems)
    assert not missing
