"""The hub: what wakes its readers, who may watch, and how changes are announced."""

import asyncio
import contextlib
import json
import threading
import time
from types import SimpleNamespace

import pytest
from django.db import OperationalError, ProgrammingError, transaction
from django.test import AsyncRequestFactory, RequestFactory
from django.utils import timezone
from rest_framework.exceptions import NotFound

from referee.api.problems import ProblemResponse
from scoring.models import Link
from scoring.operating.acts import database as database_away
from scoring.tables.acts import telling
from scoring.tables.acts.access import cookie_for, new_secret, put_on_device
from scoring.tables.acts.holding import announce_revoked, announce_version, notified
from scoring.tables.acts.opening import create_table
from scoring.tables.acts.telling import Notifier
from scoring.tables.live import attendance, views
from scoring.tables.live import hub as hub_module
from scoring.tables.live.attendance import Holder
from scoring.tables.live.hub import Hub
from scoring.tables.live.recorded import Part
from scoring.tables.live.views import admit_watcher
from scoring.tables.live.watchers import Seen, TableWatcher
from tests.clock import by_the_clock
from tests.scoring.live.driving import NEW_TABLE


class StandIn:
    """Answers the hub's queries in place of the database."""

    def __init__(self):
        self.versions = {}
        self.looks = 0
        self.away = 0

    async def look(self, tables, links):
        self.looks += 1
        if self.away:
            self.away -= 1
            raise OperationalError("away")
        return Seen({table: self.versions[table] for table in tables if table in self.versions}, set(), set(links))

    async def look_at_groups(self, groups, links):
        return Seen({}, set(), set(links))

    async def was_written(self):
        return False

    async def run(self, work):
        return work()


@pytest.fixture
def database():
    return StandIn()


async def test_many_versions_wake_a_reader_once():
    watcher = TableWatcher(1, None, 0)
    for version in (1, 2, 3):
        watcher.notice(version)
    assert await watcher.news(1)
    assert watcher.version == 3
    assert not await watcher.news(0.01)


async def test_older_versions_are_ignored():
    watcher = TableWatcher(1, None, 5)
    watcher.notice(5)
    watcher.notice(4)
    assert not await watcher.news(0.01)
    assert watcher.version == 5


async def test_a_change_between_reading_and_watching_is_noticed(database):
    database.versions = {1: 4}
    with Hub(database).watching(TableWatcher(1, None, 3)) as watcher:
        assert await watcher.news(2)
        assert watcher.version == 4


async def test_many_readers_cost_few_queries(database):
    database.versions = dict.fromkeys(range(300), 0)
    hub = Hub(database)
    with contextlib.ExitStack() as streams:
        for table in range(300):
            streams.enter_context(hub.watching(TableWatcher(table, None, 0)))
        await asyncio.sleep(0.05)
        assert len(hub) == 300
        assert database.looks <= 2


async def test_pending_checks_survive_a_database_outage(database, caplog):
    database.versions = {1: 1}
    database.away = 2
    with Hub(database).watching(TableWatcher(1, None, 0)) as watcher:
        assert await watcher.news(3)
        assert watcher.version == 1
    assert caplog.text.count("The database is unreachable") == 1


async def test_a_reader_who_leaves_is_forgotten(database):
    database.versions = {1: 0}
    hub = Hub(database)
    with hub.watching(TableWatcher(1, Holder(9, "player", 0), 0)):
        assert len(hub) == 1
    assert len(hub) == 0
    assert not hub.tables._by_subject
    assert not hub.tables._by_link


@pytest.mark.parametrize("word", ["", "version", "version 1", "revoked", "hello 1 2", "here p x []"])
async def test_an_unrecognized_message_is_ignored(database, word, caplog):
    Hub(database).receive(word)
    assert "Ignored an unreadable notification" in caplog.text


def test_clients_get_retry_after_while_the_database_is_down(monkeypatch, caplog):
    answer = by_the_clock(opened_where(monkeypatch, OperationalError("away")))
    assert (answer.status_code, json.loads(answer.content)["code"]) == (503, "not-now")
    assert "The database is unavailable: away" in caplog.text


def test_other_errors_are_not_retried(monkeypatch):
    with pytest.raises(ProgrammingError):
        by_the_clock(opened_where(monkeypatch, ProgrammingError("a mistake of ours")))


def opened_where(monkeypatch, trouble):
    async def refuse(work):
        raise trouble

    hub = SimpleNamespace(reader=SimpleNamespace(run=refuse))
    monkeypatch.setattr(views, "_hub_for", lambda request: hub)
    monkeypatch.setattr(views, "Hub", SimpleNamespace)
    monkeypatch.setattr(database_away, "_logged", [float("-inf")])
    return views.stream(AsyncRequestFactory().get("/"), "QQQQQQQQ")


@pytest.mark.parametrize(
    ("room", "status", "code"),
    [({"MOST_STREAMS": 0}, 503, "not-now"), ({"FEW": 0, "SHARE_FOR_ALL": 0}, 429, "throttled")],
    ids=["the process is full", "one address has too many streams"],
)
def test_a_rejected_client_gets_retry_after(monkeypatch, room, status, code):
    monkeypatch.setattr(hub_module, "_hubs", {})
    for name, value in room.items():
        monkeypatch.setattr(attendance, name, value)
    answer = by_the_clock(views.stream(AsyncRequestFactory().get("/"), "QQQQQQQQ"))
    assert answer.status_code == status
    assert answer.headers["Retry-After"]
    assert isinstance(answer, ProblemResponse)
    assert json.loads(answer.content)["code"] == code


def test_a_process_without_streams_refuses_them():
    assert by_the_clock(views.stream(RequestFactory().get("/"), "QQQQQQQQ")).status_code == 503


def test_one_address_cannot_use_all_streams(monkeypatch):
    """Eve knows one code; she opens streams until she is refused, and Ann's phone still gets its own."""
    monkeypatch.setattr(attendance, "MOST_STREAMS", 8)
    monkeypatch.setattr(attendance, "FEW", 2)
    place = attendance.Capacity()
    with contextlib.ExitStack() as streams:
        opened = 0
        while not place.is_crowded_by("eve"):
            streams.enter_context(place.place("eve"))
            opened += 1
        assert opened == 6
        for _ in range(2):
            assert not place.is_full()
            assert not place.is_crowded_by("ann")
            streams.enter_context(place.place("ann"))
        assert place.is_full()
    assert not place.is_full()
    assert not place.is_crowded_by("eve")
    assert not place._by_address


async def test_a_continuation_is_news_even_at_the_same_version(database):
    database.versions[1] = 4
    hub = Hub(database)
    with hub.watching(TableWatcher(1, None, 4)) as watcher, hub.watching(TableWatcher(2, None, 4)) as other:
        hub.receive("next 1")
        assert await watcher.news(5)
        assert (watcher.moves_on, watcher.version, other.moves_on) == (True, 4, False)


async def test_rows_are_read_once_for_all_followers_of_a_table(database, monkeypatch):
    """Forty scoreboards follow one table and share each read."""
    database.versions = {1: 0}
    read = []

    def rows(table, after):
        read.append(after)
        return Part(b"row", 1, False)

    monkeypatch.setattr(hub_module, "recorded_at", rows)
    hub = Hub(database)
    with contextlib.ExitStack() as streams:
        watching = [streams.enter_context(hub.watching(TableWatcher(1, None, 0, follows=True))) for _ in range(40)]
        await asyncio.sleep(0.05)
        hub.receive("version 1 1")
        parts = await asyncio.gather(*(hub.recorded(watcher, 0) for watcher in watching))
        assert parts == [(b"row", 1, False)] * 40
        assert await hub.recorded(watching[0], 0) == parts[0], "who is slow takes it later"
        assert read == [0]


async def test_followers_retry_once_the_database_is_back(database, caplog, monkeypatch):
    database.versions = {1: 1}

    def away(table, after):
        raise OperationalError("away")

    monkeypatch.setattr(hub_module, "recorded_at", away)
    hub = Hub(database)
    with hub.watching(TableWatcher(1, None, 0, follows=True)) as watcher:
        assert await hub.recorded(watcher, 0) == (b"", 0, False)
        assert await watcher.news(3)
        monkeypatch.setattr(hub_module, "recorded_at", lambda table, after: Part(b"row", 1, False))
        for _ in range(10):
            if (await hub.recorded(watcher, 0)).messages:
                return
            await watcher.news(3)
        raise AssertionError


# --- Who may watch a table, and with which link

pytestmark = pytest.mark.django_db


@pytest.fixture
def opened():
    return create_table(NEW_TABLE)


def admitted(opened, *, bearer="", cookies=()):
    """Return the link with which a request may watch the table."""
    request = RequestFactory().get("/", headers={"Authorization": bearer} if bearer else {})
    request.COOKIES.update(cookies)
    return admit_watcher(request, opened.table.code)[1]


@pytest.fixture
def phone(opened):
    """The cookie of a phone with this table's link."""
    secret = new_secret()
    put_on_device(secret, opened.table, opened.token)
    return [cookie_for(secret)]


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_a_token_in_the_header_identifies_its_link(opened, scheme):
    assert admitted(opened, bearer=f"{scheme} {opened.token}") == opened.table.links.get()


def test_a_device_watches_through_its_link(opened, phone):
    assert admitted(opened, cookies=phone) == opened.table.links.get()


def test_a_revoked_device_keeps_only_public_access(opened, phone):
    opened.table.links.update(revoked=timezone.now())
    assert admitted(opened, cookies=phone) is None


def test_other_authorization_schemes_are_ignored(opened):
    assert admitted(opened, bearer="Basic eDp5") is None
    opened.table.private = True
    opened.table.save()
    with pytest.raises(NotFound):
        admitted(opened, bearer="Basic eDp5")


# --- Announcing changes: what is sent, when, and by which thread


@pytest.fixture
def heard():
    words = []

    def hear(*, word, **_):
        words.append(word)

    notified.connect(hear, weak=False)
    yield words
    notified.disconnect(hear)


@pytest.mark.django_db
def test_a_commit_is_announced(heard, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        announce_version(3, 8)
        announce_revoked(Link(pk=5))
        assert heard == []
    assert heard == ["version 3 8", "revoked 5"]


@pytest.mark.django_db(transaction=True)
def test_rolled_back_changes_are_not_announced(heard):
    with transaction.atomic():
        announce_version(3, 8)
        transaction.set_rollback(True)
    assert heard == []


@pytest.fixture
def told(monkeypatch):
    """Hold the thread at its first message until the test lets it continue."""
    held, batches = threading.Event(), []

    def notify(words):
        batches.append(list(words))
        held.wait(60)

    monkeypatch.setattr(telling, "notify", notify)
    return held, batches


def test_changes_that_arrive_meanwhile_are_announced_together(told):
    held, batches = told
    notifier = Notifier()
    notifier.send("first")
    while not batches:
        time.sleep(0.01)
    for word in ("second", "third", "second"):
        notifier.send(word)
    held.set()
    notifier.finish()
    assert batches == [["first"], ["second", "third"]]


def test_a_dead_thread_is_replaced(monkeypatch):
    said = threading.Event()
    monkeypatch.setattr(telling, "notify", lambda words: said.set())
    notifier = Notifier()
    notifier._thread = threading.Thread(target=int)
    notifier.send("word")
    assert said.wait(60)
    notifier.finish()


def test_stopping_an_unused_notifier_takes_no_time():
    Notifier().finish()
