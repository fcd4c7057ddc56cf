"""While the database is unavailable, clients are told to retry, and the operator reads it once in the log."""

import logging

import pytest
from django.db import InternalError, OperationalError
from psycopg.errors import InFailedSqlTransaction, ReadOnlySqlTransaction

from scoring.models import Link
from scoring.operating.acts import database
from tests.scoring.conftest import play


@pytest.fixture
def _away(monkeypatch):
    def gone(*_given, **_named):
        raise OperationalError("unable to open database file")

    monkeypatch.setattr(Link.objects, "select_related", gone)
    monkeypatch.setattr("scoring.tables.acts.holding.link_cache.get", lambda key: None)
    monkeypatch.setattr(database, "_logged", [float("-inf")])


@pytest.mark.usefixtures("_away")
def test_recording_returns_not_now_without_a_database(table, scorekeeper, caplog):
    with caplog.at_level(logging.WARNING):
        answers = [scorekeeper.post(f"/api/v1/tables/{table.code}/events/", play(0, "8MS")) for _ in range(5)]
    assert {(answer.status_code, answer.json()["code"], answer["Retry-After"]) for answer in answers} == {
        (503, "not-now", "5")
    }
    assert len(caplog.records) == 1


@pytest.mark.usefixtures("_away")
def test_a_page_reports_the_missing_database_as_html(table, client, caplog):
    with caplog.at_level(logging.WARNING):
        answer = client.post(f"/t/{table.code}/join/", {"token": table.token})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "<h1>" in answer.content.decode()
    assert len(caplog.records) <= 1


@pytest.mark.parametrize(("cause", "away"), [(ReadOnlySqlTransaction, True), (InFailedSqlTransaction, False)])
def test_a_read_only_database_counts_as_unavailable_but_a_bug_does_not(cause, away):
    problem = InternalError()
    problem.__cause__ = cause()
    assert database.is_away(problem) is away
