"""Phones that write while something breaks: each keeps what the server said it took, and asks again as phones do."""

import threading
import time
import uuid
from dataclasses import dataclass, field

from tests.scoring.concurrency.phones import Phone, log_of
from tests.scoring.live.driving import TableLink

PAUSE = 0.05
"""Seconds after which a phone that got no answer, or "not now", asks again."""
SECONDS_TO_END = 120
"""After so many it is given up: nothing takes that long, on a busy machine either."""


@dataclass
class Writer:
    """One phone; a remark is sent under one key until it is taken, so it is there exactly once."""

    phone: Phone
    table: TableLink
    name: str
    taken: dict[int, str] = field(default_factory=dict)
    refused: dict[int, int] = field(default_factory=dict)
    lost: int = 0
    length: int = 0
    """So many characters a remark has at least."""
    answered: list[tuple[float, float]] = field(default_factory=list)
    """When each was taken, and how many seconds the last way there and back took."""

    def write(self, ended: threading.Event) -> None:
        number = 0
        while not ended.is_set():
            self._insist(number)
            number += 1

    def _insist(self, number: int) -> None:
        text = f"{self.name}.{number}".ljust(self.length, ".")
        event = {"type": "note", "text": text}
        # A hand holds so many notes only, so another one is begun from time to time, all of it or nothing.
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
    """Several phones at a few tables, writing from entering to leaving."""

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
        """Wait until so many more are taken; return the seconds that took."""
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
        """Wait until a remark is taken that was under way nowhere yet; return the seconds that took."""
        return self.more(len(self.writers) + 1)

    def refused(self) -> dict[str, int]:
        """Return how often there was no answer, and each answer that took nothing."""
        counts = {"none": sum(writer.lost for writer in self.writers)}
        for writer in self.writers:
            for status, count in writer.refused.items():
                counts[str(status)] = counts.get(str(status), 0) + count
        return {name: count for name, count in sorted(counts.items()) if count}

    def slowest(self, since: float) -> float:
        """Return the longest time that a remark of this time took, there and back, in seconds."""
        return max((took for each in self.writers for at, took in each.answered if at >= since), default=0.0)

    def check(self, port: int) -> int:
        """Compare the logs with what was taken: nothing is lost, nothing is there twice; return how much that was."""
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
