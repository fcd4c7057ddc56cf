"""Counting what happens in an hour, in the database, so that all processes count together."""

import time

from django.db import connection

from scoring.models import Tally

HOUR = 3600


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
