"""A group taken away as one file, and brought back on a page."""

from io import BytesIO
from time import thread_time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from referee.engine.bounds import deadline
from scoring.models import Group
from scoring.pages.views import group_import
from tests.scoring.pages.reading import text
from tests.scoring.pages.test_groups import open_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def archive(device, thursday):
    """The file of a group with three tables."""
    for _ in range(3):
        address = str(open_table(device, thursday, "Ann", "Bob", "Cy")["Location"])
        device.tap(address, "result", tricks=["4", "4", "4"])
        device.tap(address, "end")
    assert "Archive" in text(device.get(f"{thursday}settings/"))
    return b"".join(device.get(f"{thursday}export/archive/").streaming_content)


def sent(archive):
    return {"file": SimpleUploadedFile("group.ndjson", BytesIO(archive).read())}


def test_it_works(other, archive):
    assert "Bring a group back" in text(other.get("/g/import/"))
    brought = other.post("/g/import/", sent(archive))
    assert brought.status_code == 302
    page = str(brought["Location"])
    assert "Thursday" in text(other.get(page))
    again = b"".join(other.get(f"{page}export/archive/").streaming_content)
    assert again == archive, "byte for byte"


def test_what_takes_long_shows_how_far_it_is_and_goes_on(other, archive, monkeypatch):
    monkeypatch.setattr(group_import, "judging_watch", lambda: deadline(thread_time, 1e-9))
    cut = other.post("/g/import/", sent(archive))
    assert "0 of 3 tables are there." in text(cut)
    assert Group.objects.filter(links=None).count() == 1, "nobody sees it before it is whole"
    monkeypatch.undo()
    field = cut.content.decode().split('<textarea name="text" hidden>')[1].split("</textarea>")[0]
    assert "&#34;" in field or "&quot;" in field, "what was sent is in the form, to be sent again"
    went_on = other.post("/g/import/", {"text": archive.decode()}, headers={"HX-Request": "true"})
    assert (went_on.status_code, went_on["HX-Redirect"][:3]) == (204, "/g/")


def test_what_is_no_archive_is_refused_and_leaves_nothing(other, archive):
    before = Group.objects.count()
    for wrong in (b"", b"{}", archive[:-200], b"x" * (2 * 1024 * 1024 + 2)):
        assert other.post("/g/import/", sent(wrong)).status_code == 422
    assert Group.objects.count() == before


def test_a_viewer_takes_no_archive_away(device, thursday, other):
    assert other.get(f"{thursday}export/archive/").status_code == 404
