"""How facts are filled into the texts of pages."""

from django.utils.translation import get_language, gettext

from referee.engine import grammar
from referee.engine.texts import START, capital


def filled(text: object, /, **facts: object) -> str:
    """Return a text in the language that is spoken with its places filled, joined as that language joins words.

    >>> filled("{name} leads", name="Anna")
    'Anna leads'
    """
    language = (get_language() or "en").partition("-")[0]
    places = {name: fact if isinstance(fact, grammar.Noun) else _Said(fact) for name, fact in facts.items()}
    return grammar.filled(language, str(text), places)


def labelled(label: object, text: object) -> str:
    """Return a text after its label; French has a space before the colon.

    >>> labelled("Trump", "Moons")
    'Trump: Moons'
    """
    colon = gettext(":")
    return f"{label}{colon} {text}"


def quoted(text: object) -> str:
    """Return what someone said or wrote, in quotation marks."""
    return filled(gettext("“{label}”"), label=text)


class _Said(str):
    """What a fact is called on pages: with the form that a translation asks for it stays as it is, or begins one."""

    def __format__(self, form: str) -> str:
        return capital(self) if form == START else str(self)
