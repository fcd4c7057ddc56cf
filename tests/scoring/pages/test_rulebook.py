"""The rulebook of a game."""

import re

import pytest

from referee.engine import rulebook
from referee.engine.catalogue import all_games
from referee.games.ace_trump.game import GAME as ACE_TRUMP
from referee.games.american_deuce.game import GAME as AMERICAN_DEUCE
from tests.scoring.pages.reading import text


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_it_works(device, game):
    page = device.get(f"/games/{game.id}/").content.decode()
    clauses = [clause.id for clause in game.rulebook()]
    assert clauses
    assert all(f'id="{clause}"' in page for clause in clauses)
    assert "our choice: the source does not say" in page


def test_every_clause_has_one_place(device):
    for game in all_games():
        anchors = re.findall(r' id="([^"]+)"', device.get(f"/games/{game.id}/").content.decode())
        assert len(anchors) == len(set(anchors))


def test_the_deck_belongs_to_the_games_that_use_it(device):
    decktet = rulebook.clauses("decktet")[0]
    assert f'id="{decktet.id}"' in device.get("/games/ace-trump/").content.decode()
    assert f'id="{decktet.id}"' not in device.get("/games/ace-pit/").content.decode()


def test_an_unknown_game_is_not_found(device):
    assert device.get("/games/no-such-game/").status_code == 404


def changed_table(device) -> str:
    """Open a table that plays Early Bird, and return its code."""
    return str(device.open_table(**{"option-ties": "1"}).split("/")[2])


def test_the_book_marks_what_the_table_plays_and_leads_back(device):
    code = changed_table(device)
    page = device.get("/games/ace-trump/", {"table": code})
    assert "At your table: ties to the earlier card (Early Bird)" in text(page)
    assert f'<a href="/t/{code}/">Back to the table</a>' in page.content.decode()
    assert "At your table" not in text(device.get("/games/ace-trump/"))
    assert "At your table" not in text(device.get("/games/ransom-trump/", {"table": code}))


def test_only_how_it_is_played_lies_open(device):
    page = device.get("/games/ace-trump/").content.decode()
    assert re.findall(r'<details class="box book-part[^"]*" id="part-\d"\s*( open)?>', page) == [" open", *[""] * 5]


def test_a_rule_is_found_by_its_words(device):
    page = device.get("/games/ace-trump/", {"find": "excuse LED"})
    assert 'id="AT-Q9"' in page.content.decode()
    assert 'id="AT-3"' not in page.content.decode()
    assert "open>" in page.content.decode()
    assert 'id="AT-3"' in device.get("/games/ace-trump/", {"find": "at-3"}).content.decode()
    assert "No rule speaks of “quidditch”." in text(device.get("/games/ace-trump/", {"find": "quidditch"}))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_game_is_taught(device, game):
    page = device.get(f"/games/{game.id}/teach/")
    assert 5 <= len(game.lesson) <= 12
    assert page.content.decode().count('class="lesson-step"') == len(game.lesson)
    assert page.content.decode().count('class="card') > 8


def test_a_guess_is_answered_by_the_referee(device):
    step = ACE_TRUMP.lesson.index("AT-5") + 1
    wrong = device.get("/games/ace-trump/teach/", {f"step-{step}": "9WY"})
    assert "✗ Not quite. The Darkness (9 of Waves and Wyrms) does not follow" in text(wrong).replace("  ", " ")
    right = device.get("/games/ace-trump/teach/", {f"step-{step}": "3MW"})
    assert "✓ Right! You can follow suit, so you must." in text(right).replace("  ", " ")
    assert "Not quite" not in text(device.get("/games/ace-trump/teach/", {f"step-{step}": "none", "step-x": "1"}))
    number = AMERICAN_DEUCE.lesson.index("AD-15") + 1
    assert "✓ Right!" in text(device.get("/games/american-deuce/teach/", {f"step-{number}": "yes"}))


def test_a_first_trick_is_played_from_the_deal_to_the_own_table(device):
    def lesson(*before, **now):
        return device.get("/games/ace-trump/teach/", {"before": before, **now})

    begun = text(lesson())
    assert "Anna deals 9 cards to each. You are Anna." in begun
    assert "Ben plays Painter (3 of Suns and Knots)" in begun
    assert "Start a table" in begun.partition("The rules, one by one")[2]
    wrong = text(lesson(tap="play:XM"))
    assert "Not that one. Anna played the Huntress (Crown of Moons) although the Soldier" in wrong
    won = text(lesson(tap="play:9MS"))
    assert "That was your first trick. The Pact (9 of Moons and Suns) is the highest card that follows." in won
    assert "Start a table" in won.partition("The rules, one by one")[0]
    together = text(device.get("/games/ace-pit/teach/", {"tap": "play:", "with": ["7S", "AS"]}))
    assert "Anna wins with Pin 25 + Ace Pit 50: 75 points." in together
    assert "Anna draws a card." in together
    suits = text(device.get("/games/american-deuce/teach/", {"before": ["suit:H"], "tap": "play:3H"}))
    assert "The 3 of hearts does not beat the 4 of hearts" in suits
    for odd in ("play:XM:XM", "bid:²", "ransom:", "x" * 500):
        assert lesson(odd, tap=odd).status_code == 200


def test_the_lesson_leads_back_to_the_table(device):
    code = changed_table(device)
    page = device.get("/games/ace-trump/teach/", {"table": code}).content.decode()
    assert f'href="/t/{code}/"' in page
    assert f"/games/ace-trump/?table={code}" in page
    assert device.get("/games/no-such-game/teach/").status_code == 404


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_no_rule_speaks_as_programs_do(device, game):
    """“tides = true” is what a program sends; people say what they choose."""
    assert re.findall(r"\w+ = \w+", text(device.get(f"/games/{game.id}/"))) == []


def test_a_house_rule_is_named_as_the_form_names_it(device):
    page = text(device.get("/games/ace-trump/"))
    assert "“Play with Pawns: yes”, “Play with the Excuse: yes”" in page
    assert "“Bid of nothing”: a number from 1 to 20" in text(device.get("/games/wildcat-chicane/"))
