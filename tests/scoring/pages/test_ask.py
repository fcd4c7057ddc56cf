"""The single questions, asked on their pages by somebody whose browser runs no scripts."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from referee.engine.catalogue import all_games, with_game
from scoring.pages.show.question_form import option_text
from tests.games.discovery import CASES
from tests.scoring.pages.reading import text
from tests.toy import GAME as TOY

QUESTIONS = [(game.id, question) for game in all_games() for question in sorted(game.questions)]


def sent_link(page):
    """Return the address that the page offers to send."""
    found = re.search(r'class="to-send">\s*<a href="([^"]+)"', page.content.decode())
    assert found is not None, text(page)
    return found[1].replace("&amp;", "&")


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_it_works(client, game, question):
    listed = client.get("/ask/").content.decode()
    assert f'href="/ask/{game}/{question}/"' in listed
    assert f'href="/ask/{game}/{question}/"' in client.get(f"/games/{game}/").content.decode()
    assert client.get(f"/ask/{game}/{question}/").status_code == 200


def test_the_front_page_leads_there(client):
    assert 'href="/ask/"' in client.get("/").content.decode()


def test_a_trick_is_answered_with_its_reason_and_clause(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": ["8MS", "XS", "XM"]})
    assert "Huntress (Crown of Moons) wins" in text(page)
    assert '/games/ace-trump/#AT-12"' in page.content.decode()


def test_every_tap_adds_a_card_and_the_pad_shows_it_as_gone(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": ["8MS", "XS"]}).content.decode()
    assert '<input type="hidden" name="cards" value="8MS">' in page
    assert re.search(r'<button class="card gone" name="add-cards" value="8MS"[^>]* disabled', page)
    assert re.search(r'<button class="card" name="add-cards" value="AW"[^>]*(?<!disabled)>', page)


def test_a_tap_comes_after_the_cards_that_were_there(client):
    page = client.get("/ask/ace-trump/trick/", {"add-cards": "XM", "cards": ["8MS", "XS"]})
    assert sent_link(page).endswith("?cards=8MS&cards=XS&cards=XM")


def test_cards_may_be_typed_by_any_of_their_names(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": "8ms xs, the Huntress"})
    same = client.get("/ask/ace-trump/trick/", {"cards": ["8MS", "XS", "XM"]})
    assert sent_link(page) == sent_link(same)


def test_a_card_is_taken_back(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": ["8MS", "XS"]}).content.decode()
    assert 'href="/ask/ace-trump/trick/?cards=XS"' in page


def test_the_answer_has_an_address_that_tells_it_again(client):
    first = client.get("/ask/ace-trump/trick/", {"cards": ["9MS", "XS", "XM"], "rule-ties": "early", "rule-hook": "no"})
    link = sent_link(first)
    assert dict(parse_qsl(urlsplit(link).query)) == {"cards": "XM", "rule-ties": "early"}
    again = client.get(link)
    assert text(again) == text(first)
    assert "earlier" in text(again)


def test_what_may_be_played_is_told_card_by_card(client):
    page = client.get("/ask/ace-trump/legal/", {"led_card": "8MS", "hand": ["3MW", "9WY", "AK"]})
    assert "1 of 3 may be played" in text(page)
    assert "does not follow" in text(page)


def test_a_house_rule_that_does_not_fit_is_told(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": "8MS", "rule-fixed_trump": "M"})
    assert page.status_code == 200
    assert "fixed_trump goes with trump=fixed, and only with it." in text(page)


@pytest.mark.parametrize(
    "query",
    [
        {"cards": "the Moose"},
        {"cards": ["8MS", "8MS"]},
        {"cards": "8MS", "rule-ties": "never"},
        {"cards": "8MS", "rule-nonsense": "yes", "trump": "Q"},
        {"cards": ["8MS"] * 400},
        {"cards": "x" * 5000},
        {"pads": "?", "?": "?", "cards": "?"},
    ],
)
def test_nonsense_is_answered_in_words(client, query):
    assert client.get("/ask/ace-trump/trick/?" + urlencode(query, doseq=True)).status_code == 200


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_nonsense_breaks_no_question(client, game, question):
    names = "cards hand led_card led_suit card ruling_card on play decks suit_order laid response players bid tricks"
    names += " cards_left dealt last_trick hand_size trump"
    for told in ("-3", "99999999999999999999", "2S 3S"):
        assert client.get(f"/ask/{game}/{question}/", dict.fromkeys(names.split(), told)).status_code == 200


def test_there_is_no_such_question(client):
    assert client.get("/ask/ace-trump/ransom/").status_code == 404
    assert client.get("/ask/chess/trick/").status_code == 404


def test_htmx_gets_the_form_alone_and_the_address_to_show(client):
    page = client.get("/ask/ace-pit/response/", {"laid": "8s", "response": ["8h"]}, headers={"HX-Request": "true"})
    assert "<html" not in page.content.decode()
    assert page["HX-Push-Url"] == "/ask/ace-pit/response/?laid=8S&response=8H"


def told(case):
    """Return what the body of an API question is as the query of its page."""
    body, query = dict(case["body"]), []
    for key, value in body.pop("options", {}).items():
        query.append((f"rule-{key}", option_text(value)))
    for play in body.pop("plays", ()):
        query += [("cards", card) for card in play["cards"]]
        query += [("ruling_card", play["ruling_card"])] if play.get("ruling_card") else []
        query += [("called_suit", play["suit"])] if play.get("suit") else []
    for key, value in body.items():
        if key != "game" and value is not None and value is not False:
            query += [(key, item) for item in (value if isinstance(value, list) else [value])]
    return query


def shape(case):
    """Return what a form needs to be filled in for a case: cases of one shape are one to the page."""
    body = case["body"]
    return (
        body["game"],
        case["ask"],
        *map(tuple, (sorted(body), sorted(body.get("options", ())), sorted(case["expect"]))),
    )


ONE_OF_EACH = {shape(case): case for case in reversed(CASES)}.values()


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=lambda case: case["id"])
def test_the_page_answers_what_the_api_answers(client, case):
    question = case["ask"].removeprefix("referee/").strip("/")
    page = client.get(f"/ask/{case['body']['game']}/{question}/?" + urlencode(told(case)))
    assert page.status_code == 200
    html = page.content.decode()
    assert 'class="send"' in html, (text(page), told(case))
    headline = (re.findall(r'<p class="headline">([^<]*)', html) or [""])[0]
    expected = case["expect"]
    if isinstance(expected.get("winner"), int):
        plays = re.findall(r'<li class="play( won)?">', html)
        assert plays.index(" won") == expected["winner"]
    if "legal" in expected:
        lawful = (re.findall(r'<p class="cards-row">(.*?)</p>', html, re.DOTALL) or [""])[0]
        assert lawful.count('class="card') == len(expected["legal"])
    if "beats" in expected:
        assert headline == ("Yes" if expected["beats"] else "No")
    if isinstance(expected.get("points"), int) and "winner" not in expected:
        assert headline.split()[0] == str(expected["points"])


def test_a_game_that_no_page_knows_of_is_asked_too(client):
    with with_game(TOY):
        assert 'href="/ask/plain-whist/score/"' in client.get("/ask/").content.decode()
        page = client.get("/ask/plain-whist/score/", {"tricks": "5"})
        assert "5 points" in text(page)
        assert '/games/plain-whist/#TOY-4"' in page.content.decode()
