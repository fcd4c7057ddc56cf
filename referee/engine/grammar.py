"""Grammar of filled-in sentences, by language code: plurals, small letters, prepositions with articles, elisions."""

import re
from collections.abc import Mapping
from functools import lru_cache
from string import Formatter

ONE = {"fr": ("0", "1", "−1")}
"""The numbers, as written, that take the singular; in other languages 1 and −1."""


def plural(language: str, number: str) -> int:
    """Return which of two forms follows a number, 0 for the singular.

    >>> plural("fr", "0"), plural("en", "0"), plural("fr", "2")
    (0, 1, 1)
    """
    return int(number not in ONE.get(language, ("1", "−1")))


class Noun(str):
    """A common noun that begins with a capital on labels: the name of a suit, a day of the week."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return self


def filled(language: str, template: str, places: Mapping[str, object]) -> str:
    """Return a template with its places filled, each value joined to the text before it.

    >>> filled("it", "il valore di {card}", {"card": "l’asso"})
    'il valore dell’asso'
    >>> filled("fr", "{name} fournit {suit}.", {"name": "Ben", "suit": Noun("Pique")})
    'Ben fournit pique.'
    """
    if language == "de":
        return template.format_map(places)
    said = ""
    for before, name, form in _pieces(template):
        said += before
        if name is not None:
            told = format(places[name], form)
            if isinstance(told, Noun):
                told = told if BEGINS.search(said) else inside(language, told)
            said = joined(language, said, told) if told else said
    return said


def inside(language: str, text: str) -> str:
    """Return a text as it stands inside a sentence: nouns begin small where the language writes them so.

    >>> inside("nl", Noun("Schoppen")), inside("de", Noun("Pik"))
    ('schoppen', 'Pik')
    >>> inside("en", Noun("Spades or hearts")), inside("en", Noun("Moons"))
    ('spades or hearts', 'Moons')
    """
    small = isinstance(text, Noun) and (language in SMALL or (language == "en" and COMMON.match(text)))
    return text[:1].lower() + text[1:] if small else text


SMALL = {"es", "fr", "it", "nl"}
COMMON = re.compile(r"(?:Spades|Hearts|Clubs|Diamonds)\b")
"""Nouns that English writes small, too; the suits of the Decktet are names, like weekdays."""
BEGINS = re.compile(r"(?:^|[.!?…]\s)[«“‘(\s]*$")
"""What stands before the first word of a sentence."""


@lru_cache(maxsize=4096)
def _pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    return tuple((before, name, form or "") for before, name, form, _conversion in Formatter().parse(template))


# --- Joining a value to the text before it, by language. Only lower-case articles are contracted, for a player may be
# called Le Roy.

AMALGAMS = {
    "fr": {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"},
    "es": {("a", "el"): "al", ("de", "el"): "del"},
    "it": {
        (preposition, article): stem + ending
        for preposition, stem in (("di", "de"), ("a", "a"), ("da", "da"), ("in", "ne"), ("su", "su"))
        for article, ending in (
            ("il", "l"), ("lo", "llo"), ("l’", "ll’"), ("la", "lla"), ("i", "i"), ("gli", "gli"), ("le", "lle"),
        )
    },
}  # fmt: skip
LAST_WORD = re.compile(r"(?<![^\W_])(?P<word>[^\W\d_]+) $")
FIRST_WORD = re.compile(r"(?:(?P<word>[a-z]+) |(?P<elided>l’))")
ELIDED = {"de", "la", "le", "ne", "se", "je", "me", "te", "ce", "que", "lorsque", "puisque", "quoique", "jusque"}
VOWEL = re.compile(r"[aeiouâàäéèêëîïôöûüœæ]|h[eéèêiïouy]|y(?![aeiouéè])", re.IGNORECASE)
"""Word beginnings before which French elides; not an *h* before *a*, as in Hans and Hannah."""
ASPIRATED = re.compile(r"huit|hors|héros|onz|oui\b", re.IGNORECASE)
SOUNDS_I, SOUNDS_O = (
    re.compile(r"(?:h?[ií])(?![aeoáéó])", re.IGNORECASE),
    re.compile(r"(?:h?[oó]|8|11\b)", re.IGNORECASE),
)


def joined(language: str, before: str, said: str) -> str:
    if language not in AMALGAMS:
        return before + said
    if contracted := _contracted(language, before, said):
        return contracted
    if language == "fr" and _elides(before, said):
        return f"{before[:-2]}’{said}"
    if language == "es" and before.endswith(" y ") and SOUNDS_I.match(said):
        return f"{before[:-2]}e {said}"
    if language == "es" and before.endswith(" o ") and SOUNDS_O.match(said):
        return f"{before[:-2]}u {said}"
    return before + said


def _contracted(language: str, before: str, said: str) -> str | None:
    last, first = LAST_WORD.search(before), FIRST_WORD.match(said)
    if not last or not first:
        return None
    word = last["word"]
    found = AMALGAMS[language].get((word.lower(), first["word"] or first["elided"]))
    if found is None:
        return None
    amalgam = found.capitalize() if word[0].isupper() else found
    space = "" if first["elided"] else " "
    return f"{before[: last.start()]}{amalgam}{space}{said[first.end() :]}"


def _elides(before: str, said: str) -> bool:
    """Return whether the French word at the end of ``before`` loses its vowel."""
    last = LAST_WORD.search(before)
    word = last["word"].lower() if last else ""
    if word == "si":
        return bool(re.match(r"ils?\b", said))
    return word in ELIDED and bool(VOWEL.match(said)) and not ASPIRATED.match(said)
