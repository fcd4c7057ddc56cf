"""Importing a record: a file or pasted text becomes a table of this device."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.models import Table
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


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (TEXT.replace("Cy XM", "Cy XS"), "line 5, column 21"),
        (TEXT + "== Score sheet ==\nTotals: Ann 9", "The score sheet says"),
        (json.dumps(RECORD | {"hands": [{"events": [{"type": "pass", "seat": 0}]}]}), "/hands/0/events/0"),
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
    assert "<strong>" in answer.content.decode() or not said.startswith(("line", "/"))
    assert not Table.objects.exists()


def test_a_file_that_is_no_text_is_refused(device):
    answer = device.post("/import/", {"file": SimpleUploadedFile("a.png", b"\x89PNG\xff")})
    assert answer.status_code == 422
