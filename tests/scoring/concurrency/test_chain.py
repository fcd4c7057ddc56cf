"""A game continued over three tables, corrected and played at all of them at once, without deadlocks."""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

from tests.scoring.concurrency.phones import Phone
from tests.scoring.live.driving import TableLink

ROUNDS = 12


def test_corrections_along_a_chain_do_not_deadlock(house):
    """Several phones keep correcting the tables; the totals follow from the last correction."""
    with house.open() as servers:
        phones = [Phone(server.port) for _, server in zip(range(6), cycle(servers), strict=False)]
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
