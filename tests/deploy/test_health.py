"""What is told to who watches over a service: health, metrics, and a log without secrets."""

import http.client
import json
import logging
import re
import sys
from contextlib import closing

import pytest
from django.db.migrations.executor import MigrationExecutor

from deploy import health
from deploy.logs import JsonFormatter, LineFormatter, without_secrets
from deploy.request_ids import begin_request
from tests.deploy.managing import ROOT
from tests.scoring.live.driving import Stream, free_port, serving

PAGE = (ROOT / "docs/reference/health-and-metrics.md").read_text()


def get(port, path):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as line:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read().decode()


def metric(told, name, **labels):
    """Return the sum of what a metric says where it has these labels."""
    found = re.findall(rf"^{name}(?:\{{(.*)\}})? (\S+)$", told, re.MULTILINE)
    wanted = [f'{label}="{value}"' for label, value in labels.items()]
    return sum(float(value) for these, value in found if all(each in these for each in wanted))


def test_a_service_tells_how_it_is(tmp_path, monkeypatch):
    """Live and ready; counted in two workers, told as one; logged without a token or a code."""
    port = free_port()
    for name, value in (("METRICS_PORT", port), ("WORKERS", 2), ("ACCESS_LOG", 1), ("LOG_FORMAT", "json")):
        monkeypatch.setenv(name, str(value))
    with serving(tmp_path) as server:
        assert get(server.port, "/health/live") == (200, '{"status": "live"}')
        status, told = get(server.port, "/health/ready")
        checks = {"database": "ok", "writable": "ok", "migrations": "ok", "disk": "ok", "hub": "ok"}
        assert (status, json.loads(told)) == (200, {"status": "ready", "checks": checks})
        table = server.open_table()
        server.note(table)
        assert get(server.port, f"/api/v1/tables/ZZZZZZZZ/?token={table.token}")[0] in (400, 404)
        with Stream(server, table):
            told = get(port, "/metrics")[1]
            assert metric(told, "cards_requests_total", kind="event", status="201") == 1
            assert metric(told, "cards_request_seconds_count", kind="event") == 1
            assert metric(told, "cards_refusals_total") == 1
            assert "cards_write_ahead_log_bytes " in told
        names = set(re.findall(r"^# HELP (\w+)", told, re.MULTILINE)) - {"cards_requests_created"}
        assert set(re.findall(r"^\| `(cards_\w+)`", PAGE, re.MULTILINE)) >= names
        assert server.stop() == 0
        log = server.log.read_text()
    rows = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert any(row["logger"] == "access" and row["status"] == 201 and row["request_id"] for row in rows)
    assert "/api/v1/tables/…/events/" in log
    assert table.token not in log
    assert table.code not in log


def broken(*_):
    raise OSError("password=x")


@pytest.mark.parametrize("missing", ["database", "writable", "migrations", "disk"])
def test_what_is_missing_is_named_and_logged_once(transactional_db, client, monkeypatch, caplog, missing):
    monkeypatch.setattr(health, f"_{missing}", broken)
    monkeypatch.setattr(health, "_before", [])
    caplog.set_level(logging.INFO)
    found = health.what_stands()
    assert found.pop(missing) == "OSError"
    assert set(found.values()) == {"ok"}
    for _ in range(2):
        health._log_change(f"{missing}: OSError")
    health._log_change("")
    assert [each.getMessage() for each in caplog.records] == [f"Not ready: {missing}: OSError", "Ready again."]


def test_a_look_at_what_is_missing_is_not_logged_again(client, monkeypatch, caplog):
    monkeypatch.setattr(health, "what_stands", lambda: {"database": "OperationalError"})
    monkeypatch.setattr(health, "_before", ["database: OperationalError"])
    answer = client.get("/health/ready")
    checks = {"database": "OperationalError"}
    assert (answer.status_code, answer.json()) == (503, {"status": "not ready", "checks": checks})
    assert caplog.records == []


def test_a_migration_that_is_missing_is_named(transactional_db, monkeypatch):
    monkeypatch.setattr(health, "_applied", [])
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["one"])
    assert health.what_stands()["migrations"] == "1 are not applied: manage.py migrate"
    assert not health._applied


def test_a_disk_without_room_is_named(settings):
    settings.LEAST_FREE_MEGABYTES = 10**9
    assert health._disk().endswith("MB are free.")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GET /t/K7PQM2XW/?token=WdWiBhI-aaaabbbb_cccc HTTP", "GET /t/K7PQM2XW/?token=… HTTP"),
        ("Authorization: Bearer WdWiBhI-aaaabbbb_cccc", "Authorization: Bearer …"),
        ("https://cards.example/t/K7PQM2XW/join/#WdWiBhI-aaaabbbb_cccc", "https://cards.example/t/K7PQM2XW/join/#…"),
        ("broken\nDETAIL:  Failing row contains (1, Ann).\n", "broken\nDETAIL: …\n"),
        ("Hand #3 of Ann", "Hand #3 of Ann"),
    ],
)
def test_no_secret_is_logged(text, shown):
    assert without_secrets(text) == shown


def test_a_message_is_one_object_on_a_line():
    try:
        raise ValueError("token=WdWiBhI-aaaabbbb_cccc")
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, "f", 1, "It %s", ("broke",), sys.exc_info())
    begin_request("r-1")
    told = json.loads(JsonFormatter().format(record))
    assert (told["level"], told["logger"], told["message"], told["request_id"]) == ("ERROR", "a", "It broke", "r-1")
    assert told["exception"].endswith("ValueError: token=…")
    line = LineFormatter("{levelname}: {message}", style="{").format(record)
    assert line.startswith("ERROR: It broke\nTraceback")
    assert "WdWiBhI" not in line
