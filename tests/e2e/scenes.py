"""Every page in every state that people meet, as an address on a server that holds the tables it needs."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

from referee.engine.records import dump_record, load_record
from tests.e2e.thumb import TABLES, whole_hand

Data = dict[str, Any]
PLAYERS = dict(reversed(TABLES))
"""Every game, and how many play it."""
REVOKE = (
    {"type": "play", "seat": 1, "cards": ["8MS"]},
    {"type": "play", "seat": 2, "cards": ["AW"]},
    {"type": "play", "seat": 0, "cards": ["XM"]},
    {"type": "play", "seat": 2, "cards": ["9MS"], "accepted": True},
)
"""Cy discards the Ace of Waves on Moons and Suns, then leads, out of turn, a card of both."""


def scenes(server: str) -> Iterator[tuple[str, str]]:
    """Yield a name and an address for each; tables are opened as they come, the address lets the device keep them."""
    yield from PLAIN
    for game, players in PLAYERS.items():
        told = whole_hand(game, players, house_rules=False)
        for name, events in _moments(told):
            yield f"table-{game}-{name}", _opened(server, told, events)
    whole = whole_hand("ace-trump", 4, house_rules=False)
    over = _opened(server, whole, whole["hands"][0]["events"])
    proved = _opened(server, _table("ace-trump", 3), list(REVOKE))
    yield "finding", proved
    yield "table-over", over
    for name, tail in ON_A_TABLE.items():
        yield name, _tail(proved if "correct" in name else over, tail)
    running = {
        "game": "ace-trump",
        "seats": ["Ann", "Bob", "Cy"],
        "first_dealer": 0,
        "end": {"kind": "score", "value": 40},
    }
    results = [[{"type": "result", "tricks": tricks}] for tricks in ([5, 4, 3], [2, 9, 1], [6, 2, 4])]
    yield "curve", imported(server, running | {"hands": [{"events": events} for events in results]})
    two_decks = _table("american-deuce", 5)
    yield "table-american-deuce-two-decks", _opened(server, two_decks, [*_suits(two_decks)])
    every_card = _table("ace-trump", 3, pawns=True, courts=True, excuse=True)
    yield "table-ace-trump-every-card", _opened(server, every_card, [])
    hidden = _opened(server, _table("ace-pit", 2, totals="hidden"), [{"type": "result", "points": [70, 70]}])
    yield "table-points-hidden", hidden
    yield "points", _tail(hidden, "points/")
    yield from _of_a_group(server)
    yield "home-with-tables", "/"


PLAIN = (
    ("home", "/"),
    ("choose-game", "/new/"),
    ("import", "/import/"),
    ("new-group", "/g/new/"),
    *((f"new-{game}", f"/new/{game}/") for game in PLAYERS),
    *((f"rulebook-{game}", f"/games/{game}/") for game in PLAYERS),
    ("teach-ace-trump", "/games/ace-trump/teach/?step-3=9WY&step-4=2"),
    ("teach-american-deuce", "/games/american-deuce/teach/?step-4=yes"),
    ("clause", "/games/wildcat-chicane/WC-11/"),
    ("join", "/t/AAAA2222/join/"),
    ("ask", "/ask/"),
    ("question-trick", "/ask/ace-trump/trick/?cards=8MS&cards=XS"),
    ("question-legal", "/ask/ace-trump/legal/?led_card=8MS&hand=3MW,9WY,AK&rule-ties=early"),
    ("question-beats", "/ask/american-deuce/beats/?on=3S,3D&play=4S,4H"),
    ("question-score", "/ask/american-deuce/score/"),
    ("question-response", "/ask/ace-pit/response/?laid=9S&response=9H&response=10S"),
    ("question-ransom", "/ask/ransom-trump/ransom/?cards=8MS&cards=9WY&cards=XM"),
    ("question-suit", "/ask/wildcat-chicane/suit/?ruling_card=XM&card=8MS"),
    ("question-refused", "/ask/ace-trump/trick/?cards=8MK"),
    ("not-found", "/t/ZZZZZZZZ/"),
    ("find", "/find/?code=nothing"),
    ("offline", "/offline/"),
)
ON_A_TABLE = {
    "share": "share/",
    "log": "log/",
    "replay": "hands/1/?trick=3",
    "what-if": "what-if/?ties=early",
    "screen": "screen/",
    "continue": "continue/",
    "table-settings": "settings/",
    "amend": "amend/",
    "amend-entry": "amend/3/",
}


def _table(game: str, players: int, **options: object) -> Data:
    names = ["Ann", "Bob", "Cy", "Dot", "Eve", "Flo"][:players]
    return dump_record(load_record({"game": game, "seats": names, "first_dealer": 0, "options": options}))


def _suits(told: Data) -> Iterator[Data]:
    for seat, suit in ((0, "S"), (1, "H"), (2, "C")):
        yield {"type": "suit", "seat": seat, "suit": suit}


def _moments(told: Data) -> Iterator[tuple[str, list[Data]]]:
    """Yield a hand before the first event of each kind, half played, and over."""
    events = told["hands"][0]["events"]
    types = [event["type"] for event in events]
    for step in dict.fromkeys(types):
        yield step, events[: types.index(step)]
    yield "half", events[: len(events) // 2]
    yield "over", events


def _tail(address: str, tail: str) -> str:
    path, query = address.split("?")
    return f"{path}{tail}{'&' if '?' in tail else '?'}{query}"


def _of_a_group(server: str) -> Iterator[tuple[str, str]]:
    """Yield the pages of a group with a running table and two names that sound alike."""
    group = _posted(f"{server}/api/v1/groups/", {"name": "Thursday", "people": ["Ann", "Bob", "Dominique", "Domnique"]})
    table = {"game": "ace-trump", "seats": ["Ann", "Bob", "Dominique"], "first_dealer": 0}
    _posted(f"{server}/api/v1/tables/", table, group["token"])
    address = f"/g/{group['code']}/"
    yield "group", f"{address}#{group['token']}"
    yield "people", f"{address}people/"
    yield "group-links", f"{address}links/"
    over = _posted(f"{server}/api/v1/tables/", table, group["token"])
    events = [{"type": "result", "tricks": [6, 4, 2]}, {"type": "end"}]
    _posted(f"{server}/api/v1/tables/{over['code']}/events/", {"events": events}, over["token"])
    evening = _got(f"{server}/api/v1/groups/{group['code']}/evenings/", group["token"])["evenings"][0]["date"]
    yield "group-history", f"{address}history/"
    yield "group-evening", f"{address}evenings/{evening}/"
    yield "group-statistics", f"{address}statistics/"
    yield "group-settings", f"{address}settings/"
    yield "new-table-group", f"/new/ace-trump/?group={group['code']}"


def _opened(server: str, told: Data, events: list[Data]) -> str:
    return imported(server, told | {"hands": [{"events": events}]})


def imported(server: str, record: Data) -> str:
    """Open a recorded game to the server, and return the address with which a device may go on with it."""
    opened = _posted(f"{server}/api/v1/tables/import/", record)
    return f"/t/{opened['code']}/?token={opened['token']}"


def _got(url: str, token: str) -> Data:
    with urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})) as answered:
        read: Data = json.load(answered)
    return read


def _posted(url: str, body: Data, token: str = "") -> Data:
    right = {"Authorization": f"Bearer {token}"} if token else {}
    asked = urllib.request.Request(
        url, data=json.dumps(body).encode(), headers={"Content-Type": "application/json", **right}
    )
    with urllib.request.urlopen(asked) as answered:
        read: Data = json.load(answered)
    return read


Scenes = Callable[[str], Iterator[tuple[str, str]]]
