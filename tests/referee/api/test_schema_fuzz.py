"""The API keeps to its schema: requests generated from it are answered as it promises."""

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from referee.api.schema import EXAMPLES
from referee.engine.records import dump_record, load_record
from referee.notation import write_cells, write_text
from tests.operations import one_by_one

pytestmark = pytest.mark.slow

# 304: `If-None-Match: *`, or a matching tag; 422: well-formed but impossible, such as an unknown game
ACCEPTED = ["2xx", "304", "404", "422"]
BY_GAME = "^/api/v1/referee/score/$"  # which keys are needed depends on the game; without them it is malformed

CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {"positive_data_acceptance": {"expected-statuses": ACCEPTED}},
        "operations": [
            {
                "include-path-regex": BY_GAME,
                "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "400"]}},
            }
        ],
        # JSON Schema has no way to say that a text holds no NUL
        "generation": {"allow-x00": False},
    }
)
PLAIN = {"Accept-Encoding": "identity"}
"""In the API's own process, this test client does not read compressed answers."""
JUDGED = EXAMPLES["judge"][0].request
BROUGHT = {"text/plain": write_text(load_record(JUDGED)), "text/csv": write_cells(dump_record(load_record(JUDGED)))}
SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application(), config=CONFIG).exclude(
    path_regex="^/api/v1/(tables|groups|me)/"
)


@pytest.mark.django_db  # a request closes a connection other tests left open
@one_by_one(SCHEMA)
@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
def test_the_api_keeps_to_its_schema(case):
    if case.media_type in BROUGHT:  # what is a record in them, no schema can say
        case.body = BROUGHT[case.media_type]
    case.call_and_validate(headers=PLAIN)
