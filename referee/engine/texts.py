"""The referee's texts: English sentences by reason code, and their translation."""

import tomllib
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from referee.engine import grammar

# --- Translation
# All texts are written in English: sentences with placeholders for facts, names of cards, labels. The parts of a
# sentence stay separate until it is shown; a ``Language`` then renders each of them. English is what ``str`` gives.

OBJECT = "object"
SUBJECT = "subject"
"""Roles of a name in a sentence, for languages that inflect it or put an article before it."""
START = "The"
"""The format of a subject that begins a sentence."""


class Language:
    """A language for players; this base class is English."""

    @property
    def code(self) -> str:
        return "en"

    def translate(self, text: str, context: str = "") -> str:
        return text

    def render(self, value: object, form: str = "") -> str:
        """Render a fact: cards and phrases in this language, numbers with a true minus, others unchanged."""
        if isinstance(value, int):
            return str(value).replace("-", "−")
        if isinstance(value, Translatable):
            return value.rendered(self, form)
        return value if isinstance(value, str) else str(value)

    def fill(self, text: str, facts: Mapping[str, object], context: str = "") -> str:
        """Return a text in this language with its facts filled in, each in the form its place needs.

        >>> ENGLISH.fill("{count:card|cards} left", {"count": 1})
        '1 card left'
        """
        places = {key: _Place(value, self) for key, value in facts.items()}
        return grammar.filled(self.code, self.translate(text, context), places)

    def plural(self, number: str) -> int:
        """Return which of the forms of a place, such as ``card|cards``, follows a number."""
        return grammar.plural(self.code, number)


ENGLISH = Language()


class Translatable:
    """A fact that each language renders in its own way; ``str`` gives the English."""

    __slots__ = ()

    @abstractmethod
    def rendered(self, language: Language, form: str = "") -> str:
        """Render in the form that its place in the sentence needs; ``The`` begins a sentence."""

    def __str__(self) -> str:
        return self.rendered(ENGLISH)

    def __format__(self, form: str) -> str:
        return self.rendered(ENGLISH, form)


class _Place(NamedTuple):
    """A fact in its place in a sentence; the format is its form, or its singular and plural (``card|cards``)."""

    value: object
    language: Language

    def __format__(self, form: str) -> str:
        if "|" not in form:
            return self.language.render(self.value, form)
        said = self.language.render(self.value)
        return f"{said} {form.split('|')[self.language.plural(said)]}"


@dataclass(frozen=True, slots=True)
class Phrase(Translatable):
    """Untranslated text with placeholders for facts, such as the name of a combination.

    >>> str(Phrase("pair of {ranks}", {"ranks": Phrase("kings")}))
    'pair of kings'
    """

    text: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def rendered(self, language: Language, form: str = "") -> str:
        context = SUBJECT if form == START else form
        text = language.fill(self.text, self.facts, context)
        return capital(text) if form == START else text


class Noun(Phrase):
    """A noun with a capital, which many languages write small inside a sentence: the name of a suit."""

    __slots__ = ()

    def rendered(self, language: Language, form: str = "") -> str:
        return grammar.Noun(Phrase.rendered(self, language, form))


@dataclass(frozen=True, slots=True)
class Listing(Translatable):
    """Several things in a row; ``last`` joins the last one, ``between`` all others.

    >>> str(Listing((Phrase("Moons"), Phrase("Suns"), Phrase("Knots")), last="{first} and {last}"))
    'Moons, Suns and Knots'
    """

    parts: tuple[object, ...]
    between: str = ", "
    last: str = ""

    def rendered(self, language: Language, form: str = "") -> str:
        first, *others = (language.render(part, form) for part in self.parts or ("",))
        texts = [first, *(grammar.inside(language.code, text) for text in others)]
        if self.last and others:
            said = language.fill(self.last, {"first": self.between.join(texts[:-1]), "last": texts[-1]})
        else:
            said = self.between.join(texts)
        return grammar.Noun(said) if isinstance(first, grammar.Noun) else said


AND = "{first} and {last}"
OR = "{first} or {last}"


def phrase(text: str, /, **facts: object) -> Phrase:
    return Phrase(text, facts)


def noun(text: str, /) -> Noun:
    return Noun(text)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- The referee's English sentences for players, by reason code
# They are in files called ``sentences.toml``, those of a game in its folder. Facts are filled in by name: cards are
# rendered ("the Sea (Crown of Waves)"; ``:The`` begins a sentence), seats are replaced by players' names. Translations
# of these templates may ask for each fact in another form.

REFEREE = Path(__file__).parent.parent
TABLES = ("sentences", "irregular", "impossible")
"""The tables of each file: sentences, titles of irregular acts, titles of impossible events."""


@cache
def table(name: str) -> Mapping[str, str]:
    """Return a table of texts merged from all files, such as one of ``TABLES``; codes are unique."""
    merged: dict[str, str] = {}
    for path in sorted(REFEREE.rglob("sentences.toml")):
        own = tomllib.loads(path.read_text(encoding="utf-8")).get(name, {})
        twice = own.keys() & merged.keys()
        assert not twice, f"{path} repeats codes of another file: {sorted(twice)}"
        merged |= own
    return merged


def codes() -> frozenset[str]:
    """Return the codes that a reason can carry, including those of alternative sentences."""
    return frozenset().union(*map(table, TABLES))


def sentences() -> Mapping[str, str]:
    """Return the English sentence of every reason, by its code or phrase."""
    return table("sentences")
