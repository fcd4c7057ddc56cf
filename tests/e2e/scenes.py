"""Every page in every state people meet, as an address on a server that holds the necessary tables."""

import json
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

from referee.engine.records import dump_record, load_record
from tests.e2e.thumb import TABLES, whole_hand

Data = dict[str, Any]
PLAYERS = dict(reversed(TABLES))
"""Every game, and its number of players here."""
ENDS = {"wildcat-chicane": {"kind": "score", "value": 40}, "ace-pit": {"kind": "score", "value": 500}}
REVOKE = (
    {"type": "play", "seat": 1, "cards": ["8MS"]},
    {"type": "play", "seat": 2, "cards": ["AW"]},
    {"type": "play", "seat": 0, "cards": ["XM"]},
    {"type": "play", "seat": 2, "cards": ["9MS"], "accepted": True},
)
"""The third seat discards the Ace of Waves on Moons and Suns, then leads, out of turn, a card of both."""
LONG = (
    "Annemariekatharinawilhelminevon", "Bartholomäusmaximilianferdinand", "Clementinehenriettewilhelmine",
    "Domnikusalexanderfriedrichkarl", "Eleonoremagdalenaphilippinevon", "Friederikecharlottealexandrine",
    "Gottholdephraimleberechtjohann", "Hildegardkunigundeapolloniavon",
)  # fmt: skip
"""Names of thirty letters without a line break opportunity, which must fit a phone, too."""


def scenes(server: str) -> Iterator[tuple[str, str]]:
    """Yield a name and an address for each scene; tables are opened on the way, and the address grants their link."""
    yield from PLAIN
    for game, players in PLAYERS.items():
        told = whole_hand(game, players, house_rules=False)
        for name, events in _moments(told):
            yield f"table-{game}-{name}", opened(server, told, events)
        # The same hand in a game that continues after it.
        goes_on = told | {"end": ENDS.get(game, {"kind": "open"})}
        yield f"hand-{game}", opened(server, goes_on, told["hands"][0]["events"])
    whole = whole_hand("ace-trump", 4, house_rules=False) | {"seats": list(LONG[:4])}
    over = opened(server, whole, whole["hands"][0]["events"])
    proved = opened(server, _table("ace-trump", 3), list(REVOKE))
    yield "finding", proved
    yield "table-over", over
    called = opened(server, _table("ace-trump", 3), [*REVOKE, CALLED])
    yield "called", called
    yield "disputes", _tail(called, "disputes/?hand=1&about=trick-1")
    yield "dispute", _tail(called, "disputes/1/")
    for name, tail in ON_A_TABLE.items():
        yield name, _tail(proved if "correct" in name else over, tail)
    running = {"game": "ace-trump", "seats": list(LONG[:3]), "first_dealer": 0, "end": {"kind": "score", "value": 40}}
    results = [[{"type": "result", "tricks": tricks}] for tricks in ([5, 4, 3], [2, 9, 1], [6, 2, 4])]
    yield "curve", imported(server, running | {"hands": [{"events": events} for events in results]})
    two_decks = _table("american-deuce", 5)
    yield "table-american-deuce-two-decks", opened(server, two_decks, [*_suits(two_decks)])
    every_card = _table("ace-trump", 3, pawns=True, courts=True, excuse=True)
    yield "table-ace-trump-every-card", opened(server, every_card, [])
    agreed = {"type": "rules", "options": {"ties": "early", "pawns": True}}
    between = opened(server, _table("ace-trump", 3), [{"type": "result", "tricks": [5, 4, 3]}, agreed])
    yield "table-new-rules", between
    yield "table-rules", _tail(between, "rules/")
    hidden = opened(server, _table("ace-pit", 2, totals="hidden"), [{"type": "result", "points": [70, 70]}])
    yield "table-points-hidden", hidden
    yield "points", _tail(hidden, "points/")
    yield from _of_a_group(server)
    yield "home-with-tables", "/"


PLAIN = (
    ("home", "/"),
    ("choose-game", "/new/"),
    ("import", "/import/"),
    ("new-group", "/g/new/"),
    ("import-group", "/g/import/"),
    ("device", "/device/"),
    ("reading", "/read/1/"),
    ("privacy-page", "/privacy/"),
    ("rulings", "/rulings/?game=ace-trump"),
    ("take-device", "/device/take/"),
    ("recover-group", "/g/recover/"),
    *((f"new-{game}", f"/new/{game}/") for game in PLAYERS),
    *((f"rulebook-{game}", f"/games/{game}/") for game in PLAYERS),
    ("teach-ace-trump", "/games/ace-trump/teach/?step-3=9WY&step-4=2&tap=play:XM"),
    ("teach-ace-pit", "/games/ace-pit/teach/?tap=play:&with=7S&with=AS"),
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
CALLED = {
    "type": "note",
    "text": "You had a Moon!",
    "seat": 0,
    "x_dispute": {"id": 1, "about": {"hand": 0, "event": 1}, "pause": True, "by": "player"},
}
"""The first seat calls the referee, and the hand waits."""
ON_A_TABLE = {
    "share": "share/",
    "who-here": "who/",
    "log": "log/",
    "replay": "hands/1/?trick=3",
    "what-if": "what-if/?ties=early",
    "guide": "guide/",
    "guide-question": "guide/?situation=wrong-number&who=1&first-card=yes",
    "guide-ruling": "guide/?situation=looked-at-card&who=1&first-card=yes",
    "guide-disproved": "guide/?situation=revoke&who=1",
    "screen": "screen/",
    "printed": "print/",
    "continue": "continue/",
    "table-settings": "settings/",
    "amend": "amend/",
    "amend-entry": "amend/3/",
}


def _table(game: str, players: int, **options: object) -> Data:
    seats = list(LONG[:players])
    return dump_record(load_record({"game": game, "seats": seats, "first_dealer": 0, "options": options}))


def _suits(told: Data) -> Iterator[Data]:
    for seat, suit in ((0, "S"), (1, "H"), (2, "C")):
        yield {"type": "suit", "seat": seat, "suit": suit}


def _moments(told: Data) -> Iterator[tuple[str, list[Data]]]:
    """Yield a hand before the first event of each kind, half played, and finished."""
    events = told["hands"][0]["events"]
    types = [event["type"] for event in events]
    for step in dict.fromkeys(types):
        yield step, events[: types.index(step)]
    yield "half", events[: len(events) // 2]
    yield "over", events


def _tail(address: str, tail: str) -> str:
    """Return a page of a table the device has opened before."""
    return address.partition("join/")[0] + tail


def _of_a_group(server: str) -> Iterator[tuple[str, str]]:
    """Yield a group's pages with long names, two similar ones, a running table and two finished ones."""
    people = [*LONG, LONG[3].replace("Domnikus", "Dominikus")]
    group = _posted(f"{server}/api/v1/groups/", {"name": "Thursday", "people": people})
    table = {"game": "ace-trump", "seats": list(LONG[:3]), "first_dealer": 0}
    runs = _posted(f"{server}/api/v1/tables/", table, group["token"])
    here = f"{server}/api/v1/tables/{runs['code']}/"
    _posted(f"{here}events/", {"events": list(REVOKE)}, runs["token"])
    _posted(f"{here}disputes/", {"claim": CALLED["text"], "about": {"hand": 1, "event": 1}}, runs["token"])
    ruling = {"act": "rule", "status": "upheld", "text": "That was a revoke.", "clauses": ["AT-5"]}
    _posted(f"{here}disputes/1/acts/", ruling, runs["token"])
    address = f"/g/{group['code']}/"
    yield "who", f"{address}#{group['token']}"
    yield "group", address
    yield "group-more", f"{address}more/"
    yield "people", f"{address}people/"
    yield "somebody", f"{address}people/{group['people'][0]['id']}/"
    yield "group-links", f"{address}links/"
    for seats, tricks in ((LONG[:3], [6, 4, 2]), (LONG[3:], [3, 2, 1, 1, 0])):
        over = _posted(f"{server}/api/v1/tables/", table | {"seats": list(seats)}, group["token"])
        events = [{"type": "result", "tricks": tricks}, {"type": "end"}]
        _posted(f"{server}/api/v1/tables/{over['code']}/events/", {"events": events}, over["token"])
    evening = _got(f"{server}/api/v1/groups/{group['code']}/evenings/", group["token"])["evenings"][0]["date"]
    yield "group-history", f"{address}history/"
    autumn = _posted(
        f"{server}/api/v1/groups/{group['code']}/seasons/", {"name": "Autumn", "first": "2020-01-01"}, group["token"]
    )
    yield "season", autumn["links"]["page"]
    yield "seasons", f"{address}seasons/"
    yield "tonight", f"{address}tonight/"
    yield "group-screen", f"{address}screen/"
    yield "group-rulings", f"{address}rulings/"
    yield "group-evening", f"{address}evenings/{evening}/"
    yield "evening-digest", f"{address}evenings/{evening}/digest/"
    decided = {"question": "Who deals after a void hand?", "decision": "The same dealer.", "clause": "REC-14"}
    _posted(f"{server}/api/v1/groups/{group['code']}/precedents/", decided, group["token"])
    yield "law-book", f"{address}law-book/"
    yield "law-book-reading", _shared_law_book(server, group)
    yield "decide-rules", f"{address}law-book/ace-trump/"
    yield "season-what-if", f"{address}what-if/?game=ace-trump&ties=early"
    yield "season-what-if-empty", f"{address}what-if/?game=ace-trump"
    yield "group-statistics", f"{address}statistics/?first=2020-01-01"
    for part in ("ratings", "hands"):
        yield f"group-{part}", f"{address}statistics/{part}/"
    one, other = (each["id"] for each in group["people"][:2])
    yield "person-statistics", f"{address}statistics/people/{one}/"
    yield "pair-statistics", f"{address}statistics/people/{one}/with/{other}/"
    yield "group-settings", f"{address}settings/"
    players = [{"name": name, "points": points} for name, points in zip(LONG[:3], (41, 38, -12), strict=True)]
    past = {"game": "oh-hell", "date": "2019-03-12", "players": players, "place": "Club", "tags": ["cup"]}
    brought = _posted(f"{server}/api/v1/groups/{group['code']}/imports/", {"games": [past]}, group["token"])
    yield "past-games", f"{address}past/"
    yield "past-file", f"{address}past/file/"
    yield "table-past", f"/t/{brought['tables'][0]}/"
    yield "new-table-group", f"/new/ace-trump/?group={group['code']}"


def _shared_law_book(server: str, group: Data) -> str:
    """Share a group's law book, which only a page can do; return the address of the link."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    (token, *_others) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', browser.open(server).read().decode())

    def sent(path: str, **fields: str) -> str:
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        return str(browser.open(f"{server}/g/{group['code']}/{path}", body).read().decode())

    sent("join/", token=group["token"])
    return re.findall(r"/laws/\w+/", sent("law-book/", share="1"))[0]


def opened(server: str, told: Data, events: list[Data]) -> str:
    return imported(server, told | {"hands": [{"events": events}]})


def imported(server: str, record: Data) -> str:
    """Import a recorded game to the server; return the address with which a device can continue it."""
    opened = call(server, "tables/import/", record)
    return f"/t/{opened['code']}/join/#{opened['token']}"


def call(server: str, path: str, body: Data | None = None, token: str = "") -> Data:
    """Call the API of a server, by `POST` if there is a body; return the answer."""
    url = f"{server}/api/v1/{path}"
    return _got(url, token) if body is None else _posted(url, body, token)


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
