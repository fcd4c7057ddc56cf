"""Presenters of cards, suits, and reasons with their clauses; never by color alone."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple, overload
from unicodedata import combining, normalize

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from markupsafe import Markup, escape

from referee.engine import rulebook
from referee.engine.cards import normalise
from referee.engine.game import Game, all_games
from referee.engine.grammar import Noun
from referee.engine.rulings import Reason
from referee.engine.sheet import DescribedReason, describe_reason
from referee.engine.texts import OBJECT, START, capital, sentences
from referee.packs import Card, Pack, whole
from scoring.tables.presenters.formats import PAGE_LANGUAGE, cached_by_language, in_english

# --- Cards and suits: rank, symbols and letters, never color alone

DRAWN = frozenset({"moons", "suns", "waves", "leaves", "wyrms", "knots", "spades", "hearts", "clubs", "diamonds"})
"""Symbols in the sprite file; other suits are shown by their letter."""
WASHED = frozenset({"moons", "suns", "waves", "leaves", "wyrms", "knots"})
"""Suits of the Decktet, whose cards have several suits: their corners are tinted in the suits' colors."""
MARKS = {"X": "crown"}
"""Symbols of ranks that are drawn instead of written."""
BACKS = {False: "back-plain", True: "back-star"}
"""Symbols of the two card backs, which differ in their drawing."""
COLUMNS = 6
SUITED_COLUMNS = 7


class Shown:
    """Base class of presented values; compared by content, so that cached parts can be looked up."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))


class Symbol(NamedTuple):
    """A suit: letter, name, and icon (empty: none)."""

    code: str
    name: str
    icon: str


class Face(NamedTuple):
    """What is printed on a card, and its name.

    ``mark`` is a symbol drawn in place of the rank; ``back`` is the symbol of the card's back if two decks are in play,
    ``star`` which of the two it is.
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
        """The card's name without the printed rank and suits in parentheses."""
        return self.name.split(" (")[0] if " (" in self.name else self.name

    @property
    def drawn(self) -> Markup:
        """The printed face as HTML, cached."""
        return _drawn(self)

    @property
    def laid(self) -> Markup:
        """The card on the table as HTML."""
        return _drawn(self, "scoring/_laid.html")

    @property
    def titled(self) -> bool:
        """Whether the card has a name of its own, as in the Decktet."""
        return self.short != self.name

    @property
    def shape(self) -> str:
        """The CSS classes of a card on the table: number of suits, tints, French suits or not."""
        drawn = [suit.icon for suit in self.suits if suit.icon]
        classes = ["laid", ("plain", "one", "two", "three")[min(len(self.suits), 3)]]
        if drawn and drawn[0] in WASHED:
            classes += [f"a-{drawn[0]}", f"b-{drawn[-1]}"]
        elif drawn:
            classes.append("french")
        return " ".join(classes)


@lru_cache(maxsize=1024)
def _drawn(face: Face, template: str = "scoring/_face.html") -> Markup:
    return Markup(render_to_string(template, {"face": face}))


class Group(NamedTuple):
    """A group of cards on the pad, with their common suit, if any, and its rank in games that rank suits."""

    symbol: Symbol | None
    star: bool
    faces: tuple[Face, ...]
    place: str = ""


class Deck(NamedTuple):
    """The groups of one deck; ``star`` marks the trump deck, in games with two."""

    star: bool
    groups: tuple[Group, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Keys:
    """The layout of a pad's cards: groups, and the number of columns and rows.

    ``decks`` are the groups of each deck, if a game has several; ``rows`` are those of the largest. ``named``: the
    cards have names besides what is printed on them.
    """

    decks: tuple[Deck, ...]
    columns: int
    rows: int
    named: bool


class Pad(NamedTuple):
    """The cards to choose from: ``gone`` are taken, ``claims`` imply a claim if played.

    ``weak`` cards can't beat those on the table; ``alone`` can only be played together with others.
    """

    keys: Keys
    gone: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


@cached_by_language(maxsize=64)
def symbols(pack: Pack) -> dict[str, Symbol]:
    """Return a pack's suits by letter."""
    return {
        s.code: Symbol(s.code, Noun(_(s.name)), name if (name := s.name.lower()) in DRAWN else "") for s in pack.suits
    }


def symbols_of(codes: Iterable[str], pack: Pack) -> tuple[Symbol, ...]:
    """Return the suits with these letters; unknown letters are skipped."""
    known = symbols(pack)
    return tuple(known[code] for code in codes if code in known)


@cached_by_language(maxsize=64)
def faces(pack: Pack) -> dict[str, Face]:
    starred = any(card.star for card in pack.cards)
    found = {}
    for card in pack.cards:
        name = capital(card.called.rendered(PAGE_LANGUAGE))
        name = Noun(name) if card.words else name
        title = f"{name} ({_(card.title)})" if card.title else name
        back = BACKS[card.star] if starred else ""
        suits = symbols_of(card.suits, pack)
        found[card.code] = Face(card.code, card.rank, MARKS.get(card.rank, ""), suits, title, card.star, back)
    return found


def face(pack: Pack, code: str) -> Face:
    """Return the face of a card code; unknown codes such as ``?`` are shown as they are.

    A card may have left the pack since an earlier hand, by a house rule: its face comes from the full pack.
    """
    return faces(pack).get(code) or faces(whole(pack)).get(code) or Face(code, code, "", (), code)


def faces_of(codes: Iterable[str], pack: Pack) -> tuple[Face, ...]:
    return tuple(face(pack, code) for code in codes)


def emblem(game: Game) -> tuple[Face, ...]:
    """Return the cards that illustrate a game."""
    return faces_of(game.emblem, game.rules({}, game.players[0]).pack)


def find(pack: Pack, text: str) -> int | None:
    """Return the index of a card in the pack by its code, or by its name in the page's language."""
    found = pack.find(text)
    if found is not None:
        return found
    wanted = _plain(text)
    return next((card.index for card in pack.cards if _plain(card.called.rendered(PAGE_LANGUAGE)) == wanted), None)


def _plain(text: str) -> str:
    """Normalize a text for comparison: without accents, which some keyboards lack, and without spaces."""
    folded = normalize("NFD", normalise(text).replace("œ", "oe"))
    return "".join(character for character in folded if not combining(character) and character != " ")


def pad(
    pack: Pack,
    choices: Sequence[str],
    *,
    keep_places: bool,
    taken: Sequence[str] = (),
    marked: frozenset[str] = frozenset(),
    order: Sequence[str] = (),
    weak: Sequence[str] = (),
    alone: Sequence[str] = (),
) -> Pad:
    """Lay out the cards to choose from.

    With ``keep_places`` every card of the pack has a fixed place, so that players find it without looking; otherwise
    only cards that can be chosen, or have been ``taken``, are shown. Packs of single-suited cards are laid out suit by
    suit; ``order`` overrides the pack's order.
    """
    open_to_choice = frozenset(choices or pack.codes)
    shown = tuple(order or (card.code for card in pack.cards))
    if not keep_places:
        shown = tuple(code for code in shown if code in open_to_choice or code in taken)
    gone = tuple(code for code in shown if code not in open_to_choice)
    claims = tuple(code for code in shown if code in marked)
    return Pad(_keys(pack, shown, ranked=bool(order)), gone, claims, tuple(weak), tuple(alone))


def all_keys(pack: Pack) -> Keys:
    """Lay out the full pack; the page reserves space for all its keys."""
    return _keys(pack, tuple(card.code for card in pack.cards))


@cached_by_language(maxsize=512)
def _keys(pack: Pack, codes: tuple[str, ...], *, ranked: bool = False) -> Keys:
    """Lay out cards; with ``ranked`` suits, the highest suit comes first."""
    known = symbols(pack)
    if any(len(card.suits) != 1 for card in pack.cards):
        groups = [Group(None, False, faces_of(codes, pack))]
        columns = COLUMNS
    else:
        cards = [pack.cards[pack.codes[code]] for code in codes]
        groups = [
            Group(known[suit], star, faces_of((card.code for card in together), pack))
            for (star, suit), together in groupby(cards, key=lambda card: (card.star, card.suits[0]))
        ]
        if ranked:
            places = [
                pgettext("suit", "top"),
                pgettext("suit", "2nd"),
                pgettext("suit", "3rd"),
                pgettext("suit", "low"),
            ]
            groups = [group._replace(place=place) for group, place in zip(groups, places * 2, strict=False)]
        columns = min(SUITED_COLUMNS, max((len(group.faces) for group in groups), default=1))
    decks = tuple(Deck(star, tuple(each)) for star, each in groupby(groups, key=lambda group: group.star))
    rows = max((sum(-(-len(group.faces) // columns) for group in deck.groups) for deck in decks), default=1)
    named = any(each.short != each.name for group in groups for each in group.faces)
    return Keys(decks, columns, rows, named)


# --- Reasons, with links to their clauses and their cards drawn

FORMS = ("", OBJECT, START)
CARD = Markup('<span class="card small in-words{}" role="img" aria-label="{}" title="{}">{}</span>')


class ClauseLink(NamedTuple):
    """A cited clause: id, title, URL."""

    id: str
    title: str
    url: str


class CitedSentence(NamedTuple):
    """A reason for pages: sentence, clauses, and cards drawn.

    ``english``: there is no translation for the page's language.
    """

    text: str
    links: tuple[ClauseLink, ...]
    drawn: Markup | None = None
    english: bool = False


def clause_links(game: Game, ids: Iterable[str]) -> tuple[ClauseLink, ...]:
    book = _book(game, all_games())
    found = ((number, *book.get(number, ("", ""))) for number in ids)
    return tuple(ClauseLink(number, _(title) if title else number, url) for number, title, url in found)


@lru_cache(maxsize=32)
def _book(game: Game, games: tuple[Game, ...]) -> dict[str, tuple[str, str]]:
    """Return the title and URL of every clause; the game's own rulebook takes precedence."""
    book: dict[str, tuple[str, str]] = {}
    for holder in (game, *games):
        page = reverse("scoring:rulebook", args=[holder.id])
        for clause in (*holder.rulebook(), *rulebook.shared()):
            book.setdefault(clause.id, (clause.title, f"{page}#{clause.id}"))
    return book


@overload
def cited(game: Game, reason: DescribedReason, pack: Pack | None = None) -> CitedSentence: ...
@overload
def cited(game: Game, reason: None, pack: Pack | None = None) -> None: ...
def cited(game: Game, reason: DescribedReason | None, pack: Pack | None = None) -> CitedSentence | None:
    """Present a described reason, with its cards drawn if ``pack`` is given."""
    if reason is None:
        return None
    drawn = draw(reason["text"], pack) if pack else None
    english = in_english(sentences().get(reason["code"], ""))
    return CitedSentence(reason["text"], clause_links(game, reason["clauses"]), drawn, english)


def cited_reason(
    game: Game, reason: Reason | None, names: Sequence[str], pack: Pack | None = None
) -> CitedSentence | None:
    return cited(game, None if reason is None else describe_reason(reason, names, PAGE_LANGUAGE), pack)


@cached_by_language(maxsize=2000)
def draw(text: str, pack: Pack) -> Markup:
    """Return a sentence as HTML with its cards drawn; cards with names keep them beside the drawing."""
    names, pattern = _names(pack)
    drawn, end = Markup(), 0
    for found in pattern.finditer(text):
        card = names[found[0]]
        shown = face(pack, card.code)
        name, printed, title = found[0].partition(" (")
        titled = card.title and printed
        image = CARD.format(
            " backed" if shown.back else "", f"({title}" if titled else found[0], shown.name, shown.drawn
        )
        drawn += escape(text[end : found.start()]) + (Markup("{} {}").format(name, image) if titled else image)
        end = found.end()
    return drawn + escape(text[end:])


@cached_by_language(maxsize=32)
def _names(pack: Pack) -> tuple[dict[str, Card], re.Pattern[str]]:
    """Return cards by all their inflected names, and a pattern of these names, longest first."""
    names = {PAGE_LANGUAGE.render(card, form): card for card in pack.cards for form in FORMS}
    longest_first = sorted(names, key=len, reverse=True)
    return names, re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
