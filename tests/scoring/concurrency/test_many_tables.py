"""Two hundred tables at once, each with its own phone."""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

from tests.scoring.concurrency.phones import Phone, log_of

TABLES = 200
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
            tables = list(pool.map(evening, range(TABLES), cycle(servers)))
        for number, table in list(enumerate(tables))[::10]:
            events = [entry["event"] for entry in log_of(servers[-1].port, table)]
            assert events == [*HAND, {"type": "note", "text": f"table {number}"}]
    assert house.verify() == f"Tables checked: {TABLES}. With differences: 0.\n"
