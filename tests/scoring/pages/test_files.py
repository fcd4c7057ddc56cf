"""Records and histories as files, imported and exported."""

import csv
import json
import re
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from referee.engine.replaying import TooCostly
from referee.notation.words import BYTE_ORDER_MARK
from scoring.models import Role, Table
from scoring.tables.reads import record_export
from tests.scoring.groups import result
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.german import GermanPhone, english_on, untranslated
from tests.scoring.pages.phones import joined
from tests.scoring.pages.reading import text

RECORD = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}

# --- Downloading a table's record: available to everyone who sees the page

PARAMETERS = {
    "text": "as=text&annotate=1", "json": "as=json", "full": "as=json&full=1", "events": "as=csv",
    "scores": "as=csv&part=scores",
}  # fmt: skip
ENDINGS = {"text": ".txt", "json": ".json", "full": "-full.json", "events": ".csv", "scores": "-scores.csv"}


def api_record(address, shape):
    """Return the API's answer with a table's record in this shape."""
    return APIClient().get(f"/api/v1/tables/{address[3:11]}/record/?{PARAMETERS[shape]}")


@pytest.mark.parametrize("role", [role for role in Role if role != Role.READER])
def test_a_link_to_a_private_table_allows_downloading_its_record(device, role):
    private = device.open_table(private="1", plays="0:8MS")
    phone = joined(private, role, 1 if role == Role.PLAYER else None)
    files = re.findall(r'<a class="chip-link" href="([^"]+)" download>', phone.get(private).content.decode())
    assert files == [f"{private}export/{shape}/" for shape in PARAMETERS]
    for file in files:
        answer = phone.get(file)
        assert answer.status_code == 200
        assert "8MS" in answer.content.decode() or file.endswith("/scores/")
        assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("shape", PARAMETERS)
def test_a_download_equals_the_api_record(device, other, shape):
    address = device.open_table(plays="0:8MS")
    told = api_record(address, shape)
    answer = other.get(f"{address}export/{shape}/")
    mark = BYTE_ORDER_MARK if told["Content-Type"].startswith("text/csv") else ""
    assert (answer.content.decode(), answer["Content-Type"]) == (mark + told.content.decode(), told["Content-Type"])
    assert answer["Content-Disposition"] == f'attachment; filename="{address[3:11]}{ENDINGS[shape]}"'


@pytest.mark.parametrize("shape", PARAMETERS)
def test_hidden_points_stay_hidden_in_a_download(device, shape):
    pit = device.open_table("ace-pit", ("Ann", "Bob"), 1, **{"option-totals": "1"})
    device.tap(pit, "result", points=["235", "345"])
    said = device.get(f"{pit}export/{shape}/").content.decode()
    assert said.removeprefix(BYTE_ORDER_MARK) == api_record(pit, shape).content.decode()
    assert "x_totals" not in said
    if shape == "scores":
        assert "hidden" in said
        assert "235" not in said


@pytest.mark.parametrize(
    ("language", "separator"),
    [("en-GB", ","), ("de-AT,de;q=0.8", ";"), ("fr", ";"), ("es", ";"), ("it", ";"), ("nl", ";")],
)
@pytest.mark.django_db
def test_a_download_opens_in_the_readers_spreadsheet(language, separator):
    phone = Device(headers={"accept-language": language})
    penalty = {"type": "penalty", "seat": 0, "points": -9, "reason": "Größe; =1"}
    record = RECORD | {"seats": ["Müller", "Bob", "Cy"], "hands": [{"events": [result(4, 4, 4), penalty]}]}
    address = phone.post("/import/", {"text": json.dumps(record)})["Location"]
    scores = phone.get(f"{address}export/scores/").content
    assert scores[:3] == b"\xef\xbb\xbf"
    rows = list(csv.reader(StringIO(scores.decode("utf-8-sig")), delimiter=separator))
    assert rows[0] == ["hand", "phase", "Müller", "Bob", "Cy"]
    assert " -5" in [cell for row in rows for cell in row]
    events = phone.get(f"{address}export/events/").content
    for saved in (events, events.decode("utf-8-sig").encode("cp1252"), events.decode("utf-8-sig").encode("utf-16")):
        brought = phone.post("/import/", {"file": SimpleUploadedFile("a.csv", saved)})
        assert brought.status_code == 302
        assert phone.get(f"{brought['Location']}export/events/").content == events


def test_an_unknown_format_is_not_found(device):
    assert device.get(f"{device.open_table()}export/pdf/").status_code == 404


def test_a_record_that_times_out_is_refused(device, monkeypatch):
    def time_is_up():
        raise TooCostly

    monkeypatch.setattr(record_export, "judging_watch", time_is_up)
    answer = device.get(f"{device.open_table()}export/text/")
    assert answer.status_code == 413
    assert "Judging this takes longer than there is time for." in answer.content.decode()


# --- Importing a record: a file or pasted text becomes a table on this device

TEXT = "Game: ace-trump\r\nSeats: Ann, Bob, Cy\r\nFirst dealer: Cy\r\n== Hand 1 ==\r\n1. Ann 8MS, Bob XS, Cy XM\r\n"


def test_an_imported_record_becomes_a_table_on_this_device(device):
    assert "Import a game" in text(device.get("/new/")) + text(device.get("/import/"))
    answer = device.post("/import/", {"text": TEXT})
    assert answer.status_code == 302
    page = device.get(answer["Location"])
    assert "Trick 1: Cy." in text(page)
    assert device.tap(answer["Location"], "play", seat="2", cards="9MS").status_code == 302


def test_a_full_log_sent_again_opens_the_same_table(device, other):
    address = device.open_table(plays="0:8MS")
    device.post(f"{address}undo/")
    taken = device.get(f"{address}export/full/").content.decode()
    brought = [other.post("/import/", {"text": taken})["Location"] for _ in range(2)]
    assert brought[0] == brought[1] != address
    assert other.get(f"{brought[0]}export/full/").content.decode() == taken
    assert Table.objects.count() == 2


@pytest.mark.parametrize("body", [TEXT.encode(), b"\xef\xbb\xbf" + json.dumps(RECORD).encode()], ids=["text", "JSON"])
def test_a_text_or_json_file_is_accepted(device, body):
    answer = device.post("/import/", {"file": SimpleUploadedFile("a", body), "text": ""})
    assert (answer.status_code, Table.objects.get().seats) == (302, ["Ann", "Bob", "Cy"])


NOTATION = re.compile(r"(?:[A-Z][a-z ]+:(?:, )?)+|== Hand 1 ==")
"""Words that a text record has in English only."""
PASSED = json.dumps(RECORD | {"hands": [{"events": [{"type": "pass", "seat": 0}]}]})
"""A record with an event that its game does not have."""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (TEXT.replace("Cy XM", "Cy XS"), "line 5, column 21"),
        (TEXT + "== Score sheet ==\nTotals: Ann 9", "The score sheet says"),
        (PASSED, "hand 1, entry 1"),
        ('{"game": ', "not valid JSON"),
        ("{" + '"x_a":[' * 100, "not valid JSON"),
        ("", "has no line"),
        ("\x00", "line 1"),
        (b"\x89PNG\xff", "CSV UTF-8"),
    ],
)
def test_import_errors_are_named_and_open_no_table(device, body, said):
    form = {"file": SimpleUploadedFile("a.png", body)} if isinstance(body, bytes) else {"text": body}
    answer = device.post("/import/", form)
    assert answer.status_code == 422
    assert said in text(answer)
    assert "<strong>" in answer.content.decode() or not said.startswith(("line", "hand"))
    assert not Table.objects.exists()


CELLS = "hand,event,type,seat,player,cards,other,Remark\n,,record,,,,{record},\n1,1,play,0,Ann,8MS,,well done\n"


def test_added_columns_are_ignored_and_named(device):
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
        (PASSED, "Runde 1, Eintrag 1"),
        (json.dumps(RECORD | {"seats": ["Ann", "Bob\nCy", " "]}), "Spieler 2"),
        (json.dumps(RECORD)[:40], "kein gültiges JSON"),
        ('{"a": 1, "a": 2}', "zweimal"),
        ('{"a": NaN}', "keine Zahl"),
        ("[" * 100, "Zeile 1"),
        ('{"x_a":' + "[" * 100_000 + "]" * 100_000 + "}", "Ebenen"),
        ("hand,event,kind\n", "Zeile 1"),
        ("hand,event,type,other\n,,record,{\n", "Zeile 2"),
        ("hand,event,type,other\n1,1,play,\n", "Zeile 1"),
        ('hand,event,type,other\n1,1,play,"' + "x" * 200_000 + '"\n', "kein gültiges CSV"),
        (b"\x89PNG\xff", "CSV UTF-8"),
    ],
)
def test_a_german_page_reports_import_errors_in_german(body, said):
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
