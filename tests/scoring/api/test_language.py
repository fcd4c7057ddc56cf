"""Programs are answered in English, whatever language a browser asks for."""

import json
import re

import pytest
from django.utils import translation
from rest_framework.test import APIClient

from tests.scoring.conftest import holder, open_table, play


def germans(client: APIClient) -> APIClient:
    """Return the client as a browser that asks for German, and chose it."""
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    client.cookies["language"] = "de"
    return client


REQUESTS = [
    ("get", "", None),
    ("get", "events/", None),
    ("get", "record/?as=text&annotate=1", None),
    ("get", "record/?as=csv", None),
    ("get", "record/?as=nothing", None),
    ("post", "events/", play(1, "8MS")),
    ("post", "events/", {"events": [play(1, "8MS")]}),
    ("post", "events/", {"events": [play(1, "8MS"), play(1, "8MS")]}),
    ("post", "events/", {"events": [play(0, "zz")]}),
    ("post", "events/", {"events": "x"}),
    ("post", "events/", None),
    ("post", "undo/", {}),
    ("post", "amendments/", {"seq": 99, "event": None}),
    ("post", "links/", {"role": "nobody"}),
    ("delete", "events/", None),
]


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS)
def test_an_answer_is_the_same_in_every_language(db, method, path, body):
    answers = []
    for speaks in (APIClient, lambda: germans(APIClient())):
        table, client = open_table(), speaks()
        table.record(play(0, "2MK"))
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {table.token}")
        answer = getattr(client, method)(f"/api/v1/tables/{table.code}/{path}", body, format="json")
        assert answer.headers["Content-Language"] == "en"
        answers.append((answer.status_code, words(answer.content.decode(), table.code)))
    assert answers[0] == answers[1]


def words(content: str, code: str) -> str:
    """Return an answer without what differs from table to table: codes, links, times."""
    plain = content.replace(code, "CODE")
    return re.sub(r'"[\w-]{32}"|"\d{4}-\d\d-\d\dT[^"]*"|"number": ?\d+|\d{4}-\d\d-\d\d[T ][\d:.Z+]+', "…", plain)


def test_questions_and_their_problems_are_english(db):
    german = germans(APIClient())
    body: dict = {"game": "ace-trump", "options": {}, "trump": None, "plays": [{"cards": ["8MS"]}, {"cards": ["XS"]}]}
    won = german.post("/api/v1/referee/trick/", body, format="json")
    assert "is the highest" in won.json()["reason"]["text"]
    wrongs: list = [{}, {"game": "skat"}, body | {"plays": []}, body | {"trump": "Q"}, []]
    for wrong in wrongs:
        problem = german.post("/api/v1/referee/trick/", wrong, format="json")
        assert problem.headers["Content-Type"] == "application/problem+json"
        assert problem.content == APIClient().post("/api/v1/referee/trick/", wrong, format="json").content
    for address in ("/api/v1/nothing/", "/api/v1/tables/AAAAAAAA/", "/api/v1/games/skat/"):
        assert german.get(address).content == APIClient().get(address).content
    assert "Accept-Language" not in german.get("/api/v1/games/").headers.get("Vary", "")


def test_the_usual_event_is_answered_in_english_after_a_german_page(table):
    """Whatever the same thread said last."""
    germans(APIClient()).get(f"/t/{table.code}/")
    with translation.override("de"):
        answer = germans(holder(table.token)).post(
            f"/api/v1/tables/{table.code}/events/", json.dumps(play(0, "8MS")), content_type="application/json"
        )
    assert (answer.status_code, answer.headers["Content-Language"]) == (201, "en")
    assert "Ann" not in json.dumps(answer.json().get("ruling", {}).get("reason") or "")


def test_the_pages_of_the_api_are_english(client):
    for address in ("/api/v1/problems/", "/api/v1/docs/"):
        page = client.get(address, headers={"accept-language": "de"})
        assert '<html lang="en">' in page.content.decode()
        assert "Deutsch" not in page.content.decode()
