"""Presenter of an evening, and of the share picture of an evening or a finished game."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.game import find_game
from scoring.groups.reads import evenings
from scoring.groups.reads.evenings import Digest
from scoring.models import Group, RankedBy
from scoring.tables.presenters.board import Board, board
from scoring.tables.presenters.curves import HEIGHT, WIDTH, Curve, draw
from scoring.tables.presenters.formats import listed, number, part_of_wins, words_of, written
from scoring.tables.presenters.people import Somebody, people
from scoring.tables.presenters.scene import Scene
from scoring.tables.reads.rules import game_of, name_of
from scoring.wording import filled, labelled, quoted

WIDE, EDGE, HEAD, ROW, LINE = 720, 40, 138, 56, 34
"""Pixel sizes in the picture: width, margin, header, player row, line of text."""
SCALE = (WIDE - 2 * EDGE) / WIDTH
"""Scale of the chart, compared with the page."""
LONGEST_NAME, LONGEST_LINE, MOST_RANKED = 28, 66, 12
INKS = {
    "blue": "#1f5fb4", "orange": "#b4640a", "green": "#0b6e58", "pink": "#c04a7c",
    "purple": "#5a2b7c", "yellow": "#8f7600", "red": "#a22c1d", "sky": "#2f7fae",
}  # fmt: skip
"""Line colors of people, as ``tokens.css`` has them in the light theme; lines also differ in dashes and marks."""
FILLS = {
    "blue": ("#1f5fb4", "#fff"), "orange": ("#ee9a2e", "#2a1800"), "green": ("#0b6e58", "#fff"),
    "pink": ("#f0a3c0", "#3c0a20"), "purple": ("#5a2b7c", "#fff"), "yellow": ("#f3dc5c", "#2b2300"),
    "red": ("#a22c1d", "#fff"), "sky": ("#93cdf0", "#06263a"),
}  # fmt: skip
"""Colors of people's circles and of the letters in them, as in ``tokens.css``."""
LONGEST_CLAIM = 80
MOST_LINES = 8
"""Most people in the chart, best first, whose lines and marks can be told apart."""


def picture_of(board: Board, scene: Scene, played: date) -> dict[str, Any]:
    totals = [row.total or 0 for row in scene.rows]
    count, best = board.ended.hands, scene.best
    hands = filled(ngettext("{count} hand", "{count} hands", count), count=count)
    return _picture(
        name_of(board.game),
        f"{written(played)} · {hands}",
        labelled(name_of(board.game), board.status),
        [
            (1 + sum(other > total for other in totals), row.who, number(total), row.ahead)
            for row, total in zip(scene.rows, totals, strict=True)
        ],
        [text for text in (board.ended.summary, best and filled(_("Best hand: {hand}"), hand=best)) if text],
        board.sheet.curve() if board.sheet.has_curve else None,
    )


def picture_of_evening(group: Group, evening: evenings.Evening, digest: Digest, note: str, when: str) -> dict[str, Any]:
    ranked = evening.people[:MOST_RANKED]
    shown = people([each.who.shown for each in ranked], [each.who.look for each in ranked])
    ranking = [
        (each.rank, who, ranked_with(each, group.ranked_by), each.rank == 1 and not evening.runs)
        for each, who in zip(ranked, shown, strict=True)
    ]
    title = labelled(group.name, when)
    texts = [games_of(evening), *(labelled(fact["title"], fact["text"]) for fact in digest_lines(digest, group.code))]
    texts += [quoted(shortened(note, LONGEST_LINE - 2))] if note else []
    return _picture(shortened(group.name, LONGEST_NAME), when, title, ranking, texts, evening_curve(evening))


def _picture(
    game: str,
    when: str,
    title: str,
    ranking: Sequence[tuple[int, Somebody, str, bool]],
    texts: Sequence[str],
    curve: Curve | None,
) -> dict[str, Any]:
    """Lay out the picture; ``ranking`` has (place, person, score, whether they won) per player."""
    under = HEAD + len(ranking) * ROW + 16
    curve_at = under + len(texts) * LINE
    return {
        "game": game,
        "when": when,
        "title": title,
        "ranking": [
            (
                f"{place}.",
                who,
                FILLS[who.colour],
                shortened(who.name, LONGEST_NAME),
                total,
                won,
                HEAD + at * ROW,
            )
            for at, (place, who, total, won) in enumerate(ranking)
        ],
        "sentences": [(shortened(text, LONGEST_LINE), under + at * LINE) for at, text in enumerate(texts)],
        "curve": curve,
        "curve_at": curve_at,
        "height": round(curve_at + (HEIGHT * SCALE if curve else 0) + EDGE / 2),
        "width": WIDE,
        "edge": EDGE,
        "scale": SCALE,
        "inks": INKS,
    }


def shortened(text: str, most: int) -> str:
    """Shorten a text to ``most`` characters, with an ellipsis.

    >>> shortened("Bartholomew", 8)
    'Barthol…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


# --- An evening on pages


class PlayerThere(NamedTuple):
    """A player of a listed table; ``points`` is empty if hidden."""

    who: evenings.Who
    points: str
    won: bool


def played(table: evenings.EveningTable, *, carried: bool = False, found: str = "") -> dict[str, Any]:
    """Describe a table for a list: its game, and its players with points, winners marked and best first.

    ``carried`` includes carried points. ``found`` is the text that matched a search.
    """
    result, row = table.result, table.row
    points = None if result is None else result.totals if carried else result.points
    winners = () if result is None else result.winners
    players = [
        PlayerThere(who, "" if points is None else number(points[seat]), seat in winners)
        for seat, who in enumerate(table.seated)
    ]
    if result is not None and points is not None:
        places = result.places or (0,) * len(players)
        order = sorted(range(len(players)), key=lambda seat: (seat not in winners, places[seat], -points[seat]))
        players = [players[seat] for seat in order]
    return {
        "code": row.code,
        "game": evenings.game_name(row.game),
        "day": row.evening,
        "at": row.created,
        "runs": table.runs,
        "players": players,
        "noted": table.noted,
        "disputed": table.disputed,
        "said": table.said,
        "totals_only": result is not None and result.totals_only,
        "found": found,
    }


def running(
    tables: Sequence[evenings.EveningTable], known: Mapping[int, evenings.RunningNow]
) -> Iterator[dict[str, Any]]:
    """Yield running tables for the organizer's screen; scores include carried points.

    ``hand`` is the progress, ``leads`` who is ahead, ``status`` whose turn it is; ``to_decide`` lists open
    irregularities that everyone may see, and open disputes. A game that is not installed shows only its players.
    """
    for table in tables:
        now = known.get(table.row.pk)
        if table.runs and now is None:
            yield {"played": played(table)}
        elif table.runs and now is not None:
            shown = board(now.at, now.facts)
            leaders = () if table.result is None else table.result.leaders
            names = listed(table.seated[seat].shown for seat in leaders)
            with words_of(shown.game):
                hand = filled(_("Hand {number}"), number=shown.number)
            yield {
                "played": played(table, carried=True),
                "hand": f"{hand} · {shown.goal}",
                "leads": leaders and filled(ngettext("{names} leads.", "{names} lead.", len(leaders)), names=names),
                "status": shown.status,
                "to_decide": [
                    *(labelled(found.word, found.who) for found in shown.findings if found.raised),
                    *(shortened(each.claim.text, LONGEST_CLAIM) for each in now.disputes),
                ],
            }


def evening_curve(evening: evenings.Evening) -> Curve | None:
    """Return the chart of place points game by game; ``None`` before the second finished game."""
    shown = [each.who for each in evening.people[:MOST_LINES]]
    rows = evenings.places_over_time(evening, shown)
    colours = [each.colour for each in people([who.name for who in shown], [who.look for who in shown])]
    return draw([who.shown for who in shown], rows, colours=colours) if len(rows) > 2 else None


def ranked_with(each: evenings.Present, by: str) -> str:
    """Format the score by which a person is ranked: wins (with the unit) or place points."""
    if by == RankedBy.PLACES:
        return number(round(each.places))
    return filled(ngettext("{wins} win", "{wins} wins", 1 if each.wins == 1 else 2), wins=part_of_wins(each.wins))


def digest_lines(digest: Digest, code: str, *, rulings: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the highlights of an evening: title, text and link.

    ``rulings`` includes all rulings instead of the latest.
    """
    if digest.hand is not None:
        who, table, hand, points = digest.hand
        text = _("{name}, {points} at {game}")
        with words_of(find_game(table.row.game)):
            title = _("Hand of the night")
        yield {
            "title": title,
            "text": filled(text, name=who.shown, points=number(points), game=evenings.game_name(table.row.game)),
            "to": ("scoring:replay", table.row.code, hand),
            "label": _("Replay"),
        }
    for table, margin in digest.closest:
        apart = _("a tie at the top")
        if margin:
            apart = filled(ngettext("{points} point apart", "{points} points apart", margin), points=number(margin))
        yield {
            "title": _("Closest game"),
            "text": f"{evenings.game_name(table.row.game)}, {apart}",
            "to": ("scoring:table", table.row.code),
            "label": _("Table"),
            "replay": last_hand(table),
        }
    for ruling in digest.rulings if rulings else digest.rulings[:1]:
        yield {
            "title": _("Ruling") if rulings else _("Ruling of the night"),
            "text": shortened(ruling.ruling or ruling.claim, LONGEST_CLAIM),
            "to": ("scoring:dispute", ruling.table, ruling.number),
            "label": _("Ruling"),
        }
    if digest.year_ago is not None:
        before = digest.year_ago
        names = listed(each.who.shown for each in before.people if each.rank == 1) if before.games else ""
        yield {
            "title": _("A year ago tonight"),
            "text": filled(_("{names} won the evening"), names=names) if names else games_of(before),
            "to": ("scoring:evening", code, before.day.isoformat()),
            "label": _("Evening"),
        }


def last_hand(table: evenings.EveningTable) -> tuple[object, ...]:
    """Return the URL name and arguments of the replay of a game's last known hand, or an empty tuple."""
    last = table.row.hand_number
    return () if last is None else ("scoring:replay", table.row.code, last + 1)


def games_of(evening: evenings.Evening) -> str:
    """Describe which games were played, and at how many tables; continued tables count as one."""
    names = dict.fromkeys(evenings.game_name(table.row.game) for table in evening.tables)
    tables = len({*evenings.games_at(evening.tables).values()})
    count = filled(ngettext("{count} table", "{count} tables", tables), count=tables)
    return labelled(count, ", ".join(names))


def ranking_of(evening: evenings.Evening, by: str) -> str:
    places = [f"{each.rank}. {each.who.shown} {ranked_with(each, by)}" for each in evening.people]
    return f"{', '.join(places)} · {games_of(evening)}"


def same_again(group: Group, last: evenings.EveningTable) -> str:
    """Return the query string for a new table with the same people in order, whose phones keep their seats."""
    names = [("name", each.name) for each in last.seated]
    title = [("title", game_of(last.row).title)] if ":" in last.row.game else []
    return urlencode([("group", group.code), ("after", last.row.code), *title, *names])
