"""How often one link may write.

Writes are counted on the row of the table that every write changes anyway, so that counting costs no query. Wrong codes
are counted in ``guesses``.
"""

import time
from collections.abc import Mapping

from django.conf import settings

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
