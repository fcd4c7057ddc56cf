"""The rulebook as people read it: what everybody needs first, the rest folded, and what a table plays marked."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from referee.engine import rulebook
from referee.engine.examples import examples_of
from referee.engine.game import Game
from referee.engine.rulebook import Clause
from scoring.pages.show.house_rules import in_words, rule_text
from scoring.pages.show.translation import PAGE_LANGUAGE

OWN_CHOICE = "default"
OWN_PARTS = 3


class Entry(NamedTuple):
    """A clause in the book; ``played`` are the house rules of the table that it speaks of, ``own`` that it is ours."""

    clause: Clause
    text: str
    played: tuple[str, ...]
    own: bool
    shown: bool


class Part(NamedTuple):
    """A part of the book, open or folded; ``own`` says that it is this game's, and printed."""

    title: str
    own: bool
    open: bool
    clauses: tuple[Entry, ...]


def book_parts(
    game: Game, shared: Sequence[str], changed: Mapping[str, object], players: int | None, find: str
) -> tuple[Part, ...]:
    """Return the parts of a game's rulebook; with words to find, only the clauses that have all of them, open."""
    clauses = game.rulebook()
    parts = [
        (_("How it is played"), [clause for clause in clauses if _letter(clause).isdigit()], True),
        (_("Variants"), [clause for clause in clauses if _letter(clause) in "VA"], False),
        (_("When somebody asks"), [clause for clause in clauses if _letter(clause) == "Q"], False),
        *((_(rulebook.title(name)), list(rulebook.clauses(name)), False) for name in shared),
    ]
    words = find.casefold().split()
    played = _played(game, changed, players)
    shown = [
        (title, tuple(_entries(game, [clause for clause in held if _has(game, clause, words)], played)), is_open)
        for title, held, is_open in parts
    ]
    return tuple(
        Part(title, place < OWN_PARTS, bool(words) or is_open or any(entry.played for entry in entries), entries)
        for place, (title, entries, is_open) in enumerate(shown)
        if entries
    )


def _letter(clause: Clause) -> str:
    return clause.id.partition("-")[2][:1]


def _has(game: Game, clause: Clause, words: Iterable[str]) -> bool:
    text = f"{clause.id} {PAGE_LANGUAGE.translate(clause.title)} {rule_text(game, clause)}".casefold()
    return all(word in text for word in words)


def _played(game: Game, changed: Mapping[str, object], players: int | None) -> dict[str, list[str]]:
    """Return, by clause, the house rules of a table that are others than usual."""
    found: dict[str, list[str]] = {}
    for option in game.all_options():
        if option.key in changed:
            for clause in option.clauses:
                found.setdefault(clause, []).append(in_words(option, changed[option.key], players))
    return found


def _entries(game: Game, clauses: Iterable[Clause], played: Mapping[str, Sequence[str]]) -> Iterable[Entry]:
    for clause in clauses:
        shown = any(True for _example in examples_of(game.id, clause.id))
        yield Entry(
            clause, rule_text(game, clause), tuple(played.get(clause.id, ())), clause.basis == OWN_CHOICE, shown
        )
