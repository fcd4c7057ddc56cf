"""Phones that write while something breaks: each remembers what the server acknowledged and retries as phones do."""

import threading
import time
import uuid
from dataclasses import dataclass, field

from tests.scoring.concurrency.phones import Phone, log_of
from tests.scoring.live.driving import TableLink

PAUSE = 0.05
"""Seconds before a phone retries after no answer or "not now"."""
SECONDS_TO_END = 120
"""Seconds before giving up: nothing takes that long, even on a busy machine."""


@dataclass
class Writer:
    """One phone; a remark is sent with one idempotency key until it is accepted, so it is there exactly once."""

    phone: Phone
    table: TableLink
    name: str
    taken: dict[int, str] = field(default_factory=dict)
    refused: dict[int, int] = field(default_factory=dict)
    lost: int = 0
    length: int = 0
    """The minimum length of a remark."""
    answered: list[tuple[float, float]] = field(default_factory=list)
    """When each was accepted, and the seconds of its last round trip."""

    def write(self, ended: threading.Event) -> None:
        number = 0
        while not ended.is_set():
            self._insist(number)
            number += 1

    def _insist(self, number: int) -> None:
        text = f"{self.name}.{number}".ljust(self.length, ".")
        event = {"type": "note", "text": text}
        # A hand holds a limited number of notes, so a new one is begun now and then, all or nothing.
        events = [{"type": "result", "tricks": [4, 4, 4]}, event] if number % 30 == 29 else [event]
        key, until = str(uuid.uuid4()), time.monotonic() + SECONDS_TO_END
        path = f"tables/{self.table.code}/events/"
        while time.monotonic() < until:
            sent = time.monotonic()
            try:
                status, told = self.phone.send(path, {"events": events}, self.table.token, key=key)
            except OSError:
                self.lost += 1
            else:
                if status == 201:
                    now = time.monotonic()
                    self.answered.append((now, now - sent))
                    assert told["version"] not in self.taken
                    self.taken[told["version"]] = text
                    return
                self.refused[status] = self.refused.get(status, 0) + 1
            time.sleep(PAUSE)
        raise AssertionError(f"{text[:20]} was not taken in {SECONDS_TO_END} seconds: {self.refused}")


class Load:
    """Several phones at a few tables, writing from enter to exit."""

    def __init__(self, port: int, *, tables: int = 2, phones: int = 4) -> None:
        opener = Phone(port)
        self.tables = [opener.open_table() for _ in range(tables)]
        self.writers = [Writer(Phone(port), self.tables[i % tables], str(i)) for i in range(phones)]
        self._ended, self._wrong = threading.Event(), list[BaseException]()
        self._threads = [threading.Thread(target=self._run, args=[each], daemon=True) for each in self.writers]

    def _run(self, writer: Writer) -> None:
        try:
            writer.write(self._ended)
        except BaseException as wrong:  # noqa: BLE001 - told to who waits for the thread
            self._wrong.append(wrong)

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()
        if self._wrong:
            raise self._wrong[0]

    @property
    def taken(self) -> int:
        return sum(len(writer.taken) for writer in self.writers)

    def more(self, count: int, *, seconds: float = SECONDS_TO_END) -> float:
        """Wait until this many more remarks are accepted; return the seconds that took."""
        started, wanted = time.monotonic(), self.taken + count
        while self.taken < wanted:
            if self._wrong:
                raise self._wrong[0]
            assert time.monotonic() - started < seconds, f"nothing is taken: {self.refused()}"
            time.sleep(0.005)
        return time.monotonic() - started

    def lengthen(self, length: int) -> None:
        for writer in self.writers:
            writer.length = length

    def one_sent_from_now(self) -> float:
        """Wait until a remark sent from now on is accepted; return the seconds that took."""
        return self.more(len(self.writers) + 1)

    def refused(self) -> dict[str, int]:
        """Return how often there was no answer, and every answer that was a refusal."""
        counts = {"none": sum(writer.lost for writer in self.writers)}
        for writer in self.writers:
            for status, count in writer.refused.items():
                counts[str(status)] = counts.get(str(status), 0) + count
        return {name: count for name, count in sorted(counts.items()) if count}

    def slowest(self, since: float) -> float:
        """Return the longest round trip of a remark in this period, in seconds."""
        return max((took for each in self.writers for at, took in each.answered if at >= since), default=0.0)

    def check(self, port: int) -> int:
        """Compare the logs with what was acknowledged: nothing is lost or doubled; return the number of remarks."""
        for table in self.tables:
            log = log_of(port, table)
            assert [entry["seq"] for entry in log] == [*range(1, len(log) + 1)]
            texts = {entry["seq"]: entry["event"]["text"] for entry in log if "text" in entry["event"]}
            assert len({*texts.values()}) == len(texts), "something is there twice"
            for writer in self.writers:
                if writer.table == table:
                    found = {seq: texts.get(seq) for seq in writer.taken}
                    assert found == writer.taken, "something that was acknowledged is not there"
        return self.taken
