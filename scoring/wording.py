"""How facts are filled into the texts of pages."""

from django.utils.translation import get_language

from referee.engine import grammar


def filled(text: object, /, **facts: object) -> str:
    """Return a text in the language that is spoken with its places filled, joined as that language joins words.

    >>> filled("{name} leads", name="Anna")
    'Anna leads'
    """
    return grammar.filled((get_language() or "en").partition("-")[0], str(text), facts)
