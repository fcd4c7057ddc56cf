"""Every text of the referee that players may see, with the grammatical forms that sentences need.

Most are in tables (sentences, clauses, options, cards); the rest are arguments of calls that make labels, questions and
problems, and are read from the source. A composed text in such a place cannot be translated, so it is an error.
"""

import ast
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import referee
from referee.api.problems import TITLES
from referee.engine import rulebook
from referee.engine.event_kinds import Event
from referee.engine.events import SHARED_EVENTS
from referee.engine.game import Game, all_games
from referee.engine.hand import Hand
from referee.engine.rules import END_KINDS, REVOKE, USUAL, EndKind
from referee.engine.state import BIDDING, FINISHED, PLAY, VOID
from referee.engine.texts import OBJECT, SUBJECT
from referee.guides.case import WORDS
from referee.packs import decktet, french
from referee.packs.decktet import RANKS, plural
from referee.packs.french import SUIT_NAMES
from referee.tricks.hand import TrickHand

ENGINE = Path(referee.__file__).parent
TEXTS = {
    "phrase": (0,), "noun": (0,), "Ask": (1,), "FaceUp": (0,), "Field": (2,), "Blank": (2, 3), "Question": (1,),
    "conflict": (1,), "shape": (1,), "value": (1,), "lacking": (1,), "Problem": (2,), "Mistake": (1,), "wrong": (0,),
    "Turn": (0, 1, 2, 3),
}  # fmt: skip
"""The calls that take texts for players, and the argument positions."""
NAMED = ("none", "hint", "last")
"""Arguments and variables that hold texts for players."""
VARIABLES = ("hint", "detail", "UNSEEN", "AND", "OR", "NO_CARD", "NO_CARD_OF_TWO")

Text = tuple[str, str]
"""The form in which it is needed (usually none), and the text."""
CORE = "referee"
GAMES = ENGINE / "games"
SHARED_FOLDERS = tuple(
    sorted(path.parent.name for path in GAMES.glob("*/__init__.py") if not (path.parent / "game.py").exists())
)
"""Folders beside the games with code some of them share."""


def owners() -> tuple[str, ...]:
    """Return the owners of catalogues: the referee, then each game."""
    games = tuple(folder_of(game) for game in all_games())
    return (CORE, *(f"referee/games/{name}" for name in (*SHARED_FOLDERS, *games)))


def folder_of(game: Game) -> str:
    return game.id.replace("-", "_")


def messages() -> Iterator[Text]:
    for owner in owners():
        yield from messages_of(owner)


@cache
def messages_of(owner: str) -> tuple[Text, ...]:
    """Return the texts of the referee or a game's folder that no earlier owner has."""
    own = dict.fromkeys(_core() if owner == CORE else _folder(owner))
    before = owners()[: owners().index(owner)]
    known = {text for other in before for text in messages_of(other)}
    return tuple(text for text in own if text not in known)


def _core() -> Iterator[Text]:
    yield from _plain(_remedies(TrickHand))
    for part in ("engine", "guides", "tricks"):
        yield from _sentences(ENGINE / part)
    for part in ("guides", "tricks"):
        yield from _plain((*_guides(part), *WORDS.values()))
    yield from _kinds(SHARED_EVENTS)
    yield from _plain(
        (
            BIDDING,
            PLAY,
            FINISHED,
            VOID,
            "joint revoke",
            REVOKE.label,
            REVOKE.help,
            *REVOKE.labels,
            *REVOKE.says,
            USUAL.name,
        )
    )
    yield from _ends(END_KINDS)
    yield from _plain(TITLES.values())
    yield from _cards()
    yield from _clauses(*rulebook.SHARED)
    for file in sorted(ENGINE.rglob("*.py")):
        if file.relative_to(ENGINE).parts[0] != "games":
            yield from said_in(file)


def _guides(folder: str) -> Iterator[str]:
    path = ENGINE / folder / "guides.toml"
    file = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for guide in file.get("guide", ()):
        yield from (guide[key] for key in ("title", "short", "says") if key in guide)
        for question in guide.get("question", {}).values():
            yield from (question[key] for key in ("text",) if key in question)
            yield from question.get("words", {}).values()
        yield from (guide["cleared"][key] for key in ("text", "seat") if key in guide.get("cleared", ()))
        yield from (leaf["text"] for leaf in guide.get("ruling", {}).values() if "text" in leaf)
    for remedy in file.get("remedy", {}).values():
        yield from (remedy[key] for key in ("title", "text", "over") if key in remedy)


def _folder(owner: str) -> Iterator[Text]:
    folder = ENGINE.parent / owner
    yield from _sentences(folder)
    yield from _plain(_guides(f"games/{folder.name}"))
    for file in sorted(folder.rglob("*.py")):
        yield from said_in(file)
    for game in all_games():
        if folder_of(game) == folder.name:
            yield from _game(game)


def _remedies(hand_class: type[Hand]) -> Iterator[str]:
    for remedy in hand_class.REMEDIES.values():
        yield from filter(None, (remedy.title, remedy.text, remedy.over))


def _game(game: Game) -> Iterator[Text]:
    yield from _plain((game.tagline, game.gist, game.with_cards, game.pack_name, *_remedies(game.hand_class)))
    yield from _plain((game.single, *chain.from_iterable(game.depth_words.values())))
    for option in game.all_options():
        yield from _plain((option.label, option.help, *option.labels, *option.says))
    yield from _plain(preset.name for preset in game.presets)
    yield from _kinds(game.events)
    yield from _plain(game.phases)
    yield from _ends(game.ends)
    yield from game.words()
    yield from _clauses(game.id)


def _sentences(folder: Path) -> Iterator[Text]:
    """Yield the sentences of a folder, and its irregular acts, which remedies name as their cause."""
    file = folder / "sentences.toml"
    if file.exists():
        held = tomllib.loads(file.read_text(encoding="utf-8"))
        yield from _plain(held.get("sentences", {}).values())
        yield from _plain(code.replace("-", " ") for code in held.get("irregular", {}))


def _kinds(events: Iterable[type[Event]]) -> Iterator[Text]:
    for kind in (event.kind for event in events):
        shown = [field.shown.label for field in kind.fields if field.shown]
        yield from _plain((kind.name, kind.says, kind.log, kind.log_one, kind.log_hidden, kind.label, *shown))


def _ends(kinds: Iterable[EndKind]) -> Iterator[Text]:
    for kind in kinds:
        yield from _plain((kind.label, kind.says, kind.says_one, kind.until, kind.until_one))


def _cards() -> Iterator[Text]:
    yield from _plain(SUIT_NAMES.values())
    yield from _plain(plural(rank) for rank in RANKS)
    for pack in (decktet(excuse=True, pawns=True, courts=True), french(decks=1), french(decks=2)):
        yield from _plain((pack.name, *(suit.name for suit in pack.suits)))
        for card in pack.cards:
            yield from _plain((card.called.text, card.title))
            yield from _forms(f"the {card.called.text}", "", OBJECT)
            if pack.id != "decktet":
                yield from _forms(card.called.text, SUBJECT, OBJECT)


def _clauses(*books: str) -> Iterator[Text]:
    for name in books:
        if rulebook.clauses(name):
            yield from _plain((rulebook.title(name),))
        for clause in rulebook.clauses(name):
            yield from _plain((clause.title, clause.text))


def _plain(texts: object) -> Iterator[Text]:
    assert hasattr(texts, "__iter__")
    for text in texts:
        if any(letter.isalpha() for letter in text):
            yield "", text


def _forms(text: str, *forms: str) -> Iterator[Text]:
    for form in forms:
        yield form, text


# -- in the source --------------------------------------------------------------------------


def said_in(file: Path) -> Iterator[Text]:
    """Yield the texts a source file marks for later translation in the referee's way."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for found in _held(node):
            yield from _plain(_strings(found, file))


def _held(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if ast.unparse(node.func) == "line.text":
            called = "wrong"  # the notation says what it expected there
        yield from (node.args[place] for place in TEXTS.get(called, ()) if place < len(node.args))
        yield from (word.value for word in node.keywords if word.arg in NAMED)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            yield from (value for name, value in pairs if isinstance(name, ast.Name) and name.id in VARIABLES)


def _strings(node: ast.expr, file: Path) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from _strings(node.body, file)
            yield from _strings(node.orelse, file)
        case ast.JoinedStr():
            raise AssertionError(f"{file.name}:{node.lineno}: a text put together here cannot be translated")
