"""The referee's words in the language of whoever looks at a page."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext, pgettext

from referee.engine.options import Problem
from referee.engine.translation import Language
from scoring.pages.show.numbers import number


class PageLanguage(Language):
    """The language of the request; its words stand in ``referee/locale``."""

    def translate(self, text: str, context: str = "") -> str:
        """Return a text of the referee in this language; a form of its own is found under its context."""
        if not text:
            return text
        return pgettext(context, text) if context else gettext(text)

    def fill(self, text: str, facts: Mapping[str, object], context: str = "") -> str:
        """Return a text with its facts filled in; numbers below nothing carry the minus that they have on the page."""
        rendered = {key: number(fact) if isinstance(fact, int) and fact < 0 else fact for key, fact in facts.items()}
        return super().fill(text, rendered, context)


PAGE_LANGUAGE = PageLanguage()


def rendered(problems: Iterable[Problem]) -> list[str]:
    """Say what is wrong with something that was typed."""
    return [problem.rendered(PAGE_LANGUAGE) for problem in problems]
