"""Records in which the table changes house rules between two hands (REC-23), derived from others."""

from random import Random
from typing import Any

from referee.engine.adjudication import adjudicate
from referee.engine.game import find_game
from referee.engine.records import Record, dump_record, load_record
from referee.engine.rules import REVOKE, Option, Refused, changed_rules
from tests.referee.telling import Json


def rules(**options: Any) -> Json:
    return {"type": "rules", "options": options}


def values(option: Option, players: int) -> tuple[Any, ...]:
    """Every value of an option; for a number, both ends and the middle."""
    span = option.span_for(players)
    return option.values if span is None else tuple(sorted({span[0], sum(span) // 2, span[1]}))


def with_other_rules(record: Record, rng: Random) -> tuple[Record, int] | None:
    """Return the record with one house rule changed after one of its hands, and which; ``None`` if impossible."""
    answer = adjudicate(record)
    over = [place for place, hand in enumerate(answer["hands"][:-1]) if hand["phase"] in ("finished", "void")] or [
        place for place, hand in enumerate(answer["hands"]) if hand["phase"] == "finished" and not answer["finished"]
    ]
    if not over or answer["rejected"]:
        return None
    place, players = rng.choice(over), record.rules.players
    game = find_game(record.rules.game.id)
    assert game is not None
    option = rng.choice([option for option in game.options if option is not REVOKE])
    value = rng.choice([each for each in values(option, players) if each != record.rules.options[option.key]])
    data = dump_record(record)
    data["hands"][place]["events"].append(rules(**{option.key: value}))
    try:
        if changed_rules(record.rules, {option.key: value}).sides != record.rules.sides:
            return None
        changed = load_record(data)
        judged = adjudicate(changed)
    except Refused:
        return None
    refused = judged["rejected"] and judged["rejected"]["hand"] == place
    goes_on = place + 1 < len(judged["hands"]) or judged["next"]
    return None if refused or not goes_on else (changed, place)


def parts(record: Record, place: int) -> tuple[Json, Json]:
    """Split a record where the house rules change after a hand into two consecutive tables."""
    data, answer = dump_record(record), adjudicate(record)
    changes = data["hands"][place]["events"][-1]
    first: Json = {**data, "hands": [*data["hands"][:place], {**data["hands"][place]}]}
    first["hands"][place]["events"] = data["hands"][place]["events"][:-1]
    before = adjudicate(load_record(first))
    coming = answer["hands"][place + 1] if place + 1 < len(answer["hands"]) else answer["next"]
    assert coming is not None
    second: Json = {
        **data,
        "options": {**data["options"], **changes["options"]},
        "carried": before["totals"],
        "first_dealer": coming["dealer"],
        "hands": data["hands"][place + 1 :],
    }
    if "bags" in before["hands"][-1]:
        second["carried_bags"] = before["hands"][-1]["bags"]
    return first, second
