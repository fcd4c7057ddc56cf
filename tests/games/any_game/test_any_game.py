"""The clauses of any game."""

import pytest

from referee.engine.game import find_game
from referee.engine.records import dump_record, load_record
from referee.engine.rules import Refused
from referee.notation import read_text, write_text
from tests.referee.telling import END, NOTE, REDEAL, Json, exercises, judged, penalty, plays, refusal, telling_of, told

hand, refused = telling_of("any-game")


def points(*numbers: int) -> Json:
    return {"type": "result", "points": list(numbers)}


def score(seat: int, number: int) -> Json:
    return {"type": "score", "seat": seat, "points": number}


def named(name: str) -> Json:
    return {"type": "round", "name": name}


def game(*rounds: list[Json], players: int = 3, **more: object) -> Json:
    return judged(*rounds, game="any-game", players=players, **more)


@exercises("AG-1")
def test_the_table_page_makes_no_rulings():
    any_game = find_game("any-game")
    assert any_game is not None
    assert not any_game.questions
    assert [option.key for option in any_game.all_options()] == ["wins", "teams"]
    for event in (plays("0:AS"), {"type": "trick", "winner": 0}, {"type": "bid", "seat": 0, "tricks": 2}):
        assert refused(event) == ("impossible", "wrong-phase")
    assert refused({"type": "hold-findings"}) == ("impossible", "wrong-phase")
    with pytest.raises(Refused, match="2 to 8"):
        game(players=1)


@exercises("AG-2")
def test_a_round_is_over_when_everyone_has_a_number():
    running = hand(score(2, -3), score(0, 0))
    assert (running["phase"], running["to_act"], running["scores"]) == ("scoring", [1], [None] * 3)
    assert running["entered"] == [0, None, -3]
    over = hand(score(2, -3), score(0, 0), score(1, 12))
    assert (over["phase"], over["scores"], over["to_act"]) == ("finished", [0, 12, -3], [])
    assert hand(score(2, -3), points(0, 12, -3))["scores"] == [0, 12, -3]


@exercises("AG-2", "AG-7")
@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([score(0, 5), score(0, 5)], "wrong-phase"),
        ([score(0, 5), points(6, 0, 0)], "bad-result"),
        ([points(1, 2)], "bad-result"),
        ([{"type": "result", "tricks": [1, 2, 3]}], "bad-result"),
        ([score(0, 10_000)], "bad-result"),
        ([points(0, 0, -10_000)], "bad-result"),
        ([score(3, 1)], "no-such-seat"),
        ([points(1, 2, 3), score(0, 1)], "hand-finished"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(events: list[Json], code: str):
    assert refused(*events) == ("impossible", code)


@exercises("AG-2", "AG-3", "AG-5")
def test_worked_case_the_lowest_total_wins_after_three_rounds():
    rounds = [[points(10, -5, 0)], [points(3, 8, 0)], [points(-2, 4, 9)]]
    found = game(*rounds, options={"wins": "lowest"}, end={"kind": "hands", "value": 3})
    assert (found["totals"], found["finished"], found["winners"]) == ([11, 7, 9], True, [1])
    highest = game(*rounds, end={"kind": "hands", "value": 3})
    assert highest["winners"] == [0]


@exercises("AG-3")
@pytest.mark.parametrize(("wins", "winners"), [("highest", [0, 1]), ("lowest", [2])])
def test_equal_totals_share_the_win(wins: str, winners: list[int]):
    assert game([points(7, 7, 2), END], options={"wins": wins})["winners"] == winners


@exercises("AG-4")
@pytest.mark.parametrize(
    ("teams", "players", "totals"),
    [
        ("two", 4, [4, 6, 4, 6]),
        ("pairs", 4, [4, 6, 4, 6]),
        ("two", 6, [9, 12, 9, 12, 9, 12]),
        ("pairs", 6, [5, 7, 9, 5, 7, 9]),
        ("pairs", 8, [6, 8, 10, 12, 6, 8, 10, 12]),
    ],
)
def test_a_players_score_counts_for_the_team(teams: str, players: int, totals: list[int]):
    found = game([points(*range(1, players + 1))], players=players, options={"teams": teams})
    assert found["totals"] == totals


@exercises("AG-4")
def test_teams_need_an_even_number_of_players_from_four():
    for players in (2, 3, 5, 7):
        with pytest.raises(Refused, match="4, 6 or 8"):
            game(players=players, options={"teams": "two"})


@exercises("AG-4", "REC-23")
def test_a_rule_change_between_rounds_keeps_scores():
    first = [points(1, 2, 3, 4), {"type": "rules", "options": {"teams": "two", "wins": "lowest"}}]
    found = game(first, [points(1, 1, 1, 1), END], players=4)
    assert (found["totals"], found["winners"]) == ([6, 8, 6, 8], [0, 2])
    mid = refused(score(0, 1), {"type": "rules", "options": {"wins": "lowest"}})
    assert mid == ("impossible", "wrong-phase")


@exercises("AG-4", "REC-15", "REC-23")
def test_new_teams_start_with_their_players_scores():
    first = [points(1, 2, 3, 4), {"type": "rules", "options": {"teams": "two"}}]
    assert game(first, players=4, carried=[5, 0, 1, 0])["totals"] == [10, 6, 10, 6]
    apart = [points(1, 2, 3, 4), {"type": "rules", "options": {"teams": "none"}}]
    found = game(apart, players=4, options={"teams": "two"}, carried=[5, 0, 5, 0])
    assert found["totals"] == [6, 2, 8, 4]


@exercises("AG-5")
@pytest.mark.parametrize("wins", ["highest", "lowest"])
def test_the_game_ends_at_or_above_the_score(wins: str):
    end = {"kind": "score", "value": 20}
    assert not game([points(19, 3, 0)], options={"wins": wins}, end=end)["finished"]
    over = game([points(20, 3, 0)], options={"wins": wins}, end=end)
    assert (over["finished"], over["winners"]) == (True, [0] if wins == "highest" else [2])
    after = game([points(20, 3, 0)], [points(1, 1, 1)], options={"wins": wins}, end=end)
    assert after["rejected"]["reason"]["code"] == "hand-finished"


@exercises("AG-5")
def test_a_team_reaches_the_score_together():
    end = {"kind": "score", "value": 20}
    assert game([points(12, 0, 8, 0)], players=4, options={"teams": "two"}, end=end)["finished"]
    assert not game([points(12, 0, 8, 0)], players=4, end=end)["finished"]
    with pytest.raises(Refused, match="at least 1"):
        game(end={"kind": "score", "value": 0})


@exercises("AG-6")
def test_a_round_can_have_a_name_until_the_next_one_begins():
    assert hand(named("No trump"), points(1, 2, 3))["name"] == "No trump"
    assert hand(points(1, 2, 3), named(" No trump "))["name"] == "No trump"
    assert refused(named("Grand"), named("Null")) == ("impossible", "wrong-phase")
    assert refused(named("  ")) == ("impossible", "bad-result")
    assert refused(named("x" * 61)) == ("impossible", "bad-result")
    assert refused(points(1, 2, 3), named("Grand"), named("Null")) == ("impossible", "hand-finished")


@exercises("AG-6")
def test_the_title_is_part_of_the_record():
    record = load_record(told([points(1, 2, 3)], game="any-game", title="  Phase   10 "))
    assert (record.rules.game.name, record.rules.game.id) == ("Phase 10", "any-game")
    assert dump_record(record)["title"] == "Phase 10"
    text = write_text(record)
    assert "Title: Phase 10" in text
    assert dump_record(read_text(text)) == dump_record(record)


@exercises("AG-6")
@pytest.mark.parametrize(
    ("where", "title", "says"),
    [
        ("any-game", " ", "1 to 60"),
        ("any-game", "x" * 61, "1 to 60"),
        ("ace-trump", "Skat", "can’t have another title"),
    ],
)
def test_a_title_needs_letters_and_belongs_to_any_game_only(where: str, title: str, says: str):
    with pytest.raises(Refused, match=says) as refusal:
        load_record(told(game=where, title=title))
    assert [(problem.pointer, refusal.value.malformed) for problem in refusal.value.problems] == [("/title", False)]


@exercises("AG-7")
def test_a_number_already_recorded_must_be_corrected_instead():
    found = refusal(score(1, 5), score(1, 8), game="any-game")
    assert found["reason"]["text"] == "Bob already has 5 points in this round. Correct that number instead."


@exercises("AG-7", "REC-13")
def test_a_points_ruling_between_rounds_stands_alone():
    found = game([points(1, 2, 3), penalty(0, 10), NOTE], options={"wins": "lowest"})
    assert found["totals"] == [11, 2, 3]
    assert [line["points"] for line in found["hands"][0]["score_lines"]] == [1, 2, 3, 10]


@exercises("REC-14")
def test_a_void_round_is_played_again():
    found = game([score(0, 4), REDEAL], [points(1, 2, 3)])
    assert (found["totals"], [each["dealer"] for each in found["hands"]]) == ([1, 2, 3], [2, 2])


def test_the_starting_player_rotates():
    found = game([points(1, 2, 3)], [points(1, 2, 3)])
    assert [each["dealer"] for each in found["hands"]] == [2, 0]
    assert found["next"]["dealer"] == 1
