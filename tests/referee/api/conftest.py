"""A client for the stateless API, and what every problem document must look like."""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from django.test import Client

from referee.api.problems import TITLES
from tests.strict_answers import compared


@pytest.fixture
def api():
    return Api()


class Api:
    """A client that speaks JSON to the paths below /api/v1/."""

    def __init__(self) -> None:
        self.client = Client()

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=headers or None)

    def post(self, path: str, body: Any, content_type: str = "application/json", **headers: str) -> Any:
        return self.client.post(f"/api/v1/{path}", body, content_type=content_type, headers=headers or None)

    def refused(self, path: str, body: Any, status: int, **more: Any) -> dict:
        """Post a body that must be refused; return the problem."""
        return problem(self.post(path, body, **more), status)


def problem(response: Any, status: int | None = None) -> dict:
    assert response.headers["Content-Type"] == "application/problem+json", response.content[:500]
    said: dict = response.json()
    assert said["status"] == response.status_code < 500
    assert status in (None, said["status"]), said
    server, _, anchor = said["type"].partition("/api/v1/problems/#")
    assert server.startswith("http://") or response.status_code == 400, said["type"]
    assert anchor == said["code"]
    assert said["instance"].endswith(f"?request={response['X-Request-Id']}")
    assert said["title"] == TITLES[said["code"]]
    assert said["detail"]
    for error in said.get("errors", []):
        assert error["code"] in TITLES
        assert error["detail"]
        assert error["pointer"] == "" or error["pointer"].startswith("/")
        assert {"line", "column"} <= error.keys() or not {"line", "column"} & error.keys()
    return said


@pytest.fixture(autouse=True)
def _every_answer_is_as_the_schema_says(request: pytest.FixtureRequest) -> Iterator[None]:
    with nullcontext() if request.node.get_closest_marker("made_up") else compared():
        yield
