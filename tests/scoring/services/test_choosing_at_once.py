"""Three phones choose at the same moment, through two servers on one database."""

import threading
from typing import Any

import pytest

pytestmark = pytest.mark.slow
NEW = {"game": "ransom-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
CARDS = ["2MK", "XM", "9WY"]
TABLES = 8


def at_once(*acts):
    """Run functions at the same moment."""
    gate = threading.Barrier(len(acts))
    threads = [threading.Thread(target=lambda act=act: (gate.wait(), act())) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_three_simultaneous_choices_are_all_recorded(pair):
    for _ in range(TABLES):
        _, table = pair[0].post("tables/", NEW)
        path = f"tables/{table['code']}/"
        answers: list[tuple[int, dict[str, Any]]] = []
        tokens = [
            pair[0].post(f"{path}links/", {"role": "player", "seat": seat}, table["token"])[1]["token"]
            for seat in range(3)
        ]

        def choose(seat, path=path, tokens=tokens, answers=answers):
            event = {"type": "ransom", "seat": seat, "cards": [CARDS[seat]]}
            answers.append(pair[seat % 2].post(f"{path}events/", event, tokens[seat]))

        at_once(*(lambda seat=seat: choose(seat) for seat in range(3)))
        assert [status for status, _ in answers] == [201] * 3
        assert sorted(len(answer.get("rulings", ())) for _, answer in answers) == [0, 0, 3]
        assert sorted(len(answer["sealed"]) for _, answer in answers) == [0, 1, 2]
        version = max(answer["version"] for _, answer in answers)
        assert version == 5


def test_two_scorekeepers_cannot_both_leave(pair):
    """Each revokes the other's link at the same moment; one remains."""
    for _ in range(TABLES):
        _, table = pair[0].post("tables/", NEW)
        path = f"tables/{table['code']}/links/"
        _, other = pair[0].post(path, {"role": "scorekeeper"}, table["token"])
        own = other["id"] - 1
        statuses: list[int] = []

        def revoke(server, number, token, path=path, statuses=statuses):
            statuses.append(server.delete(f"{path}{number}/", token))

        at_once(
            lambda t=table, o=other: revoke(pair[0], o["id"], t["token"]),
            lambda o=other, n=own: revoke(pair[1], n, o["token"]),
        )
        assert 204 in statuses
        assert set(statuses) <= {204, 401, 404, 409}
        assert statuses.count(204) == 1
