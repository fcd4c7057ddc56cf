"""Days as people write them where they live: English has the month first in America, and the day elsewhere."""

from contextvars import ContextVar
from datetime import date, datetime

from django.template import defaultfilters
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation.trans_real import parse_accept_lang_header

MONTH_FIRST = ("en", "en-us", "en-ca", "en-ph")
day_first: ContextVar[bool] = ContextVar("day_first", default=False)
"""Whether who reads writes English dates with the day first."""


def reads_day_first(accept_language: str) -> bool:
    """Return whether somebody writes English dates with the day first, by what a browser says of its languages.

    >>> reads_day_first("de, en-GB;q=0.9"), reads_day_first("en-US"), reads_day_first("de")
    (True, False, False)
    """
    spoken = (code for code, weight in parse_accept_lang_header(accept_language.lower()) if weight)
    return next((code for code in spoken if code.split("-")[0] == "en"), "en") not in MONTH_FIRST


def reader() -> str:
    """Return what texts with dates depend on: the language of the reader, and the order of its dates."""
    return f"{get_language()}{' day first' if day_first.get() else ''}"


def written(day: date) -> str:
    """Return a day, or that of a moment by the installation's clock; English as scripts write it (``clock.js``)."""
    day = localtime(day) if isinstance(day, datetime) else day
    if get_language() == "en":
        return defaultfilters.date(day, "j M Y" if day_first.get() else "M j, Y")
    return defaultfilters.date(day, "DATE_FORMAT")


def day(value: date) -> str:
    """Return a day as people write it, with the day of the week."""
    return f"{defaultfilters.date(value, 'l')}, {written(value)}"
