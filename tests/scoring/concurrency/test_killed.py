"""The server is killed in the middle of a thousand writes; everything it acknowledged is there."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

from tests.scoring.concurrency.phones import Phone, log_of

WRITES = 1000
PHONES = 8
BATCH = [{"type": "redeal"}, {"type": "result", "tricks": [4, 4, 4]}, {"type": "note", "text": "whole"}]


def test_acknowledged_writes_are_complete_after_a_crash(house):
    with house.open(processes=1) as (server,):
        table = Phone(server.port).open_table()
        phones = [Phone(server.port) for _ in range(PHONES)]
        killed = Event()

        def write(number):
            """Write remarks, with whole batches in between, until the server no longer answers."""
            phone, batches = phones[number], 0
            for remark in range(WRITES // PHONES):
                try:
                    if remark % 10 == 9:
                        path = f"tables/{table.code}/events/"
                        batches += phone.send(path, {"events": BATCH}, table.token)[0] == 201
                    else:
                        phone.note(table, f"{number}.{remark}")
                except OSError:
                    assert killed.wait(60)
                    return batches
            return batches

        with ThreadPoolExecutor(PHONES) as pool:
            writing = [pool.submit(write, number) for number in range(PHONES)]
            while sum(len(phone.taken) for phone in phones) < WRITES // 4:
                sleep(0.005)
            killed.set()
            os.killpg(server.process.pid, signal.SIGKILL)
            server.process.wait()
            batches = sum(each.result() for each in writing)
    told = {version: text for phone in phones for version, text in phone.taken.items()}
    assert WRITES // 4 <= len(told) < WRITES
    assert house.verify() == "Tables checked: 1. With differences: 0.\n"
    with house.open(processes=1) as (server,):
        log = log_of(server.port, table)
        assert [entry["seq"] for entry in log] == [*range(1, len(log) + 1)]
        texts = {entry["seq"]: entry["event"].get("text") for entry in log}
        assert {version: texts.get(version) for version in told} == told
        kinds = [(entry["event"]["type"], entry["event"].get("text")) for entry in log]
        wholes = [place for place, kind in enumerate(kinds) if kind == ("redeal", None)]
        assert all(kinds[p : p + 3] == [("redeal", None), ("result", None), ("note", "whole")] for p in wholes)
        assert len(wholes) == kinds.count(("note", "whole")) >= batches
        # It continues where it was: at most one unacknowledged write per phone was recorded.
        assert len(log) <= len(told) + 3 * batches + 3 * PHONES
        assert Phone(server.port).note(table, "on we go")[1] == len(log) + 1
