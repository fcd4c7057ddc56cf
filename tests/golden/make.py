"""Makes golden records: small honest deals that show a house rule at work; also records each game's rules version.

    .venv/bin/python -m tests.golden.make            # writes the missing records
    .venv/bin/python -m tests.golden.make --sheets   # rewrites every score sheet, and keeps the records

A golden record is golden because a person has checked its score sheet against the rules. So an existing record is
never dealt again, and after ``--sheets`` every changed line (``git diff``) must be checked.

To add one, add a ``Variant`` to ``VARIANTS`` in ``tests/games/<game>/golden_variants.py``, run the first command, read
the new record in ``golden.txt`` card by card with the rulebook at hand, and commit it; the variant is then no longer
needed. A trick-taking game needs one with default rules, one for every other value of its options, and one for every
proposal the house rules allow for a revoke (``revokes``). Hands are played by answering what the referee asks for
(``tests/golden/any_game.py``), unless ``golden_variants.py`` has its own ``play``. A record can also be written by
hand: ``referee.notation`` reads it, and ``--sheets`` adds its score sheet.

The first command also writes a missing first line of ``golden.txt``: the version of a game's rules, and a digest of
its clauses and house rules. When these change, a test asks for the version: increment it if a record would be judged
differently, delete the line, and run the command again.
"""

import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

from referee.engine.adjudication import adjudicate
from referee.engine.game import Game, all_games
from referee.engine.records import load_record
from referee.engine.rules import Refused
from referee.notation import SHEET_HEADING, read_text, split_sheet, write_sheet, write_text
from tests.games.discovery import folder_of, golden_of, keep_golden, parts_of_all, version_kept
from tests.golden import any_game
from tests.golden.variant import SETTLED, Variant

NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal")
SEEDS = 6000
VARIANTS: dict[str, list[Variant]] = parts_of_all("golden_variants", "VARIANTS")
PLAY: dict[str, Callable[[Variant, dict, random.Random], bool]] = parts_of_all("golden_variants", "play")


def deal(variant: Variant, rng: random.Random) -> dict | None:
    """Play a whole record under the variant's rules; ``None`` if it is unsuitable."""
    record: dict[str, Any] = {
        "format": "table-record/1", "game": variant.game, "options": dict(variant.options),
        "end": variant.end or {"kind": "hands", "value": variant.hands},
        "seats": list(NAMES[: variant.players]), "first_dealer": rng.randrange(variant.players), "hands": [],
    }  # fmt: skip
    if not PLAY.get(variant.game, any_game.play)(variant, record, rng):
        return None
    events = [event for hand in record["hands"] for event in hand["events"]]
    fit = not any(event["type"] in SETTLED for event in events)
    fit = fit and not any(hand.get("known") for hand in record["hands"])
    return record if fit and len(record["hands"]) == variant.hands else None


def find(variant: Variant) -> tuple[dict, list[str]]:
    """Return the first record that shows the variant at work, and what to look at in it."""
    for seed in range(SEEDS):
        data = deal(variant, random.Random(seed))
        if data is None:
            continue
        judged = cast(dict, adjudicate(load_record(data)))
        assert judged["rejected"] is None, (variant, seed, judged["rejected"])
        seen = variant.shows(judged) if variant.shows else []
        differs = differences(variant, data, judged)
        if seen is not None and (differs or not variant.options):
            return data, [*seen, *differs][:4]
    raise AssertionError(f"No seed below {SEEDS} shows {variant.game}/{variant.name}.")


def differences(variant: Variant, data: dict, judged: dict) -> list[str]:
    """Return what would differ without the variant's house rule."""
    plain = {key: value for key, value in data["options"].items() if key not in variant.about}
    try:
        other = cast(dict, adjudicate(load_record({**data, "options": plain})))
    except Refused:
        return ["without this rule such a table cannot be opened"]
    return list(_differences(judged, other, data["seats"]))


def _differences(judged: dict, other: dict, seats: list[str]) -> Iterator[str]:
    for hand, plain in zip(judged["hands"], other["hands"], strict=False):
        where = f"hand {hand['number']}"
        for key, said in (("dealer", "dealer"), ("hand_size", "cards dealt"), ("seating", "seating")):
            if hand[key] != plain[key]:
                yield f"{where}: {said} {_said(key, hand, seats)}, by the default rule {_said(key, plain, seats)}"
        if hand.get("pass_to") != plain.get("pass_to"):
            yield f"{where}: cards are passed otherwise, or not at all"
        for trick, same in zip(hand["tricks"], plain["tricks"], strict=False):
            if trick["winner"] != same["winner"] and same["winner"] is not None:
                won, lost = seats[trick["winner"]], seats[same["winner"]]
                yield f"{where}, trick {trick['number']}: {won} wins, by the default rule {lost} would"
            elif trick["points"] != same["points"] and same["points"]:
                yield f"{where}, trick {trick['number']}: {_points(trick)} points, by the default rule {_points(same)}"
        found = {_found(each) for each in hand["irregularities"]} ^ {_found(each) for each in plain["irregularities"]}
        if found and hand["hand_size"] == plain["hand_size"]:
            yield f"{where}: {'; '.join(sorted(found))} only under one of the two rules"
        if plain["phase"] == "finished" and hand["scores"] != plain["scores"]:
            yield f"{where}: scores {_each(hand['scores'])}, by the default rule {_each(plain['scores'])}"
    if other["rejected"]:
        at = other["rejected"]
        yield (
            f"by the default rule event {at['event'] + 1} of hand {at['hand'] + 1} would be"
            f" {at['verdict']} ({at['reason']['code']})"
        )
    elif judged["totals"] != other["totals"]:
        yield f"totals {_each(judged['totals'])}, by the default rule {_each(other['totals'])}"
    if judged["winners"] != other["winners"]:
        won, lost = (", ".join(seats[seat] for seat in each["winners"]) for each in (judged, other))
        yield f"{won} wins, by the default rule {lost}"
    if judged["next"] and other["next"] and judged["next"] != other["next"]:
        mine, theirs = _next(judged["next"], seats), _next(other["next"], seats)
        yield f"the next hand: {mine}, by the default rule {theirs}"


def _found(found: dict) -> str:
    proposed = [remedy["code"] for remedy in found["remedies"] if remedy.get("proposed")]
    return " ".join([found["code"], *(f"with {code} proposed" for code in proposed)])


def _next(setup: dict, seats: list[str]) -> str:
    return f"{_said('hand_size', setup, seats)} cards, seated {_said('seating', setup, seats)}"


def _each(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def _points(trick: dict) -> str:
    return _each(list(trick["points"].values()))


def _said(key: str, setup: dict, seats: list[str]) -> str:
    if key == "hand_size":
        return "unknown" if setup[key] is None else _each(sorted(set(setup[key])))
    return seats[setup[key]] if key == "dealer" else " ".join(seats[seat] for seat in setup[key])


def write(variant: Variant) -> None:
    data, looks = find(variant)
    record = load_record(data)
    says = [f"Look at {look}." if look[0] != "b" else f"{look.capitalize()}." for look in looks]
    head = [f"# {line}" for line in (variant.about_it, *says)]
    text = "\n".join(head) + "\n" + write_text(record) + f"\n{SHEET_HEADING}\n" + write_sheet(record)
    keep_golden(variant.game, [*_there(variant.game), (variant.name, text)])


def _there(game: str) -> list[tuple[str, str]]:
    return [(golden.name, golden.text) for golden in golden_of(game)]


def rewrite_sheets() -> None:
    for game in (game.id for game in all_games() if golden_of(game.id)):
        keep_golden(game, [(golden.name, _with_sheet(golden.text)) for golden in golden_of(game)])


def _with_sheet(text: str) -> str:
    record = split_sheet(text)[0].rstrip("\n")
    return f"{record}\n\n{SHEET_HEADING}\n{write_sheet(read_text(text))}"


def version_of(game: Game) -> str:
    """Return the version of a game's rules, and a digest of its clauses and house rules."""
    options = {option.key: None if option.by_players else option.standard for option in game.all_options()}
    shape = [[clause.id for clause in game.rulebook()], options, list(game.players)]
    return f"{game.rules_version} {hashlib.sha256(json.dumps(shape).encode()).hexdigest()[:12]}"


def main(arguments: list[Any]) -> None:
    if "--sheets" in arguments:
        rewrite_sheets()
        return
    for variant in (each for variants in VARIANTS.values() for each in variants):
        if variant.name not in {golden.name for golden in golden_of(variant.game)}:
            write(variant)
            print(f"{folder_of(variant.game).name}/{variant.name}")
    for game in all_games():
        if folder_of(game.id).exists() and not version_kept(game.id):
            keep_golden(game.id, _there(game.id), version=version_of(game))
            print(f"{folder_of(game.id).name}/rules_version")


if __name__ == "__main__":
    main(sys.argv[1:])
