"""The language is chosen by a device's browser or by its people, and everything there follows."""

from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.utils.translation import gettext, ngettext, override, pgettext

from tests.scoring.pages.conftest import Device
from tests.scoring.pages.german import GermanPhone, english_on, of_the_pages, untranslated
from tests.scoring.pages.reading import text

ELSEWHERE = ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", "", "/\\elsewhere.example")


def choose(phone, language, page="/", **more):
    return phone.post("/language/", {"language": language, "next": page}, **more)


def test_the_language_can_be_chosen_on_each_device(device):
    assert "Start a game" in text(device.get("/"))
    answer = choose(device, "de")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    cookie = answer.cookies["language"]
    assert (cookie.value, cookie["max-age"], cookie["samesite"]) == ("de", 365 * 24 * 3600, "Lax")
    assert "Spiel beginnen" in text(device.get("/"))
    choose(device, "en")
    assert "Start a game" in text(device.get("/"))


def test_an_explicit_language_overrides_the_browsers(db):
    phone = GermanPhone()
    choose(phone, "en")
    assert phone.get("/").headers["Content-Language"] == "en"


def test_an_unsupported_language_changes_nothing(device):
    assert not choose(device, "xx").cookies
    device.cookies["language"] = "xx"
    assert device.get("/").headers["Content-Language"] == "en"


@pytest.mark.parametrize("page", ["/", "/ask/ace-trump/trick/?cards=8MS&cards=XS", "/games/ace-trump/", "/nothing/"])
def test_the_language_switch_returns_to_its_page(device, page):
    """A script may have changed the address since the page loaded, so the browser reports it, not the page."""
    assert 'name="next"' not in device.get(page).content.decode()
    answer = device.post("/language/", {"language": "de"}, headers={"Referer": f"http://testserver{page}"})
    assert answer["Location"] == f"http://testserver{page}"


@pytest.mark.parametrize("page", ELSEWHERE)
def test_the_language_switch_redirects_only_to_own_pages(device, page):
    assert choose(device, "de", page)["Location"] == "/"
    assert choose(device, "de", page, headers={"Referer": "https://elsewhere.example/t/"})["Location"] == "/"


@pytest.mark.parametrize("page", ["//elsewhere.example/t/", "///elsewhere.example/", "/\t/elsewhere.example/"])
def test_a_path_that_resembles_another_sites_address_stays_here(device, page):
    """Someone sends a link to a missing page and waits for a tap on the language."""
    for where in ({"page": f"http://testserver{page}"}, {"headers": {"Referer": f"http://testserver{page}"}}):
        went = choose(device, "de", **where)["Location"]
        assert urlsplit(urljoin("http://testserver/language/", went)).netloc == "testserver", went


def test_an_act_returns_to_the_page_that_shows_it(device):
    address = device.open_table()
    refused = device.tap(address, "play", seat="1", cards="8MS")
    assert f'name="next" value="{address}"' in refused.content.decode()
    made = device.post(f"{address}links/", {"for": "spectator"})
    assert f'name="next" value="{address}share/"' in made.content.decode()
    where = {"Referer": f"http://testserver{address}record/"}
    assert choose(device, "de", address, headers=where)["Location"] == address


def test_changing_the_language_needs_a_form_from_this_device(db):
    strict = Client(enforce_csrf_checks=True)
    assert choose(strict, "de").status_code == 403
    assert strict.get("/language/").status_code == 405


def test_every_page_offers_the_languages_and_marks_the_current_one(device):
    address = device.open_table()
    device.tap(address, "play", seat="0", cards="8MS")
    parts = ("", "log/", "share/", "amend/", "continue/", "hands/1/")
    for page in ("/", "/new/", "/import/", "/ask/", *(address + part for part in parts)):
        html = device.get(page).content.decode()
        assert '<button name="language" value="en" lang="en" aria-current="true">English</button>' in html, page
        assert '<button name="language" value="de" lang="de">Deutsch</button>' in html, page


def test_fragments_use_the_chosen_language(device):
    address = device.open_table()
    choose(device, "de")
    for part in ("", "screen/"):
        fragment = device.get(address + part, headers={"HX-Request": "true"})
        assert "Ann spielt aus." in text(fragment)
        assert "<footer" not in fragment.content.decode()
    answer = device.tap(address, "play", htmx=True, seat="0", cards="8MS")
    assert "Bob bedient" in text(answer)


def test_pages_vary_by_language(device):
    address = device.open_table()
    for page in ("/", address, "/manifest.webmanifest", "/offline/"):
        varies = {name.strip() for name in device.get(page)["Vary"].split(",")}
        assert varies >= {"Accept-Language", "Cookie"}, page


def test_the_language_of_one_request_does_not_leak_into_the_next(device):
    address = device.open_table()
    for phone, language in ((GermanPhone(), "de"), (Device(), "en"), (GermanPhone(), "de")):
        page = phone.get(address)
        assert page.headers["Content-Language"] == language
        assert ("spielt aus." in text(page)) == (language == "de")


def test_the_test_detects_a_missing_translation():
    with untranslated() as missing, override("de"):
        gettext("{name}’s turn")
        gettext("Nobody has ever said this.")
        pgettext("never", "void")
        ngettext("{n} thing", "{n} things", 2)
    assert of_the_pages(missing) >= {"Nobody has ever said this.", "{n} thing"}
    assert "{name}’s turn" not in missing
    assert english_on("<p>Stich 3</p><p>Ann wins &amp; Bob</p><p>Ace Pit</p>") == ["Ann wins & Bob"]
