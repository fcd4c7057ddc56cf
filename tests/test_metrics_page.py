"""The page of metrics names what is counted, all of it and nothing else; and refusals are counted as it says."""

import asyncio
import re
from pathlib import Path

import pytest
from prometheus_client import Counter
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.registry import Collector

from deploy import measuring, metrics

PAGE = Path(__file__).parent.parent / "docs/reference/health-and-metrics.md"
PROBLEM = "application/problem+json"


def kept():
    """Return each metric by the name that it is asked for by, with its labels."""
    found = {}
    for each in vars(metrics).values():
        # What these two derive from are protocols of the library, which `isinstance` is not for.
        if MetricWrapperBase in type(each).__mro__:
            name = each.describe()[0].name
            found[f"{name}_total" if isinstance(each, Counter) else name] = each._labelnames
        elif isinstance(each, type) and Collector in each.__mro__ and each.__module__ == metrics.__name__:
            found |= {family.name: () for family in each("no database").collect()}
    return found


def test_each_metric_has_its_row_and_each_row_its_metric():
    rows = dict(re.findall(r"^\| `(cards_\w+)` \| (.*) \|$", PAGE.read_text(), re.MULTILINE))
    assert rows.keys() == kept().keys()
    for name, labels in kept().items():
        assert all(f"`{label}`" in rows[name] for label in labels), name


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
def test_problems_are_counted_by_code_and_limits_of_pages_too(monkeypatch, path, status, kind, body, counted):
    async def application(scope, receive, send):
        await send({"type": "http.response.start", "status": status, "headers": [(b"Content-Type", kind.encode())]})
        await send({"type": "http.response.body", "body": body})

    async def far_end(*_):
        """Take what is sent, and say nothing."""

    refusals = Counter("refusals", "Refusals", ["code"], registry=None)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "that metrics are kept")
    monkeypatch.setattr(metrics, "REFUSALS", refusals)
    asyncio.run(measuring.Measured(application)({"type": "http", "method": "POST", "path": path}, far_end, far_end))
    samples = [sample for metric in refusals.collect() for sample in metric.samples]
    assert {each.labels["code"]: each.value for each in samples if each.name == "refusals_total"} == counted
