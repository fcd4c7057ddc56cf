"""Client addresses, URLs by which other devices reach this server, and limits on what is written."""

import logging
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.db.models import TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from referee.engine import replaying
from referee.engine.event_kinds import Event
from referee.engine.events import Note
from referee.engine.hand import Hand
from referee.engine.rules import Refused
from referee.engine.table import TableState
from scoring.models import DealtHand, Table, TableEvent, Tally
from scoring.models.table import LENGTH, RECOVERY_LENGTH
from scoring.operating.acts.database import noted_if_it_can_be
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import TooMany
from scoring.tables.acts.keys import replayed
from scoring.tables.reads.log import standing_rows
from scoring.tables.reads.state import RecentCache

PORT_OF_IPV4 = re.compile(r"(?<=\d):\d{1,5}$")


def client_address(meta: Mapping[str, object]) -> str:
    """Return the client's IPv4 address, or the /64 network of its IPv6 address.

    Behind ``PROXIES`` trusted proxies it is the one that the outermost noted in ``X-Forwarded-For``.
    """
    address = str(meta.get("REMOTE_ADDR", ""))
    noted = [part.strip() for part in str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if part.strip()]
    if settings.PROXIES and noted:
        address = noted[-min(settings.PROXIES, len(noted))]
    # Some proxies add quotes, IPv6 brackets, a port or a zone.
    bare = address.strip('"')
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif "." in bare:
        bare = PORT_OF_IPV4.sub("", bare)
    try:
        known = ip_address(bare.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, IPv6Address) and known.ipv4_mapped is None:
        return f"{known.exploded[:19]}::"  # a household usually has a whole /64 network
    return str(getattr(known, "ipv4_mapped", None) or known)


def is_here(address: str) -> bool:
    """Return whether an address is this machine's own, which is not rate-limited."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address in ("", "localhost")


def shared_address(request: HttpRequest, path: str) -> str:
    """Return a URL for another device, to which this machine's ``localhost`` would mean itself."""
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    address = request.build_absolute_uri(path)
    if settings.PHONE_ADDRESS and is_here(urlsplit(address).hostname or ""):
        return f"{settings.PHONE_ADDRESS}{path}"
    return address


# --- Limits


# --- Rate limits: a link's writes per minute, and other counters per hour
# Writes are counted in the table's row, which every write updates anyway, so counting costs no query. Hourly counters,
# such as wrong codes and openings, have rows of their own, shared by all processes.

MINUTE = 60
HOUR = 3600


def counted(writes: Mapping[str, int], link: int, *, acts: int = 1) -> Mapping[str, int]:
    """Return a table's write counts with a link's acts added. Raises ``TooMany`` beyond the limit per minute."""
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
    """Return a link's remaining writes and the seconds left in this minute.

    ``None`` if there is no limit, or the table is not cached in this process.
    """
    known, most = holding.state_cache.get(code), settings.WRITES_PER_MINUTE
    if known is None or not most:
        return None
    now, writes = time.time(), known.row.writes
    done = writes.get(str(link), 0) if writes.get("minute") == int(now // MINUTE) else 0
    return max(most - done, 0), int(MINUTE - now % MINUTE) + 1


def tally_key(kind: str, text: str) -> str:
    """Return the key of a counter, with ``text`` hashed."""
    digest = salted_hmac(f"scoring.limits.{kind}", text, algorithm="sha256").hexdigest()
    return f"{kind}-{digest[:48]}"


def standing_tally(key: str) -> Tally | None:
    """Return an unexpired counter; one that expires too late was made by a clock running fast, and is ignored."""
    now = int(time.time())
    return Tally.objects.filter(key=key, until__gt=now, until__lte=now + HOUR).first()


def count_one(key: str) -> int:
    """Increment an hourly counter, and return the new count."""
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


# --- Wrong codes per client address, so that guessing one takes too long
# Distinct codes count, not requests: a page that polls a deleted table has tried one code. Texts that can't be a code
# don't count. Beyond the limit, an address can't open anything new for an hour; what it has opened before still works,
# as do links and devices, since all of a club, or all clients behind an undeclared proxy, share one address.
#
# DRF's throttles don't fit: they run after the permissions, when a guess has been answered already, and pages and
# streams have none.

logger = logging.getLogger(__name__)
ADDRESS, CODE, OPENED = "address", "code", "opened"
"""Prefixes of counter keys: per address, per address and wrong code, per address and code it has opened."""
_opened_cache: RecentCache[str, bool] = RecentCache(20_000)  # right codes, by hashed address and code


class Guesser(NamedTuple):
    address: str
    code: str

    def key(self, kind: str) -> str:
        return tally_key(kind, self.address if kind == ADDRESS else f"{self.address} {self.code}")


def guesser_of(meta: Mapping[str, object], code: str) -> Guesser:
    return Guesser(client_address(meta), code)


def check_guess(guesser: Guesser) -> None:
    """Raise ``TooMany`` if an address has tried too many wrong codes, unless it has opened this one before."""
    most = settings.WRONG_CODES_PER_HOUR
    if not most or _opened_cache.get(guesser.key(OPENED)):
        return
    tally = standing_tally(guesser.key(ADDRESS))
    if tally is not None and tally.count >= most and standing_tally(guesser.key(OPENED)) is None:
        raise TooMany(tally.until - time.time())


def note_opened(guesser: Guesser) -> None:
    """Remember that a code was right; shared with other processes if the address has tried wrong ones."""
    key = guesser.key(OPENED)
    if not settings.WRONG_CODES_PER_HOUR or _opened_cache.get(key):
        return
    _opened_cache.put(key, True)
    if standing_tally(guesser.key(ADDRESS)) is not None:
        with noted_if_it_can_be():
            count_one(key)


def count_wrong_code(guesser: Guesser) -> None:
    """Count a wrong code once per hour and address; texts that can't be a code don't count."""
    most = settings.WRONG_CODES_PER_HOUR
    if not most or len(guesser.code) not in (LENGTH, RECOVERY_LENGTH):
        return
    count = 0
    with noted_if_it_can_be():
        if count_one(guesser.key(CODE)) > 1:
            return
        count = count_one(guesser.key(ADDRESS))
    if count == most:
        told = "%s has tried %s wrong codes and can open nothing new for an hour; see manage.py limits."
        logger.warning(told, guesser.key(ADDRESS)[: len(ADDRESS) + 9], most)


# --- Tables and groups opened per address and hour, since each takes space for good
# Continuing a table doesn't count, so that a club can play all day.

OPENING = "opening"  # prefix of the counter's key


def openings_left(address: str) -> tuple[int, int] | None:
    """Return an address's remaining openings and the seconds until they reset; ``None`` if there is no limit."""
    most = settings.OPENINGS_PER_HOUR
    if not most or is_here(address):
        return None
    tally = standing_tally(tally_key(OPENING, address))
    return (most, HOUR) if tally is None else (max(most - tally.count, 0), max(int(tally.until - time.time()), 1))


def check_openings(address: str) -> None:
    """Raise ``TooMany`` if an address has used up its openings."""
    left = openings_left(address)
    if left is not None and not left[0]:
        raise TooMany(left[1])


def count_opening(address: str) -> None:
    if settings.OPENINGS_PER_HOUR and not is_here(address):
        count_one(tally_key(OPENING, address))


@contextmanager
def one_opening(meta: Mapping[str, object]) -> Iterator[None]:
    """Context that counts one opening; refused requests and retries don't count. Raises ``TooMany``."""
    address = client_address(meta)
    check_openings(address)
    replayed.set(False)
    yield
    if not replayed.get():
        count_opening(address)


# --- Requests for a seat per address and table code, since each one interrupts the people there

ASKING, MOST_ASKED = "asking", 20


def count_asking(meta: Mapping[str, object], code: str) -> None:
    """Count a request for a seat. Raises ``TooMany`` beyond twenty per address and table in an hour."""
    address = client_address(meta)
    if not is_here(address) and count_one(key := tally_key(ASKING, f"{address} {code}")) > MOST_ASKED:
        tally = standing_tally(key)
        raise TooMany(HOUR if tally is None else tally.until - time.time())


# --- Size limits of a table, equal to those of a record, so that every table can be exported and imported
# The hand's state is checked for every event; the log is counted only when a limit may be near.


@dataclass(slots=True)
class RecordLimits:
    """The size limits of a table's record, checked as events are added.

    ``taken`` counts new events, ``notes`` notes by hand index, ``own`` the bytes of ``x_`` keys in the log; the latter
    two include stored rows only once ``notes_counted`` and ``own_counted`` say so.
    """

    row: Table
    taken: int = 0
    notes: Counter[int] = field(default_factory=Counter)
    own: int = 0
    notes_counted: set[int] = field(default_factory=set)
    own_counted: bool = False

    def take(self, event: Event, after: TableState) -> None:
        """Count an event against the limits; ``after`` is the state with it. Raises ``Refused``."""
        hand, is_note = after.hand, isinstance(event, Note)
        assert hand is not None
        index = hand.setup.index
        self.taken += 1
        self.notes[index] += is_note
        self.own += replaying.extra_size(event.extra)
        few = self.row.version + self.taken <= replaying.MOST_EVENTS and index < replaying.MOST_HANDS
        most_notes = hand.events if is_note else 0
        if few and not event.extra and not replaying.overfull(hand.events, hand.settlements(), most_notes, ""):
            return
        if is_note and index not in self.notes_counted:
            self.notes_counted.add(index)
            self.notes[index] += _count_notes(each.event for each in standing_rows(self.row).filter(hand=index))
        if event.extra and not self.own_counted:
            self.own_counted = True
            self.own += _own_keys(self.row)
        notes, own = self.notes[index] if is_note else 0, self.own if event.extra else 0
        _refuse_overfull(self.row, hand, notes=notes, more=self.taken, own=own)


def check_amended(
    row: Table, new: Sequence[TableEvent], after: TableState, hand: Iterable[TableEvent], *, more: int
) -> None:
    """Raise ``Refused`` if replacing events by ``new`` exceeds a table's limits; ``more`` is the net number of events
    added.

    ``hand`` are the rows of the hand after the change, ``after`` is the state at its end.
    """
    assert after.hand is not None
    events = [entry.event for entry in new if entry.event is not None]
    notes = _count_notes(entry.event for entry in hand) if _count_notes(events) else 0
    own = sum(map(_own_size, events))
    _refuse_overfull(row, after.hand, notes=notes, more=more, own=own and own + _own_keys(row))


def _count_notes(events: Iterable[Mapping[str, object]]) -> int:
    return sum(event["type"] == Note.type for event in events)


def _own_keys(row: Table) -> int:
    """Return the bytes of ``x_`` keys in a table and its whole log, including corrected entries."""
    dealt = sum(replaying.extra_size(hand.extra) for hand in DealtHand.objects.filter(table=row))
    texts = TableEvent.objects.filter(table=row).annotate(text=Cast("event", TextField()))
    events = (entry.event for entry in texts.filter(text__contains='"x_'))
    return replaying.extra_size(row.extra) + dealt + sum(map(_own_size, events))


def _own_size(event: Mapping[str, object]) -> int:
    return replaying.extra_size({key: value for key, value in event.items() if key.startswith("x_")})


def _refuse_overfull(row: Table, hand: Hand, *, notes: int, more: int, own: int) -> None:
    """Raise ``Refused`` if a hand is too large, or its table has too many events or bytes of ``x_`` keys."""
    if hand.setup.index >= replaying.MOST_HANDS:
        problems = [replaying.too_many_hands("")]
    else:
        overfull = replaying.overfull(hand.events, hand.settlements(), notes, "")
        problems = [overfull] if overfull else []
    room = replaying.MOST_EVENTS - more
    if more and row.version > room and standing_rows(row).count() > room:
        problems.append(replaying.too_many_events(""))
    if own > replaying.MOST_EXTRA:
        problems.append(replaying.too_much_extra(""))
    if problems:
        raise Refused(problems)
