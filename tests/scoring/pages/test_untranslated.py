"""A game without a translation into the page's language: it appears in English, and the page says so."""

import re

import pytest
from django.utils.translation import gettext, ngettext, override, pgettext

from referee.engine.game import find_game
from scoring.operating.pages import environment
from scoring.operating.pages.environment import tongue
from scoring.tables.reads.state import RecentCache
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.german import english_on, of_the_pages, untranslated
from tests.scoring.pages.reading import text


@pytest.fixture
def without(db, settings, monkeypatch):
    """The installation without one game's translations."""
    monkeypatch.setattr(environment, "part_cache", RecentCache(8000))
    settings.LOCALE_PATHS = [path for path in settings.LOCALE_PATHS if path.parent.name != "oh_hell"]


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl"])
@pytest.mark.parametrize("page", ["/games/oh-hell/", "/games/oh-hell/OH-1/", "/games/oh-hell/teach/"])
def test_an_untranslated_games_rules_are_marked_as_english(without, language, page):
    phone = Device(headers={"accept-language": language})
    answer = phone.get(page)
    html = answer.content.decode()
    assert (answer.status_code, answer.headers["Content-Language"]) == (200, language)
    with override(language):
        assert gettext("In English: not translated yet.") in html
    assert re.search(r'<(p|h2|span|h3)[^>]* lang="en"', html)


def test_an_untranslated_game_is_played_with_sentences_marked_as_english(without):
    phone = Device(headers={"accept-language": "fr-CA"})
    page = phone.get(phone.open_table("oh-hell"))
    assert (page.status_code, page.headers["Content-Language"]) == (200, "fr")
    assert "Oh Hell" in text(page)


@pytest.mark.parametrize("language", ["de", "en"])
def test_nothing_translated_is_marked_as_english(language):
    game = find_game("hearts")
    assert game is not None
    with override(language):
        assert tongue(game.tagline) == ""


def test_missing_translations_are_detected():
    with untranslated() as missing, override("de"):
        gettext("{name}’s turn")
        gettext("Nobody has ever said this.")
        pgettext("never", "void")
        ngettext("{n} thing", "{n} things", 2)
    assert of_the_pages(missing) >= {"Nobody has ever said this.", "{n} thing"}
    assert "{name}’s turn" not in missing
    assert english_on("<p>Stich 3</p><p>Ann wins &amp; Bob</p><p>Ace Pit</p>") == ["Ann wins & Bob"]
