"""Formats of numbers and dates, and the referee's texts in the page's language."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

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

# --- Numbers: with a true minus sign instead of a hyphen; and as parsed from queries and forms

MINUS = "−"
VARIANT = "-x-"
"""Separates a language from its private variant (BCP 47)."""


def number(value: int) -> str:
    """Format a number with a true minus sign.

    >>> number(-5)
    '−5'
    """
    return f"{value:d}".replace("-", MINUS)


def whole(text: str) -> int | None:
    """Parse an integer of up to nine digits; ``None`` for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def signed(value: int) -> str:
    """Format a number with an explicit sign.

    >>> signed(5)
    '+5'
    """
    return f"{value:+d}".replace("-", MINUS)


def part_of_wins(wins: Fraction) -> str:
    """Format a number of wins, with at most two decimals for shared ones.

    >>> part_of_wins(Fraction(3)), part_of_wins(Fraction(5, 2)), part_of_wins(Fraction(5, 4))
    ('3', '2.5', '1.25')
    """
    hundredths = round(wins * 100)
    return decimal(hundredths / 100, 0 if hundredths % 100 == 0 else 1 if hundredths % 10 == 0 else 2)


def percent(part: Fraction) -> str:
    """Format a fraction as a percentage.

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


# --- Dates: American English has the month first, other English the day

MONTH_FIRST = ("en", "en-us", "en-ca", "en-ph")
LONG_DATE = {"it": "j F Y"}
"""Date formats that differ from Django's: no leading zero."""
FIRST_OF_MONTH = {"fr": "1er", "it": "1°"}
"""The first of a month in languages that use an ordinal."""
day_first: ContextVar[bool] = ContextVar("day_first", default=False)
"""Whether English dates have the day first."""


def reads_day_first(accept_language: str) -> bool:
    """Return whether an ``Accept-Language`` header asks for English with the day first.

    >>> reads_day_first("de, en-GB;q=0.9"), reads_day_first("en-US"), reads_day_first("de")
    (True, False, False)
    """
    spoken = (code for code, weight in parse_accept_lang_header(accept_language.lower()) if weight)
    return next((code for code in spoken if code.split("-")[0] == "en"), "en") not in MONTH_FIRST


def spoken() -> str:
    """Return the page's language without a game's variant (``words_of``)."""
    return (get_language() or "en").partition(VARIANT)[0]


Asked = ParamSpec("Asked")
Told = TypeVar("Told")


def cached_by_language(maxsize: int) -> Callable[[Callable[Asked, Told]], Callable[Asked, Told]]:
    """Cache what a function returns by its arguments and the active language."""

    def decorate(tell: Callable[Asked, Told]) -> Callable[Asked, Told]:
        told: Callable[..., Told] = lru_cache(maxsize)(lambda _language, *args, **more: tell(*args, **more))

        @wraps(tell)
        def tell_once(*args: Asked.args, **more: Asked.kwargs) -> Told:
            return told(get_language() or "", *args, **more)

        return tell_once

    return decorate


def in_english(text: str) -> bool:
    """Return whether a game's text has no translation in the page's language."""
    return bool(text) and spoken() != "en" and gettext(text) == text


def words_of(game: Game | None) -> AbstractContextManager[None]:
    """Activate the language variant in which a game calls a hand a *round*, if it does."""
    word = "" if game is None else game.hand_word
    return override(f"{spoken()}{VARIANT}{word}") if word else override(spoken())


def reader() -> str:
    """Return the cache key of texts with dates: language and date order."""
    return f"{get_language()}{' day first' if day_first.get() else ''}"


def written(day: date, zone: str = "") -> str:
    """Format a date, or a datetime in a time zone (default: the server's); English as in ``clock.js``."""
    day = local(day, zone) if isinstance(day, datetime) else day
    if spoken() == "en":
        return defaultfilters.date(day, "j M Y" if day_first.get() else "M j, Y")
    text = defaultfilters.date(day, LONG_DATE.get(spoken(), "DATE_FORMAT"))
    first = FIRST_OF_MONTH.get(spoken())
    return text.replace("1 ", f"{first} ", 1).lower() if first and day.day == 1 else text.lower() if first else text


def day(value: date, zone: str = "") -> str:
    """Format a date, or a datetime in a time zone, with its weekday."""
    value = local(value, zone) if isinstance(value, datetime) else value
    weekday = inside(grammar.Noun(defaultfilters.date(value, "l")))
    return filled(gettext("{weekday}, {date}"), weekday=weekday, date=written(value, zone))


def since_and_until(first: date | None, last: date | None) -> str:
    """Describe a range of dates, either end of which may be open, as part of a sentence."""
    if first and last:
        return filled(gettext("from {first} to {last}"), first=written(first), last=written(last))
    if first:
        return filled(gettext("since {first}"), first=written(first))
    return filled(gettext("until {last}"), last=written(last)) if last else gettext("all evenings")


# --- The referee's texts in the page's language


class PageLanguage(Language):
    """The request's language; its texts are in ``referee/locale``."""

    @property
    def code(self) -> str:
        return spoken()

    def translate(self, text: str, context: str = "") -> str:
        """Translate a text of the referee, optionally in a ``context`` such as a grammatical case."""
        if not text:
            return text
        return pgettext(context, text) if context else gettext(text)

    def fill(self, text: str, facts: Mapping[str, object], context: str = "") -> str:
        """Insert facts into a text; negative numbers get a true minus sign."""
        rendered = {key: number(fact) if isinstance(fact, int) and fact < 0 else fact for key, fact in facts.items()}
        return super().fill(text, rendered, context)


PAGE_LANGUAGE = PageLanguage()


def listed(names: Iterable[str], last: str = AND) -> str:
    """Join names for a sentence.

    >>> listed(["Anna", "Ben", "Clara"])
    'Anna, Ben and Clara'
    """
    return Listing(tuple(names), last=last).rendered(PAGE_LANGUAGE)


def inside(text: str) -> str:
    """Return a text as it stands inside a sentence: names of suits small, where the language writes them so."""
    return grammar.inside(spoken(), text)


def rendered(problems: Iterable[Problem]) -> list[str]:
    return [problem.rendered(PAGE_LANGUAGE) for problem in problems]
