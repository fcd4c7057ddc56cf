"""Golden records and worked rulings: a person checked what the referee makes of them, and it must stay so.

``tests/golden/make.py`` says how to add a golden record.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from referee.engine.game import Game, all_games
from referee.engine.records import Record, dump_record, load_record
from referee.engine.rules import REVOKE, Refused
from referee.engine.rulings import ScoreLine
from referee.notation import check_sheet, read_text, split_sheet, write_sheet, write_text
from referee.tricks.hand import TrickHand
from tests.games.discovery import CASES, Golden, golden_of
from tests.referee.telling import ask

GOLDEN = sorted(golden for game in all_games() for golden in golden_of(game.id))


def name(golden: Golden) -> str:
    return f"{golden.folder}/{golden.name}"


@pytest.fixture(params=GOLDEN, ids=name)
def golden(request: pytest.FixtureRequest) -> Golden:
    return request.param


def test_the_score_sheet_is_the_one_a_person_checked(golden):
    text = golden.text
    record = read_text(text)
    assert split_sheet(text)[1] == write_sheet(record)
    check_sheet(text, record)


def test_a_golden_record_is_written_as_it_stands(golden):
    before = split_sheet(golden.text)[0]
    lines = [line for line in before.rstrip("\n").split("\n") if not line.startswith("#")]
    assert write_text(read_text(before)).rstrip("\n").split("\n") == lines
    assert before.startswith("# "), "The first line says what the record shows."


def test_the_house_rules_of_a_golden_record_matter(golden):
    record = read_text(golden.text)
    sheet = write_sheet(record)
    for key in chosen(record):
        data = dump_record(record)
        del data["options"][key]
        try:
            other = write_sheet(load_record(data))
        except Refused:
            continue  # another option of this record needs it
        assert other != sheet, f"Without {key} nothing would be different."


def chosen(record: Record) -> Mapping[str, Any]:
    """The options that differ from their defaults."""
    rules = record.rules
    standard = {option.key: option.standard_for(rules.players) for option in rules.game.all_options()}
    return {key: value for key, value in record.rules.options.items() if value != standard[key]}


def records_of(game: Game) -> list[Record]:
    return [read_text(golden.text) for golden in golden_of(game.id)]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_game_has_a_golden_record_for_every_value_of_its_options(game):
    records = records_of(game)
    assert records, f"{game.id} has no golden record: see tests/golden/make.py."
    assert {record.rules.game.id for record in records} == {game.id}
    for option in game.all_options():
        if option.key == REVOKE.key and not issubclass(game.hand_class, TrickHand):
            continue  # no one has to follow suit, so no revoke can occur
        seen = {record.rules.options[option.key] for record in records}
        usual = any(option.key not in chosen(record) for record in records)
        assert usual, f"No golden record of {game.id} plays by the default of {option.key}."
        missing = set(option.values) - seen
        assert not missing, f"No golden record of {game.id} shows {option.key} = {missing}."
        assert len(seen) > 1, f"No golden record of {game.id} shows {option.key}."


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_the_extremes_of_players_have_a_golden_record(game):
    sizes = {record.rules.players for record in records_of(game)}
    assert min(game.players) in sizes
    assert len(sizes) > 1 or len(game.players) == 1


# --- Every worked ruling, put to the game itself: the answer contains at least what the case expects


def test_every_question_of_a_game_with_cases_has_a_case():
    asked = {(case["body"]["game"], case["ask"]) for case in CASES}
    games = {game for game, _ in asked}
    assert len(games) >= 5
    questions = {question.name for game in all_games() if game.id in games for question in game.QUESTIONS}
    assert {ask for _, ask in asked} == {f"referee/{name}/" for name in questions}
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_game_gives_the_expected_ruling(case: dict[str, Any]):
    answer = ask(case["ask"].split("/")[1], **case["body"])
    assert {key: answer[key] for key in case["expect"]} == case["expect"]
    assert answer["reason"].code
    if "points" in answer:
        points = answer["points"]
        lines = [each.points if isinstance(each, ScoreLine) else each["points"] for each in answer["lines"]]
        assert sum(lines) == (sum(points) if isinstance(points, list) else points)
