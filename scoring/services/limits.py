"""Limits that all processes share: wrong codes by address, and writes by link.

Wrong codes are counted in a table of tallies, so that guessing a code takes longer than anybody has. No throttle of the
REST framework does it: one is asked after the permissions, when who guesses is answered already, and pages and streams
have none. Writes are counted on the row of the table that every write changes anyway, so that counting costs no query.
"""

import time
from collections.abc import Mapping

from django.conf import settings
from django.db import connection
from django.utils.crypto import salted_hmac

from scoring.models import Tally
from scoring.services.addresses import client_address
from scoring.services.exceptions import TooMany

HOUR, MINUTE = 3600, 60


def counted(writes: Mapping[str, int], link: int, *, acts: int = 1) -> Mapping[str, int]:
    """Return the counts of a table with acts of a link added; raises ``TooMany`` beyond the limit of a minute.

    The counts are written with the table. An act that is not done in the end is not counted.
    """
    most = settings.WRITES_PER_MINUTE
    if not most:
        return writes
    now = time.time()
    minute = int(now // MINUTE)
    counts = dict(writes) if writes.get("minute") == minute else {"minute": minute}
    key = str(link)
    counts[key] = counts.get(key, 0) + acts
    if counts[key] > most:
        raise TooMany(MINUTE - now % MINUTE)
    return counts


def check_address(meta: Mapping[str, object]) -> None:
    """Raise ``TooMany`` when too many wrong codes came from the address of a request."""
    most = settings.WRONG_CODES_PER_HOUR
    if not most:
        return
    now = time.time()
    tally = Tally.objects.filter(key=_key(meta), until__gt=int(now), count__gte=most).first()
    if tally is not None:
        raise TooMany(tally.until - now)


def count_wrong_code(meta: Mapping[str, object]) -> None:
    """Count a wrong code from the address of a request."""
    if not settings.WRONG_CODES_PER_HOUR:
        return
    now = int(time.time())
    table = connection.ops.quote_name(Tally._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} AS known (key, until, count) VALUES (%s, %s, 1)"
            " ON CONFLICT (key) DO UPDATE SET"
            " count = CASE WHEN known.until > %s THEN known.count + 1 ELSE 1 END,"
            " until = CASE WHEN known.until > %s THEN known.until ELSE excluded.until END"
            " RETURNING count",
            [_key(meta), now + HOUR, now, now],
        )
        (count,) = cursor.fetchone()
    if count == 1:
        Tally.objects.filter(until__lt=now).delete()


def _key(meta: Mapping[str, object]) -> str:
    """Return what is kept of an address: nobody can read it back."""
    return salted_hmac("scoring.limits.codes", client_address(meta), algorithm="sha256").hexdigest()
