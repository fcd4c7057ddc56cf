"""Single questions, clauses and the rulebook as pages."""

import re
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

from referee.engine import rulebook
from referee.engine.game import all_games, find_game, with_game
from referee.engine.rulebook import examples
from referee.games.ace_trump.game import GAME as ACE_TRUMP
from referee.games.american_deuce.game import GAME as AMERICAN_DEUCE
from scoring.tables.presenters.questions import option_text
from scoring.tables.presenters.rulebook import clause_sheet, find_clause
from tests.games.discovery import CASES
from tests.scoring.pages.reading import text
from tests.toy import GAME as TOY

# --- Single questions on their pages, without scripts

QUESTIONS = [(game.id, question) for game in all_games() for question in sorted(game.questions)]


def sent_link(page):
    """Return the address the page offers to share."""
    found = re.search(r'class="to-send">\s*<a href="([^"]+)"', page.content.decode())
    assert found is not None, text(page)
    return found[1].replace("&amp;", "&")


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_every_question_is_listed_and_asked(client, game, question):
    listed = client.get("/ask/").content.decode()
    assert f'href="/ask/{game}/{question}/"' in listed
    assert f'href="/ask/{game}/{question}/"' in client.get(f"/games/{game}/").content.decode()
    assert client.get(f"/ask/{game}/{question}/").status_code == 200


def test_a_trick_is_answered_with_its_reason_and_clause(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": ["8MS", "XS", "XM"]})
    assert "Huntress (Crown of Moons) wins" in text(page)
    assert '/games/ace-trump/#AT-12"' in page.content.decode()


def test_each_tap_adds_a_card_and_marks_it_gone_on_the_pad(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": ["8MS", "XS"]}).content.decode()
    assert '<input type="hidden" name="cards" value="8MS">' in page
    assert re.search(r'<button class="card gone" name="add-cards" value="8MS"[^>]* disabled', page)
    assert 'aria-disabled="true"' not in page
    assert re.search(r'<button class="card" name="add-cards" value="AW"[^>]*(?<!disabled)>', page)


@pytest.mark.parametrize(
    "query",
    [{"add-cards": "XM", "cards": ["8MS", "XS"]}, {"cards": "8ms xs, the Huntress"}],
    ids=["a tapped card comes after the earlier ones", "cards are typed by any of their names"],
)
def test_cards_can_be_tapped_or_typed(client, query):
    assert sent_link(client.get("/ask/ace-trump/trick/", query)).endswith("?cards=8MS&cards=XS&cards=XM")


def test_a_card_can_be_removed(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": ["8MS", "XS"]}).content.decode()
    assert 'href="/ask/ace-trump/trick/?cards=XS"' in page


def test_the_answer_has_an_address_that_shows_it_again(client):
    first = client.get("/ask/ace-trump/trick/", {"cards": ["9MS", "XS", "XM"], "rule-ties": "early", "rule-hook": "no"})
    link = sent_link(first)
    assert dict(parse_qsl(urlsplit(link).query)) == {"cards": "XM", "rule-ties": "early"}
    again = client.get(link)
    assert text(again) == text(first)
    assert "earlier" in text(again)


def test_legality_is_shown_card_by_card(client):
    page = client.get("/ask/ace-trump/legal/", {"led_card": "8MS", "hand": ["3MW", "9WY", "AK"]})
    assert "1 of 3 may be played" in text(page)
    assert "doesn’t follow suit" in text(page)


def test_a_misfit_house_rule_is_reported(client):
    page = client.get("/ask/ace-trump/trick/", {"cards": "8MS", "rule-fixed_trump": "M"})
    assert page.status_code == 200
    assert "fixed_trump works only with trump=fixed, which needs it." in text(page)


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
def test_an_invalid_question_gets_a_readable_answer(client, query):
    assert client.get("/ask/ace-trump/trick/?" + urlencode(query, doseq=True)).status_code == 200


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_nonsense_questions_are_refused(client, game, question):
    names = "cards hand led_card led_suit card ruling_card on play decks suit_order laid response players bid tricks"
    names += " cards_left dealt last_trick hand_size trump"
    for told in ("-3", "99999999999999999999", "2S 3S"):
        assert client.get(f"/ask/{game}/{question}/", dict.fromkeys(names.split(), told)).status_code == 200


def test_htmx_gets_only_the_form_and_the_url(client):
    page = client.get("/ask/ace-pit/response/", {"laid": "8s", "response": ["8h"]}, headers={"HX-Request": "true"})
    assert "<html" not in page.content.decode()
    assert page["HX-Push-Url"] == "/ask/ace-pit/response/?laid=8S&response=8H"


def told(case):
    """Return an API question's body as the query string of its page."""
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
    """Return which form fields a case fills in: the page treats cases of one shape alike."""
    body = case["body"]
    return (
        body["game"],
        case["ask"],
        *map(tuple, (sorted(body), sorted(body.get("options", ())), sorted(case["expect"]))),
    )


ONE_OF_EACH = {shape(case): case for case in reversed(CASES)}.values()


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=lambda case: case["id"])
def test_the_page_gives_the_apis_answer(client, case):
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
        assert lawful.count('class="card laid') == len(expected["legal"])
    if "beats" in expected:
        assert headline == ("Yes" if expected["beats"] else "No")
    if isinstance(expected.get("points"), int) and "winner" not in expected:
        assert headline.split()[0] == str(expected["points"])


def test_a_game_without_pages_of_its_own_can_be_asked_too(client):
    with with_game(TOY):
        assert 'href="/ask/plain-whist/score/"' in client.get("/ask/").content.decode()
        page = client.get("/ask/plain-whist/score/", {"tricks": "5"})
        assert "5 points" in text(page)
        assert '/games/plain-whist/#TOY-4"' in page.content.decode()


# --- A rule opened over the table, with an example and the table's house rules; prefilled questions

TRICK = "7ML 9LK 9MS 4YK"
NAMES = ("Anna", "Ben", "Clara", "Dominik")


@pytest.fixture
def early(device):
    """A table that plays Early Bird, with a trick that rule decides."""
    return device.open_table(names=NAMES, dealer=0, plays=TRICK, **{"option-ties": "1"})


def test_a_rule_opens_with_an_example(device):
    page = device.get("/games/ace-trump/AT-12/")
    assert "Breaking ties" in text(page)
    assert "Pact (9 of Moons and Suns) wins" in text(page)


def test_only_the_sheet_is_sent_over_a_table(device):
    sheet = device.get("/games/ace-trump/AT-9/", headers={"HX-Request": "true"})
    assert "<html" not in sheet.content.decode()
    assert len(sheet.content) < 6000


def test_a_rule_is_explained_with_the_tables_house_rules(device, early):
    code = early.split("/")[2]
    page = text(device.get("/games/ace-trump/AT-12/", {"table": code}))
    assert "At your table Equal ranks: the earlier card (Early Bird)" in page
    assert "Merchant (" not in text(device.get("/games/ace-trump/AT-12/"))
    played = text(device.get("/games/ace-trump/AT-V2/", {"table": code}))
    assert "as you play it" in played
    assert "under Early Bird" in played


def test_an_example_of_an_unused_rule_says_which_option_it_needs(device):
    table = device.open_table(names=NAMES)
    page = text(device.get("/games/ace-trump/AT-16/", {"table": table.split("/")[2]}))
    assert "Play with the Excuse: no" in page
    assert "For example Play with the Excuse: yes." in page


def test_the_table_shows_its_house_rules_in_one_line(device, early):
    assert "House rules: ties to the earlier card (Early Bird)" in text(device.get(early))
    assert "House rules: as usual" in text(device.get(device.open_table(names=NAMES)))


def test_the_question_form_opens_with_the_trick_and_rules_filled_in(device, early):
    answer = device.get(f"{early}ask/")
    address = urlsplit(answer["Location"])
    asked = parse_qs(address.query)
    assert (address.path, asked["cards"], asked["rule-ties"]) == ("/ask/ace-trump/trick/", TRICK.split(), ["early"])
    page = device.get(answer["Location"])
    assert "under Early Bird the earlier one" in text(page)
    assert f'<a href="{early}">Back to the table</a>' in page.content.decode()
    assert f'href="{early}ask/legal/"' in page.content.decode()


def test_a_private_table_does_not_reveal_its_rules(device, other, early):
    code = early.split("/")[2]
    device.post(f"{early}private/", {"private": "1"})
    assert "At your table" not in text(other.get("/games/ace-trump/AT-12/", {"table": code}))
    assert other.get(f"{early}ask/").status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "/ask/ace-trump/ransom/", "/ask/chess/trick/", "/games/no-such-game/AT-1/", "/games/ace-trump/AT-99/",
        "/games/no-such-game/teach/",
    ],
)  # fmt: skip
def test_an_unknown_game_question_or_rule_is_not_found(device, address):
    assert device.get(address).status_code == 404


def shown_for(game, number):
    """Return the example on a clause's sheet."""
    found = find_clause(game, number)
    assert found is not None, number
    example = clause_sheet(game, *found, None)["example"]
    assert example is not None, number
    assert example["answer"]["sentence"] is not None, number
    return example["answer"]["sentence"]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_example_is_answered_with_its_clauses(game):
    for example in examples(game.id):
        first, *_others = [shown_for(game, number) for number in example.clauses]
        assert {link.id for link in first.links} & set(example.clauses), example.clauses


@pytest.mark.parametrize(
    ("game", "question", "events", "expected"),
    [
        (
            "wildcat-chicane",
            "trick",
            {"tricks": [{"winner": None, "trump": None, "plays": [{"seat": 1, "cards": ["6LK"]}], "reads": ["L"]}],
             "ruling_cards": ["XM", "XL", "AW"]},
            {"cards": ["6LK"], "trump": [], "ruling_card": ["XL"]},
        ),
        (
            "wildcat-chicane",
            "legal",
            {"tricks": [{"winner": None, "trump": None, "plays": [{"seat": 1, "cards": ["6LK"]}], "reads": ["L"]}]},
            {"led_suit": ["L"]},
        ),
        ("ransom-trump", "ransom", {"dealer": 0, "ransom_cards": ["XM", "XY", "9MS"]}, {"cards": ["XY", "9MS", "XM"]}),
        ("ransom-trump", "ransom", {"dealer": 0, "ransom_cards": ["XM", None, "9MS"]}, {}),
        (
            "american-deuce",
            "beats",
            {"seating": [0, 1, 2, 3, 4], "suit_order": ["H", "S", "C", "D"],
             "tricks": [{"winner": None, "plays": [{"seat": 0, "cards": ["5H"]}, {"seat": 1, "pass": True}]}]},
            {"on": ["5H"], "suit_order": ["H", "S", "C", "D"], "decks": ["2"]},
        ),
        (
            "ace-pit",
            "response",
            {"tricks": [{"plays": [{"seat": 0, "cards": ["5C"]}, {"seat": 1, "cards": ["3H", "9H"]}]}]},
            {"laid": ["5C"], "response": ["3H", "9H"]},
        ),
    ],
)  # fmt: skip
def test_known_cards_prefill_the_question(game, question, events, expected):
    found = find_game(game)
    declared = None if found is None else found.question(question)
    assert declared is not None
    assert declared.seen(events) == expected


# --- The rulebook of a game


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_the_rulebook_contains_every_clause(device, game):
    page = device.get(f"/games/{game.id}/").content.decode()
    clauses = [clause.id for clause in game.rulebook()]
    assert clauses
    assert all(f'id="{clause}"' in page for clause in clauses)
    assert "our choice: the source doesn’t say" in page


def test_the_deck_page_belongs_to_the_games_that_use_it(device):
    decktet = rulebook.clauses("decktet")[0]
    assert f'id="{decktet.id}"' in device.get("/games/ace-trump/").content.decode()
    assert f'id="{decktet.id}"' not in device.get("/games/ace-pit/").content.decode()


def changed_table(device) -> str:
    """Open a table that plays Early Bird, and return its code."""
    return str(device.open_table(**{"option-ties": "1"}).split("/")[2])


def test_the_rulebook_marks_the_tables_rules_and_links_back(device):
    code = changed_table(device)
    page = device.get("/games/ace-trump/", {"table": code})
    assert "At your table: ties to the earlier card (Early Bird)" in text(page)
    assert f'<a href="/t/{code}/">Back to the table</a>' in page.content.decode()
    assert "At your table" not in text(device.get("/games/ace-trump/"))
    assert "At your table" not in text(device.get("/games/ransom-trump/", {"table": code}))


def test_only_the_first_part_of_the_rulebook_starts_open(device):
    page = device.get("/games/ace-trump/").content.decode()
    assert re.findall(r'<details class="box book-part[^"]*" id="part-\d"\s*( open)?>', page) == [" open", *[""] * 5]


def test_a_rule_is_found_by_searching_its_text(device):
    page = device.get("/games/ace-trump/", {"find": "excuse LED"})
    assert 'id="AT-Q9"' in page.content.decode()
    assert 'id="AT-3"' not in page.content.decode()
    assert "open>" in page.content.decode()
    assert 'id="AT-3"' in device.get("/games/ace-trump/", {"find": "at-3"}).content.decode()
    assert "No rule mentions “quidditch”." in text(device.get("/games/ace-trump/", {"find": "quidditch"}))


@pytest.mark.parametrize("game", [game for game in all_games() if game.lesson], ids=lambda game: game.id)
def test_a_game_can_be_learned_step_by_step(device, game):
    page = device.get(f"/games/{game.id}/teach/")
    assert page.content.decode().count('class="lesson-step"') == len(game.lesson)
    assert page.content.decode().count('class="card') > 8


def test_a_guess_is_answered_by_the_referee(device):
    step = ACE_TRUMP.lesson.index("AT-5") + 1
    wrong = device.get("/games/ace-trump/teach/", {f"step-{step}": "9WY"})
    assert "✗ Not quite. The Darkness (9 of Waves and Wyrms) doesn’t follow suit" in text(wrong).replace("  ", " ")
    right = device.get("/games/ace-trump/teach/", {f"step-{step}": "3MW"})
    assert "✓ Right! You can follow suit, so you must." in text(right).replace("  ", " ")
    assert "Not quite" not in text(device.get("/games/ace-trump/teach/", {f"step-{step}": "none", "step-x": "1"}))
    number = AMERICAN_DEUCE.lesson.index("AD-15") + 1
    assert "✓ Right!" in text(device.get("/games/american-deuce/teach/", {f"step-{number}": "yes"}))


def test_a_first_trick_leads_from_the_deal_to_starting_a_table(device):
    def lesson(*before, **now):
        return device.get("/games/ace-trump/teach/", {"before": before, **now})

    begun = text(lesson())
    assert "Anna deals 9 cards to each. You are Anna." in begun
    assert "Ben plays Painter (3 of Suns and Knots)" in begun
    assert "Start a table" in begun.partition("The rules, one by one")[2]
    wrong = text(lesson(tap="play:XM"))
    assert "Not that one. Anna played the Huntress (Crown of Moons), although the Soldier" in wrong
    won = text(lesson(tap="play:9MS"))
    assert "That was your first trick. The Pact (9 of Moons and Suns) is the highest card that follows suit." in won
    assert "Start a table" in won.partition("The rules, one by one")[0]
    together = text(device.get("/games/ace-pit/teach/", {"tap": "play:", "with": ["7S", "AS"]}))
    assert "Anna wins with Pin 25 + Ace Pit 50: 75 points." in together
    assert "Anna draws a card." in together
    suits = text(device.get("/games/american-deuce/teach/", {"before": ["suit:H"], "tap": "play:3H"}))
    assert "The 3 of hearts doesn’t beat the 4 of hearts" in suits
    for odd in ("play:XM:XM", "bid:²", "ransom:", "x" * 500):
        assert lesson(odd, tap=odd).status_code == 200


def test_the_lesson_leads_back_to_the_table(device):
    code = changed_table(device)
    page = device.get("/games/ace-trump/teach/", {"table": code}).content.decode()
    assert f'href="/t/{code}/"' in page
    assert f"/games/ace-trump/?table={code}" in page


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_no_rule_uses_programmers_terms(device, game):
    """“tides = true” is what a program sends; pages name the option's choice."""
    assert re.findall(r"\w+ = \w+", text(device.get(f"/games/{game.id}/"))) == []


def test_a_house_rule_has_the_same_name_as_in_the_form(device):
    page = text(device.get("/games/ace-trump/"))
    assert "“Play with Pawns: yes”, “Play with the Excuse: yes”" in page
    assert "“Bid of 0”: a number from 1 to 20" in text(device.get("/games/wildcat-chicane/"))
