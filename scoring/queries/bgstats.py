"""A game that is over as BG Stats takes it: a link that offers the play to that app, which asks before it keeps it."""

import json
from datetime import UTC
from typing import TypedDict
from urllib.parse import quote

from django.utils.crypto import salted_hmac

from referee.engine.reader import as_seen
from referee.engine.rulings import Refusal
from referee.engine.sheet import GameId
from referee.engine.table import ahead, hand_for
from scoring.models import Table
from scoring.queries.chains import goes_on, tables_before
from scoring.queries.group_tables import people_at
from scoring.queries.log import opening
from scoring.queries.played import played_at
from scoring.queries.points import totals_shown
from scoring.queries.state import Standing

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Card table"


class BgStatsPlayer(TypedDict):
    """A player of a play."""

    name: str
    sourcePlayerId: str
    score: str
    rank: int
    winner: bool
    startPlayer: bool


class BgStatsGame(TypedDict):
    """The game of a play."""

    name: str
    sourceGameId: GameId
    highestWins: bool
    noPoints: bool


class BgStatsPlay(TypedDict):
    """A game that is over as BG Stats takes it."""

    sourceName: str
    sourcePlayId: str
    playDate: str
    durationMin: int
    game: BgStatsGame
    players: list[BgStatsPlayer]


def play_of(at: Standing) -> BgStatsPlay | None:
    """Return a game that is over as a play of BG Stats; ``None`` while it runs, also at another table, or hides points.

    Neither the code of the table nor an id of a person goes there, only what always is the same for the same one.
    """
    totals = totals_shown(at)
    if totals is None or not at.state.finished() or goes_on(at.row):
        return None
    row, winners = at.row, ahead(totals)
    began = next((earlier.created for earlier in reversed([*tables_before(row)])), row.created)
    over = played_at(row)
    known, begins = _players(row), _begins(at)
    return {
        "sourceName": SOURCE,
        "sourcePlayId": _known_as(f"table {row.code}"),
        "playDate": f"{over.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "durationMin": max(1, round((over - began).total_seconds() / 60)),
        "game": {"name": at.rules.game.name, "sourceGameId": row.game, "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": name,
                "sourcePlayerId": _known_as(known[seat]),
                "score": str(totals[seat]),
                "rank": 1 + sum(other > totals[seat] for other in totals),
                "winner": seat in winners,
                "startPlayer": seat == begins,
            }
            for seat, name in enumerate(row.seats)
        ],
    }


def _players(row: Table) -> list[str]:
    """Return the key of each player: the person, or a guest’s group and name, with the seat where two share it."""
    looks = [as_seen(name) for name in row.seats]
    return [
        f"person {person}"
        if person is not None
        else f"guest {row.group_id or ''} {look}" + (f" {row.code} {seat}" if looks.count(look) > 1 else "")
        for seat, (person, look) in enumerate(zip(people_at([row])[row.pk], looks, strict=True))
    ]


def _begins(at: Standing) -> int:
    """Return who acted first in the first hand, or sat at the dealer's left where all act at once."""
    dealt = hand_for(opening(at.row))
    acting = () if isinstance(dealt, Refusal) or dealt.hand is None else dealt.hand.to_act()
    return acting[0] if len(acting) == 1 else (at.row.first_dealer + 1) % len(at.row.seats)


def _known_as(what: str) -> str:
    return salted_hmac("scoring.bgstats", what).hexdigest()[:20]


def link_of(play: BgStatsPlay) -> str:
    """Return the address that offers a play to BG Stats."""
    return ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def bgstats_link(at: Standing) -> str:
    """Return the address that offers a game that is over to BG Stats; empty where there is nothing to offer."""
    play = play_of(at)
    return "" if play is None else link_of(play)
