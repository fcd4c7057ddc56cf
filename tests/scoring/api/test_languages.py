"""An API in the caller's language: sentences in it, codes and facts in none."""

import re

import pytest

from tests.scoring.conftest import holder, open_table, play

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,de;q=0.9,en;q=0.5"}


def texts(answer, path):
    for key in path:
        answer = answer[key]
    return answer


def test_it_works(ann, table):
    url = f"/api/v1/tables/{table.code}/"
    for seat, card in enumerate(("8MS", "XS", "XM")):
        ann.post(f"{url}events/", play(seat, card))
    english, german = ann.get(url), ann.get(url, **GERMAN)
    assert (english["Content-Language"], german["Content-Language"]) == ("en", "de")
    assert "Accept-Language" in german["Vary"]
    one, other = (answer.json()["state"]["hands"][0]["tricks"][0]["reason"] for answer in (english, german))
    assert (one["code"], one["clauses"], one["facts"]) == (other["code"], other["clauses"], other["facts"])
    assert one["text"] != other["text"]
    assert one["facts"]["card"] in ("XS", "XM"), "a card is a code in every language"


def test_facts_say_what_the_sentence_is_made_of(ann, table):
    answer = ann.post(f"/api/v1/tables/{table.code}/events/", play(1, "8MS"))
    assert answer.status_code == 409
    assert answer.json()["ruling"]["reason"]["facts"] == {"seat": 1, "turn": 0}


def test_a_hand_that_was_left_is_told_in_it_too(ann, table):
    url = f"/api/v1/tables/{table.code}/"
    ann.post(f"{url}events/", {"events": [{"type": "result", "tricks": [4, 4, 4]}]})
    ann.post(f"{url}events/", play(1, "9LK"))
    english, german = (ann.get(url, **headers).json()["state"]["hands"] for headers in ({}, GERMAN))
    assert len(english) == len(german) == 2
    assert english[0]["scores"] == german[0]["scores"]
    assert english[0]["score_lines"][0]["reason"]["text"] != german[0]["score_lines"][0]["reason"]["text"]


@pytest.mark.parametrize(
    ("method", "path", "body", "where"),
    [
        ("get", "games/ace-trump/", None, ["tagline"]),
        ("get", "games/ace-trump/", None, ["options", "properties", "ties", "title"]),
        ("get", "games/ace-trump/rulebook/", None, [0, "text"]),
        ("get", "decks/decktet/", None, ["suits", 0, "name"]),
        ("post", "referee/judge/", {"game": "whist"}, ["title"]),
        ("post", "referee/judge/", {"game": "whist"}, ["errors", 0, "detail"]),
        ("post", "referee/legal/", {"game": "ace-trump", "hand": ["8MS", "9LK"], "led_card": "AM"}, ["reason", "text"]),
        ("get", "tables/NOSUCH22/", None, ["title"]),
    ],
)
def test_everything_that_is_said(stranger, method, path, body, where):
    call = getattr(stranger, method)
    english, german = (
        texts(call(f"/api/v1/{path}", *([] if body is None else [body]), **headers).json(), where)
        for headers in ({}, GERMAN)
    )
    assert english != german


@pytest.mark.parametrize("wanted", ["", "*", "fr", "tlh, fr;q=0.5", "x" * 300, "de;q=0", "en-GB, de;q=0.1"])
def test_what_is_not_spoken_here_is_answered_in_english(stranger, wanted):
    answer = stranger.get("/api/v1/games/ace-trump/", HTTP_ACCEPT_LANGUAGE=wanted)
    assert (answer.status_code, answer["Content-Language"]) == (200, "en")


def test_a_cookie_of_the_pages_means_nothing_here(stranger):
    stranger.cookies["language"] = stranger.cookies["django_language"] = "de"
    assert stranger.get("/api/v1/games/")["Content-Language"] == "en"


def test_each_language_has_a_tag_of_its_own(stranger):
    url = "/api/v1/games/ace-trump/rulebook/"
    tag = stranger.get(url)["ETag"]
    assert stranger.get(url, HTTP_IF_NONE_MATCH=tag).status_code == 304
    assert stranger.get(url, HTTP_IF_NONE_MATCH=tag, **GERMAN).status_code == 200


def test_hidden_points_stay_hidden_in_it(stranger):
    table = open_table(game="ace-pit", seats=["Ann", "Bob"], first_dealer=0, options={"totals": "hidden"})
    table.record(play(1, "AS"), play(0, "2S"))
    german = stranger.get(f"/api/v1/tables/{table.code}/", **GERMAN).json()
    assert german["state"]["points_hidden"] is True
    assert german["state"]["hands"][0]["score_lines"] == []


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
def test_codes_clauses_and_facts_are_the_same_in_every_language(db, method, path, body):
    answers = []
    for headers in ({}, GERMAN):
        table = open_table()
        table.record(play(0, "2MK"))
        answer = getattr(holder(table.token), method)(f"/api/v1/tables/{table.code}/{path}", body, **headers)
        json = answer["Content-Type"].endswith("json")
        answers.append((answer.status_code, list(stable(answer.json())) if json else without_times(answer.content)))
    assert answers[0] == answers[1]


def stable(value):
    """Yield what no language changes."""
    if isinstance(value, dict):
        yield from ((key, value[key]) for key in ("clauses", "facts", "verdict", "pointer", "event") if key in value)
        yield from (("code", code) for code in [value.get("code")] if isinstance(code, str) and code.islower())
        for part in value.values():
            yield from stable(part)
    if isinstance(value, list):
        for part in value:
            yield from stable(part)


def without_times(content):
    """Return a record taken away, which is English for everybody, without when it was made."""
    return re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.Z+]+", "", content.decode())


def test_the_same_thread_speaks_to_each_in_the_own_language(ann, table, client):
    client.get(f"/t/{table.code}/", headers={"accept-language": "de"})
    answer = ann.post(f"/api/v1/tables/{table.code}/events/", play(0, "8MS"))
    assert (answer.status_code, answer["Content-Language"]) == (201, "en")


def test_the_pages_of_the_api_are_english(client):
    for address in ("/api/v1/problems/", "/api/v1/docs/"):
        page = client.get(address, headers={"accept-language": "de"})
        assert '<html lang="en">' in page.content.decode()
        assert "Deutsch" not in page.content.decode()


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("amendments/", {"seq": 99, "event": play(0, "8MS"), "reason": "slip"}, "no-such-event"),
        ("undo/", {}, "nothing-to-undo"),
        ("disputes/7/withdrawal/", {}, "no-such-dispute"),
        ("hands/1/confirmation/", {}, "not-your-seat"),
    ],
)
def test_why_something_was_not_done_is_said_in_it_too(ann, table, path, body, code):
    url = f"/api/v1/tables/{table.code}/{path}"
    english, german = (ann.post(url, body, **headers).json() for headers in ({}, GERMAN))
    assert (english["code"], german["code"]) == (code, code)
    assert english["detail"] != german["detail"]
