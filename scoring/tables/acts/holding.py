"""What acts share between processes: row locks, caches of the last written state, and change notifications."""

from dataclasses import dataclass
from typing import TypeVar

from django.db import transaction
from django.db.models import Model
from django.dispatch import Signal

from referee.engine.game import find_game
from referee.engine.snapshot import Saved
from scoring.models import Group, Link, Table
from scoring.tables.reads import state
from scoring.tables.reads.state import RecentCache, Standing, table_id_cache

# --- Per-process caches of each table's last written state, and of links
# They save the next act a read. An entry may be stale: every write checks it in its own statement, so other processes
# need not invalidate anything here.


@dataclass(frozen=True, slots=True)
class CachedState:
    """A table's last written row, state and snapshot. Immutable."""

    row: Table
    saved: Saved

    @property
    def usable(self) -> bool:
        return not self.row.choosing and find_game(self.row.game) is self.saved.table.rules.game


state_cache: RecentCache[str, CachedState] = RecentCache(1000)  # by code


def cached_state(row: Table) -> CachedState | None:
    cached = state_cache.get(row.code)
    if cached is None or not cached.usable:
        return None
    return cached if _version(cached.row) == _version(row) else None


def _version(row: Table) -> tuple[object, ...]:
    return row.version, row.updated, row.looks


def cached_standing(row: Table) -> Standing:
    cached = cached_state(row)
    if cached is None:
        return state.standing_now(row)
    return state.now(Standing(cached.row, cached.saved.table))


link_cache: RecentCache[tuple[str, ...], Link] = RecentCache(4000)  # by code, and hash of the token or the device


# --- Row locks on tables and groups: one writer at a time; inserts that only reference the row don't wait
# A row is found by its code and locked by its id, because sharded PostgreSQL can lock a row only by its sharding
# column. A code never moves to another row, so each process caches the lookup.

Row = TypeVar("Row", bound=Model)
group_id_cache: RecentCache[str, int] = RecentCache(1000)


def lock_table(code: str) -> Table | None:
    return _hold(Table, code, table_id_cache)


def lock_group(code: str) -> Group | None:
    return _hold(Group, code, group_id_cache)


def _hold(model: type[Row], code: str, known: RecentCache[str, int]) -> Row | None:
    rows = model._default_manager.select_for_update(no_key=True)
    before = known.get(code)
    row = None if before is None else rows.filter(pk=before, code=code).first()
    if row is None:  # the code isn't cached, or the row is gone
        found = model._default_manager.filter(code=code).values_list("pk", flat=True).first()
        row = None if found in (None, before) else rows.filter(pk=found, code=code).first()
    if row is None:
        known.drop(code)
    else:
        known.put(code, row.pk)
    return row


# --- Notifications to watchers that a table or group has changed, sent after the commit
# They are only wake-ups: watchers read the log and poll regularly, so a lost one only delays them. ``telling`` relays
# them to other processes.

VERSION, REVOKED, PRIVATE = "version", "revoked", "private"
NEXT = "next"
GROUP, GROUP_REVOKED = "group", "group-revoked"

notified = Signal()  # sent in this process after a commit, with ``word``; receivers must not block


def announce(kind: str, *numbers: int) -> None:
    """Notify watchers after the commit."""
    word = " ".join(map(str, (kind, *numbers)))
    transaction.on_commit(lambda: notified.send_robust(sender=None, word=word))


def announce_version(pk: int, version: int) -> None:
    announce(VERSION, pk, version)


def announce_revoked(link: Link) -> None:
    announce(REVOKED, link.pk)
