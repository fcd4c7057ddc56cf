"""Health, metrics, and a log without secrets."""

import http.client
import json
import logging
import os
import re
import signal
import socket
import sys
import time
from contextlib import closing
from urllib.parse import urlencode

import pytest
from django.db.migrations.executor import MigrationExecutor

from deploy.logs import JsonFormatter, LineFormatter, begin_request, without_secrets
from scoring.operating.acts import database
from scoring.operating.pages import health
from tests.deploy.managing import patiently
from tests.faults.database import files_up_to
from tests.scoring.live.driving import Stream, free_port, serving


def get(port, path):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as line:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read().decode()


def metric(told, name, **labels):
    """Return the sum of a metric's samples with these labels."""
    found = re.findall(rf"^{name}(?:\{{(.*)\}})? (\S+)$", told, re.MULTILINE)
    wanted = [f'{label}="{value}"' for label, value in labels.items()]
    return sum(float(value) for these, value in found if all(each in these for each in wanted))


NAMES = ("Annegret", "Bartholomew", "Cyprian")
FORM = "application/x-www-form-urlencoded"


class Browser:
    """A phone that keeps its cookies and sends form tokens."""

    def __init__(self, server):
        self.port, self.cookies = server.port, {}

    def ask(self, method, path, *, mark=True, headers=(), **fields):
        told = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), **dict(headers)}
        if method == "POST":
            told["Content-Type"] = FORM
            fields |= {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")} if mark else {}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as line:
            line.request(method, path, urlencode(fields) if method == "POST" else None, told)
            answer = line.getresponse()
            for kept in answer.headers.get_all("Set-Cookie") or ():
                name, _, value = kept.partition(";")[0].partition("=")
                self.cookies[name] = value
            answer.read()
        return answer.status


def an_evening(server):
    """Open a group, play, mistype, get refused and look around; return the strings no log may contain."""
    group = server.post("groups/", {"name": "Foxgloves", "people": NAMES})[1]
    token, code = group["token"], group["code"]
    opened = {"game": "ace-trump", "seats": NAMES, "first_dealer": 2, "group": code}
    table = server.post("tables/", opened, token)[1]
    own, at = table["token"], f"tables/{table['code']}/"
    link = server.post(f"{at}links/", {"role": "player", "seat": 1, "name": "Bartholomew’s phone"}, own)[1]
    recovery = "K7PQ-M2XW-3HJ4-89AB-CDEF-GHJK"
    statuses = [
        server.post(f"{at}events/", {"type": "play", "seat": 0, "cards": ["8MS"]}, own)[0],
        server.post(f"{at}events/", {"type": "note", "text": "Cyprian has spilt his tea."}, own)[0],
        server.post(f"{at}events/", {"type": "play", "seat": 0, "cards": ["XS"]}, own)[0],
        server.post(f"{at}events/", {"type": "Annegret"}, own)[0],
        server.post(f"{at}events/", {"type": "note", "text": "x"}, "Annegret" * 4)[0],
        server.post(f"{at}events/", {"type": "note", "text": "x"}, token)[0],
        server.post("tables/import/", {"game": "ace-trump", "seats": NAMES, "hands": [{"events": [1]}]})[0],
        get(server.port, f"/api/v1/groups/{code}/tables/?person=Annegret&token={token}")[0],
        server.delete(f"{at}links/{link['id']}/", own),
    ]
    assert statuses == [201, 201, 422, 400, 401, 201, 400, 400, 204]
    phone, page = Browser(server), f"/t/{table['code']}/"
    statuses = [
        phone.ask("GET", f"{page}join/"),
        phone.ask("POST", f"{page}join/", token=own),
        phone.ask("POST", f"{page}record/", event="note", text="Annegret laughs."),
        phone.ask("POST", f"{page}record/", mark=False, event="note", text="Cyprian, too."),
        phone.ask("POST", f"{page}record/", event="play", seat="Annegret", cards="Cyprian"),
        phone.ask("GET", f"/find/?code={table['code']}"),
        phone.ask("POST", "/g/recover/", code=recovery),
        phone.ask("GET", f"/t/Annegret/?token={own}"),
        phone.ask("GET", f"/g/{code}/history/?words=Bartholomew"),
        phone.ask("GET", f"{page}?{urlencode({'open': 'Annegret'})}", headers={"X-Request-Id": "Annegret was here"}),
        phone.ask("GET", page, headers={"Host": "Annegret/x", "Referer": f"http://x/t/{table['code']}/#{own}"}),
    ]
    assert statuses == [200, 302, 302, 403, 422, 302, 422, 404, 404, 200, 400]
    secrets = [token, code, own, table["code"], link["token"], recovery, recovery.replace("-", ""), "Foxgloves"]
    return [*secrets, *NAMES, *phone.cookies.values()]


def test_health_and_metrics_report_the_state_of_the_service(tmp_path, monkeypatch):
    """It is live and ready; two workers are counted as one; the log has no token, code or name."""
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
        secrets = [table.token, table.code, *an_evening(server)]
        assert server.stop() == 0
        log = server.log.read_text()
    rows = [json.loads(line) for line in log.splitlines()]
    (opened,) = (row["message"] for row in rows if row["logger"] == "deploy.run")
    assert opened.startswith("The table is open; it listens on http://127.0.0.1:")
    assert any(row["logger"] == "access" and row["status"] == 201 and row["request_id"] for row in rows)
    assert "/api/v1/tables/…/events/" in log
    assert [secret for secret in secrets if secret in log] == []
    assert [line for line in log.splitlines() if "Traceback" in line] == []


def test_a_busy_metrics_port_does_not_stop_the_service(tmp_path, monkeypatch):
    """It logs one line, and the workers serve without metrics."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        for name, value in (("METRICS_PORT", port), ("WORKERS", 2)):
            monkeypatch.setenv(name, str(value))
        with serving(tmp_path) as server:
            killed = server.workers
            assert len(killed) == 2
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
            assert patiently(lambda: get(server.port, "/health/ready"))[0] == 200
            assert server.note(server.open_table()) == 1
            assert not {*killed} & {*server.workers}
            assert server.stop() == 0
            told = [line for line in server.log.read_text().splitlines() if " ERROR deploy" in line]
    assert len(told) == 1
    assert f"Metrics are not served. Port {port} is busy" in told[0]
    assert "METRICS_PORT=" in told[0]
    counting = {path.stem.rpartition("_")[2] for path in (tmp_path / "metrics").glob("*.db")}
    assert counting <= {str(server.process.pid)}, "no worker counts what nobody can ask for"


def test_an_unwritable_database_log_is_noticed_before_a_card_is_refused(tmp_path):
    with serving(tmp_path) as server:
        with files_up_to(server, 0):
            status, told = get(server.port, "/health/ready")
            assert (status, json.loads(told)["checks"]["writable"]) == (503, "OperationalError")
        assert get(server.port, "/health/ready")[0] == 200


def test_a_recent_write_failure_reports_the_database_unwritable(transactional_db, monkeypatch):
    monkeypatch.setattr(database, "_noticed", [time.monotonic()])
    assert health.what_stands()["writable"] == "It refused something less than 5 seconds ago."
    monkeypatch.setattr(database, "_noticed", [time.monotonic() - 6])
    assert health.what_stands()["writable"] == "ok"


def broken(*_):
    raise OSError("password=x")


@pytest.mark.parametrize("missing", ["database", "writable", "migrations", "disk"])
def test_missing_settings_are_named_and_logged_once(transactional_db, client, monkeypatch, caplog, missing):
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


def test_a_repeated_check_does_not_log_the_missing_setting_again(client, monkeypatch, caplog):
    monkeypatch.setattr(health, "what_stands", lambda: {"database": "OperationalError"})
    monkeypatch.setattr(health, "_before", ["database: OperationalError"])
    answer = client.get("/health/ready")
    checks = {"database": "OperationalError"}
    assert (answer.status_code, answer.json()) == (503, {"status": "not ready", "checks": checks})
    assert caplog.records == []


def test_a_missing_migration_is_reported(transactional_db, monkeypatch):
    monkeypatch.setattr(health, "_applied", [])
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["one"])
    assert health.what_stands()["migrations"] == "1 are not applied: manage.py migrate"
    assert not health._applied


def test_a_full_disk_is_reported(settings):
    settings.LEAST_FREE_MEGABYTES = 10**9
    assert health._disk().endswith("MB are free.")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GET /t/K7PQM2XW/?token=WdWiBhI-aaaabbbb_cccc HTTP", "GET /t/…/?token=… HTTP"),
        ("Authorization: Bearer WdWiBhI-aaaabbbb_cccc", "Authorization: Bearer …"),
        ("https://cards.example/t/K7PQM2XW/join/#WdWiBhI-aaaabbbb_cccc", "https://cards.example/t/…/join/#…"),
        ("broken\nDETAIL:  Failing row contains (1, Ann).\n", "broken\nDETAIL: …\n"),
        ("Hand #3 of Ann", "Hand #3 of Ann"),
        ("Forbidden: /t/K7PQM2XW/record/", "Forbidden: /t/…/record/"),
        ("Not Found: /laws/K7PQM2XW3HJ489ABCDEFGHJK/", "Not Found: /laws/…/"),
        ("Forbidden: /api/v1/groups/k7pq-m2xw/", "Forbidden: /api/v1/groups/…/"),
        ("Forbidden: /g/import/", "Forbidden: /g/import/"),
    ],
)
def test_no_secret_is_logged(text, shown):
    assert without_secrets(text) == shown


def test_a_log_message_is_one_json_object_per_line():
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
