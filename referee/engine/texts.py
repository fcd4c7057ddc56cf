"""The referee's texts: English sentences by reason code, and how they are translated."""

import tomllib
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from referee.engine import grammar

# --- How the referee's words reach other languages
# Everything is written in English: sentences with places for facts, names of cards, labels. What a sentence is
# made of stays apart until somebody reads it; a ``Language`` then tells each part in its own way. English needs
# nothing told: it is what ``str`` gives.

OBJECT = "object"
SUBJECT = "subject"
"""How a name stands in a sentence, for languages that change it; names of combinations take their article there."""
START = "The"
"""The form of a subject that begins a sentence."""


class Language:
    """A language for players; this base class is English."""

    @property
    def code(self) -> str:
        return "en"

    def translate(self, text: str, context: str = "") -> str:
        return text

    def render(self, value: object, form: str = "") -> str:
        """Say a fact: a card or a phrase in this language, a number with a true minus, anything else as it is."""
        if isinstance(value, int):
            return str(value).replace("-", "−")
        if isinstance(value, Translatable):
            return value.rendered(self, form)
        return value if isinstance(value, str) else str(value)

    def fill(self, text: str, facts: Mapping[str, object], context: str = "") -> str:
        """Return a text in this language with its facts filled in, each told as its place asks.

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
    """A fact that every language says in its own way; as a text it is what English says."""

    __slots__ = ()

    @abstractmethod
    def rendered(self, language: Language, form: str = "") -> str:
        """Render in the form its place in the sentence needs; ``The`` capitalizes the start."""

    def __str__(self) -> str:
        return self.rendered(ENGLISH)

    def __format__(self, form: str) -> str:
        return self.rendered(ENGLISH, form)


class _Place(NamedTuple):
    """A fact in the place of a sentence that it fills; after the colon stands its form, or one word and many."""

    value: object
    language: Language

    def __format__(self, form: str) -> str:
        if "|" not in form:
            return self.language.render(self.value, form)
        said = self.language.render(self.value)
        return f"{said} {form.split('|')[self.language.plural(said)]}"


@dataclass(frozen=True, slots=True)
class Phrase(Translatable):
    """Words with places for facts, not yet in any language: the name of a combination, what is wrong with a text.

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
    """Several things said one after another; ``last`` joins the last one, ``between`` all others.

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


# --- The referee's sentences for players, in English, by the code of their reason
# They stand in files called ``sentences.toml``, those of a game in its folder. Facts are filled in by name: cards say
# themselves ("the Sea (Crown of Waves)"; ``:The`` starts a sentence), seats are replaced by the players' names. Other
# languages translate these templates, and say each fact in the form that its place there asks.

REFEREE = Path(__file__).parent.parent
TABLES = ("sentences", "irregular", "impossible")
"""What a file holds: sentences, and the titles of acts that are irregular and of events that are impossible."""


@cache
def table(name: str) -> Mapping[str, str]:
    """Return a table of texts merged from all files, such as one of ``TABLES``; codes are unique."""
    merged: dict[str, str] = {}
    for path in sorted(REFEREE.rglob("sentences.toml")):
        own = tomllib.loads(path.read_text(encoding="utf-8")).get(name, {})
        twice = own.keys() & merged.keys()
        assert not twice, f"{path} says again what stands elsewhere: {sorted(twice)}"
        merged |= own
    return merged


def codes() -> frozenset[str]:
    """Return the codes that a reason can carry; some are those of the sentences by which one code is told apart."""
    return frozenset().union(*map(table, TABLES))


def sentences() -> Mapping[str, str]:
    """Return the English sentence of every reason, with places for its facts, by the code or phrase of the reason."""
    return table("sentences")
