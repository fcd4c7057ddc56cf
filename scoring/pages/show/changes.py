"""What a correction changes, in lines that people read before they save it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.pages.show.numbers import number
from scoring.services.amendment_diff import Changes


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One line of what changes; ``kind`` is ``total``, ``trick``, ``finding`` or ``winners``."""

    kind: str
    text: str


def change_lines(changes: Changes, names: Sequence[str], hand: int) -> Iterator[ChangeLine]:
    """Say what changes: totals first, then tricks, what is irregular, and who wins."""
    for change in changes.totals:
        text = _("{name} {before} to {after}")
        yield ChangeLine("total", text.format(name=names[change["seat"]], **_both(change)))
    for change in changes.tricks:
        yield ChangeLine("trick", _trick(change, names, hand))
    for change in changes.irregularities:
        new = change["after"] is not None
        found = change["after"] if new else change["before"]
        text = _("Now irregular: {what}") if new else _("No longer irregular: {what}")
        yield ChangeLine("finding", text.format(what=_finding(found, names)))
    if changes.winners:
        after = " & ".join(names[seat] for seat in changes.winners["after"])
        text = _("Then {names} wins the game.") if after else _("Then the game is not over.")
        yield ChangeLine("winners", text.format(names=after))


def _finding(found: Mapping[str, Any], names: Sequence[str]) -> str:
    code = found["code"].replace("-", " ")
    act = _(code)
    return act if found["seat"] is None else _("{act} ({name})").format(act=act, name=names[found["seat"]])


def _both(change: dict[str, object]) -> dict[str, object]:
    return {key: number(value) if isinstance(value := change[key], int) else "–" for key in ("before", "after")}


def _trick(change: dict[str, object], names: Sequence[str], hand: int) -> str:
    where = _("Trick {trick}") if change["hand"] == hand else _("Hand {hand}, trick {trick}")
    number = change["hand"]
    place = where.format(trick=change["trick"], hand=number + 1 if isinstance(number, int) else number)
    before, after = (_winner(change[key], names) for key in ("before", "after"))
    if before == after:
        return _("{place}: other points").format(place=place)
    return _("{place}: {after} instead of {before}").format(place=place, after=after, before=before)


def _winner(trick: object, names: Sequence[str]) -> str:
    if not isinstance(trick, dict) or trick["winner"] is None:
        return _("nobody")
    return names[trick["winner"]]
