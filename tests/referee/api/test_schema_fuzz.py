"""The schema says what the API does: requests made from it are answered as it promises."""

import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

CONFIG = SchemathesisConfig.from_dict(
    {
        # what is well-formed and yet cannot be (a game nobody has, a card of another deck) is answered by 422
        "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "404", "422"]}},
        # JSON Schema has no way to say that a text holds no NUL
        "generation": {"allow-x00": False},
    }
)
SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application(), config=CONFIG).include(
    path_regex=r"^/api/v1/(referee|games|decks)/"
)


@SCHEMA.parametrize()
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
def test_the_api_keeps_to_its_schema(case):
    case.call_and_validate()
