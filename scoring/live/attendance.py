"""Who is connected to a table: what this process holds open, and what other processes say of theirs.

Nothing of this is stored. What another process says holds for a while and is said again before that is over, so a
process that dies is forgotten by itself, and one that was not heard for a moment heals by the next word.
"""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Self

from scoring.models import Link, Role


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose link a stream was opened with."""

    link: int
    role: str
    seat: int | None = None

    @classmethod
    def of(cls, link: Link) -> Self:
        return cls(link.pk, link.role, link.seat)

    @property
    def keeps(self) -> bool:
        return self.role == Role.SCOREKEEPER


Streams = Counter[Holder | None]
"""How many streams each holder has open; ``None`` is whoever came with the code alone."""


@dataclass(frozen=True, slots=True)
class Company:
    """Who is connected, as the stream says it: to everybody, and to who keeps the score and can revoke links."""

    public: bytes
    kept: bytes

    def seen_by(self, holder: Holder | None) -> bytes:
        """Return what a holder may be told."""
        return self.kept if holder is not None and holder.keeps else self.public


def company_of(streams: Streams) -> Company:
    """Say who is connected: the seats whose own phones are, and how many keep the score and look on.

    A link that is open twice is one; people who look on may share a link, or have none, so they are counted by streams.
    """
    holders = [holder for holder in streams if holder is not None]
    public = {
        "seats": sorted({holder.seat for holder in holders if holder.seat is not None}),
        "scorekeepers": sum(holder.keeps for holder in holders),
        "spectators": sum(n for holder, n in streams.items() if holder is None or holder.role == Role.SPECTATOR),
    }
    kept = public | {"links": sorted(holder.link for holder in holders)}
    return Company(_compact(public), _compact(kept))


class Attendance:
    """The streams of each table: those of this process, and those that others have spoken of."""

    def __init__(self) -> None:
        self._here: defaultdict[int, Streams] = defaultdict(Counter)
        self._elsewhere: defaultdict[int, dict[str, tuple[Streams, float]]] = defaultdict(dict)

    @property
    def tables(self) -> list[int]:
        """Return the tables that are watched in this process."""
        return list(self._here)

    def come(self, table: int, holder: Holder | None) -> bool:
        """Count a stream that was opened here; return whether it is the first one of its table."""
        first = table not in self._here
        self._here[table][holder] += 1
        return first

    def go(self, table: int, holder: Holder | None) -> None:
        """Count a stream no longer."""
        streams = self._here[table]
        streams[holder] -= 1
        if streams[holder] <= 0:
            del streams[holder]
        if not streams:
            # Nobody here wants to know any more; whoever comes next asks the other processes anew.
            del self._here[table]
            self._elsewhere.pop(table, None)

    def receive(self, process: str, table: int, streams: str, *, until: float) -> bool:
        """Take notice of another process's streams, for a while; return whether it concerns anybody here.

        Raises ``ValueError`` for what cannot be understood.
        """
        if table not in self._here:
            return False
        known = _read(streams)
        if known:
            self._elsewhere[table][process] = known, until
        else:
            self._elsewhere[table].pop(process, None)
        return True

    def forget(self, now: float) -> set[int]:
        """Forget what was not said again in time; return the tables it concerns."""
        gone = [
            (table, process)
            for table, by_process in self._elsewhere.items()
            for process, (_, until) in by_process.items()
            if until <= now
        ]
        for table, process in gone:
            del self._elsewhere[table][process]
        return {table for table, _ in gone}

    def here(self, table: int) -> str:
        """Return what to say to other processes of the streams in this one."""
        streams = self._here.get(table, Counter())
        return _compact(
            [[h.link, h.role, h.seat, n] if h else [None, "", None, n] for h, n in streams.items()]
        ).decode()

    def company(self, table: int) -> Company:
        """Return who is connected to a table, wherever."""
        everywhere: Streams = Counter(self._here.get(table, Counter()))
        for streams, _ in self._elsewhere.get(table, {}).values():
            everywhere.update(streams)
        return company_of(everywhere)


def _read(text: str) -> Streams:
    streams: Streams = Counter()
    for link, role, seat, number in json.loads(text):
        streams[None if link is None else Holder(int(link), str(role), seat)] += int(number)
    return streams


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
