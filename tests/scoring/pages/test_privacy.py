"""A page says what is kept where, and every page leads to it."""

import pytest

from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db


def test_it_works(device):
    page = device.get("/privacy/")
    assert "Tables and groups are kept until somebody deletes them." in text(page)
    assert "For 7 days, by which request" in text(page)


def test_it_says_for_how_long_loose_tables_are_kept(device, settings):
    settings.KEEP_TABLES_DAYS = 400
    assert "nobody has touched for 400 days is deleted" in text(device.get("/privacy/"))


def test_every_foot_leads_there(device):
    for address in ("/", "/new/", "/ask/", device.open_table() + "share/"):
        assert 'href="/privacy/"' in device.get(address).content.decode()
