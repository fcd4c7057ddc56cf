"""House rules, the rulebook, and events that change rules."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import cast

import pytest

import referee
from referee.api.questions import option_schema
from referee.engine import rulebook
from referee.engine.adjudication import adjudicate
from referee.engine.audit import audit
from referee.engine.game import all_games
from referee.engine.records import Record, dump_record, load_record, opened
from referee.engine.replaying import play_hands
from referee.engine.rulebook import BASES
from referee.engine.rules import EndRule, Option, Refused, fill
from referee.engine.snapshot import dump_table, load_table, save_table
from referee.engine.table import judge
from referee.notation import check_sheet, read_text, write_sheet, write_text
from tests.games.discovery import CASES, RANDOM
from tests.referee.random_tables import replayed
from tests.referee.rules_events import parts, rules, with_other_rules
from tests.referee.telling import (
    END,
    NOTE,
    REDEAL,
    Json,
    clause_ids,
    exercises,
    judged,
    known,
    penalty,
    plays,
    refusal,
    refused,
    result,
    told,
    what_if,
)
from tests.seeds import as_often_as

# --- House rules whose default and maximum depend on the number of players

LARGEST = Option(
    "largest", "Longest hand", "Cards each.", ("TOY-1",), span=(1, 17), by_players={3: (10, 17), 7: (7, 7)}
)


@pytest.mark.parametrize(("players", "usual", "most"), [(3, 10, 17), (7, 7, 7)])
def test_defaults_and_maximums_follow_the_number_of_players(players: int, usual: int, most: int):
    assert fill((LARGEST,), {}, players=players) == {"largest": usual}
    assert fill((LARGEST,), {"largest": most}, players=players) == {"largest": most}
    with pytest.raises(Refused) as refusal:
        fill((LARGEST,), {"largest": most + 1}, players=players)
    assert (refusal.value.problems[0].code, refusal.value.malformed) == ("bad-option", False)


def test_an_omitted_number_is_not_null():
    with pytest.raises(Refused) as refusal:
        fill((LARGEST,), {"largest": None}, players=3)
    assert (refusal.value.problems[0].code, refusal.value.malformed) == ("wrong-type", True)


def test_the_schema_gives_the_default_for_each_number_of_players():
    schema = option_schema(LARGEST)
    assert "default" not in schema
    assert schema["type"] == "integer"
    assert schema["x-by-players"] == {"3": {"default": 10, "maximum": 17}, "7": {"default": 7, "maximum": 7}}
    by_players = {3: (False, False), 4: (True, True)}
    partners = Option("partners", "Partners", "Play in sides.", ("X-1",), (True, False), by_players=by_players)
    assert option_schema(partners)["x-by-players"] == {"3": {"default": False}, "4": {"default": True}}


# --- The rulebook: every clause is complete and tested, and every cited clause exists

ENGINE = Path(referee.__file__).parent
TESTS = Path(__file__).parent.parent
BOOKS = rulebook.books()
CLAUSES = [clause for book in BOOKS for clause in rulebook.clauses(book)]
PREFIXES = sorted({clause.id.partition("-")[0] for clause in CLAUSES})
CLAUSE = re.compile(rf"\b(?:{'|'.join(PREFIXES)})-[A-Z]?\d+\b")


def test_clauses_are_complete_and_unique():
    for clause in CLAUSES:
        assert re.fullmatch(r"[A-Z]{2,3}-[A-Z]?\d+", clause.id)
        assert clause.title.strip(), clause.id
        assert len(clause.text) > 20, clause.id
        assert clause.source.strip(), clause.id
        assert clause.basis in BASES, clause.id
    assert len({clause.id for clause in CLAUSES}) == len(CLAUSES)


def test_every_game_has_a_rulebook_and_credits_its_source():
    for game in all_games():
        assert game.rulebook(), game.id
        assert game.source
        assert rulebook.title(game.id) == game.name
    assert {clause.id[:3] for clause in rulebook.shared()} >= {"DK-", "TT-", "IR-", "REC"}
    assert rulebook.clauses("no-such-game") == ()


def test_every_clause_cited_by_the_code_or_another_clause_exists():
    cited = {clause: str(file) for file in ENGINE.rglob("*.py") for clause in constants(file)}
    missing = {clause: file for clause, file in cited.items() if clause not in clause_ids()}
    assert not missing
    assert len(cited) > 50
    mentioned = {(clause.id, other) for clause in CLAUSES for other in CLAUSE.findall(clause.text)}
    assert not [pair for pair in mentioned if pair[1] not in clause_ids()]


def test_every_option_cites_existing_clauses_and_names_its_values():
    for game in all_games():
        for option in game.all_options():
            assert option.clauses, option.key
            assert set(option.clauses) <= clause_ids(), option.key
            assert len(option.labels) == len(option.values), option.key
            assert option.label, option.key
            assert option.help, option.key


def test_every_clause_is_exercised():
    exercised = set(chain.from_iterable(constants(file) for file in TESTS.rglob("*.py")))
    exercised |= {clause for case in CASES for clause in case.get("clauses", ())}
    idle = [clause.id for clause in CLAUSES if clause.id not in exercised]
    assert not idle, f"no test exercises: {', '.join(idle)}"


def constants(file: Path) -> Iterator[str]:
    """Find the clauses in a module's string constants; comments and docstrings do not count."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
            yield from CLAUSE.findall(node.value)


# --- House rules that change between two hands (REC-23)

SEEDS = as_often_as(always=10, hunting=200, quick=4)
TWO_CROWNS, LATER = plays("0:8MS 1:XS 2:XM"), plays("1:8MS 2:XS 0:XM")
"""A trick the Crown of Moons wins by default and the earlier Crown under Early Bird; the same in the second hand."""


@exercises("REC-23", "AT-V2")
def test_changed_rules_apply_from_the_next_hand():
    answer = judged([*TWO_CROWNS, result(4, 4, 4), rules(ties="early")], LATER)
    before, after = answer["hands"]
    assert (before["tricks"][0]["winner"], after["tricks"][0]["winner"]) == (2, 2)
    assert judged([*TWO_CROWNS, result(4, 4, 4)], LATER)["hands"][1]["tricks"][0]["winner"] == 0
    assert "options" not in before
    assert after["options"]["ties"] == answer["options_now"]["ties"] == "early"
    assert answer["options"]["ties"] == "symbol"


@exercises("REC-23", "REC-16")
def test_rules_cannot_change_during_a_hand_or_after_the_end():
    reason = refusal(TWO_CROWNS, rules(ties="early"))["reason"]
    assert (reason["code"], reason["clauses"]) == ("wrong-phase", ["REC-2", "REC-23"])
    assert refused(rules(ties="early")) == ("impossible", "wrong-phase"), "the first hand is dealt already"
    done = [result(4, 4, 4)]
    assert refused(done, END, rules(ties="early")) == ("impossible", "hand-finished")
    one = {"kind": "hands", "value": 1}
    assert refused(done, rules(ties="early"), end=one) == ("impossible", "hand-finished")


@exercises("REC-23")
def test_a_play_that_the_game_forbids_is_refused_with_its_clause():
    done = [result(4, 4, 4)]
    for options in ({"hook": True}, {"tides": 1}, {"ties": "never"}, {"no_such": True}, {"fixed_trump": "M"}):
        reason = refusal(done, rules(**options))["reason"]
        assert reason["code"] == "bad-rules", options
        assert reason["clauses"][0] == "REC-23", options
    assert "AT-Q15" in refusal(done, rules(hook=True))["reason"]["clauses"]


@exercises("REC-23", "REC-15", "AP-18")
def test_partnerships_and_hidden_points_cannot_change_during_a_game():
    done = [result(3, 3, 3, 0)]
    reason = refusal(done, rules(partners=True), players=4)["reason"]
    assert (reason["code"], reason["clauses"]) == ("bad-rules", ["REC-23", "REC-15"])
    done = [{"type": "result", "points": [100, 60]}]
    reason = refusal(done, rules(totals="hidden"), game="ace-pit", players=2)["reason"]
    assert (reason["code"], reason["clauses"]) == ("bad-rules", ["REC-23", "AP-18"])


@exercises("REC-23", "REC-14")
def test_a_void_hand_is_redealt_under_the_changed_rules():
    answer = judged([*TWO_CROWNS, REDEAL, rules(ties="early", pawns=True)], TWO_CROWNS)
    first, again = answer["hands"]
    assert (again["dealer"], first["hand_size"], again["hand_size"]) == (first["dealer"], [12] * 3, [13] * 3)
    assert again["tricks"][0]["winner"] == 1


@pytest.mark.parametrize(
    "options", [[], {"ties": ["early"]}, {"ties": 1.5}, {"ties": "x" * 61}, {f"x{n}": 1 for n in range(61)}]
)
def test_an_invalid_shape_for_house_rules_is_malformed(options: object):
    with pytest.raises(Refused) as refusal_:
        load_record(told([result(4, 4, 4), {"type": "rules", "options": options}]))
    assert refusal_.value.malformed


@exercises("REC-23")
def test_rules_can_change_again_and_back():
    hand = [result(4, 4, 4)]
    answer = judged([*hand, rules(ties="early"), rules(ties="symbol")], hand)
    assert "options_now" not in answer
    assert "options" not in answer["hands"][1]
    there = judged([*hand, rules(pawns=True)], [result(5, 4, 4), NOTE, rules(pawns=False)], hand)
    assert [each["hand_size"] for each in there["hands"]] == [[12] * 3, [13] * 3, [12] * 3]
    assert "options_now" not in there
    assert ["options" in each for each in there["hands"]] == [False, True, False]


@exercises("REC-23", "REC-13")
def test_points_can_still_be_moved_in_the_hand_before_the_change():
    answer = judged([*TWO_CROWNS, result(4, 4, 4), rules(ties="early"), penalty(0, -1)], LATER)
    assert answer["totals"] == [3, 4, 5]


@exercises("REC-23", "AT-V8")
def test_a_card_added_to_the_pack_can_be_played_and_entered():
    assert judged([result(4, 4, 4), rules(excuse=True)], plays("1:8MS 2:E"))["rejected"] is None
    assert judged([result(4, 4, 4)], plays("1:8MS 2:E"))["rejected"]["reason"]["code"] == "not-in-deck"
    held = "E AM AS AW AL AY AK 2MK 2SY 2WL XM XS"
    answer = judged([result(4, 4, 4), rules(excuse=True)], known(plays("1:AM"), s1=held))
    assert answer["rejected"] is None


def random_pairs() -> Iterator[tuple[str, Record, Record, int]]:
    """Records of every game, each with a copy in which a house rule changes after one of its hands."""
    for game in RANDOM:
        for seed, record, _ in replayed(game, SEEDS):
            endless = replace(record, rules=replace(record.rules, end=EndRule()))
            changed = with_other_rules(endless, Random(seed))
            if changed is not None:
                yield f"{game} {seed}", endless, *changed


@cache
def pairs() -> list[tuple[str, Record, Record, int]]:
    """Those pairs, made once and only when a test needs them."""
    return list(random_pairs())


def test_restating_the_same_rules_changes_nothing():
    for which, record, changed, place in pairs():
        data, plain = dump_record(changed), adjudicate(record)
        data["hands"][place]["events"][-1]["options"] = dict(plain["hands"][place].get("options", plain["options"]))
        assert adjudicate(load_record(data)) == plain, which


def test_a_record_split_at_a_rule_change_is_judged_the_same():
    compared = 0
    for which, _, record, place in pairs():
        whole = adjudicate(record)
        try:
            first, second = (adjudicate(load_record(part)) for part in parts(record, place))
        except Refused:
            continue  # the entered hands have the size of a later hand of the course
        for laid, alone in zip(whole["hands"], first["hands"], strict=False):
            assert essence(cast(Json, laid)) == essence(cast(Json, alone)), which
        rest, expected = whole["hands"][place + 1 :], second["hands"]
        for laid, alone in zip(rest, expected, strict=False):
            if (laid["hand_size"], laid["seating"]) != (alone["hand_size"], alone["seating"]):
                break  # what a hand takes over from the previous one is not carried to another table
            if any(laid.get(key) != alone.get(key) for key in ("trump", "pass_to")):
                break
            compared += 1
            assert essence(cast(Json, laid)) == essence(cast(Json, alone)), which
            assert laid["options"] == second["options"], which
        else:
            assert whole["totals"] == second["totals"], which
            assert (whole["rejected"] is None) == (second["rejected"] is None), which
    assert compared >= SEEDS


def essence(hand: Json) -> Json:
    left_out = ("number", "options", "irregularities", "hand_of_course")
    plain = {key: value for key, value in hand.items() if key not in left_out}
    found = [(each["code"], each["certainty"], each["seat"], each["event"][1]) for each in hand["irregularities"]]
    return plain | {"found": found}


def test_saving_and_loading_between_events_judges_the_same():
    for which, _, record, _ in pairs():
        opening = opened(record)
        hands, stop = play_hands(opening, record.hands, rulings=True)
        whole, stopped = play_hands(opening, record.hands)
        assert (stop and (stop.hand, stop.event)) == (stopped and (stopped.hand, stopped.event)), which
        assert [dump_table(each.state) for each in hands] == [dump_table(each.state) for each in whole], which
        saved = None
        for played in hands:
            state = played.start
            for event in record.hands[played.number].events[: len(played.rulings)]:
                saved = save_table(state, saved)
                assert saved.text == save_table(state).text, which
                loaded = load_table(record.rules, dump_table(state))
                assert dump_table(loaded) == dump_table(state), which
                assert loaded.opening.options == state.opening.options, which
                state = judge(loaded, event).table
            assert dump_table(state) == dump_table(played.state), which


def test_the_record_round_trips_as_text_and_spreadsheet():
    for which, _, record, _ in pairs():
        text = write_text(record)
        assert dump_record(read_text(text)) == dump_record(record), which
        assert "House rules: " in text, which
        whole = f"{write_text(record, annotate=True)}\n== Score sheet ==\n{write_sheet(record)}"
        check_sheet(whole, read_text(whole))


def test_an_audit_checks_every_hand_under_its_own_rules():
    for which, _, record, _ in pairs():
        judged_, found = audit(record)
        for hand, checked in zip(judged_.hands, found, strict=True):
            assert checked.judged.rules.options == hand.rules.options, which


@exercises("REC-22", "REC-23")
def test_a_what_if_option_applies_to_every_hand():
    record = told([*TWO_CROWNS, result(4, 4, 4), rules(ties="late", pawns=True)], LATER)
    answer = what_if(record, ties="early")
    assert [each["tricks"][0]["now"]["winner"] for each in answer["hands"]] == [1, 2]
    assert [each["key"] for each in answer["changed"]] == ["ties"]
    assert not answer["hands"][1]["notes"], "the pawns are in the pack all the same"
    left = what_if(told([result(4, 4, 4), rules(bidding=True)], LATER), pawns=True)
    assert left["hands"][0]["left_out"] == []


@exercises("REC-22", "REC-23")
def test_options_that_conflict_with_the_requested_ones_are_dropped():
    record = told([result(4, 4, 4), rules(trump="fixed", fixed_trump="M")], LATER)
    (left,) = what_if(record, trump="sticky")["hands"][0]["left_out"]
    assert (left["event"], left["reason"]["code"]) == ([0, 1], "bad-rules")


def test_the_text_notation_accepts_common_spellings():
    head = "Game: ace-trump\nSeats: Ann, Bob, Cy\nFirst dealer: Cy\n== Hand 1 ==\nResult: tricks 4, 4, 4\n"
    record = read_text(f'{head}House rules: ties = early, pawns = true, "fixed_trump" = null {{"x_by": 1}}\n')
    assert dump_record(record)["hands"][0]["events"][1] == {
        "type": "rules", "options": {"ties": "early", "pawns": True, "fixed_trump": None}, "x_by": 1,
    }  # fmt: skip
    assert dump_record(read_text(f"{head}House rules: -\n"))["hands"][0]["events"][1]["options"] == {}
    for wrong in ("ties", "ties early", "ties = early, ties = late", "ties ="):
        with pytest.raises(Refused):
            read_text(f"{head}House rules: {wrong}\n")
