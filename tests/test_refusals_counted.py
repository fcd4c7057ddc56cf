"""Refusals are counted by their code; those of pages, which have none, only if they are limits."""

import asyncio

import pytest
from prometheus_client import Counter

from deploy import metrics

PROBLEM = "application/problem+json"


@pytest.mark.parametrize(
    ("path", "status", "kind", "body", "counted"),
    [
        ("/api/v1/tables/", 422, PROBLEM, b'{"code": "bad-value"}', {"bad-value": 1}),
        ("/api/v1/tables/", 429, PROBLEM, b'{"code": "throttled"}', {"throttled": 1}),
        ("/t/K7PQM2XW/record/", 429, "text/html", b"<p>Too many", {"throttled": 1}),
        ("/t/K7PQM2XW/", 404, "text/html", b"<p>Nothing", {}),
        ("/t/K7PQM2XW/record/", 422, "text/html", b'{"code": "bad-value"}', {}),
        ("/api/v1/games/", 200, "application/json", b'{"code": "ace-trump"}', {}),
    ],
)
def test_problems_and_page_limits_are_counted_by_code(monkeypatch, path, status, kind, body, counted):
    async def application(scope, receive, send):
        await send({"type": "http.response.start", "status": status, "headers": [(b"Content-Type", kind.encode())]})
        await send({"type": "http.response.body", "body": body})

    async def far_end(*_):
        """Receive what is sent, and answer nothing."""

    refusals = Counter("refusals", "Refusals", ["code"], registry=None)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "that metrics are kept")
    monkeypatch.setattr(metrics, "REFUSALS", refusals)
    asyncio.run(metrics.Measured(application)({"type": "http", "method": "POST", "path": path}, far_end, far_end))
    samples = [sample for metric in refusals.collect() for sample in metric.samples]
    assert {each.labels["code"]: each.value for each in samples if each.name == "refusals_total"} == counted
