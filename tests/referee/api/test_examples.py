"""What the documentation shows is whole: each request and each answer is one that the schema describes."""

import pytest

from referee.api.schema import JSON
from tests.strict_answers import description


def shown():
    for path, operations in description().schema["paths"].items():
        for operation in operations.values():
            asked = [operation.get("requestBody", {})]
            for where in [*asked, *operation["responses"].values()]:
                content = where.get("content", {}).get(JSON, {})
                for name, example in content.get("examples", {}).items():
                    yield pytest.param(content["schema"], example["value"], id=f"{path} {name}")


@pytest.mark.parametrize(("shape", "value"), list(shown()))
def test_an_example_is_described_by_the_schema(shape, value):
    errors = [f"{error.instance_path}: {error.message}" for error in description().validator(shape).iter_errors(value)]
    assert not errors


def test_every_call_of_the_referee_shows_a_request_and_its_answer():
    for path, operations in description().schema["paths"].items():
        if path.startswith("/api/v1/referee/"):
            for operation in (each for method, each in operations.items() if method == "post"):
                assert operation["requestBody"]["content"][JSON]["examples"], path
                assert operation["responses"]["200"]["content"][JSON]["examples"], path


@pytest.mark.parametrize("name", ["tables", "groups"])
def test_the_streams_are_described(name):
    stream = description().schema["paths"][f"/api/v1/{name}/{{code}}/stream/"]["get"]
    assert "text/event-stream" in stream["responses"]["200"]["content"]
