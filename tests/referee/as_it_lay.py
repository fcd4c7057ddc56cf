"""Helpers for judging a hand under other house rules (REC-22)."""

from typing import Any, cast

from referee.engine.records import Record, load_record
from referee.engine.what_if import judge_as_it_lay
from referee.engine.what_if_sheet import View, describe_what_if
from tests.referee.telling import Json, clause_ids, flat, reasons, told


def what_if(record: Record | Json, /, **options: Any) -> Json:
    """Judge a record under other rules, and check what every answer must satisfy."""
    loaded = record if isinstance(record, Record) else load_record(record)
    answer = cast(Json, describe_what_if(judge_as_it_lay(loaded, options), View(loaded.seats)))
    for reason in reasons(answer):
        assert reason["clauses"], reason
        assert set(reason["clauses"]) <= clause_ids(), reason
        assert "{" not in reason["text"], reason
    return answer


def hand_as_it_lay(*events: Json | list[Json], players: int = 3, game: str = "ace-trump", **more: Any) -> Json:
    """Judge one hand under other rules: ``options`` are those it was played by, ``now`` the changed ones."""
    now = more.pop("now")
    (only,) = what_if(told(flat(events), players=players, game=game, **more), **now)["hands"]
    return cast(Json, only)


def winners_as_it_lay(only: Json, when: str) -> list[int | None]:
    return [each[when] and each[when]["winner"] for each in only["tricks"]]


def irregular_now(only: Json) -> list[tuple[str, int | None]]:
    """Return the acts that only the other rules make irregular."""
    return [(each["code"], each["seat"]) for each in only["irregularities"] if each["now"] and not each["then"]]
