"""Reasons as pages show them: where the rulebook says what they cite, and their cards drawn."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markupsafe import Markup, escape

from referee.engine import rulebook
from referee.engine.cards import Card
from referee.engine.catalogue import all_games
from referee.engine.game import Game
from referee.engine.sheet import DescribedReason
from referee.engine.translation import OBJECT, START
from referee.packs import Pack
from scoring.pages.show.cards import Face, faces
from scoring.pages.show.translation import PAGE_LANGUAGE

FORMS = ("", OBJECT, START)
CARD = Markup('<span class="card small in-words{}" role="img" aria-label="{}" title="{}">{}</span>')


class ClauseLink(NamedTuple):
    """A clause cited: its number, its title, and where it stands."""

    id: str
    title: str
    url: str


class CitedSentence(NamedTuple):
    """A reason as pages show it: the sentence, the clauses behind it, and, for a table, the cards in it drawn."""

    text: str
    links: tuple[ClauseLink, ...]
    drawn: Markup | None = None


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


def cited(game: Game, reason: DescribedReason | None, pack: Pack | None = None) -> CitedSentence | None:
    """Return a described reason as pages show it, with its cards drawn where their pack is given."""
    if reason is None:
        return None
    drawn = draw(reason["text"], pack) if pack else None
    return CitedSentence(reason["text"], clause_links(game, reason["clauses"]), drawn)


def draw(text: str, pack: Pack) -> Markup:
    """Return a sentence with every card that it names drawn in the place of what is printed on it.

    A card that has a name of its own keeps it beside the drawing.
    """
    return _draw(text, pack, get_language() or "")


@lru_cache(maxsize=2000)
def _draw(text: str, pack: Pack, language: str) -> Markup:
    names, pattern = _names(pack, language)
    known = faces(pack)
    drawn, end = Markup(), 0
    for found in pattern.finditer(text):
        card = names[found[0]]
        drawn += escape(text[end : found.start()]) + _drawn(found[0], card, known[card.code])
        end = found.end()
    return drawn + escape(text[end:])


def _drawn(words: str, card: Card, face: Face) -> Markup:
    name, printed, title = words.partition(" (")
    label = f"({title}" if card.title and printed else words
    image = CARD.format(" backed" if face.back else "", label, face.name, face.drawn)
    return Markup("{} {}").format(name, image) if card.title and printed else image


@lru_cache(maxsize=32)
def _names(pack: Pack, language: str) -> tuple[dict[str, Card], re.Pattern[str]]:
    """Return the cards by all that sentences of a language call them, and what finds these words, the longest first."""
    names = {PAGE_LANGUAGE.render(card, form): card for card in pack.cards for form in FORMS}
    longest_first = sorted(names, key=len, reverse=True)
    return names, re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
