"""The *Display* sheet: a device's settings, kept in a cookie, rendered as attributes on every page."""

import re

import pytest
from django.test import Client

ROOT = re.compile(r"<html[^>]*>")


def root_of(device, page="/"):
    found = ROOT.search(device.get(page).content.decode())
    assert found
    return found[0]


def choose(device, **choice):
    return device.post("/display/", choice)


@pytest.mark.parametrize(
    ("choice", "attribute"),
    [
        ({"theme": "dark"}, 'data-theme="dark"'),
        ({"theme": "light"}, 'data-theme="light"'),
        ({"deck": "four"}, 'data-deck="four"'),
        ({"cards": "large"}, 'data-cards="large"'),
        ({"hand": "left"}, 'data-hand="left"'),
        ({"sound": "on"}, 'data-sound="on"'),
    ],
)
def test_a_setting_applies_to_every_page(device, choice, attribute):
    address = device.open_table()
    assert "data-" not in root_of(device)
    cookie = choose(device, **choice).cookies["display"]
    assert (cookie["max-age"], cookie["samesite"], bool(cookie["httponly"])) == (365 * 24 * 3600, "Lax", False)
    for page in ("/", address, f"{address}share/", f"{address}screen/", "/nothing/", "/offline/"):
        assert attribute in root_of(device, page), page


def test_settings_combine_and_are_reset_one_by_one(device):
    choose(device, theme="dark")
    choose(device, deck="four")
    assert root_of(device) == '<html lang="en" data-theme="dark" data-deck="four">'
    choose(device, theme="")
    assert root_of(device) == '<html lang="en" data-deck="four">'
    choose(device, deck="")
    assert root_of(device) == '<html lang="en">'


@pytest.mark.parametrize("cookie", ["theme-purple", "theme-dark-dark", 'theme-"><script>', "lang-de", "", ".", "-"])
def test_unknown_values_are_not_preselected(device, cookie):
    device.cookies["display"] = cookie
    assert root_of(device) == '<html lang="en">'
    choose(device, theme="purple")
    assert root_of(device) == '<html lang="en">'


def test_the_display_form_returns_only_to_own_pages(device):
    address = device.open_table()
    assert choose(device, theme="dark", next=f"{address}share/")["Location"] == f"{address}share/"
    assert choose(device, theme="dark", next="https://elsewhere.example/")["Location"] == "/"


def test_changing_the_display_needs_a_form_from_this_device(db):
    strict = Client(enforce_csrf_checks=True)
    assert choose(strict, theme="dark").status_code == 403
    assert strict.get("/display/").status_code == 405


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
