"""Requests generated from the schema of tables and groups are answered as promised, never with a 5xx."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.schemas import BaseSchema

from scoring.models import Table
from tests.operations import one_by_one
from tests.scoring.conftest import OpenTable, play
from tests.scoring.groups import Thursday, make_group
from tests.seeds import AGAIN

pytestmark = pytest.mark.slow

# 409 and 422: well-formed but refused by the referee; 412: the version is outdated
ACCEPTED = ["2xx", "304", "404", "409", "412", "422"]
# An outdated version may be reported before the body is read.
REFUSED = ["400", "401", "403", "404", "405", "406", "409", "412", "415", "422", "428", "429"]
# An event's required keys depend on its type and are described in prose; so are some headers.
CHECKS = {
    "positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "400", "401", "403"]},
    "negative_data_rejection": {"expected-statuses": REFUSED},
}
# Strangers get 404 where the checks expect 401: a private or deleted table, a group.
HIDDEN = {"ignored_auth": {"enabled": False}, "missing_required_header": {"enabled": False}}


def schema_of(part: str, config: dict[str, Any]) -> BaseSchema:
    """Return the schema of the addresses of tables or of groups."""
    usual = {
        "generation": {"allow-x00": False},
        # Every edge case of the schema; once is enough, whatever database is behind the API.
        "phases": {"coverage": {"enabled": settings.get_current_profile_name() != AGAIN}},
    }
    configured = SchemathesisConfig.from_dict(usual | config)
    whole = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application(), config=configured)
    return whole.exclude(path_regex=f"^/api/v1/(?!{part}/)|/stream/")


TABLES = schema_of("tables", {
    "checks": CHECKS,
    "operations": [{"include-operation-id": each, "checks": HIDDEN} for each in ("change_table", "delete_table")],
})  # fmt: skip
GROUPS = schema_of("(groups|me)", {"checks": CHECKS | HIDDEN})
SLOW = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.function_scoped_fixture,
]


@pytest.fixture(autouse=True)
def _the_connection_stays_open() -> Iterator[None]:
    """These requests reach the application as a server's would, yet share the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def prepared(table: OpenTable) -> OpenTable:
    """A table with something to read and to undo."""
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"), {"type": "note", "text": "Hm."})
    return table


@one_by_one(TABLES)
@settings(max_examples=12, suppress_health_check=SLOW)
def test_the_api_keeps_to_its_schema(case, prepared):
    if "code" in case.path_parameters:
        case.path_parameters["code"] = prepared.code
    case.call_and_validate(headers={"Authorization": f"Bearer {prepared.token}", "Accept-Encoding": "identity"})
    row = Table.objects.filter(code=prepared.code).first()
    assert row is None or row.version == row.log.count()


@pytest.fixture
def group(db: None) -> Thursday:
    """A group that has played."""
    made = make_group()
    made.open_table().record(
        play(0, "8MS"), {"type": "trick", "winner": 0}, {"type": "result", "tricks": [4, 4, 4]}, {"type": "end"}
    )
    return made


@one_by_one(GROUPS)
@settings(max_examples=8, suppress_health_check=SLOW)
def test_the_group_api_keeps_to_its_schema(case, group):
    played = Table.objects.filter(group__code=group.code).first()
    known = {"code": group.code} | ({} if played is None else {"table": played.code})
    case.path_parameters.update({name: value for name, value in known.items() if name in case.path_parameters})
    case.call_and_validate(headers={"Authorization": f"Bearer {group.token}", "Accept-Encoding": "identity"})
