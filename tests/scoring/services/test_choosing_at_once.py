"""Three phones choose at the same moment, through two servers on one database."""

import threading
from typing import Any

import pytest

from tests.scoring.live.driving import serving

NEW = {"game": "ransom-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
CARDS = ["2MK", "XM", "9WY"]
TABLES = 8


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def servers(request, tmp_path_factory):
    var = tmp_path_factory.mktemp(request.param)
    database = ""
    if request.param == "postgresql":
        postgres = request.getfixturevalue("postgres")
        database = postgres.url(postgres.create_database())
    with serving(var, database) as first, serving(var, database) as second:
        yield first, second


def at_once(*acts):
    """Do things at the same moment."""
    gate = threading.Barrier(len(acts))
    threads = [threading.Thread(target=lambda act=act: (gate.wait(), act())) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_it_works(servers):
    for _ in range(TABLES):
        _, table = servers[0].post("tables/", NEW)
        path = f"tables/{table['code']}/"
        answers: list[tuple[int, dict[str, Any]]] = []
        tokens = [
            servers[0].post(f"{path}links/", {"role": "player", "seat": seat}, table["token"])[1]["token"]
            for seat in range(3)
        ]

        def choose(seat, path=path, tokens=tokens, answers=answers):
            event = {"type": "ransom", "seat": seat, "cards": [CARDS[seat]]}
            answers.append(servers[seat % 2].post(f"{path}events/", event, tokens[seat]))

        at_once(*(lambda seat=seat: choose(seat) for seat in range(3)))
        assert [status for status, _ in answers] == [201] * 3
        assert sorted(len(answer.get("rulings", ())) for _, answer in answers) == [0, 0, 3]
        assert sorted(len(answer["sealed"]) for _, answer in answers) == [0, 1, 2]
        version = max(answer["version"] for _, answer in answers)
        assert version == 5


def test_two_scorekeepers_cannot_both_leave(servers):
    """Each revokes the other's link at the same moment: one of them stays."""
    for _ in range(TABLES):
        _, table = servers[0].post("tables/", NEW)
        path = f"tables/{table['code']}/links/"
        _, other = servers[0].post(path, {"role": "scorekeeper"}, table["token"])
        own = other["id"] - 1
        statuses: list[int] = []

        def revoke(server, number, token, path=path, statuses=statuses):
            statuses.append(server.delete(f"{path}{number}/", token))

        at_once(
            lambda t=table, o=other: revoke(servers[0], o["id"], t["token"]),
            lambda o=other, n=own: revoke(servers[1], n, o["token"]),
        )
        assert 204 in statuses
        assert set(statuses) <= {204, 401, 404, 409}
        assert statuses.count(204) == 1
