"""The API in the words of a table."""

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Literal

import httpx

from card_table_client.calls import Calls, Message
from card_table_client.operations import Operations
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
    """A server: its games, its referee, and the tables on it. ``api`` has every operation."""

    def __init__(
        self, url: str, token: str = "", *, language: str = "en", transport: httpx.BaseTransport | None = None
    ) -> None:
        self.calls = Calls(url, language, transport)
        self.api = Operations(self.calls, token)

    def __enter__(self) -> "CardTable":
        return self

    def __exit__(self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None) -> None:
        self.calls.http.close()

    def games(self) -> list[GameSummary]:
        """List the games."""
        listed: list[GameSummary] = self.calls.read("games/")
        return listed

    def judge(self, record: Record | str) -> Adjudication:
        """Judge a whole record (JSON, or its text or CSV); nothing is kept."""
        judged: Adjudication = self.calls.write("POST", "referee/judge/", "", None, record)
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
        group: str | None = None,
    ) -> "Table":
        """Open a table; who opens it keeps its score. ``group``: its code, with a member's token on this client."""
        body: dict[str, object] = {"game": game, "seats": list(seats), "first_dealer": first_dealer, "private": private}
        body |= {"options": options or {}} | ({"end": end} if end else {}) | ({"group": group} if group else {})
        opened = self.calls.write("POST", "tables/", self.api.token, {}, body)
        return Table(self.calls, opened["code"], opened["token"])

    def table(self, code: str, token: str = "") -> "Table":
        """Return a table by its code: for reading, or with a token for what its link allows."""
        return Table(self.calls, code, token or self.api.token)


class Table:
    """A table, with the rights of a token. ``server.api`` has what is not here."""

    def __init__(self, calls: Calls, code: str, token: str) -> None:
        self.calls, self.code, self.token = calls, code, token

    def now(self) -> TableState:
        """Return where the table stands."""
        state: TableState = self._get("")
        return state

    def asks(self, *held: str) -> Asks:
        """Return what may be recorded next; ``held`` are cards that are to be played together."""
        asked: Asks = self._get("asks/", cards=",".join(held))
        return asked

    def record(
        self, *events: Event, version: int | None = None, sealed: bool = False, dry_run: bool = False
    ) -> Recorded:
        """Record events, all or none. Raises ``Irregular``, ``MovedOn`` (the ``version`` is old) or ``Refused``."""
        body: dict[str, object] = {"events": list(events)} | ({"sealed": True} if sealed else {})
        recorded: Recorded = self._act("events/", body, version=version, dry_run=int(dry_run))
        return recorded

    def undo(self, *, version: int | None = None) -> Undone:
        """Take back the last event."""
        undone: Undone = self._act("undo/", {}, version=version)
        return undone

    def amend(
        self, seq: int, event: Event | None, *, reason: str = "", rethread: bool = False, dry_run: bool = False
    ) -> Amended:
        """Replace or strike (``None``) a row of the log; a dry run says what would change."""
        body = {"seq": seq, "event": event, "reason": reason, "rethread": rethread}
        amended: Amended = self._act("amendments/", body, dry_run=int(dry_run))
        return amended

    def link(self, role: Role, seat: int | None = None, *, name: str = "") -> NewLink:
        """Make a link; its token is shown this once."""
        made: NewLink = self._act("links/", {"role": role, "seat": seat, "name": name})
        return made

    def log(self, after: int = 0) -> Iterator[LogEntry]:
        """Yield the rows of the log, oldest first, however many there are."""
        while True:
            page: Log = self._get("events/", after=after)
            yield from page["events"]
            if not page["next"]:
                return
            after = page["events"][-1]["seq"]

    def follow(self, last_id: str | None = None) -> Iterator[Message]:
        """Yield what is recorded from now on, or behind the message ``last_id``; reconnects by itself."""
        return self.calls.stream(f"tables/{self.code}/stream/", self.token, {"events": 1}, last_id)

    def whole_record(self) -> Record:
        """Return everything that stands, as import and the stateless judge take it."""
        record: Record = self._get("record/")
        return record

    def _get(self, path: str, **query: str | int) -> Any:
        return self.calls.read(f"tables/{self.code}/{path}", self.token, query)

    def _act(self, path: str, body: object, version: int | None = None, **query: int) -> Any:
        return self.calls.write("POST", f"tables/{self.code}/{path}", self.token, query, body, version)
