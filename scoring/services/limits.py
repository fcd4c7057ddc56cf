"""How often something may be done: the writes of a link in a minute, and whatever else is counted by the hour.

Writes are counted on the row of the table that every write changes anyway, so that counting costs no query. What is
counted by the hour, such as wrong codes and openings, has a row of its own, so that all processes count together.
"""

import time
from collections.abc import Mapping

from django.conf import settings
from django.db import connection
from django.utils.crypto import salted_hmac

from scoring.models import Tally
from scoring.services import seen
from scoring.services.exceptions import TooMany

MINUTE = 60
HOUR = 3600


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


def writes_left(code: str, link: int) -> tuple[int, int] | None:
    """Return how often a link may still write in this minute, and how many seconds are left of it.

    ``None`` where there is no limit, or this process does not know how the table stands.
    """
    known, most = seen.state_cache.get(code), settings.WRITES_PER_MINUTE
    if known is None or not most:
        return None
    now, writes = time.time(), known.row.writes
    done = writes.get(str(link), 0) if writes.get("minute") == int(now // MINUTE) else 0
    return max(most - done, 0), int(MINUTE - now % MINUTE) + 1


def tally_key(kind: str, text: str) -> str:
    """Return under what something of a kind is counted: nobody can read it back."""
    digest = salted_hmac(f"scoring.limits.{kind}", text, algorithm="sha256").hexdigest()
    return f"{kind}-{digest[:48]}"


def standing_tally(key: str) -> Tally | None:
    """Return a tally of this hour. One that lasts longer was made by a clock that was ahead, and counts for nothing."""
    now = int(time.time())
    return Tally.objects.filter(key=key, until__gt=now, until__lte=now + HOUR).first()


def count_one(key: str) -> int:
    """Count one more of an hour, and return how many there are."""
    now = int(time.time())
    table = connection.ops.quote_name(Tally._meta.db_table)
    stands = "known.until > %s AND known.until <= %s"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} AS known (key, until, count) VALUES (%s, %s, 1)"
            " ON CONFLICT (key) DO UPDATE SET"
            f" count = CASE WHEN {stands} THEN known.count + 1 ELSE 1 END,"
            f" until = CASE WHEN {stands} THEN known.until ELSE excluded.until END"
            " RETURNING count",
            [key, now + HOUR, now, now + HOUR, now, now + HOUR],
        )
        (count,) = cursor.fetchone()
    if count == 1:
        Tally.objects.filter(until__lt=now).delete()
    return int(count)
