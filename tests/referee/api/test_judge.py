"""Records judged, audited, and judged under other rules; bodies, as JSON and through ASGI."""

import asyncio
import io
import json

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse
from django.test import RequestFactory

from deploy.handler import LeanASGIHandler
from referee.api import views
from referee.api.middleware import ApiMiddleware
from referee.api.problems import TooLarge
from referee.api.requests import StrictJSONParser
from referee.engine.game import with_game
from referee.engine.reader import DEEPEST, read_object
from referee.engine.rules import Refused
from tests.games.discovery import CASES
from tests.referee.api.conftest import problem
from tests.referee.telling import known, plays, told
from tests.toy import GAME as TOY

# --- POST referee/judge/: a record in, its adjudication out

RECORD = told(plays("0:8MS 1:XS 2:XM 1:AY"), options={"ties": "early"}, end={"kind": "hands", "value": 4})


def test_a_record_is_judged(api):
    judged = api.post("referee/judge/", RECORD).json()
    (hand,) = judged["hands"]
    assert hand["tricks"][0]["winner"] == 1
    assert hand["tricks"][0]["reason"]["code"] == "earlier-of-equals"
    assert (hand["trump"], hand["to_act"], judged["totals"]) == ("Y", [2], [0, 1, 0])
    assert judged["rejected"] is None
    assert judged["next"] is None


def test_a_refused_event_stops_judging_but_not_the_answer(api):
    judged = api.post("referee/judge/", told(plays("0:8MS 1:XS 2:XM 1:XS")))
    assert judged.status_code == 200
    rejected = judged.json()["rejected"]
    assert (rejected["hand"], rejected["event"], rejected["verdict"]) == (0, 3, "impossible")
    assert rejected["reason"]["code"] == "already-played"
    assert len(judged.json()["hands"][0]["tricks"]) == 1


def test_a_toy_game_is_judged_without_changes_to_the_api(api):
    record = told(plays("0:QH 1:KH"), game="plain-whist", players=2, options={"cards": 1})
    with with_game(TOY):
        judged = api.post("referee/judge/", record).json()
    assert judged["totals"] == [0, 1]
    assert judged["hands"][0]["score_lines"][0]["reason"]["clauses"] == ["TOY-4"]
    assert api.refused("referee/judge/", record, 422)["code"] == "unknown-game"


@pytest.mark.parametrize(
    ("change", "status", "pointer", "code"),
    [
        ({"seats": 3}, 400, "/seats", "wrong-type"),
        ({"hands": [{"events": [{"type": "bid", "seat": 0}]}]}, 400, "/hands/0/events/0/tricks", "missing-key"),
        ({"end": {"kind": "hands", "value": 0}}, 422, "/end/value", "bad-end"),
        ({"hands": [{"known": {"0": ["8MS"]}}]}, 422, "/hands/0/known/0", "bad-known"),
    ],
)
def test_a_wrong_shape_is_400_and_an_impossible_record_422_with_a_pointer(api, change, status, pointer, code):
    said = api.refused("referee/judge/", RECORD | change, status)
    assert (said["errors"][0]["pointer"], said["code"]) == (pointer, code)


def test_several_mistakes_are_all_reported_and_too_many_events_refused(api):
    said = api.refused("referee/judge/", {"hands": 1, "seats": [1, 2], "bogus": 0}, 400)
    assert {error["pointer"] for error in said["errors"]} >= {"/hands", "/seats/0", "/seats/1", "/bogus"}
    said = api.refused("referee/judge/", told([{"type": "pass", "seat": 0}] * 20_001), 422)
    assert said["code"] == "too-many-events"


def test_methods_other_than_post_are_405(api):
    response = api.get("referee/judge/")
    assert problem(response, 405)["code"] == "method-not-allowed"
    assert response.headers["Allow"] == "POST, OPTIONS"


@pytest.mark.parametrize(
    ("path", "body"),
    [("judge", RECORD), ("audit", RECORD), ("what-if", {"record": RECORD})],
)
def test_a_timeout_is_413(api, settings, monkeypatch, path, body):
    assert settings.SECONDS_TO_JUDGE == 5
    clock = iter(range(0, 100, 6))
    with monkeypatch.context() as patched:
        patched.setattr(views, "thread_time", clock.__next__)
        assert api.refused(f"referee/{path}/", body, 413)["code"] == "too-costly"
    assert api.post(f"referee/{path}/", body).status_code == 200


# --- POST referee/audit/: a record in, a full audit of each hand out


def test_a_whole_hand_is_audited(api):
    record = told(plays("0:8MS 1:9WY"), players=2, options={"tides": True})
    (hand,) = api.post("referee/audit/", record).json()["hands"]
    assert (hand["complete"], hand["clean"], hand["unchecked"]) == (True, True, [])


# --- POST referee/what-if/: a record in, its outcome under other house rules out


def test_a_record_is_judged_under_other_house_rules(api):
    answer = api.post("referee/what-if/", {"record": RECORD, "options": {"ties": "symbol"}}).json()
    (hand,) = answer["hands"]
    assert [each["now"]["winner"] for each in hand["tricks"]] == [2, None]
    assert hand["tricks"][0]["change"]["text"] == "Under these rules trick 1 goes to Cy, not to Bob."
    assert answer["totals"] == {"then": [0, 1, 0], "now": [0, 0, 1]}
    assert [(found["code"], found["then"], found["now"]) for found in hand["irregularities"]] == [
        ("out-of-turn", False, True)
    ]


def test_an_event_that_stops_a_record_stops_the_what_if(api):
    answer = api.post(
        "referee/what-if/", {"record": told(plays("0:8MS 1:XS 2:XM 1:AY 0:XS"), options={"ties": "early"})}
    ).json()
    assert answer["rejected"]["reason"]["code"] == "already-played"


@pytest.mark.parametrize(
    ("body", "status", "pointer", "code"),
    [
        ({"options": {}}, 400, "/record", "missing-key"),
        ({"record": RECORD, "option": {}}, 400, "/option", "unknown-key"),
        ({"record": RECORD, "options": []}, 400, "/options", "wrong-type"),
        ({"record": RECORD, "options": {"ties": 1}}, 400, "/options/ties", "wrong-type"),
        ({"record": RECORD | {"seats": 3}}, 400, "/record/seats", "wrong-type"),
        ({"record": RECORD, "options": {"ties": "highest"}}, 422, "/options/ties", "bad-option"),
        ({"record": RECORD, "options": {"partners": True}}, 422, "/options/partners", "option-conflict"),
        ({"record": RECORD | {"options": {"ties": "x"}}}, 422, "/record/options/ties", "bad-option"),
        ({"record": told(known([], s0="8MS"))}, 422, "/record/hands/0/known/0", "bad-known"),
    ],
)
def test_errors_are_explained_with_a_pointer(api, body, status, pointer, code):
    said = api.refused("referee/what-if/", body, status)
    assert (said["errors"][0]["pointer"], said["code"]) == (pointer, code)


# --- A worked ruling of every question over HTTP: the answer is the game's
# That every case is ruled as expected is tested with the game itself, see ``tests/referee/test_golden.py``.

ONE_OF_EACH = {(case["body"]["game"], case["ask"]): case for case in reversed(CASES)}.values()


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=[case["id"] for case in ONE_OF_EACH])
def test_each_case_is_ruled_as_expected(api, case):
    response = api.post(case["ask"], case["body"])
    assert response.status_code == 200, response.content
    answer = response.json()
    assert {key: answer[key] for key in case["expect"]} == case["expect"]
    assert answer["reason"]["text"]
    assert answer["reason"]["code"]
    rulebook = {clause["id"] for clause in api.get(f"games/{case['body']['game']}/rulebook/").json()}
    assert answer["reason"]["clauses"]
    assert set(answer["reason"]["clauses"]) <= rulebook


# --- What counts as JSON: anything two programs could read differently is refused

DEEP = b'{"x_a":' + b"[" * (DEEPEST - 1) + b"]" * (DEEPEST - 1) + b"}"


def test_a_body_is_read_as_json():
    assert read_object('{"a": [1, -2.5, "ü", "\\ud83c\\udca1", null, true]}'.encode()) == {
        "a": [1, -2.5, "ü", "🂡", None, True]
    }


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "not-json"),
        (b"{'a': 1}", "not-json"),
        (b'{"a": 1} x', "not-json"),
        (b'{"a": 01}', "not-json"),
        (b'{"a": "\x00"}', "not-json"),
        (b'{"a": "\n"}', "not-json"),
        (b"\xff\xfe{\x00}\x00", "not-json"),
        (b'{"a": "\xed\xa0\x80"}', "not-json"),
        (b'{"a": "\xc0\xaf"}', "not-json"),
        (b"[]", "not-an-object"),
        (b"null", "not-an-object"),
        (b'"a"', "not-an-object"),
        (b'{"a": 1, "a": 1}', "duplicate-key"),
        (b'{"x": [{"a": 1, "\\u0061": 1}]}', "duplicate-key"),
        (b'{"a": NaN}', "bad-number"),
        (b'{"a": -Infinity}', "bad-number"),
        (b'{"a": 1e999}', "bad-number"),
        (b'{"a": ' + b"1" * 5000 + b"}", "bad-number"),
        (b'{"a": "\\u0000"}', "bad-text"),
        (b'{"a\\u0000": 1}', "bad-text"),
        (b'{"a": ["\\ud800"]}', "bad-text"),
        (b'{"a": "\\udca1\\ud83c"}', "bad-text"),
        (DEEP.replace(b"[]", b"[[]]"), "too-deep"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "too-deep"),
        (b'{"a":' + b"[" * 1_000_000, "too-deep"),
    ],
)
def test_a_body_that_is_not_a_json_object_is_400(api, body, code):
    assert api.refused("referee/judge/", body, 400)["code"] == code


def test_an_unstorable_text_is_refused_with_a_pointer(api):
    said = api.refused("referee/judge/", b'{"hands": [{"x/y": "\\u0000"}]}', 400)
    assert said["errors"][0]["pointer"] == "/hands/0/x~1y"


@pytest.mark.parametrize("digits", ["2", "2.0", "2e0", "0.2E1"])
def test_a_whole_number_may_be_written_with_a_decimal_point(digits):
    assert repr(read_object(f'{{"a": {digits}}}'.encode())["a"]) == "2"


def test_odd_but_valid_json_is_accepted():
    assert read_object(b'{"a": "\\\\u0000"}') == {"a": "\\u0000"}
    read_object(DEEP)
    assert read_object(b"\xef\xbb\xbf{}") == {}


@pytest.mark.parametrize(
    "kind", ["text/html", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"]
)
def test_another_media_type_is_415(api, kind):
    assert api.refused("referee/judge/", b"{}", 415, content_type=kind)["code"] == "unsupported-media-type"


def test_an_empty_body_is_400_and_ten_megabytes_are_413_unread(api):
    assert api.refused("referee/judge/", b"", 400)
    assert api.refused("referee/judge/", b" " * 10_000_000, 413)["code"] == "too-large"


@pytest.mark.parametrize(
    ("length", "status"),
    [("9" * 20, 413), ("2097153", 413), ("9" * 5000, 413), ("", 400), ("-5", 400), ("abc", 400), ("0", 400)],
)
def test_a_too_large_content_length_is_413_and_an_invalid_one_400(api, length, status):
    response = api.client.generic("POST", "/api/v1/referee/judge/", b"{}", "application/json", CONTENT_LENGTH=length)
    problem(response, status)


def test_the_parser_limits_bodies_without_a_length():
    with pytest.raises(TooLarge):
        StrictJSONParser().parse(io.BytesIO(b" " * 3_000_000))


def chunked(api, body):
    """Post a body without a length, as a client that streams it does."""
    environ = RequestFactory().post("/api/v1/referee/judge/").environ
    environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}
    environ["wsgi.input"] = io.BytesIO(body)
    return api.client.request(**environ)


def test_a_chunked_body_is_read_up_to_the_limit(api):
    body = b'{"game": "ace-trump", "seats": ["Ann", "Bob"], "first_dealer": 0}'
    assert chunked(api, body).json()["next"]["hand_size"] == [9, 9]
    problem(chunked(api, b" " * 3_000_000), 413)


def test_paths_outside_the_api_are_left_alone():
    request = RequestFactory().post("/", b" ", content_type="text/plain", CONTENT_LENGTH="99999999")
    page = HttpResponse("a page")
    assert ApiMiddleware(lambda _: page)(request) is page


def test_refused_input_is_never_quoted_at_length():
    with pytest.raises(Refused) as refused:
        read_object(b'{"' + b"a" * 100_000 + b'": 1, "' + b"a" * 100_000 + b'": 1}')
    assert len(str(refused.value)) < 200


# --- The same answers through the ASGI handler the server runs


def send(parts, method="POST", path="/api/v1/referee/deal/", **headers):
    """Send a request in these parts; return the status, the headers and the body of the answer."""

    async def exchange():
        told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": told}
        caller = ApplicationCommunicator(LeanASGIHandler(), scope)
        for number, part in enumerate(parts, start=1):
            await caller.send_input({"type": "http.request", "body": part, "more_body": number < len(parts)})
        start = await caller.receive_output(20)
        body = await caller.receive_output(20)
        await caller.wait(20)
        return start["status"], start["headers"], json.loads(body["body"])

    return asyncio.run(exchange())


ASKED = b'{"game": "ace-trump", "players": 3}'
KIND = {"content_type": "application/json", "host": "localhost"}


@pytest.mark.parametrize(
    ("parts", "headers"),
    [([ASKED], {"content_length": str(len(ASKED))}), ([ASKED[:9], ASKED[9:]], {"transfer_encoding": "chunked"})],
    ids=["in one piece", "in chunks"],
)
def test_a_body_is_read(parts, headers):
    status, _, answer = send(parts, **headers, **KIND)
    assert (status, answer["cards_each"]) == (200, [12, 12, 12])


@pytest.mark.parametrize(
    "headers", [{"transfer_encoding": "chunked"}, {"content_length": "10000000"}, {"content_length": "9"}]
)
def test_a_body_of_ten_megabytes_is_413(headers):
    status, _, answer = send([b" " * 1_000_000] * 10, **headers, **KIND)
    assert (status, answer["code"]) == (413, "too-large")


def test_an_unknown_address_returns_a_problem():
    status, headers, _ = send([b""], "GET", "/api/nothing/")
    assert status == 404
    assert (b"Content-Type", b"application/problem+json") in headers
