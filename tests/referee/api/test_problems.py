"""Errors: application/problem+json for everything under /api/, and the page that documents them."""

import ast
import re
from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from django.test import Client
from django.utils.translation import gettext, override
from rest_framework import exceptions

from referee.api.catalogue_views import GamesView
from referee.api.problems import SENTENCES, TITLES, told
from referee.api.schemas import components
from referee.engine.texts import phrase
from tests.referee.api.conftest import problem


def test_a_problem_says_what_it_is_and_for_which_request(api):
    response = api.get("nothing/", **{"X-Request-Id": "app-17"})
    assert problem(response, 404) == {
        "type": "http://testserver/api/v1/problems/#not-found",
        "title": "There is nothing at this address",
        "status": 404,
        "detail": "There is nothing at this address. The addresses are listed at /api/v1/docs/.",
        "code": "not-found",
        "instance": "http://testserver/api/v1/problems/?request=app-17",
    }


def test_problem_types_link_to_the_public_address(settings, api):
    settings.PUBLIC_URL = "https://cards.example"
    assert api.get("nothing/").json()["type"] == "https://cards.example/api/v1/problems/#not-found"


def test_a_query_error_names_its_parameter(api):
    said = problem(api.get("referee/guides/"), 400)
    assert [(each["parameter"], each["code"]) for each in said["errors"]] == [("game", "missing-key")]
    said = problem(api.get("referee/guides/?game=bridge"), 400)
    assert [(each["parameter"], each["code"]) for each in said["errors"]] == [("game", "unknown-game")]


def test_every_problem_code_is_documented(api):
    page = api.get("problems/")
    assert page.status_code == 200
    assert set(re.findall(r'<dt id="([^"]+)"', page.content.decode())) == set(TITLES)


@pytest.mark.parametrize("path", ["/api/", "/api/v2/", "/api/v2/games/", "/api/v1/games//", "/api/%2e%2e/x/"])
def test_unknown_addresses_are_problems(client, path):
    problem(client.get(path), 404)


def test_pages_keep_their_own_404(client):
    assert client.get("/nothing/").headers["Content-Type"].startswith("text/html")


def test_a_get_without_the_trailing_slash_is_redirected(client):
    response = client.get("/api/v1/games")
    assert (response.status_code, response.headers["Location"]) == (301, "/api/v1/games/")


def test_a_disallowed_host_is_a_problem(settings, client):
    settings.ALLOWED_HOSTS = ["cards.example"]
    problem(client.get("/api/v1/games", headers={"host": "evil.example"}), 400)


@pytest.mark.parametrize("debug", [False, True])
def test_an_internal_error_is_a_problem_without_details(monkeypatch, settings, debug, caplog):
    def fail(*_):
        raise ZeroDivisionError("secret")

    settings.DEBUG = debug
    monkeypatch.setattr(GamesView, "get", fail)
    response = Client(raise_request_exception=False).get("/api/v1/games/")
    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.status_code, response.json()["code"]) == (500, "server-error")
    assert [(each.levelname, each.exc_info is None) for each in caplog.records] == [("ERROR", False)], "one line for it"
    assert b"secret" not in response.content


@pytest.mark.made_up
@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (Http404("x"), 404, "not-found"),
        (PermissionDenied(), 403, "permission-denied"),
        (exceptions.NotAuthenticated(), 401, "not-authenticated"),
        (exceptions.AuthenticationFailed(), 401, "authentication-failed"),
        (exceptions.Throttled(7.5), 429, "throttled"),
        (SuspiciousOperation(), 400, "bad-request"),
    ],
)
def test_view_exceptions_become_problems(monkeypatch, client, raised, status, code):
    def fail(*_):
        raise raised

    monkeypatch.setattr(GamesView, "get", fail)
    response = client.get("/api/v1/games/")
    # without a scheme to authenticate by, DRF answers 403 instead of 401
    status = 403 if status == 401 else status
    assert problem(response, status)["code"] == code
    assert response.headers.get("Retry-After") == ("8" if status == 429 else None)


MAKERS = ("Problem", "ProblemResponse", "Mistake", "shape", "value", "refuse", "NotFound", "PermissionDenied")
"""What makes a problem, with its code among the arguments."""
CODE = re.compile("[a-z]+(-[a-z0-9]+)*")


def codes_in(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            given = [*node.args, *(each.value for each in node.keywords if each.arg == "code")]
            yield from (code for code in map(constant, given) if name in MAKERS and CODE.fullmatch(code))
        elif isinstance(node, ast.FunctionDef):
            defaults = zip(reversed(node.args.args), reversed(node.args.defaults), strict=False)
            yield from (constant(value) for name, value in defaults if name.arg == "code")
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "default_code":
            yield constant(node.value)
        elif isinstance(node, ast.Dict):
            # A table of codes maps a kind of refusal to its status and code.
            pairs = [value.elts for value in node.values if isinstance(value, ast.Tuple) and len(value.elts) == 2]
            yield from (constant(code) for status, code in pairs if constant(status) in map(str, range(400, 600)))


def constant(node):
    return str(node.value) if isinstance(node, ast.Constant) else ""


RAISED = {
    kind.default_code.replace("_", "-")
    for kind in vars(exceptions).values()
    if isinstance(kind, type) and issubclass(kind, exceptions.APIException)
} - {"error", "invalid"}
"""The framework's own error codes; its two catch-all codes are replaced by ours."""


def test_every_problem_code_in_the_source_is_explained():
    root = Path(__file__).parents[3]
    parts = ("referee", "scoring", "deploy")
    found = {code for part in parts for path in (root / part).rglob("*.py") for code in codes_in(path)} | RAISED
    assert {"key-reused", "parse-error", "bad-notation", "too-large", "moved-on"} <= found
    assert found - {""} <= set(TITLES) == set(components()["ProblemCode"]["enum"])


def test_a_problem_has_a_correct_content_length(client):
    answer = client.get("/api/v1/games/chess/", headers={"host": "cards.example"})
    assert answer.status_code == 404
    assert int(answer["Content-Length"]) == len(answer.content)


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl"])
@pytest.mark.parametrize(
    ("path", "english"),
    [
        ("/api/v1/nothing/", SENTENCES[404]),
        (
            "/api/v1/games/?oops=1",
            phrase("This address does not take the parameter {name}. Nothing was done.", name="'oops'"),
        ),
        ("/api/v1/games/nope/", phrase("There is no such game here. The games are: {known}.", known="")),
        ("/api/v1/decks/nope/", phrase("There is no such deck here. The decks are: {known}.", known="")),
    ],
)
def test_what_is_wrong_is_told_in_the_callers_language(client, language, path, english):
    answer = client.get(path, headers={"accept-language": language}).json()
    with override(language):
        begins = told(english).removesuffix(".").rstrip()
        title = gettext(TITLES[answer["code"]])
    assert answer["detail"].startswith(begins)
    assert begins.split()[0] != str(english).split()[0]
    assert answer["title"] == title != TITLES[answer["code"]]
