"""Time zones by their IANA names, and the evening to which a moment belongs in one."""

from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.utils import timezone

LONGEST_ZONE = 64
EVENING_ENDS = 6
"""The hour until which the night still is the evening of the day before."""


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """Return the names of all time zones that this machine knows."""
    return frozenset(available_timezones()) - {"localtime", "posixrules", "Factory"}


def zone_named(name: str) -> str:
    """Return a time zone, or the installation's where none is named."""
    return name or settings.TIME_ZONE


@lru_cache(maxsize=1000)
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # it was chosen on a machine that knows others
        return timezone.get_default_timezone()


def local(moment: datetime, zone: str) -> datetime:
    """Return a moment by the clock of a time zone, of the installation's where none is named."""
    return moment.astimezone(_zone(zone_named(zone)))


def evening_at(moment: datetime, zone: str) -> date:
    """Return the day on which the evening began that it is at a moment, by the clock of a time zone.

    >>> evening_at(datetime.fromisoformat("2026-11-25T08:52:00Z"), "America/Los_Angeles").isoformat()
    '2026-11-24'
    """
    there = local(moment, zone)
    return there.date() - timedelta(days=there.hour < EVENING_ENDS)
