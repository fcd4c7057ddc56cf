"""Random records of any game: numbers in any order, corrected rounds, names, penalties and rule changes."""

from functools import partial
from random import Random
from typing import Any

Json = dict[str, Any]
NAMES = ("Ann", "Bob", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal")
WINS, TEAMS = ("highest", "lowest"), ("none", "two", "pairs")


def random_record(rng: Random, mischief: float = 0.05) -> Json:
    players = rng.randrange(2, 9)
    chosen = options(rng, players, mischief)
    carried = [rng.randrange(40)] * players
    if chosen["teams"] == "none":
        carried = [rng.randrange(40) for _ in range(players)]
    return {
        "game": "any-game",
        "options": chosen,
        "end": end(rng),
        "seats": list(NAMES[:players]),
        "first_dealer": rng.randrange(players),
        **({"title": rng.choice(("Skat", "Phase 10"))} if rng.random() < 0.3 else {}),
        **({"carried": carried} if rng.random() < 0.2 else {}),
        "hands": [{"events": events(rng, players, mischief)} for _ in range(rng.randrange(6))],
    }


honest_record = partial(random_record, mischief=0.0)


def options(rng: Random, players: int, mischief: float) -> Json:
    uneven = players < 4 or players % 2
    teams = "none" if uneven and rng.random() >= mischief else rng.choice(TEAMS)
    return {"wins": rng.choice(WINS), "teams": teams}


def end(rng: Random) -> Json:
    ends: list[Json] = [
        {"kind": "open"}, {"kind": "time", "value": 60}, {"kind": "hands", "value": rng.randrange(1, 5)},
        {"kind": "score", "value": rng.randrange(1, 60)},
    ]  # fmt: skip
    return rng.choice(ends)


def events(rng: Random, players: int, mischief: float) -> list[Json]:
    made: list[Json] = []
    points = [rng.choice((0, 5, 10, rng.randrange(-30, 60))) for _ in range(players)]
    seats = list(range(players))
    rng.shuffle(seats)
    single = rng.randrange(players + 1) if rng.random() < 0.7 else 0
    made += [{"type": "score", "seat": seat, "points": points[seat]} for seat in seats[:single]]
    if single < players:
        made.append({"type": "result", "points": points})
    if rng.random() < 0.2:
        made.insert(rng.randrange(len(made) + 1), {"type": "round", "name": "No trump"})
    if rng.random() < 0.15:
        made.insert(rng.randrange(len(made) + 1), {"type": "penalty", "seat": seats[0], "points": -5})
    if rng.random() < 0.1:
        made.append({"type": "note", "text": "Cy was out for a moment."})
    if rng.random() < 0.1:
        made.append({"type": "rules", "options": options(rng, players, mischief)})
    if rng.random() < 0.05:
        made = [*made[: rng.randrange(len(made))], {"type": "redeal"}]
    if rng.random() < 0.03:
        made.append({"type": "end"})
    if rng.random() < mischief * 4:
        wrong: list[Json] = [
            {"type": "score", "seat": seats[0], "points": 1}, {"type": "score", "seat": players, "points": 1},
            {"type": "score", "seat": seats[0], "points": 10_000}, {"type": "result", "points": points[1:]},
            {"type": "result", "points": [point + 1 for point in points]}, {"type": "round", "name": "Grand"},
            {"type": "result", "tricks": points}, {"type": "bid", "seat": 0, "tricks": 1},
            {"type": "round", "name": " "},
            {"type": "play", "seat": 0, "cards": ["AS"]}, {"type": "trick", "winner": 0}, {"type": "hold-findings"},
        ]  # fmt: skip
        made.insert(rng.randrange(len(made) + 1), rng.choice(wrong))
    return made
