"""Every text of the referee that players may see, with the forms in which sentences need it.

Most stand in tables (sentences, clauses, options, cards); the rest are arguments of the calls that make labels,
questions and problems, and are read from the source. A text put together in such a place cannot be translated,
so it is an error.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import referee
from referee.engine import remedies, rulebook
from referee.engine.catalogue import all_games, event_kinds, phases
from referee.engine.language import OBJECT, SUBJECT
from referee.engine.sentences import SENTENCES
from referee.games.ace_pit.sets import NAMES
from referee.games.american_deuce import combinations, seats
from referee.games.wildcat_chicane.hand import READS
from referee.packs import decktet, french
from referee.packs.decktet import RANKS, plural
from referee.packs.french import SUIT_NAMES

ENGINE = Path(referee.__file__).parent
APART = ("api",)
"""What answers programs only, in English."""
TEXTS = {
    "say": (0,), "Ask": (1,), "Field": (2,), "Blank": (2, 3), "Inquiry": (0, 1), "conflict": (1,), "shape": (1,),
    "value": (1,), "lacking": (1,), "Problem": (2,), "Mistake": (1,), "wrong": (0,),
}  # fmt: skip
"""The calls that take texts for players, and where."""
NAMED = ("none", "hint", "last")
"""Arguments and variables that hold texts for players."""
VARIABLES = ("hint", "detail", "UNSEEN", "AND", "OR", "NO_CARD", "NO_CARD_OF_TWO")

Text = tuple[str, str]
"""The form in which it is needed (most often none), and the text."""


def messages() -> Iterator[Text]:
    """Yield every text once."""
    yield from dict.fromkeys((*_tables(), *_cards(), *_clauses(), *_source()))


def _tables() -> Iterator[Text]:
    yield from _plain(SENTENCES.values())
    yield from _plain(remedies.TEXTS.values())
    for game in all_games():
        yield from _plain((game.tagline, game.pack_name, *game.hand_class.REMEDY_TEXTS.values()))
        for option in game.all_options():
            yield from _plain((option.label, option.help, *option.labels))
    yield from _plain((*NAMES.values(), *seats.TITLES, seats.LAST_TITLE, *READS.values()))
    for kind in event_kinds().values():
        shown = [field.shown.label for field in kind.fields if field.shown]
        yield from _plain((kind.name, kind.log, kind.log_one, kind.label, *shown))
    yield from _plain(phases())
    yield from _plain(code.replace("-", " ") for code in ACTS)
    yield from _plain((*combinations.PLURALS.values(), *combinations.SINGULARS.values()))
    for text in (*combinations.NAMES.values(), *combinations.ONE_COLOUR.values()):
        yield from _forms(text, "", SUBJECT, OBJECT)


ACTS = tuple(code for code in SENTENCES if f"proved-{code}" in SENTENCES) + ("passed", "out-of-turn", "joint-revoke")
ACTS += ("no-suit-called", "excuse-led", "forbidden-bid", "no-combination", "does-not-beat", "revoke", "riot-led")
"""The irregularities: remedies name them as their cause."""


def _cards() -> Iterator[Text]:
    yield from _plain(SUIT_NAMES.values())
    yield from _plain(plural(rank) for rank in RANKS)
    for pack in (decktet(excuse=True, pawns=True, courts=True), french(decks=1), french(decks=2)):
        yield from _plain(suit.name for suit in pack.suits)
        for card in pack.cards:
            yield from _plain((card.called.text, card.title))
            yield from _forms(f"the {card.called.text}", "", OBJECT)
            if pack.id != "decktet":
                yield from _forms(card.called.text, SUBJECT, OBJECT)


def _clauses() -> Iterator[Text]:
    for name in (*(game.id for game in all_games()), *rulebook.SHARED):
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


def _source() -> Iterator[Text]:
    for file in sorted(ENGINE.rglob("*.py")):
        if file.relative_to(ENGINE).parts[0] not in APART:
            yield from said_in(file)


def said_in(file: Path) -> Iterator[Text]:
    """Yield the texts that a source file gives on in the referee's way, to be told in any language later."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for found in _held(node):
            yield from _plain(_strings(found, file))


def _held(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that hold texts for players."""
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if ast.unparse(node.func) == "line.text":
            called = "wrong"  # the notation says what it expected there
        yield from (node.args[place] for place in TEXTS.get(called, ()) if place < len(node.args))
        yield from (word.value for word in node.keywords if word.arg in NAMED)
    elif isinstance(node, ast.Assign):
        named = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if named.intersection(VARIABLES):
            yield node.value


def _strings(node: ast.expr, file: Path) -> Iterator[str]:
    """Return the texts that an expression can be."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from _strings(node.body, file)
            yield from _strings(node.orelse, file)
        case ast.JoinedStr():
            raise AssertionError(f"{file.name}:{node.lineno}: a text put together here cannot be translated")
