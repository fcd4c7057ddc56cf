"""A rule in its place: opened over the table, with an example and as the table plays it; the referee, already told."""

from urllib.parse import parse_qs, urlsplit

import pytest

from referee.engine.catalogue import all_games, find_game
from referee.engine.examples import examples
from scoring.pages.show.clause_sheet import clause_sheet, find_clause
from tests.scoring.pages.reading import text

TRICK = ("7ML", "9LK", "9MS", "4YK")
NAMES = ("Anna", "Ben", "Clara", "Dominik")


@pytest.fixture
def early(device):
    """A table that plays Early Bird, with a trick that it decides."""
    table = device.open_table(names=NAMES, dealer=0, **{"option-ties": "1"})
    for place, card in enumerate(TRICK, 1):
        assert device.tap(table, "play", seat=place % 4, cards=card).status_code == 302
    return table


def test_it_works(device):
    page = device.get("/games/ace-trump/AT-12/")
    assert "Breaking ties" in text(page)
    assert "Pact (9 of Moons and Suns) wins" in text(page)


def test_over_a_table_only_the_sheet_is_sent(device):
    sheet = device.get("/games/ace-trump/AT-9/", headers={"HX-Request": "true"})
    assert "<html" not in sheet.content.decode()
    assert len(sheet.content) < 6000


def test_a_rule_is_told_as_the_table_plays_it(device, early):
    code = early.split("/")[2]
    page = text(device.get("/games/ace-trump/AT-12/", {"table": code}))
    assert "At your table Equal ranks: earlier card (Early Bird)" in page
    assert "Merchant" not in text(device.get("/games/ace-trump/AT-12/"))
    played = text(device.get("/games/ace-trump/AT-V2/", {"table": code}))
    assert "as you play it" in played
    assert "by Early Bird" in played


def test_an_example_of_a_rule_that_is_not_played_says_what_it_needs(device):
    table = device.open_table(names=NAMES)
    page = text(device.get("/games/ace-trump/AT-16/", {"table": table.split("/")[2]}))
    assert "Play with the Excuse: no" in page
    assert "For example Play with the Excuse: yes." in page


def test_the_table_tells_its_house_rules_in_one_line(device, early):
    assert "House rules : ties to the earlier card (Early Bird)" in text(device.get(early))
    assert "House rules : as usual" in text(device.get(device.open_table(names=NAMES)))


def test_the_referee_is_asked_with_trick_and_rules_filled_in(device, early):
    answer = device.get(f"{early}ask/")
    address = urlsplit(answer["Location"])
    asked = parse_qs(address.query)
    assert (address.path, asked["cards"], asked["rule-ties"]) == ("/ask/ace-trump/trick/", list(TRICK), ["early"])
    page = device.get(answer["Location"])
    assert "by Early Bird the earlier one" in text(page)
    assert f'<a href="{early}">Back to the table</a>' in page.content.decode()
    assert f'href="{early}ask/legal/"' in page.content.decode()


def test_a_private_table_tells_nobody_else_its_rules(device, other, early):
    code = early.split("/")[2]
    device.post(f"{early}private/", {"private": "1"})
    assert "At your table" not in text(other.get("/games/ace-trump/AT-12/", {"table": code}))
    assert other.get(f"{early}ask/").status_code == 404


@pytest.mark.parametrize("address", ["/games/no-such-game/AT-1/", "/games/ace-trump/AT-99/"])
def test_what_is_no_rule_is_not_found(device, address):
    assert device.get(address).status_code == 404


def shown_for(game, number):
    """Return the example that the sheet of a clause shows."""
    found = find_clause(game, number)
    assert found is not None, number
    example = clause_sheet(game, *found, None).example
    assert example is not None, number
    assert example.answer.sentence is not None, number
    return example.answer.sentence


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_example_is_answered_and_shows_its_clauses(game):
    assert len(examples(game.id)) >= 9
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
def test_what_a_hand_shows_is_filled_in(game, question, events, expected):
    found = find_game(game)
    declared = None if found is None else found.question(question)
    assert declared is not None
    assert declared.seen(events) == expected
