"""Faults of processes and storage: each happens while phones write, and reports what was seen."""

import contextlib
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from tests.faults.load import SECONDS_TO_END, Load
from tests.faults.service import Service
from tests.scoring.concurrency.phones import verify
from tests.scoring.live.driving import Server

LEFT = tuple(1536 * number for number in range(200))
"""How many bytes the log may still grow, one size after another: from none up to four cards. They are not whole pages,
so the last write is cut anywhere.
"""
LEFT_ON_VOLUME = tuple(4096 * number for number in range(200))
"""The same for a volume, which allocates whole pages only."""
ROOM = 48 << 20
"""Bytes freed on the volume between one size and the next."""


def application_killed(service: Service, load: Load) -> str:
    service.kill()
    return f"started again in {service.start():.1f} s"


def workers_killed(service: Service, load: Load) -> str:
    """Kill all workers; the parent replaces them."""
    service.kill_workers()
    return f"a card was taken {load.one_sent_from_now():.1f} s later"


def database_killed(service: Service, load: Load) -> str:
    """Kill PostgreSQL, wait a second, and start it: it recovers from its log."""
    assert service.postgres
    service.postgres.kill()
    time.sleep(1)
    service.postgres.start()
    return f"a card was taken {load.more(1):.1f} s after it was back"


def connections_lost(service: Service, load: Load, *, times: int = 20) -> str:
    for _ in range(times):
        ended = _of_postgres(service, "SELECT count(pg_terminate_backend(pid)) FROM others")
        assert ended
        time.sleep(0.1)
    return f"a card was taken {load.more(1):.1f} s after the last"


def database_silent(service: Service, load: Load, *, seconds: float = 3) -> str:
    """Stop PostgreSQL's backends for some seconds: no connection breaks, and none is answered."""
    before = load.refused()
    pids = [int(pid) for pid in _of_postgres(service, "SELECT string_agg(pid::text, ',') FROM others").split(",")]
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):  # its connection was closed meanwhile
                os.kill(pid, number)
        if number == signal.SIGSTOP:
            time.sleep(seconds)
    back = load.one_sent_from_now()
    assert load.refused() == before, "everybody waits, nobody is refused"
    return f"a card was taken {back:.1f} s after it went on"


OTHERS = """
WITH others AS (
    SELECT pid FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND datname <> 'postgres'
) """


def _of_postgres(service: Service, question: str) -> str:
    assert service.postgres
    with service.postgres.connect() as connection:
        row = connection.execute((OTHERS + question).encode()).fetchone()
        return str(row[0]) if row else ""


# -- a disk that is full, a database that only reads -----------------------------------------------


def disk_full(service: Service, load: Load, *, sizes: Sequence[int] = LEFT) -> str:
    """Let SQLite's log grow by these many bytes, each time until writes fail; then lift the limit."""
    log = service.var / "db.sqlite3-wal"
    back = []
    for left in sizes:
        _shorten_log(service)  # otherwise it may be overwritten from its beginning forever, which needs no space
        size = max(log.stat().st_size, (service.var / "db.sqlite3").stat().st_size)
        with files_up_to(service.server, size + left):
            _wait_for_not_now(load)
            assert service.get(f"/api/v1/tables/{load.tables[0].code}/") == 200, "what is there can be read"
            assert _says_it_is_not_ready(service)
        back.append(load.more(1))
    return f"{len(sizes)} sizes, read meanwhile; a card was taken {max(back):.1f} s after there was room"


def volume_full(service: Service, load: Load, *, sizes: Sequence[int] = LEFT_ON_VOLUME) -> str:
    """Fill the database's volume up to these many free bytes, for many sizes; then free the space."""
    volume = service.postgres.directory if service.postgres else service.var
    back, started = [], 0
    if service.postgres:  # a card takes little of a page: long remarks fill the rest sooner
        load.lengthen(1_800)
    with (volume / "filler").open("wb", buffering=0) as filler:
        for number, left in enumerate(sizes):
            if number % 8:  # otherwise it continues in the existing log until that has to grow
                _shorten_log(service)
            _fill(filler)
            filler.truncate(max(0, filler.tell() - left))
            try:
                _wait_for_not_now(load)
                assert service.get("/health/live") == 200
                if not service.postgres:
                    assert service.get(f"/api/v1/tables/{load.tables[0].code}/") == 200, "what is there can be read"
                    assert _says_it_is_not_ready(service)
            finally:
                filler.truncate(max(0, filler.tell() - ROOM))
            began, wanted = time.monotonic(), load.taken + 1
            while load.taken < wanted:
                assert time.monotonic() - began < SECONDS_TO_END
                if service.postgres and service.postgres.ended:  # stopped by a full volume: the operator restarts it
                    service.postgres.start()
                    started += 1
                time.sleep(0.01)
            back.append(time.monotonic() - began)
    (volume / "filler").unlink()
    ended = f"; PostgreSQL itself had ended {started} times" if started else ""
    return f"{len(sizes)} sizes; a card was taken {max(back):.1f} s after there was room{ended}"


def _says_it_is_not_ready(service: Service, *, asked: int = 20) -> bool:
    """Poll until a worker reports it; after a refusal a small row may still fit for half a minute."""
    return any(service.get("/health/ready") == 503 for _ in range(asked))


def _shorten_log(service: Service) -> None:
    """Checkpoint the write-ahead log, so that the next card needs space there at once."""
    if service.postgres:
        with service.postgres.connect() as connection:
            connection.execute("CHECKPOINT")
    else:
        with contextlib.closing(sqlite3.connect(service.var / "db.sqlite3", timeout=30)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _fill(file: BinaryIO) -> None:
    """Append to a file until there is no space, in the end byte by byte."""
    file.seek(0, os.SEEK_END)
    for size in (1 << 20, 1 << 16, 1 << 12):
        with contextlib.suppress(OSError):  # no space for this much: continue in smaller pieces
            while True:
                file.write(b"x" * size)
    file.seek(0, os.SEEK_END)


def read_only(service: Service, load: Load) -> str:
    """Make the database read-only: no file may be written, or PostgreSQL only reads."""
    began = time.monotonic()
    with files_up_to(service.server, 0) if not service.postgres else _read_only(service):
        _wait_for_not_now(load)
        assert service.get(f"/api/v1/tables/{load.tables[0].code}/") == 200, "what is there can be read"
        assert _says_it_is_not_ready(service)
        time.sleep(max(0, 1 - (time.monotonic() - began)))
    return f"read meanwhile; a card was taken {load.more(1):.1f} s after it took something again"


def _wait_for_not_now(load: Load, *, seconds: float = SECONDS_TO_END) -> None:
    """Wait until phones get "not now", and make sure that they get nothing else."""
    before, until = load.refused().get("503", 0), time.monotonic() + seconds
    while load.refused().get("503", 0) < before + len(load.writers):
        assert time.monotonic() < until, f"nobody is told so: {load.refused()}"
        assert not set(load.refused()) - {"none", "503"}, f"something else is told: {load.refused()}"
        time.sleep(0.02)


@contextlib.contextmanager
def files_up_to(server: Server, size: int) -> Iterator[None]:
    """Limit the size of the workers' files: a full disk for those who may not mount one."""
    for pid in server.workers:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        for pid in server.workers:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@contextlib.contextmanager
def _read_only(service: Service) -> Iterator[None]:
    assert service.postgres
    with service.postgres.connect() as connection:
        connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        connection.execute("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            connection.execute("ALTER SYSTEM RESET default_transaction_read_only")
            connection.execute("SELECT pg_reload_conf()")


@contextlib.contextmanager
def small_volume(megabytes: int) -> Iterator[Path]:
    """Mount its own volume, which requires root."""
    if os.geteuid() != 0:
        raise PermissionError("only root may mount a small volume")
    folder = Path(subprocess.run(["mktemp", "-d"], capture_output=True, text=True, check=True).stdout.strip())
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
        folder.rmdir()


# -- images of the disk, as a power cut leaves them ------------------------------------------------


def log_torn(service: Service, load: Load, *, images: int = 24, verified: int = 6) -> str:
    """Copy SQLite's file and log during writes and tear the log anywhere: a consistent prefix remains."""
    chance, folder = random.Random(service.port), service.var / "images"
    folder.mkdir()
    file, log, taken = _still_image(service, load)
    lengths = [len(log), 0, *(chance.randrange(len(log)) for _ in range(images - 2))]
    kept = []
    for number, length in enumerate(lengths):
        torn = bytearray(log[:length])
        if number % 2 and length > 4096:  # sectors written with something else, or not at all
            place = chance.randrange(max(0, length - 8192), length - 512)
            torn[place : place + 512] = chance.randbytes(512)
        image = folder / str(number)
        image.mkdir()
        (image / "db.sqlite3").write_bytes(file)
        (image / "db.sqlite3-wal").write_bytes(torn)
        kept.append(_look_into(image / "db.sqlite3", {} if number else taken))
        if number < verified and kept[-1]:
            verify(image, "")
    shutil.rmtree(folder)
    return f"{images} images of {len(log):,} bytes of log hold {min(kept)} to {max(kept)} remarks, from the first on"


def _still_image(service: Service, load: Load) -> tuple[bytes, bytes, dict[str, dict[int, str]]]:
    """Return file and log at one moment, and what was acknowledged by then, by table code."""
    pids = service.server.workers
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(0.1)
        taken: dict[str, dict[int, str]] = {}
        for writer in load.writers:
            taken.setdefault(writer.table.code, {}).update(writer.taken)
        return *(service.var.joinpath(name).read_bytes() for name in ("db.sqlite3", "db.sqlite3-wal")), taken  # type: ignore[return-value]  # two of them
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def _look_into(path: Path, taken: dict[str, dict[int, str]]) -> int:
    """Check an image; return how many remarks it contains."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'scoring_tableevent'").fetchone():
            return 0
        rows = database.execute("SELECT id, code, version FROM scoring_table").fetchall()
        count = 0
        for table, code, version in rows:
            asked = "SELECT seq, event FROM scoring_tableevent WHERE table_id = ? ORDER BY seq"
            log = database.execute(asked, [table]).fetchall()
            assert [seq for seq, _ in log] == [*range(1, version + 1)]
            for seq, text in taken.get(code, {}).items():
                assert f'"{text}"' in log[seq - 1][1], "something that was acknowledged is not there"
            count += len(log)
        assert {code for _, code, _ in rows} >= set(taken)
    return count


Act = Callable[[Service, Load], str]
