"""A device's language and its *Display* settings: kept in cookies, followed on every page."""

import re
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from tests.scoring.pages.conftest import Device
from tests.scoring.pages.german import GermanPhone
from tests.scoring.pages.reading import text

# --- The language is chosen by a device's browser or by its people

ELSEWHERE = ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", "", "/\\elsewhere.example")


def choose_language(phone, language, page="/", **more):
    return phone.post("/language/", {"language": language, "next": page}, **more)


def test_the_language_can_be_chosen_on_each_device(device):
    assert "Start a game" in text(device.get("/"))
    answer = choose_language(device, "de")
    assert (answer.status_code, answer["Location"]) == (302, "/")
    cookie = answer.cookies["language"]
    assert (cookie.value, cookie["max-age"], cookie["samesite"]) == ("de", 365 * 24 * 3600, "Lax")
    assert "Spiel beginnen" in text(device.get("/"))
    choose_language(device, "en")
    assert "Start a game" in text(device.get("/"))


def test_an_explicit_language_overrides_the_browsers(db):
    phone = GermanPhone()
    choose_language(phone, "en")
    assert phone.get("/").headers["Content-Language"] == "en"


def test_an_unsupported_language_changes_nothing(device):
    assert not choose_language(device, "xx").cookies
    device.cookies["language"] = "xx"
    assert device.get("/").headers["Content-Language"] == "en"


@pytest.mark.parametrize("page", ["/", "/ask/ace-trump/trick/?cards=8MS&cards=XS", "/games/ace-trump/", "/nothing/"])
def test_the_language_switch_returns_to_its_page(device, page):
    """A script may have changed the address since the page loaded, so the browser reports it, not the page."""
    assert 'name="next"' not in device.get(page).content.decode()
    answer = device.post("/language/", {"language": "de"}, headers={"Referer": f"http://testserver{page}"})
    assert answer["Location"] == f"http://testserver{page}"


@pytest.mark.parametrize("page", ELSEWHERE)
def test_a_setting_redirects_only_to_own_pages(device, page):
    assert choose_language(device, "de", page)["Location"] == "/"
    assert choose_language(device, "de", page, headers={"Referer": "https://elsewhere.example/t/"})["Location"] == "/"
    assert choose(device, theme="dark", next=page)["Location"] == "/"


@pytest.mark.parametrize("page", ["//elsewhere.example/t/", "///elsewhere.example/", "/\t/elsewhere.example/"])
def test_a_path_that_resembles_another_sites_address_stays_here(device, page):
    """Someone sends a link to a missing page and waits for a tap on the language."""
    for where in ({"page": f"http://testserver{page}"}, {"headers": {"Referer": f"http://testserver{page}"}}):
        went = choose_language(device, "de", **where)["Location"]
        assert urlsplit(urljoin("http://testserver/language/", went)).netloc == "testserver", went


def test_an_act_returns_to_the_page_that_shows_it(device):
    address = device.open_table()
    refused = device.tap(address, "play", seat="1", cards="8MS")
    assert f'name="next" value="{address}"' in refused.content.decode()
    made = device.post(f"{address}links/", {"for": "spectator"})
    assert f'name="next" value="{address}share/"' in made.content.decode()
    where = {"Referer": f"http://testserver{address}record/"}
    assert choose_language(device, "de", address, headers=where)["Location"] == address


@pytest.mark.parametrize(("page", "choice"), [("/language/", {"language": "de"}), ("/display/", {"theme": "dark"})])
def test_changing_a_setting_needs_a_form_from_this_device(db, page, choice):
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(page, choice).status_code == 403
    assert strict.get(page).status_code == 405


def test_every_page_offers_the_languages_and_marks_the_current_one(device):
    address = device.open_table(plays="0:8MS")
    parts = ("", "log/", "share/", "amend/", "continue/", "hands/1/")
    for page in ("/", "/new/", "/import/", "/ask/", *(address + part for part in parts)):
        html = device.get(page).content.decode()
        assert '<button name="language" value="en" lang="en" aria-current="true">English</button>' in html, page
        assert '<button name="language" value="de" lang="de">Deutsch</button>' in html, page


def test_fragments_use_the_chosen_language(device):
    address = device.open_table()
    choose_language(device, "de")
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


# --- The *Display* sheet: rendered as attributes on every page


def root_of(device, page="/"):
    (root,) = re.findall(r"<html[^>]*>", device.get(page).content.decode())
    return root


def choose(device, **choice):
    return device.post("/display/", choice)


CHOICES = (
    ("theme", "dark"),
    ("theme", "light"),
    ("deck", "four"),
    ("cards", "large"),
    ("hand", "left"),
    ("sound", "on"),
)


@pytest.mark.parametrize(("setting", "value"), CHOICES)
def test_a_setting_applies_to_every_page(device, setting, value):
    address = device.open_table()
    assert "data-" not in root_of(device)
    answer = choose(device, **{setting: value}, next=f"{address}share/")
    assert answer["Location"] == f"{address}share/"
    cookie = answer.cookies["display"]
    assert (cookie["max-age"], cookie["samesite"], bool(cookie["httponly"])) == (365 * 24 * 3600, "Lax", False)
    for page in ("/", address, f"{address}share/", f"{address}screen/", "/nothing/", "/offline/"):
        assert f'data-{setting}="{value}"' in root_of(device, page), page


def test_settings_combine_and_are_reset_one_by_one(device):
    for choice, attributes, theme in (
        ({}, "", ""),
        ({"theme": "dark"}, ' data-theme="dark"', "dark"),
        ({"deck": "four"}, ' data-theme="dark" data-deck="four"', "dark"),
        ({"theme": ""}, ' data-deck="four"', ""),
        ({"deck": ""}, "", ""),
    ):
        choose(device, **choice)
        assert root_of(device) == f'<html lang="en"{attributes}>'
        pressed = re.findall(r'name="theme" value="(\w*)"\s+aria-pressed="true"', device.get("/").content.decode())
        assert pressed == [theme]


@pytest.mark.parametrize("cookie", ["theme-purple", "theme-dark-dark", 'theme-"><script>', "lang-de", "", ".", "-"])
def test_unknown_values_are_not_preselected(device, cookie):
    device.cookies["display"] = cookie
    assert root_of(device) == '<html lang="en">'
    choose(device, theme="purple")
    assert root_of(device) == '<html lang="en">'


BY_THE_DEVICE = ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]


@pytest.mark.parametrize(
    ("theme", "expected"), [("", BY_THE_DEVICE), ("light", ["all", "not all"]), ("dark", ["not all", "all"])]
)
def test_the_browser_frame_matches_the_paper_color(device, theme, expected):
    choose(device, theme=theme)
    assert re.findall(r'name="theme-color"[^>]* media="([^"]*)"', device.get("/").content.decode()) == expected


# --- The catalogue of components


def test_components_are_shown_only_under_debug(client, settings):
    assert client.get("/_components/").status_code == 404
    settings.DEBUG = True
    page = client.get("/_components/").content.decode()
    assert page.count('class="catalogue"') == 2
    for drawn in ('fill="var(--brass)"', "card-tab", "p-sky", "button primary", 'role="switch"'):
        assert page.count(drawn) >= 2, drawn
