"""The referee's words in the language of whoever looks at a page."""

from collections.abc import Iterable

from django.utils.translation import gettext, pgettext

from referee.language import Language
from referee.options import Problem


class Tongue(Language):
    """The language of the request; its words stand in ``referee/locale``."""

    def translate(self, text: str, context: str = "") -> str:
        """Return a text of the referee in this language; a form of its own is found under its context."""
        if not text:
            return text
        return pgettext(context, text) if context else gettext(text)


TONGUE = Tongue()


def told(problems: Iterable[Problem]) -> list[str]:
    """Say what is wrong with something that was typed."""
    return [problem.told(TONGUE) for problem in problems]
