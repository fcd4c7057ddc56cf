"""Numbers and days as people write them, and the referee's words in their language."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from datetime import date, datetime
from fractions import Fraction

from django.template import defaultfilters
from django.utils.formats import get_format
from django.utils.translation import get_language, gettext, override, pgettext
from django.utils.translation.trans_real import parse_accept_lang_header

from referee.engine import grammar
from referee.engine.game import Game
from referee.engine.rules import Problem
from referee.engine.texts import AND, Language, Listing
from scoring.models.fields import local
from scoring.wording import filled

# --- Numbers as people read them: a minus is a minus, not a hyphen; and as an address or a form has them

MINUS = "−"
VARIANT = "-x-"
"""The separator of a language's private variant (BCP 47)."""


def number(value: int) -> str:
    """Format a number with a true minus sign.

    >>> number(-5)
    '−5'
    """
    return f"{value:d}".replace("-", MINUS)


def whole(text: str) -> int | None:
    """Return the whole number that a text is, of nine digits at most; ``None`` if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def signed(value: int) -> str:
    """Return a number that is added to others, always with its sign.

    >>> signed(5)
    '+5'
    """
    return f"{value:+d}".replace("-", MINUS)


def part_of_wins(wins: Fraction) -> str:
    """Return wins as people write them; shared ones with two digits at most.

    >>> part_of_wins(Fraction(3)), part_of_wins(Fraction(5, 2)), part_of_wins(Fraction(5, 4))
    ('3', '2.5', '1.25')
    """
    hundredths = round(wins * 100)
    return decimal(hundredths / 100, 0 if hundredths % 100 == 0 else 1 if hundredths % 10 == 0 else 2)


def percent(part: Fraction) -> str:
    """Return a part of the whole in hundredths.

    >>> percent(Fraction(2, 5))
    '40%'
    """
    return filled(gettext("{number}%"), number=round(part * 100))


def decimal(value: float, digits: int) -> str:
    """Format a number with a fixed number of decimals and the language's decimal separator.

    >>> decimal(-2.5, 1), decimal(-0.01, 1)
    ('−2.5', '0.0')
    """
    text = f"{round(value, digits) + 0:.{digits}f}"
    return text.replace("-", MINUS).replace(".", str(get_format("DECIMAL_SEPARATOR")))


# --- Days as people write them where they live: English has the month first in America, and the day elsewhere

MONTH_FIRST = ("en", "en-us", "en-ca", "en-ph")
LONG_DATE = {"it": "j F Y"}
"""Formats of a date that differ from Django's: no zero before the day."""
FIRST_OF_MONTH = {"fr": "1er", "it": "1°"}
"""The first day of a month, where it is an ordinal; these languages write months in lower case."""
day_first: ContextVar[bool] = ContextVar("day_first", default=False)
"""Whether the reader puts the day first in English dates."""


def reads_day_first(accept_language: str) -> bool:
    """Return whether a browser's languages put the day first in English dates.

    >>> reads_day_first("de, en-GB;q=0.9"), reads_day_first("en-US"), reads_day_first("de")
    (True, False, False)
    """
    spoken = (code for code, weight in parse_accept_lang_header(accept_language.lower()) if weight)
    return next((code for code in spoken if code.split("-")[0] == "en"), "en") not in MONTH_FIRST


def spoken() -> str:
    """Return the page's language without a game's variant (``words_of``)."""
    return (get_language() or "en").partition(VARIANT)[0]


def in_english(text: str) -> bool:
    """Return whether a text of a game is shown in English, for want of a translation, on a page in another language."""
    return bool(text) and spoken() != "en" and gettext(text) == text


def words_of(game: Game | None) -> AbstractContextManager[None]:
    """Switch to the variant of the language in which a game says *round* for *hand*."""
    word = "" if game is None else game.hand_word
    return override(f"{spoken()}{VARIANT}{word}") if word else override(spoken())


def reader() -> str:
    """Return the cache key of texts with dates: language and order of dates."""
    return f"{get_language()}{' day first' if day_first.get() else ''}"


def written(day: date, zone: str = "") -> str:
    """Return a day, or that of a moment in a time zone, else the installation's; English as ``clock.js`` writes it."""
    day = local(day, zone) if isinstance(day, datetime) else day
    if spoken() == "en":
        return defaultfilters.date(day, "j M Y" if day_first.get() else "M j, Y")
    text = defaultfilters.date(day, LONG_DATE.get(spoken(), "DATE_FORMAT"))
    first = FIRST_OF_MONTH.get(spoken())
    return text.replace("1 ", f"{first} ", 1).lower() if first and day.day == 1 else text.lower() if first else text


def day(value: date, zone: str = "") -> str:
    """Return a day as people write it, or that of a moment in a time zone, with the day of the week."""
    value = local(value, zone) if isinstance(value, datetime) else value
    weekday = inside(grammar.Noun(defaultfilters.date(value, "l")))
    return filled(gettext("{weekday}, {date}"), weekday=weekday, date=written(value, zone))


def since_and_until(first: date | None, last: date | None) -> str:
    """Return the days from one to another, each of which may be open, as a part of a sentence."""
    if first and last:
        return filled(gettext("from {first} to {last}"), first=written(first), last=written(last))
    if first:
        return filled(gettext("since {first}"), first=written(first))
    return filled(gettext("until {last}"), last=written(last)) if last else gettext("all evenings")


# --- The referee's words in the language of whoever looks at a page


class PageLanguage(Language):
    """The request's language; its texts are in ``referee/locale``."""

    @property
    def code(self) -> str:
        return spoken()

    def translate(self, text: str, context: str = "") -> str:
        """Translate a text of the referee; ``context`` is a form of its own."""
        if not text:
            return text
        return pgettext(context, text) if context else gettext(text)

    def fill(self, text: str, facts: Mapping[str, object], context: str = "") -> str:
        """Fill facts into a text; negative numbers get a true minus sign."""
        rendered = {key: number(fact) if isinstance(fact, int) and fact < 0 else fact for key, fact in facts.items()}
        return super().fill(text, rendered, context)


PAGE_LANGUAGE = PageLanguage()


def listed(names: Iterable[str], last: str = AND) -> str:
    """Return names as a sentence lists them.

    >>> listed(["Anna", "Ben", "Clara"])
    'Anna, Ben and Clara'
    """
    return Listing(tuple(names), last=last).rendered(PAGE_LANGUAGE)


def inside(text: str) -> str:
    """Return a text as it stands inside a sentence: names of suits small, where the language writes them so."""
    return grammar.inside(spoken(), text)


def rendered(problems: Iterable[Problem]) -> list[str]:
    return [problem.rendered(PAGE_LANGUAGE) for problem in problems]
