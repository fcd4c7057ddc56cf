"""Single questions: what a game declares of each, so that any page, client or document can offer it.

``Game.answer`` takes what was asked as JSON; the blanks of a question say what there is to fill in for it, under the
house rules and what is filled in already, and are assembled to what is asked.
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
"""A hand as it is described (``DescribedHand``)."""


@dataclass(frozen=True, slots=True)
class Blank:
    """An input of a question.

    ``card`` and ``cards`` (ordered, at most ``most`` unless that is 0) come from ``choices`` (empty: the whole pack),
    ``suit`` is one of them, ``suits`` all in order. ``number`` lies between ``least`` and ``most``, ``numbers`` are
    ``count`` of those. ``standard`` is the default. ``words`` are the labels of the choices of a ``choice``.
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
    """Return what is asked, each blank under its own name; what is left open is left out.

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
    """Return a number if the text is one, else the text, which the reader then refuses."""
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
    """A single question that a game answers, declared once for everyone who asks it.

    ``name`` stands in addresses; games that answer the same question give it the same name. ``answer`` takes what was
    asked as JSON, the game's id under ``game``, and returns the answer, with reasons and score lines as they are.

    People read ``label`` and ``hint``, fill in the ``blanks``, and ``compose`` makes of them what is asked. ``seen``
    fills in what the last trick of a hand shows already. Programs read ``help``, one remark after the other;
    ``request`` and ``response`` describe each key as JSON Schema, ``needed`` names the keys of every request. A
    question is ``sole`` when the game that answers it need not be named, because no other ever will.
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
        help=("From the dealer’s left.",),
        request={"players": number()},
        needed=("players",),
        response=DEALT,
    )
