"""Filling of values into translated page texts."""

from django.utils.translation import get_language, gettext

from referee.engine import grammar
from referee.engine.texts import START, capital


def filled(text: object, /, **facts: object) -> str:
    """Fill a text's placeholders, following the active language's rules for joining words.

    >>> filled("{name} leads", name="Anna")
    'Anna leads'
    """
    language = (get_language() or "en").partition("-")[0]
    places = {name: fact if isinstance(fact, grammar.Noun) else _Said(fact) for name, fact in facts.items()}
    return grammar.filled(language, str(text), places)


def labelled(label: object, text: object) -> str:
    """Join a label and a text with the active language's colon; French puts a space before it.

    >>> labelled("Trump", "Moons")
    'Trump: Moons'
    """
    colon = gettext(":")
    return f"{label}{colon} {text}"


def quoted(text: object) -> str:
    """Put a text in the active language's quotation marks."""
    return filled(gettext("“{label}”"), label=text)


class _Said(str):
    """A value for a placeholder; with the format ``START`` it is capitalized to begin a sentence."""

    def __format__(self, form: str) -> str:
        return capital(self) if form == START else str(self)
