"""Days as people write them where they live: English has the month first in America, and the day elsewhere."""

from contextvars import ContextVar
from datetime import date, datetime

from django.template import defaultfilters
from django.utils.translation import get_language
from django.utils.translation.trans_real import parse_accept_lang_header

from scoring.models.time_zones import local

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


def written(day: date, zone: str = "") -> str:
    """Return a day, or that of a moment in a time zone, else the installation's; English as ``clock.js`` writes it."""
    day = local(day, zone) if isinstance(day, datetime) else day
    if get_language() == "en":
        return defaultfilters.date(day, "j M Y" if day_first.get() else "M j, Y")
    return defaultfilters.date(day, "DATE_FORMAT")


def day(value: date, zone: str = "") -> str:
    """Return a day as people write it, or that of a moment in a time zone, with the day of the week."""
    value = local(value, zone) if isinstance(value, datetime) else value
    return f"{defaultfilters.date(value, 'l')}, {written(value, zone)}"
