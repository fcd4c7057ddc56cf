"""Phones at the same tables at the same time: each has its own connection and remembers what was accepted."""

import http.client
import json
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.deploy.managing import manage
from tests.scoring.live.driving import TableLink, database_at

ACE_TRUMP = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}


@dataclass(slots=True)
class Phone:
    """A writer; ``taken`` are its acknowledged notes, by the version each created."""

    port: int
    taken: dict[int, str] = field(default_factory=dict)
    _connection: http.client.HTTPConnection | None = None

    def send(
        self, path: str, body: object, token: str = "", *, key: str = "", seen: int | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Send one request; return the status and body of the answer, or raise ``OSError`` if there is none."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        headers |= {} if seen is None else {"If-Match": f'"{seen}"'}
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            self._connection.request("POST", f"/api/v1/{path}", json.dumps(body), headers)
            answer = self._connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (http.client.HTTPException, json.JSONDecodeError) as problem:
            self.hang_up()
            raise ConnectionError(str(problem)) from problem
        except OSError:
            self.hang_up()
            raise

    def hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def open_table(self) -> TableLink:
        status, table = self.send("tables/", ACE_TRUMP)
        assert status == 201, table
        return TableLink(table["code"], table["token"])

    def note(self, table: TableLink, text: str, *, seen: int | None = None, key: str = "") -> tuple[int, int]:
        """Write a remark; return the status and the version in the answer."""
        event = {"type": "note", "text": text}
        status, told = self.send(f"tables/{table.code}/events/", event, table.token, key=key, seen=seen)
        if status == 201:
            assert self.taken.setdefault(told["version"], text) == text
        return status, int(told.get("version", -1))

    def insist(self, table: TableLink, text: str, *, seen: int, twice: bool = False) -> int:
        """Write a remark with the last seen version, and retry with the reported one until it is accepted."""
        key = str(uuid.uuid4())
        while True:
            status, version = self.note(table, text, seen=seen, key=key)
            if status == 201:
                if twice:  # the answer got lost, so the phone retries
                    assert self.note(table, text, seen=seen, key=key) == (201, version)
                return version
            assert status == 412, status
            seen = version


def log_of(port: int, table: TableLink) -> list[dict[str, Any]]:
    """Return the whole log of a table."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    rows: list[dict[str, Any]] = []
    path: str | None = f"/api/v1/tables/{table.code}/events/"
    while path:
        connection.request("GET", path)
        answer = json.loads(connection.getresponse().read())
        rows += answer["events"]
        path = answer["next"]
    connection.close()
    return rows


def verify(var: Path, database: str) -> str:
    """Run `manage.py verify_tables`, which must find nothing; return its output."""
    done = manage("verify_tables", VAR_DIR=var, **database_at(database))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
