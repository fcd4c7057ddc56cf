"""Announcing changes: what is sent, when, and by which thread."""

import threading
import time

import pytest
from django.db import transaction

from scoring.models import Link
from scoring.tables.acts import telling
from scoring.tables.acts.notifications import announce_revoked, announce_version, notified
from scoring.tables.acts.telling import Notifier


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
