"""A phone that reads German, and the texts on it that were not.

Every lookup of a text without a German entry while pages are rendered is recorded, wherever the text comes from. The
referee's texts count once its catalogue exists.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html import unescape

import pytest
from django.utils.translation.trans_real import DjangoTranslation

from tests.messages import path_of
from tests.referee_texts import messages_of, owners
from tests.scoring.pages.conftest import Device

LETTERS = re.compile(r"[^\W\d_]")
CONTEXT = "\x04"


class GermanPhone(Device):
    def __init__(self, **more) -> None:
        super().__init__(headers={"accept-language": "de-DE,de;q=0.9,en;q=0.5"}, **more)


@contextmanager
def untranslated() -> Iterator[set[str]]:
    """Collect the texts that are looked up while German is active and have no German."""
    missing: set[str] = set()
    one, many = DjangoTranslation.gettext, DjangoTranslation.ngettext

    def note(catalogue, text: str, key: object) -> None:
        if catalogue.language() == "de" and LETTERS.search(text) and key not in catalogue._catalog:
            missing.add(text.rpartition(CONTEXT)[2])

    def gettext(self, message):
        note(self, message, message)
        return one(self, message)

    def ngettext(self, singular, plural, number):
        note(self, singular, (singular, self.plural(number)))
        return many(self, singular, plural, number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DjangoTranslation, "gettext", gettext)
        patch.setattr(DjangoTranslation, "ngettext", ngettext)
        yield missing


def of_the_pages(missing: set[str]) -> set[str]:
    """Return the texts that count: all except those of games without German."""
    return missing - english_games()


@cache
def english_games() -> frozenset[str]:
    without = [owner for owner in owners() if not path_of(owner, "de").exists()]
    return frozenset(text for owner in without for _form, text in messages_of(owner))


# -- what stands on a page --------------------------------------------------------------------

ENGLISH = re.compile(
    r"\b(the|of|and|is|are|were|has|have|with|without|not|no|this|that|who|whose|which|when|only|may|must|can|"
    r"wins?|won|plays?|played|cards?|tricks?|hands|points?|leads?|suits?|trump|crown|court|pawn|moons|suns|waves|"
    r"leaves|wyrms|knots|spades|hearts|clubs|diamonds|king|queen|jack|seat|score|bids?|table)\b",
    re.IGNORECASE,
)
NAMES = re.compile(
    "|".join(
        (
            r"\bHearts\b|\bSpades\b",
            r"Ace (?:Trump|Pit)|Ransom Trump|Wildcat Chicane|American Deuce|Drop a Deuce|Constipated King|Decktet",
            r"Spoon|Even Stevens|Pin|Double Fork|Flush|Throw Away|Sticky Aces|Early Bird|Late Bird|Tides of Fortune",
            r"Straight(?: Flush)?|Full House|BLM|MAGA rally|== Score sheet ==",
            r"\b[a-z_]+ = [\w-]+|\b[a-z]+_[a-z_]+\b|winner-only|hand-zero|„[a-z ]+(?:\d+)?“",  # as a record writes it
        )
    )
)
"""Names that no language changes."""
TOLD = re.compile(r"\b(?:aria-label|placeholder|title|alt|data-name|data-noted|data-none)=\"([^\"]*)\"")
NOT_READ = re.compile(
    r"<script.*?</script>|<form[^>]* data-languages.*?</form>|<(\w+)[^>]* class=\"[^\"]*\bcredit\".*?</\1>",
    re.DOTALL,
)


CODE = re.compile(r"\b[2-9A-Z]{4}-[2-9A-Z]{4}\b")
"""A table's code: random letters that may spell an English word."""


def english_on(html: str) -> list[str]:
    """Return the texts of a page that look English, except for games without German and quoted credits."""
    body = NOT_READ.sub("", html)
    texts = [*re.findall(r">([^<]+)<", body), *TOLD.findall(body)]
    said = {" ".join(unescape(text).split()) for text in texts}
    return sorted(text for text in said - english_games() if ENGLISH.search(NAMES.sub("", CODE.sub("", text))))
