"""Every request has an id, which stands in its answer and in each line of the log that is about it."""

import logging

import pytest

from deploy.request_ids import WithRequestId, begin_request


def test_the_id_of_a_caller_comes_back(client):
    assert client.get("/api/v1/games/", headers={"X-Request-Id": "app-17.a"})["X-Request-Id"] == "app-17.a"


@pytest.mark.parametrize("given", ["", "two words", "a" * 65, "a\u00e4"])
def test_what_could_be_mistaken_in_a_log_is_not_taken(client, given):
    answer = client.get("/api/v1/games/", HTTP_X_REQUEST_ID=given)
    assert len(answer["X-Request-Id"]) == 32
    assert answer["X-Request-Id"] != client.get("/api/v1/games/")["X-Request-Id"]


def test_pages_and_what_is_not_found_have_one_too(client, db):
    for address in ("/", "/nowhere/", "/api/v1/nowhere/", "/api/v1/docs/"):
        assert client.get(address)["X-Request-Id"]


def test_a_line_of_the_log_says_which_request_it_is_about():
    begin_request("app-17")
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "broken", (), None)
    assert WithRequestId().filter(record)
    assert logging.Formatter("{name}{request}: {message}", style="{").format(record) == "x [app-17]: broken"
