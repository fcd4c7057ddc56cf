"""Where the rulebook says what a reason cites."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from referee.engine import rulebook
from referee.engine.catalogue import all_games
from referee.engine.game import Game
from referee.engine.sheet import DescribedReason


class ClauseLink(NamedTuple):
    """A clause cited: its number, its title, and where it stands."""

    id: str
    title: str
    url: str


class CitedSentence(NamedTuple):
    """A reason as pages show it: the sentence, and the clauses behind it."""

    text: str
    links: tuple[ClauseLink, ...]


def clause_links(game: Game, ids: Iterable[str]) -> tuple[ClauseLink, ...]:
    """Return links to clauses: in this game's own rulebook, or the one that holds them."""
    book = _book(game, all_games())
    return tuple(_link(number, *book.get(number, ("", ""))) for number in ids)


def _link(number: str, title: str, url: str) -> ClauseLink:
    return ClauseLink(number, _(title) if title else number, url)


@lru_cache(maxsize=32)
def _book(game: Game, games: tuple[Game, ...]) -> dict[str, tuple[str, str]]:
    """Return the title and the address of every clause, the game's own page before all others."""
    book: dict[str, tuple[str, str]] = {}
    for holder in (game, *games):
        page = reverse("scoring:rulebook", args=[holder.id])
        for clause in (*holder.rulebook(), *rulebook.shared()):
            book.setdefault(clause.id, (clause.title, f"{page}#{clause.id}"))
    return book


def cited(game: Game, reason: DescribedReason | None) -> CitedSentence | None:
    """Return a described reason as pages show it."""
    return None if reason is None else CitedSentence(reason["text"], clause_links(game, reason["clauses"]))
