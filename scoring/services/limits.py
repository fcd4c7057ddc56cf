"""How often one link may write.

Writes are counted on the row of the table that every write changes anyway, so that counting costs no query. Wrong codes
are counted in ``guesses``.
"""

import time
from collections.abc import Mapping

from django.conf import settings

from scoring.services import seen
from scoring.services.exceptions import TooMany

MINUTE = 60


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
    known, most = seen.tables.get(code), settings.WRITES_PER_MINUTE
    if known is None or not most:
        return None
    now, writes = time.time(), known.row.writes
    done = writes.get(str(link), 0) if writes.get("minute") == int(now // MINUTE) else 0
    return max(most - done, 0), int(MINUTE - now % MINUTE) + 1
