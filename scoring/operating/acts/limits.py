"""Rate limits (writes per link, tables opened, wrong codes) and size limits of a table."""

import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils.crypto import salted_hmac

from referee.engine import replaying
from referee.engine.event_kinds import Event
from referee.engine.events import Note
from referee.engine.hand import Hand
from referee.engine.rules import Refused
from referee.engine.table import TableState
from scoring.models import DealtHand, Table, TableEvent, Tally
from scoring.models.table import LENGTH, RECOVERY_LENGTH
from scoring.operating.acts.addresses import client_address, is_here
from scoring.operating.acts.database import noted_if_it_can_be
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import TooMany
from scoring.tables.acts.keys import replayed
from scoring.tables.reads.log import standing_rows
from scoring.tables.reads.state import RecentCache

# --- How often something may be done: the writes of a link in a minute, and whatever else is counted by the hour
# Writes are counted on the row of the table that every write changes anyway, so that counting costs no query. What is
# counted by the hour, such as wrong codes and openings, has a row of its own, so that all processes count together.

MINUTE = 60
HOUR = 3600


def counted(writes: Mapping[str, int], link: int, *, acts: int = 1) -> Mapping[str, int]:
    """Return the counts of a table with acts of a link added; raises ``TooMany`` beyond the limit of a minute."""
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
    """Return a link's writes left in this minute, and its seconds; ``None``: no limit, or it is not known here."""
    known, most = holding.state_cache.get(code), settings.WRITES_PER_MINUTE
    if known is None or not most:
        return None
    now, writes = time.time(), known.row.writes
    done = writes.get(str(link), 0) if writes.get("minute") == int(now // MINUTE) else 0
    return max(most - done, 0), int(MINUTE - now % MINUTE) + 1


def tally_key(kind: str, text: str) -> str:
    """Return the hashed key of a counter."""
    digest = salted_hmac(f"scoring.limits.{kind}", text, algorithm="sha256").hexdigest()
    return f"{kind}-{digest[:48]}"


def standing_tally(key: str) -> Tally | None:
    """Return a current counter; one that ends too late was made by a fast clock and is ignored."""
    now = int(time.time())
    return Tally.objects.filter(key=key, until__gt=now, until__lte=now + HOUR).first()


def count_one(key: str) -> int:
    """Add one to an hourly count, and return it."""
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


# --- Wrong codes, counted by the address they come from, so that guessing one takes longer than anybody has
# What is counted is codes that were tried, not requests: a page that asks for a table again and again has tried one
# code, and what cannot be a code tells nobody anything. Beyond the limit an address opens nothing new for an hour; what
# it has opened before it opens all the same, as do links and devices. A club has one address, and so has a service
# behind a proxy that is not declared.
#
# No throttle of the REST framework does it: one is asked after the permissions, when who guesses is answered already,
# and pages and streams have none.

logger = logging.getLogger(__name__)
ADDRESS, CODE, OPENED = "address", "code", "opened"
"""How the key of a tally begins: of an address, of a code that it tried, of one that it has opened."""
_opened_cache: RecentCache[str, bool] = RecentCache(20_000)  # what was opened by its code in this process


class Guesser(NamedTuple):
    """An address and the code it tried."""

    address: str
    code: str

    def key(self, kind: str) -> str:
        return tally_key(kind, self.address if kind == ADDRESS else f"{self.address} {self.code}")


def guesser_of(meta: Mapping[str, object], code: str) -> Guesser:
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
        told = "%s has tried %s wrong codes and opens nothing new for an hour; see manage.py limits."
        logger.warning(told, guesser.key(ADDRESS)[: len(ADDRESS) + 9], most)


# --- How many tables and groups one address may open in an hour: each stays, and takes room, for good
# What goes on from a table that somebody has a right to is not counted: a club that plays all day is no flood.

OPENING = "opening"  # how the key of a tally of openings begins


def openings_left(address: str) -> tuple[int, int] | None:
    """Return how many openings an address has left, and in how many seconds it has all again; ``None``: no limit."""
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
    """Count one opening against the limit; refused requests and retries don't count. Raises ``TooMany``."""
    address = client_address(meta)
    check_openings(address)
    replayed.set(False)
    yield
    if not replayed.get():
        count_opening(address)


# --- How often one address may ask for a seat at a table with nothing but its code: each time its phones ask somebody

ASKING, MOST_ASKED = "asking", 20


def count_asking(meta: Mapping[str, object], code: str) -> None:
    """Count a request for a seat; raises ``TooMany`` beyond twenty of an address and a table in an hour."""
    address = client_address(meta)
    if not is_here(address) and count_one(key := tally_key(ASKING, f"{address} {code}")) > MOST_ASKED:
        tally = standing_tally(key)
        raise TooMany(HOUR if tally is None else tally.until - time.time())


# --- Whether a table has room for one more event: as much as a record may hold, so that every table can be taken away
# What the state of a hand tells is looked at for every event; the log is counted only where that may matter.


@dataclass(slots=True)
class RecordLimits:
    """The remaining size limits of a table, reduced by each event.

    ``notes`` counts notes by hand index, ``own`` the bytes of ``x_`` keys in the log; both are computed once, when
    needed.
    """

    row: Table
    taken: int = 0
    notes: Counter[int] = field(default_factory=Counter)
    own: int = 0
    notes_counted: set[int] = field(default_factory=set)
    own_counted: bool = False

    def take(self, event: Event, after: TableState) -> None:
        """Count an event against the limits. Raises ``Refused``. ``after`` is the state with it."""
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
    """Raise ``Refused`` if a table has no room for new events in the place of others, ``more`` of them of none.

    ``hand`` are the rows of a hand as they are with them, ``after`` is the state at the end of that hand.
    """
    assert after.hand is not None
    events = [entry.event for entry in new if entry.event is not None]
    notes = _count_notes(entry.event for entry in hand) if _count_notes(events) else 0
    own = sum(map(_own_size, events))
    _refuse_overfull(row, after.hand, notes=notes, more=more, own=own and own + _own_keys(row))


def _count_notes(events: Iterable[Mapping[str, object]]) -> int:
    return sum(event["type"] == Note.type for event in events)


def _own_keys(row: Table) -> int:
    """Return how many bytes the ``x_`` keys of a table and of its whole log take, corrected entries included."""
    dealt = sum(replaying.extra_size(hand.extra) for hand in DealtHand.objects.filter(table=row))
    texts = TableEvent.objects.filter(table=row).annotate(text=Cast("event", TextField()))
    events = (entry.event for entry in texts.filter(text__contains='"x_'))
    return replaying.extra_size(row.extra) + dealt + sum(map(_own_size, events))


def _own_size(event: Mapping[str, object]) -> int:
    return replaying.extra_size({key: value for key, value in event.items() if key.startswith("x_")})


def _refuse_overfull(row: Table, hand: Hand, *, notes: int, more: int, own: int) -> None:
    """Raise ``Refused`` if a hand is too full, its table has too many events or too many bytes of ``x_`` keys."""
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
