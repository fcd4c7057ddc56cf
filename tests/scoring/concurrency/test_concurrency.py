"""Many phones at once: nothing is lost, doubled or out of order, whatever the tables, and after a crash."""

import os
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from threading import Barrier, Event
from time import sleep

from tests.scoring.concurrency.phones import ACE_TRUMP, Phone, log_of
from tests.scoring.live.driving import TableLink

# --- Thirty-two phones at one table

PHONES = 32
REMARKS = 3


def test_events_are_never_lost_doubled_or_out_of_order(house):
    with house.phones(PHONES) as phones:
        table = phones[0].open_table()
        together = Barrier(PHONES)

        def write(number, phone):
            together.wait()
            seen = 0
            for remark in range(REMARKS):
                seen = phone.insist(table, f"{number}.{remark}", seen=seen, twice=number % 4 == 0)

        with ThreadPoolExecutor(PHONES) as pool:
            list(pool.map(write, range(PHONES), phones))
        log = log_of(phones[0].port, table)
    told = {version: text for phone in phones for version, text in phone.taken.items()}
    assert {entry["seq"]: entry["event"]["text"] for entry in log} == told
    assert [entry["seq"] for entry in log] == [*range(1, PHONES * REMARKS + 1)]
    for number in range(PHONES):
        own = [text for _, text in sorted(told.items()) if text.startswith(f"{number}.")]
        assert own == [f"{number}.{remark}" for remark in range(REMARKS)]
    assert house.verify() == "Tables checked: 1. With differences: 0.\n"


def test_concurrent_taps_record_one_card(house):
    turns = 12
    with house.phones(4) as phones:
        table = phones[0].open_table()
        path = f"tables/{table.code}/events/"
        together = Barrier(len(phones))

        def tap(number):
            answers = []
            for turn in range(turns):
                together.wait()
                event = {"type": "note", "text": f"{number}.{turn}"}
                answers.append(phones[number].send(path, event, table.token, seen=turn))
                together.wait()
            return answers

        with ThreadPoolExecutor(len(phones)) as pool:
            every = list(pool.map(tap, range(len(phones))))
        log = log_of(phones[0].port, table)
    for turn in range(turns):
        assert Counter(answers[turn][0] for answers in every) == {201: 1, 412: len(phones) - 1}
        assert all(answers[turn][1]["version"] == turn + 1 for answers in every)
    assert len(log) == turns


def test_a_request_sent_concurrently_is_carried_out_once(house):
    key = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c99"
    with house.phones(8) as phones, ThreadPoolExecutor(len(phones)) as pool:
        opened = list(pool.map(lambda phone: phone.send("tables/", ACE_TRUMP, key=key), phones))
        assert {status for status, _ in opened} == {201}
        assert len({(table["code"], table["token"]) for _, table in opened}) == 1
        table = opened[0][1]
        play = {"type": "play", "seat": 0, "cards": ["8MS"]}
        path = f"tables/{table['code']}/events/"
        played = list(pool.map(lambda phone: phone.send(path, play, table["token"], key=key), phones))
    assert [status for status, _ in played] == [201] * len(phones)
    assert {answer["version"] for _, answer in played} == {1}
    assert all(answer == played[0][1] for _, answer in played)


def test_concurrent_first_acts_with_a_group_token_share_one_link(house):
    with house.phones(8) as phones:
        _, group = phones[0].send("groups/", {"name": "Us"})
        _, table = phones[0].send("tables/", ACE_TRUMP, group["token"])
        path = f"tables/{table['code']}/events/"
        note = {"type": "note", "text": "Hm."}
        with ThreadPoolExecutor(len(phones)) as pool:
            noted = list(pool.map(lambda phone: phone.send(path, note, group["token"]), phones))
        player = {"role": "player", "seat": 0}
        made = [phones[0].send(f"tables/{table['code']}/links/", player, group["token"])[1]["id"] for _ in range(2)]
    assert [status for status, _ in noted] == [201] * len(phones)
    assert made == [3, 4], "Beside the link that opened the table the token has one."


# --- Two hundred tables at once, each with its own phone

MANY_TABLES = 200
AT_ONCE = 40
HAND = [{"type": "play", "seat": 0, "cards": ["8MS"]}, {"type": "redeal"}, {"type": "result", "tricks": [4, 4, 4]}]


def test_every_table_has_only_its_own_events(house):
    with house.open() as servers:

        def evening(number, server):
            phone = Phone(server.port)
            table = phone.open_table()
            path = f"tables/{table.code}/events/"
            for version, event in enumerate(HAND):
                status, told = phone.send(path, event, table.token, seen=version)
                assert (status, told["version"]) == (201, version + 1), told
            assert phone.note(table, f"table {number}")[0] == 201
            phone.hang_up()
            return table

        with ThreadPoolExecutor(AT_ONCE) as pool:
            tables = list(pool.map(evening, range(MANY_TABLES), cycle(servers)))
        for number, table in list(enumerate(tables))[::10]:
            events = [entry["event"] for entry in log_of(servers[-1].port, table)]
            assert events == [*HAND, {"type": "note", "text": f"table {number}"}]
    assert house.verify() == f"Tables checked: {MANY_TABLES}. With differences: 0.\n"


# --- A game continued over three tables, corrected and played at all of them at once

ROUNDS = 12


def test_corrections_along_a_chain_do_not_deadlock(house):
    """Several phones keep correcting the tables; the totals follow from the last correction."""
    with house.phones(6) as phones:
        tables = [phones[0].open_table()]
        for _ in range(2):
            assert phones[0].send(f"tables/{tables[-1].code}/events/", result(4, 4, 4), tables[-1].token)[0] == 201
            went_on = {"seats": ["Ann", "Bob", "Cy"]}
            status, told = phones[0].send(f"tables/{tables[-1].code}/continue/", went_on, tables[-1].token)
            assert status == 201, told
            tables.append(TableLink(told["code"], told["token"]))
        assert phones[0].send(f"tables/{tables[2].code}/events/", result(4, 4, 4), tables[2].token)[0] == 201

        def correct(number):
            table = tables[number % 3]
            answers = []
            for points in range(1, ROUNDS + 1):
                event = {"type": "penalty", "seat": number % 3, "points": 1, "reason": f"{number}.{points}"}
                answers.append(phones[number].send(f"tables/{table.code}/events/", event, table.token)[0])
            return answers

        with ThreadPoolExecutor(len(phones)) as pool:
            answers = [answer for some in pool.map(correct, range(len(phones))) for answer in some]
        _status, told = phones[0].send(
            f"tables/{tables[2].code}/events/", {"type": "note", "text": "."}, tables[2].token
        )
    assert set(answers) == {201}
    assert told["state"]["totals"] == [12 + 2 * ROUNDS] * 3
    assert house.verify() == "Tables checked: 3. With differences: 0.\n"


def result(*tricks):
    return {"type": "result", "tricks": [*tricks]}


# --- The server is killed in the middle of a thousand writes

WRITES = 1000
WRITERS = 8
BATCH = [{"type": "redeal"}, {"type": "result", "tricks": [4, 4, 4]}, {"type": "note", "text": "whole"}]


def test_acknowledged_writes_are_complete_after_a_crash(house):
    with house.open(processes=1) as (server,):
        table = Phone(server.port).open_table()
        phones = [Phone(server.port) for _ in range(WRITERS)]
        killed = Event()

        def write(number):
            """Write remarks, with whole batches in between, until the server no longer answers."""
            phone, batches = phones[number], 0
            for remark in range(WRITES // WRITERS):
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

        with ThreadPoolExecutor(WRITERS) as pool:
            writing = [pool.submit(write, number) for number in range(WRITERS)]
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
        assert len(log) <= len(told) + 3 * batches + 3 * WRITERS
        assert Phone(server.port).note(table, "on we go")[1] == len(log) + 1


# --- Secret choices and revoked links at the same moment, through two servers

NEW = {"game": "ransom-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
CARDS = ["2MK", "XM", "9WY"]
TABLES = 8


def at_once(*acts):
    """Call functions at the same moment; return their results."""
    gate = Barrier(len(acts))

    def begin(act):
        gate.wait()
        return act()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(begin, acts))


def test_three_simultaneous_choices_are_all_recorded(pair):
    for _ in range(TABLES):
        _, table = pair[0].post("tables/", NEW)
        path = f"tables/{table['code']}/"
        choices = []
        for seat, card in enumerate(CARDS):
            _, link = pair[0].post(f"{path}links/", {"role": "player", "seat": seat}, table["token"])
            event = {"type": "ransom", "seat": seat, "cards": [card]}
            choices.append(partial(pair[seat % 2].post, f"{path}events/", event, link["token"]))
        answers = at_once(*choices)
        assert [status for status, _ in answers] == [201] * 3
        assert sorted(len(answer.get("rulings", ())) for _, answer in answers) == [0, 0, 3]
        assert sorted(len(answer["sealed"]) for _, answer in answers) == [0, 1, 2]
        assert max(answer["version"] for _, answer in answers) == 5


def test_two_scorekeepers_cannot_both_leave(pair):
    """Each revokes the other's link at the same moment; one remains."""
    for _ in range(TABLES):
        _, table = pair[0].post("tables/", NEW)
        path = f"tables/{table['code']}/links/"
        _, other = pair[0].post(path, {"role": "scorekeeper"}, table["token"])
        statuses = at_once(
            partial(pair[0].delete, f"{path}{other['id']}/", table["token"]),
            partial(pair[1].delete, f"{path}{other['id'] - 1}/", other["token"]),
        )
        assert set(statuses) <= {204, 401, 404, 409}
        assert statuses.count(204) == 1
