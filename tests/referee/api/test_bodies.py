"""What counts as JSON here: what two programs could understand differently is refused."""

import io

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from referee.api.middleware import ApiMiddleware
from referee.api.parsers import DEEPEST, StrictJSONParser, read_object
from referee.api.problems import TooLarge
from referee.engine.options import Refused
from tests.referee.api.conftest import problem

DEEP = b'{"x_a":' + b"[" * (DEEPEST - 1) + b"]" * (DEEPEST - 1) + b"}"


def test_it_works():
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
def test_anything_else_than_a_json_object_is_400(api, body, code):
    assert api.refused("referee/judge/", body, 400)["code"] == code


def test_a_text_that_cannot_be_stored_is_pointed_at(api):
    said = api.refused("referee/judge/", b'{"hands": [{"x/y": "\\u0000"}]}', 400)
    assert said["errors"][0]["pointer"] == "/hands/0/x~1y"


@pytest.mark.parametrize("digits", ["2", "2.0", "2e0", "0.2E1"])
def test_a_whole_number_may_be_written_with_a_point(digits):
    assert repr(read_object(f'{{"a": {digits}}}'.encode())["a"]) == "2"


def test_a_backslash_before_u_is_just_text():
    assert read_object(b'{"a": "\\\\u0000"}') == {"a": "\\u0000"}


def test_reasonable_nesting_is_read():
    read_object(DEEP)


def test_a_byte_order_mark_does_no_harm():
    assert read_object(b"\xef\xbb\xbf{}") == {}


@pytest.mark.parametrize(
    "kind", ["text/html", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"]
)
def test_another_media_type_is_415(api, kind):
    assert api.refused("referee/judge/", b"{}", 415, content_type=kind)["code"] == "unsupported-media-type"


def test_no_body_at_all_is_400(api):
    assert api.refused("referee/judge/", b"", 400)


def test_ten_megabytes_are_413_unread(api):
    assert api.refused("referee/judge/", b" " * 10_000_000, 413)["code"] == "too-large"


@pytest.mark.parametrize("length", ["99999999999999999999", "2097153", "9" * 5000])
def test_a_length_that_promises_too_much_is_413(api, length):
    response = api.client.generic("POST", "/api/v1/referee/judge/", b"{}", "application/json", CONTENT_LENGTH=length)
    problem(response, 413)


@pytest.mark.parametrize("length", ["", "-5", "abc", "0"])
def test_a_length_that_makes_no_sense_is_400(api, length):
    response = api.client.generic("POST", "/api/v1/referee/judge/", b"{}", "application/json", CONTENT_LENGTH=length)
    problem(response, 400)


def test_the_parser_bounds_what_the_length_does_not():
    with pytest.raises(TooLarge):
        StrictJSONParser().parse(io.BytesIO(b" " * 3_000_000))


def chunked(api, body):
    """Post a body without a length, as a client that streams it does."""
    environ = RequestFactory().post("/api/v1/referee/judge/").environ
    environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}
    environ["wsgi.input"] = io.BytesIO(body)
    return api.client.request(**environ)


def test_a_body_in_chunks_is_read(api):
    body = b'{"game": "ace-trump", "seats": ["Ann", "Bob"], "first_dealer": 0}'
    assert chunked(api, body).json()["next"]["hand_size"] == [9, 9]


def test_a_body_in_endless_chunks_is_413(api):
    problem(chunked(api, b" " * 3_000_000), 413)


def test_other_paths_are_left_alone():
    request = RequestFactory().post("/", b" ", content_type="text/plain", CONTENT_LENGTH="99999999")
    page = HttpResponse("a page")
    assert ApiMiddleware(lambda _: page)(request) is page


def test_what_is_refused_is_never_quoted_at_length():
    with pytest.raises(Refused) as refused:
        read_object(b'{"' + b"a" * 100_000 + b'": 1, "' + b"a" * 100_000 + b'": 1}')
    assert len(str(refused.value)) < 200
