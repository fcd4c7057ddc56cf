"""History read from a standby of PostgreSQL: always as new as the database, and never needed."""

import http.client
import json
import os
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from django.urls import URLPattern, get_resolver

from tests.deploy.test_health import Browser, metric
from tests.deploy.test_health import get as asked
from tests.postgres import Postgres
from tests.scoring.live.driving import free_port, serving

RESULT = {"type": "result", "tricks": [4, 4, 4]}
STATEMENT = re.compile(r"LOG:  (?:statement|execute [^:]*): (.*)")
READ_BY_PROGRAMS = (
    "tables/", "evenings/", "season/", "statistics/", "statistics/ratings/", "statistics/hands/?game=ace-trump",
    "statistics/pairs/{ann}/{bob}/", "rulings/", "archive/", "files/history/", "files/statistics/", "files/text/",
    "files/calendar/", "what-if/?game=ace-trump&trump=moons",
)  # fmt: skip
READ_BY_PEOPLE = (
    "history/", "evenings/{day}/", "evenings/{day}/picture/", "statistics/", "statistics/ratings/", "statistics/hands/",
    "statistics/people/{ann}/", "statistics/people/{ann}/with/{bob}/", "rulings/", "export/archive/",
    "export/history/", "what-if/?game=ace-trump&trump=moons",
)  # fmt: skip


class Watched:
    """A service with a standby, and a group there that has played."""

    def __init__(self, server, standby):
        self.server, self.standby = server, standby
        self.group = server.make_group()
        self.phone = Browser(server)
        self.phone.ask("GET", f"{self.page}join/")
        self.phone.ask("GET", self.page)
        assert self.phone.ask("POST", f"{self.page}join/", token=self.group.token) == 302
        self.table = self.play()

    @property
    def page(self):
        return f"/g/{self.group.code}/"

    def play(self):
        table = self.server.open_in(self.group)
        events = {"events": [RESULT, {"type": "end"}]}
        assert self.server.post(f"tables/{table.code}/events/", events, table.token)[0] == 201
        return table

    def get(self, path):
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)) as line:
            line.request("GET", path, headers={"Authorization": f"Bearer {self.group.token}"})
            answer = line.getresponse()
            body = answer.read().decode()
        assert answer.status == 200, (path, body)
        return body

    def tables_counted(self):
        told = json.loads(self.get(f"/api/v1/groups/{self.group.code}/statistics/"))
        return max(each["tables"] for each in told["people"])

    def asked_of_standby(self, ask):
        """Return what the standby is asked of tables and groups meanwhile."""
        log = self.standby.directory / "log"
        before = log.stat().st_size
        ask()
        found = STATEMENT.findall(log.read_bytes()[before:].decode())
        return [each for each in found if "scoring_" in each]

    def is_read(self, ask):
        """Return whether the standby answers; it is given the time in which nobody asks one that was late or away."""
        deadline = time.monotonic() + 10
        while not (found := self.asked_of_standby(ask)):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.2)
        return all(each.startswith(("SELECT", "DECLARE")) for each in found)


@pytest.fixture(scope="module")
def metrics_port():
    return free_port()


@pytest.fixture(scope="module")
def watched(tmp_path_factory, metrics_port):
    with (
        pytest.MonkeyPatch.context() as patch,
        Postgres.started() as postgres,
        postgres.standby() as standby,
    ):
        database = postgres.create_database()
        patch.setenv("REPLICA_URL", standby.url(database))
        patch.setenv("METRICS_PORT", str(metrics_port))
        with serving(tmp_path_factory.mktemp("replica"), postgres.url(database)) as server:
            yield Watched(server, standby)


def test_history_is_read_from_it_and_nothing_else(watched):
    """Neither who may look, nor a table that runs, nor any write goes there."""
    group = json.loads(watched.get(f"/api/v1/groups/{watched.group.code}/"))
    ids = {person["name"].lower(): person["id"] for person in group["people"]}
    evenings = json.loads(watched.get(f"/api/v1/groups/{watched.group.code}/evenings/"))["evenings"]
    words = {**ids, "day": evenings[0]["date"]}
    for path in READ_BY_PROGRAMS:
        address = f"/api/v1/groups/{watched.group.code}/{path.format(**words)}"
        assert watched.is_read(lambda address=address: watched.get(address)), path
    for path in READ_BY_PEOPLE:
        address = watched.page + path.format(**words)
        assert watched.is_read(lambda address=address: watched.phone.ask("GET", address)), path
    over, runs = f"/api/v1/tables/{watched.table.code}/", f"/api/v1/tables/{watched.server.open_table().code}/"
    for path in ("record/", "record/?full=1", "record/?as=text", "record/?as=csv"):
        assert watched.is_read(lambda path=path: watched.get(over + path)), path
        assert watched.asked_of_standby(lambda path=path: watched.get(runs + path)) == [], path
    others = (watched.play, lambda: watched.get(over), lambda: watched.phone.ask("GET", watched.page))
    assert [each for ask in others for each in watched.asked_of_standby(ask)] == []


def test_who_asks_finds_what_was_just_recorded_however_late_it_is(watched):
    played = watched.tables_counted()
    assert watched.is_read(watched.tables_counted)
    with watched.standby.connect() as line:
        line.execute("SELECT pg_wal_replay_pause()")
        try:
            watched.play()
            began = time.monotonic()
            assert watched.tables_counted() == played + 1
            assert time.monotonic() - began < 1
            checks = json.loads(asked(watched.server.port, "/health/ready")[1])["checks"]
            assert re.fullmatch(r"It is \d+ bytes of log behind\.", checks["replica"])
        finally:
            line.execute("SELECT pg_wal_replay_resume()")
    assert watched.is_read(watched.tables_counted)


def test_it_is_not_needed(watched, metrics_port):
    """Killed, it is missed by nobody; the log says so once, and once that it is back."""
    played = watched.tables_counted()
    assert watched.is_read(watched.tables_counted)
    watched.standby.kill()
    assert [watched.tables_counted() for _ in range(3)] == [played] * 3
    status, told = asked(watched.server.port, "/health/ready")
    assert (status, json.loads(told)["checks"]["replica"]) == (200, "It is away.")
    deadline = time.monotonic() + 10
    while not metric(told := asked(metrics_port, "/metrics")[1], "cards_replica_away"):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert metric(told, "cards_history_reads_total", source="replica") > 0
    assert metric(told, "cards_history_reads_total", source="database") >= 3
    watched.standby.start()
    assert watched.is_read(watched.tables_counted)
    log = watched.server.log.read_text()
    assert len(re.findall(r"The replica is away, history is read from the database itself: ", log)) == 1
    assert log.count("The replica is there again.") == 1
    assert "Traceback" not in log


def test_one_that_says_nothing_is_cut_off_and_holds_up_no_card(watched):
    """Those who serve in it are stopped: who asks waits two seconds for the database's answer, and nobody else does."""
    played = watched.tables_counted()
    assert watched.is_read(watched.tables_counted)
    with watched.standby.connect() as line:
        serving_there = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
        silent = [pid for (pid,) in line.execute(f"{serving_there} AND pid <> pg_backend_pid()")]
        table = watched.server.open_table()
        for pid in silent:
            os.kill(pid, signal.SIGSTOP)
        try:
            with ThreadPoolExecutor(1) as somebody:
                began = time.monotonic()
                waiting = somebody.submit(watched.tables_counted)
                time.sleep(0.3)
                watched.server.note(table)
                assert time.monotonic() - began < 1.5, "a card waited for it"
                assert waiting.result() == played
                assert time.monotonic() - began < 6
        finally:
            for pid in silent:
                os.kill(pid, signal.SIGCONT)
    assert watched.is_read(watched.tables_counted)


def test_one_that_is_no_standby_any_more_is_not_asked(watched):
    """A standby that was made a database of its own goes its own way from then on."""
    with watched.standby.connect() as line:
        line.execute("SELECT pg_promote()")
    watched.play()
    assert watched.asked_of_standby(watched.tables_counted) == []
    checks = json.loads(asked(watched.server.port, "/health/ready")[1])["checks"]
    assert checks["replica"] == "It is no standby."


def addresses(patterns, before=""):
    for each in patterns:
        if isinstance(each, URLPattern):
            yield before + str(each.pattern), each.callback
        else:
            yield from addresses(each.url_patterns, before + str(each.pattern))


def test_who_may_wait_for_it_holds_up_no_card():
    """What is read from a replica is read in a thread of its own."""
    views = dict(addresses(get_resolver().url_patterns))
    for path in (
        *(f"api/v1/groups/<str:code>/{path}" for path in READ_BY_PROGRAMS),
        "api/v1/tables/<str:code>/record/",
    ):
        assert aside(views, path), path
    for path in READ_BY_PEOPLE:
        assert aside(views, f"g/<str:code>/{path}"), path


def aside(views, path):
    path = path.partition("?")[0]
    for name, kind in (("{ann}", "<number:number>"), ("{bob}", "<number:other>"), ("{day}", "<str:day>")):
        path = path.replace(name, kind)
    path = re.sub(r"(export|files)/\w+/$", r"\1/<str:shape>/", path)
    view = getattr(views[path], "cls", views[path])
    return getattr(view, "looks_back", False) or getattr(view, "costly", False)
