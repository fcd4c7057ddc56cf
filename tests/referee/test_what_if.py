"""What if: a record judged under other house rules, with the same cards (REC-22)."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.game import Game, all_games
from referee.engine.records import Record, dump_record, load_record
from referee.engine.replaying import TooCostly
from referee.engine.rules import REVOKE, Option, Refused
from referee.engine.what_if import judge_as_it_lay
from referee.notation import read_text
from tests.games.discovery import COMPARED, HONEST, ORACLES, RANDOM, golden_of
from tests.referee.random_tables import replayed
from tests.referee.rules_events import parts, values, with_other_rules
from tests.referee.telling import Json, plays, result, told, what_if, winners_as_it_lay
from tests.referee.test_golden import GOLDEN, chosen, name
from tests.seeds import FIRST, as_often_as, sampled

SEEDS = as_often_as(always=12, hunting=200, quick=4)


def records() -> Iterator[tuple[str, Record]]:
    """Golden and random records, and random ones in which a house rule changes between two hands."""
    for game in RANDOM:
        for seed, record, _ in replayed(game, SEEDS):
            yield f"{game} {seed}", record
            changed = with_other_rules(record, Random(seed))
            if changed is not None:
                yield f"{game} {seed} with other rules", changed[0]
    yield from ((name(golden), read_text(golden.text)) for golden in GOLDEN)


@pytest.mark.smoke
def test_a_what_if_with_unchanged_rules_changes_nothing():
    for which, record in records():
        mine, answer = what_if(record), adjudicate(record)
        assert mine["totals"] == {"then": answer["totals"], "now": answer["totals"]}, which
        assert mine["winners"] == {"then": answer["winners"], "now": answer["winners"]}, which
        assert (mine["finished"]["now"], mine["over_after"]) == (answer["finished"], None), which
        for laid, judged in zip(mine["hands"], answer["hands"], strict=True):
            assert not laid["changed"], which
            assert (laid["notes"], laid["left_out"], laid["unscored"]) == ([], [], None), which
            assert laid["scores"] == {"then": judged["scores"], "now": judged["scores"]}, which
            assert laid["score_lines"]["now"] == judged["score_lines"], which
            for each, trick_then in zip(laid["tricks"], judged["tricks"], strict=True):
                outcome = {key: trick_then[key] for key in each["now"]}  # type: ignore[literal-required]  # a trick has them all
                assert each["then"] == each["now"] == outcome, which
            assert all(each["then"] and each["now"] for each in laid["irregularities"]), which
            assert len(laid["irregularities"]) == len(judged["irregularities"]), which


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_option_value_is_answered_for_every_golden_record(game: Game):
    for golden in sampled(golden_of(game.id)):
        record = read_text(golden.text)
        for option in game.all_options():
            for value in values(option, record.rules.players):
                if option is REVOKE or value == record.rules.options[option.key]:
                    continue
                answer = answered(record, **{option.key: value})
                if answer is not None:
                    keeps_the_cards(answer, golden.name)


def answered(record: Record, **options: Any) -> Json | None:
    """The answer, or nothing if these rules are invalid; then each problem names its option."""
    try:
        return what_if(record, **options)
    except Refused as refused:
        pointers = [problem.pointer for problem in refused.problems]
    assert all(pointer.startswith(("/options/", "/carried")) for pointer in pointers), options
    return None


def keeps_the_cards(answer: Json, which: str) -> None:
    """Check that every trick has an outcome, or that the hand says why it has none."""
    for laid in answer["hands"]:
        missing = [each["number"] for each in laid["tricks"] if each["now"] is None]
        assert not (laid["judged"] and laid["unknown"]), which
        assert laid["judged"] or laid["unscored"] or laid["unknown"], which
        assert not missing or not laid["judged"], which
        assert laid["unscored"] is None or set(laid["scores"]["now"]) == {None}, which
        for each in laid["tricks"]:
            assert not laid["judged"] or (each["then"]["winner"] is None) == (each["now"]["winner"] is None), which


def test_house_rules_of_golden_records_matter_in_a_what_if():
    for golden in GOLDEN:
        record = read_text(golden.text)
        usual = {option.key: option.standard_for(record.rules.players) for option in record.rules.game.all_options()}
        for key in chosen(record):
            if key in (REVOKE.key, "totals"):
                continue  # the proposal for a revoke and the visibility of points affect no trick and no score
            try:
                answer = what_if(record, **{key: usual[key]})
            except Refused:
                continue  # another option of this record needs it
            hands = answer["hands"]
            said = any(laid["changed"] or laid["notes"] or laid["left_out"] or laid["unscored"] for laid in hands)
            reasons_differ = any(each["then"] != each["now"] for laid in hands for each in laid["tricks"])
            parts = [answer[part] for part in ("totals", "finished", "ahead", "winners")]
            differs = answer["over_after"] or any(part["then"] != part["now"] for part in parts)
            assert said or reasons_differ or differs or key in DEALS_ONLY, (golden.name, key)


DEALS_ONLY = (
    "passing", "tides_excuse", "tides_last", "tides", "reseat", "course", "twice_one", "largest", "deal", "revoke",
)  # fmt: skip
"""Options that affect only how the next hand is dealt: a one-hand record does not show them."""


def another_rule(record: Record, rng: Random) -> tuple[Option, Any]:
    """One random house rule, and another value of it."""
    option = rng.choice([option for option in record.rules.game.options if option.key != "totals"])
    before = record.rules.options[option.key]
    return option, rng.choice([each for each in values(option, record.rules.players) if each != before])


def laid_alike(mine: Json) -> bool:
    """Whether every act was equally possible under the other rules, and every hand could be scored."""
    said = any(laid["notes"] or laid["left_out"] or laid["unscored"] for laid in mine["hands"])
    return not (mine["rejected"] or mine["over_after"] or said)


def same_scores(mine: Json, theirs: list[Json], where: tuple[Any, ...]) -> None:
    for laid, other in zip(mine["hands"], theirs, strict=True):
        assert winners_as_it_lay(laid, "now") == [each["winner"] for each in other["tricks"]], (*where, laid["number"])
        assert laid["scores"]["now"] == other["scores"], (*where, laid["number"])


@pytest.mark.parametrize("game", COMPARED)
def test_a_second_adjudicator_agrees_if_the_same_cards_are_dealt(game: str):
    compared = 0
    for seed in range(FIRST, FIRST + max(12, SEEDS)):
        rng = Random(seed)
        record = (HONEST if seed % 2 else RANDOM)[game](rng)
        try:
            loaded = load_record(record)
            option, value = another_rule(loaded, rng)
            mine = what_if(loaded, **{option.key: value})
        except Refused:
            continue
        theirs = by_the_oracle(loaded, mine)
        if theirs is None or not laid_alike(mine):
            continue
        compared += 1
        same_scores(mine, theirs["hands"], (game, seed, option.key, value))
        assert mine["totals"]["now"] == theirs["totals"], (game, seed, option.key, value)
    assert compared >= max(1, SEEDS // 10)


@pytest.mark.smoke
@pytest.mark.parametrize("game", COMPARED)
def test_a_second_adjudicator_agrees_before_and_after_a_rule_change(game: str):
    compared = 0
    for seed in range(FIRST, FIRST + 30 * SEEDS):
        if compared == SEEDS // 4:
            break
        rng = Random(seed)
        try:
            changed = with_other_rules(load_record((HONEST if seed % 2 else RANDOM)[game](rng)), rng)
            if changed is None:
                continue
            record, place = changed
            option, value = another_rule(record, rng)
            mine = what_if(record, **{option.key: value})
            sides = [load_record(part) for part in parts(record, place)]
            alone = [what_if(side, **{option.key: value}) for side in sides]
            theirs = [by_the_oracle(side, answer) for side, answer in zip(sides, alone, strict=True)]
        except Refused:
            continue
        if None in theirs or not laid_alike(mine):
            continue
        expected = [hand for each in theirs if each for hand in each["hands"]]
        same_scores(mine, expected, (game, seed, option.key, value))
        compared += 1
    assert compared, "no record of this game could be compared"


def by_the_oracle(record: Record, mine: Json) -> Json | None:
    """Let the oracle judge the record under the other rules, every act accepted; ``None`` if told by results."""
    data = dump_record(record)
    data["options"] = mine["options"]["now"]
    for written in data["hands"]:
        for event in written["events"]:
            if event["type"] in ("trick", "result", "transfer"):
                return None
            event["accepted"] = True
            if event["type"] == "play" and not data["options"].get("called_suit"):
                event.pop("suit", None)
    answer = ORACLES[data["game"]](data)
    return None if answer["rejected"] else answer


def test_the_caller_can_stop_a_what_if():
    looks = iter(range(100))

    def watch() -> None:
        if next(looks) == 3:
            raise TooCostly

    with pytest.raises(TooCostly):
        judge_as_it_lay(load_record(told(*[[result(4, 4, 4)]] * 5)), {"ties": "early"}, watch)


def test_cost_is_linear_in_events():
    def work(hands: int) -> int:
        record, looks = load_record(told(*[[*plays("0:8MS 1:XS 2:XM"), result(4, 4, 4)]] * hands)), []
        judge_as_it_lay(record, {"ties": "early"}, lambda: looks.append(1))
        return len(looks)

    assert work(200) <= 2 * work(100) + 1
