"""Exports of a table's record: JSON, text notation, CSV, and BG Stats."""

import json
from collections.abc import Sequence
from datetime import UTC
from typing import Any, TypedDict
from urllib.parse import quote

from django.utils.crypto import salted_hmac

from referee.engine.reader import as_seen
from referee.engine.records import load_record
from referee.engine.replaying import STATED
from referee.engine.rulings import Refusal
from referee.engine.sheet import GameKey
from referee.engine.table import hand_for
from referee.notation import PROGRAMS, SHEET_HEADING, Dialect, write_cells, write_csv, write_sheet, write_text
from scoring.groups.reads.group_tables import people_at
from scoring.models import Table
from scoring.tables.reads import results
from scoring.tables.reads.access import played_at
from scoring.tables.reads.log import opening, record
from scoring.tables.reads.state import Standing, judging_watch, standing_now, veiled

SCORES, TOTALS, RULES_VERSION = STATED  # keys of an annotated record
Row = Sequence[object]
CONFIRMED = "x_confirmed"  # key of the seats that agree with a hand's result


def as_json(row: Table, *, annotate: bool = False) -> dict[str, object]:
    at = standing_now(row)
    data = _with_confirmations(at)
    if not annotate or results.points_hidden(at):
        return data
    judged = results.adjudication_shown(at)
    hands = [hand | {SCORES: list(sheet["scores"])} for hand, sheet in zip(data["hands"], judged["hands"], strict=True)]
    return data | {"hands": hands, TOTALS: list(judged["totals"]), RULES_VERSION: judged["rules_version"]}


def _with_confirmations(at: Standing) -> dict[str, Any]:
    data = record(at.row)
    for number, hand in enumerate(data["hands"]):
        hand["events"] = [veiled(event, number, at.state) for event in hand["events"]]
    for number, agreed in results.confirmations(at).items():
        data["hands"][number][CONFIRMED] = [*agreed]
    return data


def as_text(row: Table, *, annotate: bool = False) -> str:
    loaded = load_record(_with_confirmations(standing_now(row)), stored=True)
    watch = judging_watch()
    text = write_text(loaded, annotate=annotate, watch=watch)
    return f"{text}\n{SHEET_HEADING}\n{write_sheet(loaded, watch)}" if annotate else text


def events_csv(row: Table, *, dialect: Dialect = PROGRAMS) -> str:
    return write_cells(_with_confirmations(standing_now(row)), dialect)


def scores_csv(row: Table, *, dialect: Dialect = PROGRAMS) -> str:
    judged = results.adjudication_shown(standing_now(row))
    hidden = judged["points_hidden"]
    rows: list[Row] = [["hand", "phase", *row.seats]]
    if any(row.carried) and not hidden:
        rows.append(["carried", "", *row.carried])
    rows += (
        [hand["number"], hand["phase"], *("" if points is None else points for points in hand["scores"])]
        for hand in judged["hands"]
    )
    totals = [] if hidden else judged["totals"]
    rows.append(["total", "finished" if judged["finished"] else "hidden" if hidden else "", *totals])
    return write_csv(rows, dialect)


# --- BG Stats: a link that offers a finished game to the app, which asks before saving it

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Card table"


class BgStatsPlayer(TypedDict):
    """A player in BG Stats' format."""

    name: str
    sourcePlayerId: str
    score: str
    rank: int
    winner: bool
    startPlayer: bool


class BgStatsGame(TypedDict):
    """A game in BG Stats' format."""

    name: str
    sourceGameId: GameKey
    highestWins: bool
    noPoints: bool


class BgStatsPlay(TypedDict):
    """A finished game in BG Stats' format."""

    sourceName: str
    sourcePlayId: str
    playDate: str
    durationMin: int
    game: BgStatsGame
    players: list[BgStatsPlayer]


def play_of(at: Standing) -> BgStatsPlay | None:
    """Return a finished game with visible points as a BG Stats play, without the table's code or people's ids."""
    totals = results.totals_shown(at)
    if totals is None or not at.state.finished() or results.goes_on(at.row):
        return None
    row, rules = at.row, at.state.rules
    winners = rules.ahead(totals)
    began = next((earlier.created for earlier in reversed([*results.tables_before(row)])), row.created)
    over = played_at(row)
    known, begins = _players(row), _begins(at)
    return {
        "sourceName": SOURCE,
        "sourcePlayId": known_as(f"table {row.code}"),
        "playDate": f"{over.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "durationMin": max(1, round((over - began).total_seconds() / 60)),
        "game": {
            "name": rules.game.name,
            "sourceGameId": row.game,
            "highestWins": not rules.lowest_wins,
            "noPoints": False,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": known_as(known[seat]),
                "score": str(totals[seat]),
                "rank": rules.rank(totals[seat], totals),
                "winner": seat in winners,
                "startPlayer": seat == begins,
            }
            for seat, name in enumerate(row.seats)
        ],
    }


def _players(row: Table) -> list[str]:
    """Return a key for each player: the person, or a guest's group and name, with the seat if two guests share it."""
    looks = [as_seen(name) for name in row.seats]
    return [
        f"person {person}"
        if person is not None
        else f"guest {row.group_id or ''} {look}" + (f" {row.code} {seat}" if looks.count(look) > 1 else "")
        for seat, (person, look) in enumerate(zip(people_at([row])[row.pk], looks, strict=True))
    ]


def _begins(at: Standing) -> int:
    """Return the seat that acted first in the first hand; the dealer's left if all act at once."""
    dealt = hand_for(opening(at.row))
    acting = () if isinstance(dealt, Refusal) or dealt.hand is None else dealt.hand.to_act()
    return acting[0] if len(acting) == 1 else (at.row.first_dealer + 1) % len(at.row.seats)


def known_as(what: str) -> str:
    return salted_hmac("scoring.bgstats", what).hexdigest()[:20]


def link_of(play: BgStatsPlay) -> str:
    return ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def bgstats_link(at: Standing) -> str:
    play = play_of(at)
    return "" if play is None else link_of(play)
