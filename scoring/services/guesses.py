"""Wrong codes, counted by the address they come from, so that guessing one takes longer than anybody has.

What is counted is codes that were tried, not requests: a page that asks for a table again and again has tried one code,
and what cannot be a code tells nobody anything. Beyond the limit an address opens nothing new for an hour; what it has
opened before it opens all the same, as do links and devices. A club has one address, and so has a service behind a
proxy that is not declared.

No throttle of the REST framework does it: one is asked after the permissions, when who guesses is answered already, and
pages and streams have none.
"""

import logging
import time
from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings

from scoring.models.table import LENGTH, RECOVERY_LENGTH
from scoring.queries.latest import RecentCache
from scoring.services.addresses import client_address
from scoring.services.database_away import noted_if_it_can_be
from scoring.services.exceptions import TooMany
from scoring.services.limits import count_one, standing_tally, tally_key

logger = logging.getLogger(__name__)
ADDRESS, CODE, OPENED = "address", "code", "opened"
"""How the key of a tally begins: of an address, of a code that it tried, of one that it has opened."""
_opened_cache: RecentCache[str, bool] = RecentCache(20_000)
"""What was opened by its code in this process."""


class Guesser(NamedTuple):
    """An address, with the code it comes with."""

    address: str
    code: str

    def key(self, kind: str) -> str:
        """Return what is kept of it."""
        return tally_key(kind, self.address if kind == ADDRESS else f"{self.address} {self.code}")


def guesser_of(meta: Mapping[str, object], code: str) -> Guesser:
    """Return who asks, and for which code."""
    return Guesser(client_address(meta), code)


def check_guess(guesser: Guesser) -> None:
    """Raise ``TooMany`` when too many wrong codes came from an address, and this is none that it has opened before."""
    most = settings.WRONG_CODES_PER_HOUR
    if not most or _opened_cache.get(guesser.key(OPENED)):
        return
    tally = standing_tally(guesser.key(ADDRESS))
    if tally is not None and tally.count >= most and standing_tally(guesser.key(OPENED)) is None:
        raise TooMany(tally.until - time.time())


def note_opened(guesser: Guesser) -> None:
    """Note that a code was right; for other processes, too, where its address has tried wrong ones."""
    key = guesser.key(OPENED)
    if not settings.WRONG_CODES_PER_HOUR or _opened_cache.get(key):
        return
    _opened_cache.put(key, True)
    if standing_tally(guesser.key(ADDRESS)) is not None:
        with noted_if_it_can_be():
            count_one(key)


def count_wrong_code(guesser: Guesser) -> None:
    """Count a wrong code, unless its address has tried it in this hour already, or it cannot be one."""
    most = settings.WRONG_CODES_PER_HOUR
    if not most or len(guesser.code) not in (LENGTH, RECOVERY_LENGTH):
        return
    count = 0
    with noted_if_it_can_be():
        if count_one(guesser.key(CODE)) > 1:
            return
        count = count_one(guesser.key(ADDRESS))
    if count == most:
        name = guesser.key(ADDRESS)[: len(ADDRESS) + 9]
        logger.warning(
            "%s has tried %s wrong codes and opens nothing new for an hour; see manage.py limits.", name, most
        )
