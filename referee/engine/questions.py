"""Single questions, declared by games so that any page, client or document can offer them.

The blanks of a question are its inputs, which depend on the house rules and on what is already filled in.
``Question.compose`` turns them into the JSON that ``Game.answer`` takes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from referee.engine.cards import Pack
from referee.engine.rules import Rules
from referee.engine.shapes import DEALT, Schema, number

BlankKind = Literal["cards", "card", "suit", "suits", "number", "numbers", "flag", "choice"]
FilledIn = Mapping[str, Sequence[str]]
"""The texts filled in so far, by the name of their blank."""
Seen = Mapping[str, Any]
"""A described hand (``DescribedHand``)."""


@dataclass(frozen=True, slots=True)
class Blank:
    """An input of a question.

    ``card`` and ``cards`` (ordered, at most ``most`` unless that is 0) come from ``choices`` (empty: the whole pack);
    ``suit`` is one suit, ``suits`` all in order. ``number`` lies between ``least`` and ``most``, ``numbers`` are
    ``count`` of those. ``standard`` is the default. ``words`` are the labels of a ``choice``.
    """

    name: str
    kind: BlankKind
    label: str
    hint: str = ""
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    count: int = 1
    optional: bool = False
    standard: tuple[str, ...] = ()
    pack: Pack | None = None
    words: tuple[str, ...] = ()

    def lacks(self, filled: FilledIn) -> bool:
        texts = filled.get(self.name) or self.standard
        return not self.optional and self.kind != "flag" and not texts


def plainly(blanks: Sequence[Blank], filled: FilledIn) -> dict[str, object]:
    """Return a question with each blank under its own name; empty blanks are left out.

    >>> blanks = Blank("laid", "card", "Card laid"), Blank("decks", "number", "Packs")
    >>> plainly(blanks, {"laid": ["AS"], "decks": ["2"]})
    {'laid': 'AS', 'decks': 2}
    """
    values = {blank.name: _value(blank, filled.get(blank.name) or blank.standard) for blank in blanks}
    return {name: value for name, value in values.items() if value is not None}


def _value(blank: Blank, texts: Sequence[str]) -> object:
    if blank.kind == "flag":
        return bool(texts)
    if not texts:
        return None
    if blank.kind in ("cards", "suits"):
        return list(texts)
    if blank.kind == "numbers":
        return [_number(text) for text in texts]
    return _number(texts[-1]) if blank.kind == "number" else texts[-1]


def _number(text: str) -> int | str:
    """Return the text as a number if it is one; any other text is kept, for the reader to refuse."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else text


@dataclass(frozen=True, slots=True)
class Example:
    """A request, and a part of its answer."""

    title: str
    request: dict[str, object]
    answer: dict[str, object]


@dataclass(frozen=True, slots=True)
class Question:
    """A single question that games answer.

    ``name`` is part of URLs; games that answer the same question give it the same name. ``answer`` takes the question
    as JSON, with the game's id under ``game``, and returns the answer, with reasons and score lines as objects.

    For people: ``label``, ``hint`` and the ``blanks``, of which ``compose`` makes the question; ``seen`` fills in what
    the last trick of a hand shows. For programs: ``help`` lists remarks, ``request`` and ``response`` are the JSON
    Schema of each key, ``needed`` are the keys of every request. ``sole``: no other game will ever answer it, so the
    game need not be named.
    """

    name: str
    label: str
    answer: Callable[[Mapping[str, object]], dict[str, object]]
    hint: str = ""
    blanks: Callable[[Any, FilledIn], tuple[Blank, ...]] = lambda rules, filled: ()
    compose: Callable[[Sequence[Blank], FilledIn], dict[str, object]] = plainly
    seen: Callable[[Seen], FilledIn] = lambda hand: {}
    help: tuple[str, ...] = ()
    request: Mapping[str, Schema] = field(default_factory=dict)
    needed: tuple[str, ...] = ()
    response: Mapping[str, Schema] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    sole: bool = False


def deal_blanks(rules: Rules, filled: FilledIn) -> tuple[Blank, ...]:
    least, most = rules.game.players[0], rules.game.players[-1]
    return (Blank("players", "number", "Players", least=least, most=most),)


def deal_question(
    answer: Callable[[Mapping[str, object]], dict[str, object]],
    blanks: Callable[[Any, FilledIn], tuple[Blank, ...]] = deal_blanks,
) -> Question:
    return Question(
        "deal",
        "How are the cards dealt?",
        answer,
        hint="How many cards each player gets.",
        blanks=blanks,
        help=("Returns the number of cards for each seat, from the dealer’s left.",),
        request={"players": number()},
        needed=("players",),
        response=DEALT,
    )
