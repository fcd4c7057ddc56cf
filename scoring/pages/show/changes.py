"""What a correction changes, in lines that people read before they save it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from referee.engine.comparison import Changes, ScoreChange, TotalChange, TrickChange, TrickResult
from referee.engine.sheet import DescribedIrregularity
from referee.packs import Pack
from scoring.pages.show.cards import Face, face
from scoring.pages.show.numbers import number
from scoring.services.chains import LaterTable
from scoring.services.rethreading import MovedEntry


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One line of what changes; ``kind`` is ``total``, ``trick``, ``finding``, ``winners`` or ``points``."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class MovedCards:
    """Cards played together, or a pass without any, that go from one player to another."""

    cards: tuple[Face, ...]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class MovedTrick:
    """What of a trick goes to other players."""

    number: int | None
    plays: tuple[MovedCards, ...]


def moved_tricks(moved: Sequence[MovedEntry], names: Sequence[str], pack: Pack) -> tuple[MovedTrick, ...]:
    """Say which cards go to whom, trick by trick."""
    tricks = groupby(moved, key=lambda move: move.trick)
    return tuple(MovedTrick(trick, tuple(_moved(move, names, pack) for move in plays)) for trick, plays in tricks)


def _moved(move: MovedEntry, names: Sequence[str], pack: Pack) -> MovedCards:
    faces = tuple(face(pack, code) for code in move.event.get("cards") or ())
    return MovedCards(faces, names[move.entry.event["seat"]], names[move.event["seat"]])


def change_lines(changes: Changes, names: Sequence[str], hand: int) -> Iterator[ChangeLine]:
    """Say what changes: totals first, then tricks, what is irregular, and who wins."""
    for change in changes.totals:
        text = _("{name} {before} to {after}")
        yield ChangeLine("total", text.format(name=names[change["seat"]], **_both(change)))
    for trick in changes.tricks:
        yield ChangeLine("trick", _trick(trick, names, hand))
    for finding in changes.irregularities:
        found = finding["after"] or finding["before"]
        text = _("Now irregular: {what}") if finding["after"] else _("No longer irregular: {what}")
        if found:
            yield ChangeLine("finding", text.format(what=_finding(found, names)))
    if changes.winners:
        after = " & ".join(names[seat] for seat in changes.winners["after"])
        text = _("Then {names} wins the game.") if after else _("Then the game is not over.")
        yield ChangeLine("winners", text.format(names=after))


def later_lines(each: LaterTable, *, hidden: bool) -> tuple[str, tuple[ChangeLine, ...]]:
    """Say what changes at a table at which the game went on: a title, and line by line."""
    row = each.at.row
    title = _("Then at the next table, with {names}").format(names=", ".join(row.seats))
    if hidden:
        return title, (ChangeLine("points", _("Points are hidden until the game is over.")),)
    return title, tuple(change_lines(each.changes, list(row.seats), 0))


def _finding(found: DescribedIrregularity, names: Sequence[str]) -> str:
    code = found["code"].replace("-", " ")
    act = _(code)
    return act if found["seat"] is None else _("{act} ({name})").format(act=act, name=names[found["seat"]])


def _both(change: ScoreChange | TotalChange) -> dict[str, str]:
    values = {"before": change["before"], "after": change["after"]}
    return {key: "–" if value is None else number(value) for key, value in values.items()}


def _trick(change: TrickChange, names: Sequence[str], hand: int) -> str:
    where = _("Trick {trick}") if change["hand"] == hand else _("Hand {hand}, trick {trick}")
    place = where.format(trick=change["trick"], hand=change["hand"] + 1)
    before, after = _winner(change["before"], names), _winner(change["after"], names)
    if before == after:
        return _("{place}: other points").format(place=place)
    return _("{place}: {after} instead of {before}").format(place=place, after=after, before=before)


def _winner(trick: TrickResult | None, names: Sequence[str]) -> str:
    winner = trick["winner"] if trick else None
    return _("nobody") if winner is None else names[winner]
