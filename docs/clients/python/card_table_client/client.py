"""The API in the words of a table."""

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Literal

import httpx

from card_table_client.calls import Calls
from card_table_client.shapes import (
    Adjudication,
    Amended,
    Asks,
    End,
    Event,
    GameId,
    GameSummary,
    Log,
    LogEntry,
    NewLink,
    Options,
    Record,
    Recorded,
    Undone,
)
from card_table_client.shapes import Table as TableState

Role = Literal["scorekeeper", "player", "spectator"]


class CardTable:
    """A server: its games, its referee, and the tables on it."""

    def __init__(self, url: str, transport: httpx.BaseTransport | None = None) -> None:
        self.calls = Calls(url, transport)

    def __enter__(self) -> "CardTable":
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self.calls.http.close()

    def games(self) -> list[GameSummary]:
        """List the games."""
        listed: list[GameSummary] = self.calls.get("games/").json()
        return listed

    def judge(self, record: Record) -> Adjudication:
        """Judge a whole record; nothing is kept."""
        judged: Adjudication = self.calls.act("POST", "referee/judge/", record).json()
        return judged

    def open(
        self,
        game: GameId,
        seats: Sequence[str],
        *,
        first_dealer: int = 0,
        options: Options | None = None,
        end: End | None = None,
        private: bool = False,
        group_token: str = "",
    ) -> "Table":
        """Open a table; who opens it keeps its score. With a member's token the table is that group's."""
        body: dict[str, object] = {"game": game, "seats": list(seats), "first_dealer": first_dealer, "private": private}
        body |= {"options": options or {}} | ({"end": end} if end else {})
        opened = self.calls.act("POST", "tables/", body, group_token).json()
        return Table(self.calls, opened["code"], opened["token"])

    def table(self, code: str, token: str | None = None) -> "Table":
        """Return a table by its code: for reading, or with a token for what its link allows."""
        return Table(self.calls, code, token)


class Table:
    """A table, with the rights of a token."""

    def __init__(self, calls: Calls, code: str, token: str | None) -> None:
        self.calls, self.code, self.token = calls, code, token or ""

    def now(self) -> TableState:
        """Return where the table stands."""
        state: TableState = self._get("").json()
        return state

    def asks(self, *held: str) -> Asks:
        """Return what may be recorded next; ``held`` are cards that are to be played together."""
        asked: Asks = self._get("asks/", cards=",".join(held)).json()
        return asked

    def record(
        self, *events: Event, version: int | None = None, sealed: bool = False, dry_run: bool = False
    ) -> Recorded:
        """Record events, all or none. Raises ``Irregular``, ``MovedOn`` (the ``version`` is old) or ``Refused``."""
        body: dict[str, object] = {"events": list(events)} | ({"sealed": True} if sealed else {})
        recorded: Recorded = self._act("events/", body, version=version, dry_run=int(dry_run)).json()
        return recorded

    def undo(self, *, version: int | None = None) -> Undone:
        """Take back the last event."""
        undone: Undone = self._act("undo/", {}, version=version).json()
        return undone

    def amend(
        self, seq: int, event: Event | None, *, reason: str = "", rethread: bool = False, dry_run: bool = False
    ) -> Amended:
        """Replace or strike (``None``) a row of the log; a dry run says what would change."""
        body = {"seq": seq, "event": event, "reason": reason, "rethread": rethread}
        amended: Amended = self._act("amendments/", body, dry_run=int(dry_run)).json()
        return amended

    def link(self, role: Role, seat: int | None = None, *, name: str = "") -> NewLink:
        """Make a link; its token is shown this once."""
        made: NewLink = self._act("links/", {"role": role, "seat": seat, "name": name}).json()
        return made

    def log(self, after: int = 0) -> Iterator[LogEntry]:
        """Return the rows of the log, oldest first, however many there are."""
        while True:
            page: Log = self._get("events/", after=after).json()
            yield from page["events"]
            if not page["next"]:
                return
            after = page["events"][-1]["seq"]

    def whole_record(self) -> Record:
        """Return everything that stands, as import and the stateless judge take it."""
        record: Record = self._get("record/").json()
        return record

    def _get(self, path: str, **query: str | int) -> httpx.Response:
        return self.calls.get(f"tables/{self.code}/{path}", self.token, **query)

    def _act(self, path: str, body: object, version: int | None = None, **query: int) -> httpx.Response:
        return self.calls.act("POST", f"tables/{self.code}/{path}", body, self.token, version, **query)
