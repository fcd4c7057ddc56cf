"""Cards and suits as pages show them: rank, drawn symbols and letters, never colour alone."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markupsafe import Markup

from referee.engine.cards import normalise
from referee.engine.translation import capital
from referee.packs import Card, Pack, whole
from scoring.pages.show.translation import PAGE_LANGUAGE

DRAWN = frozenset({"moons", "suns", "waves", "leaves", "wyrms", "knots", "spades", "hearts", "clubs", "diamonds"})
"""The symbols in the sprite file; a suit that is not among them is shown by its letter."""
MARKS = {"X": "crown"}
"""Ranks that are drawn, not written: the Crown."""
BACKS = {False: "back-plain", True: "back-star"}
"""The symbols of the two backs, told apart by their drawing."""
COLUMNS = 6
SUITED_COLUMNS = 7


class Symbol(NamedTuple):
    """A suit: its letter, name, and the symbol drawn for it (empty: none)."""

    code: str
    name: str
    icon: str


class Face(NamedTuple):
    """What is printed on a card, and what it is called.

    ``mark`` is a symbol drawn in place of the rank, ``back`` one that tells the card's back apart where two decks
    are in play; ``star`` says which of the two it is.
    """

    code: str
    rank: str
    mark: str
    suits: tuple[Symbol, ...]
    name: str
    star: bool = False
    back: str = ""

    @property
    def short(self) -> str:
        """Return the name alone, without what is printed on the card anyway."""
        return self.name.split(" (")[0]

    @property
    def drawn(self) -> Markup:
        """Return the printed face as HTML; a page shows the whole pack, so each is drawn once."""
        return _drawn(self)


@lru_cache(maxsize=512)
def _drawn(face: Face) -> Markup:
    return Markup(render_to_string("scoring/_face.html", {"face": face}))


class Cell(NamedTuple):
    """A card on the pad; ``there`` says that it can still be chosen, ``claims`` that playing it says something."""

    face: Face
    there: bool
    claims: bool = False


class Group(NamedTuple):
    """Cards that stand together on the pad, and the suit they share, if any."""

    symbol: Symbol | None
    star: bool
    cells: tuple[Cell, ...]


class Deck(NamedTuple):
    """The groups of one deck; ``star`` tells the trump deck apart where two are in play."""

    star: bool
    groups: tuple[Group, ...]


class Pad(NamedTuple):
    """All cards to choose from, in groups, with as many columns as suit them."""

    groups: tuple[Group, ...]
    columns: int

    @property
    def decks(self) -> tuple[Deck, ...]:
        """Return the groups of cards of each deck, where a game is played with several."""
        return tuple(Deck(star, tuple(groups)) for star, groups in groupby(self.groups, key=lambda group: group.star))

    @property
    def named(self) -> bool:
        """Return whether cards have names beside what is printed on them."""
        return any(cell.face.short != cell.face.name for group in self.groups for cell in group.cells)

    @property
    def rows(self) -> int:
        """Return how many rows the largest deck takes."""
        return max((sum(-(-len(g.cells) // self.columns) for g in deck.groups) for deck in self.decks), default=1)


def symbols(pack: Pack) -> dict[str, Symbol]:
    """Return the suits of a pack by their letter."""
    return _symbols(pack, get_language() or "")


@lru_cache(maxsize=64)
def _symbols(pack: Pack, language: str) -> dict[str, Symbol]:
    return {s.code: Symbol(s.code, _(s.name), s.name.lower() if s.name.lower() in DRAWN else "") for s in pack.suits}


def faces(pack: Pack) -> dict[str, Face]:
    """Return the faces of a pack's cards by their code."""
    return _faces(pack, get_language() or "")


@lru_cache(maxsize=64)
def _faces(pack: Pack, language: str) -> dict[str, Face]:
    known = symbols(pack)
    told_apart = any(card.star for card in pack.cards)
    return {card.code: _face(card, known, told_apart=told_apart) for card in pack.cards}


def _face(card: Card, known: dict[str, Symbol], *, told_apart: bool) -> Face:
    name = capital(card.called.rendered(PAGE_LANGUAGE))
    title = f"{name} ({_(card.title)})" if card.title else name
    mark = MARKS.get(card.rank, "")
    back = BACKS[card.star] if told_apart else ""
    return Face(card.code, card.rank, mark, tuple(known[suit] for suit in card.suits), title, card.star, back)


def face(pack: Pack, code: str) -> Face:
    """Return the face of a code; what no pack holds (``?``) shows itself.

    A card of an earlier hand may have left the pack since, with a house rule: it keeps its face.
    """
    return faces(pack).get(code) or faces(whole(pack)).get(code) or Face(code, code, "", (), code)


def find(pack: Pack, text: str) -> int | None:
    """Return the index of the card that a text names: as everywhere, or by its name in the language of the page."""
    found = pack.find(text)
    if found is not None:
        return found
    wanted = normalise(text)
    return next((card.index for card in pack.cards if normalise(card.called.rendered(PAGE_LANGUAGE)) == wanted), None)


def pad(
    pack: Pack,
    choices: Sequence[str],
    *,
    keep_places: bool,
    taken: Sequence[str] = (),
    marked: frozenset[str] = frozenset(),
    order: Sequence[str] = (),
) -> Pad:
    """Lay out the cards to choose from.

    With ``keep_places`` every card of the pack keeps its place, so that the thumb finds it again; without, only
    what can be chosen is shown, and what could until somebody took it. Packs whose cards all have one suit are laid
    out suit by suit; ``order`` says how, where it is not as the pack has its cards.
    """
    open_to_choice = frozenset(choices or (card.code for card in pack.cards))
    cards_in_order = [pack.cards[pack.codes[code]] for code in order] or pack.cards
    shown = [card for card in cards_in_order if keep_places or card.code in open_to_choice or card.code in taken]
    known, known_faces = symbols(pack), faces(pack)

    def cells(cards: Iterable[Card]) -> tuple[Cell, ...]:
        return tuple(Cell(known_faces[card.code], card.code in open_to_choice, card.code in marked) for card in cards)

    if any(len(card.suits) != 1 for card in pack.cards):
        return Pad((Group(None, False, cells(shown)),), COLUMNS)
    groups = [
        Group(known[suit], star, cells(cards))
        for (star, suit), cards in groupby(shown, key=lambda card: (card.star, card.suits[0]))
    ]
    return Pad(tuple(groups), min(SUITED_COLUMNS, max((len(g.cells) for g in groups), default=1)))


def all_keys(pack: Pack) -> Pad:
    """Lay out a whole pack, as it is laid out in play: the table keeps room for so many keys in every phase."""
    return _all_keys(pack, get_language() or "")


@lru_cache(maxsize=32)
def _all_keys(pack: Pack, language: str) -> Pad:
    return pad(pack, (), keep_places=True)
