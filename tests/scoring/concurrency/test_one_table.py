"""Thirty-two phones at one table: nothing is lost, doubled or out of order, and no turn is taken twice."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from threading import Barrier

from tests.scoring.concurrency.phones import Phone, log_of
from tests.scoring.conftest import ACE_TRUMP

PHONES = 32
REMARKS = 3


def test_events_are_never_lost_doubled_or_out_of_order(house):
    with house.open() as servers:
        phones = [Phone(server.port) for _, server in zip(range(PHONES), cycle(servers), strict=False)]
        table = phones[0].open_table()
        together = Barrier(PHONES)

        def write(number, phone):
            together.wait()
            seen = 0
            for remark in range(REMARKS):
                seen = phone.insist(table, f"{number}.{remark}", seen=seen, twice=number % 4 == 0)

        with ThreadPoolExecutor(PHONES) as pool:
            list(pool.map(write, range(PHONES), phones))
        log = log_of(servers[0].port, table)
    told = {version: text for phone in phones for version, text in phone.taken.items()}
    assert {entry["seq"]: entry["event"]["text"] for entry in log} == told
    assert [entry["seq"] for entry in log] == [*range(1, PHONES * REMARKS + 1)]
    for number in range(PHONES):
        own = [text for _, text in sorted(told.items()) if text.startswith(f"{number}.")]
        assert own == [f"{number}.{remark}" for remark in range(REMARKS)]
    assert house.verify() == "Tables checked: 1. With differences: 0.\n"


def test_concurrent_taps_record_one_card(house):
    turns = 12
    with house.open() as servers:
        phones = [Phone(server.port) for _, server in zip(range(4), cycle(servers), strict=False)]
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
        log = log_of(servers[0].port, table)
    for turn in range(turns):
        assert Counter(answers[turn][0] for answers in every) == {201: 1, 412: len(phones) - 1}
        assert all(answers[turn][1]["version"] == turn + 1 for answers in every)
    assert len(log) == turns


def test_a_request_sent_concurrently_is_carried_out_once(house):
    key = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c99"
    with house.open() as servers:
        phones = [Phone(server.port) for _, server in zip(range(8), cycle(servers), strict=False)]
        with ThreadPoolExecutor(len(phones)) as pool:
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
    with house.open() as servers:
        phones = [Phone(server.port) for _, server in zip(range(8), cycle(servers), strict=False)]
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
