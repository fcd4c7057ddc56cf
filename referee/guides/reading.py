"""Guides as data: questions that lead to a ruling, read from files beside the rules.

What can go wrong at any table stands beside this module, what can go wrong in games of tricks in ``referee/tricks``,
the rest in the folders of the games: ``guides.toml``. A game has the guides of the folders that its hand names, and its
own; a guide of the same id takes the place of an earlier one. One that is ``like`` another is that one with what it
says itself; a ``part`` is there only to be like.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Literal

from referee.engine.game import Game
from referee.engine.rulebook import REFEREE
from referee.engine.rulings import Remedy

YES, NO = "yes", "no"
WORDS = {YES: "Yes", NO: "No"}
"""How the answers are called that need no words of their own."""
PEOPLE = "seat"
"""The fact by which rulings and questions name the player who was named."""
QuestionKind = Literal["choice", "seat", "trick"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the answers of a question: its code, its words, and the question or ruling that follows."""

    code: str
    text: str
    to: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the table.

    A ``choice`` has answers; a ``seat`` asks for a player, a ``trick`` for a trick of the record, and both go on ``to``
    the next one. ``known`` names what the record, or the house rules, can answer by themselves.
    """

    id: str
    kind: QuestionKind
    text: str
    known: str
    answers: tuple[Answer, ...]
    to: str

    def next(self, answer: object) -> str:
        """Return what follows an answer."""
        return next((each.to for each in self.answers if each.code == answer), self.to)

    @property
    def following(self) -> tuple[str, ...]:
        """Return everything that can follow."""
        return tuple(each.to for each in self.answers) or (self.to,)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A ruling: what to do now, the clauses that say it, and what the table can do, by the codes of remedies.

    ``settles``: nothing has to be decided any more about the irregularity in question, if the record holds it.
    """

    id: str
    text: str
    clauses: tuple[str, ...]
    remedies: tuple[str, ...]
    settles: bool = True


@dataclass(frozen=True, slots=True)
class Cleared:
    """What is said where a record disproves an accusation: of everybody, and of one seat, with its clauses."""

    text: str
    of_seat: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """What went wrong, in a few words, and the questions that lead to what to do about it.

    ``irregular`` is the code of the irregularities that it is about, where the record has some; ``needs`` what the
    house rules must have for it; ``first`` the question, or ruling, that it begins with. ``act`` is the kind of act
    that somebody is accused of, where a record can disprove it; ``cleared`` is said then.
    """

    id: str
    title: str
    says: str
    first: str
    irregular: str
    needs: str
    act: str
    cleared: Cleared | None
    questions: Mapping[str, Question]
    leaves: Mapping[str, Leaf]


@dataclass(frozen=True, slots=True)
class Guides:
    """The guides of a game by their ids, and the remedies that they offer beside those of its hands."""

    guides: Mapping[str, Guide]
    remedies: Mapping[str, Remedy]


@cache
def guides_of(game: Game) -> Guides:
    """Return the guides of a game, in the order in which they are offered: those of its own first."""
    own = f"games/{game.id.replace('-', '_')}"
    files = [_file(folder) for folder in ("guides", *game.hand_class.GUIDES, own)]
    known: dict[str, dict[str, Any]] = {}
    for one in chain.from_iterable(file.get("guide", ()) for file in files):
        like = known.get(one.get("like", ""), {})
        known[one["id"]] = _merged({key: value for key, value in like.items() if key != "part"}, one)
    remedies: dict[str, Remedy] = {}
    for file in files:
        for code, data in file.get("remedy", {}).items():
            remedies[code] = Remedy(data["text"], tuple(data["clauses"]), data["title"], data.get("over", ""))
    own_first = chain.from_iterable(file.get("guide", ()) for file in reversed(files))
    names = dict.fromkeys(one["id"] for one in own_first if not known[one["id"]].get("part"))
    return Guides({name: _guide(known[name]) for name in names}, remedies)


def texts_in(folder: str) -> Iterable[str]:
    """Yield the texts for players in the guides of one folder."""
    file = _file(folder)
    for guide in file.get("guide", ()):
        yield from (guide[key] for key in ("title", "says") if key in guide)
        for question in guide.get("question", {}).values():
            yield from (question[key] for key in ("text",) if key in question)
            yield from question.get("words", {}).values()
        yield from (guide["cleared"][key] for key in ("text", "seat") if key in guide.get("cleared", ()))
        yield from (leaf["text"] for leaf in guide.get("ruling", {}).values() if "text" in leaf)
    for remedy in file.get("remedy", {}).values():
        yield from (remedy["title"], remedy["text"])


@cache
def _file(folder: str) -> Mapping[str, Any]:
    path = REFEREE / folder / "guides.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _merged(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with what another one says put over it, tables inside it likewise."""
    merged = dict(before)
    for key, value in after.items():
        inner = merged.get(key)
        merged[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return merged


def _guide(one: Mapping[str, Any]) -> Guide:
    questions = {name: _question(name, data) for name, data in one.get("question", {}).items()}
    leaves = {
        name: Leaf(name, data["text"], tuple(data["clauses"]), tuple(data["remedies"]), data.get("settles", True))
        for name, data in one["ruling"].items()
    }
    words = one.get("cleared")
    cleared = None if words is None else Cleared(words["text"], words["seat"], tuple(words["clauses"]))
    return Guide(
        one["id"], one["title"], one["says"], one["first"], one.get("irregular", ""), one.get("needs", ""),
        one.get("act", ""), cleared, questions, leaves,
    )  # fmt: skip


def _question(name: str, data: Mapping[str, Any]) -> Question:
    words = {**WORDS, **data.get("words", {})}
    answers = tuple(Answer(code, words[code], to) for code, to in data.get("answers", {}).items())
    return Question(name, data.get("kind", "choice"), data["text"], data.get("known", ""), answers, data.get("to", ""))
