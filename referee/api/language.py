"""The language of a caller: the sentences of an answer are in it, codes and facts in none."""

from collections.abc import Sequence

from django.utils.translation import get_language, gettext, pgettext

from referee.engine.describing import describe_reason
from referee.engine.rulings import Reason
from referee.engine.sheet import DescribedReason
from referee.engine.translation import ENGLISH, Language


class TranslatedLanguage(Language):
    """The language that Django has chosen for the request; its words stand in the catalogues."""

    def translate(self, text: str, context: str = "") -> str:
        if not text:
            return text
        return pgettext(context, text) if context else gettext(text)


def describe_for_caller(reason: Reason, names: Sequence[str] = ()) -> DescribedReason:
    """Describe a reason in the language of the request that is being answered."""
    return describe_reason(reason, names, caller_language())


TRANSLATED = TranslatedLanguage()


def caller_language() -> Language:
    """Return the language of the request that is being answered."""
    return ENGLISH if (get_language() or "en").startswith("en") else TRANSLATED
