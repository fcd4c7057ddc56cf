"""A page of another site opens no table on a server in its visitor's network."""

import json

import pytest
from django.test import override_settings

from scoring.models import Table
from tests.scoring.api.test_import import RECORD, TEXT, URL
from tests.scoring.conftest import ACE_TRUMP

ELSEWHERE = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver:8001"},
    {"Origin": "https://elsewhere.example"},
    {"Origin": "http://testserver.elsewhere.example"},
    {"Origin": "http://testserver:8001"},
    {"Origin": "null"},
    {"Origin": ""},
]
HERE = [
    {},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
    {"Origin": "http://testserver"},
    {"Origin": "https://testserver"},
]


def send(client, headers, body=TEXT):
    """Send a record as a form of any page can."""
    return client.post(URL, body, content_type="text/plain", headers=headers)


@pytest.mark.parametrize("headers", ELSEWHERE)
def test_what_a_browser_sends_for_another_site_is_refused(stranger, headers):
    for answer in (send(stranger, headers), stranger.post(URL, RECORD, headers=headers)):
        assert answer.status_code == 403
        assert (answer.json()["code"], answer.json()["title"]) == ("other-site", "A page of another site sent this")
    assert not Table.objects.exists()


@pytest.mark.parametrize("headers", HERE)
def test_programs_and_pages_of_this_server_bring_records(stranger, headers):
    assert send(stranger, headers).status_code == 201


@override_settings(CSRF_TRUSTED_ORIGINS=["https://cards.example"])
def test_a_site_that_is_trusted_may(stranger):
    trusted = {"Origin": "https://cards.example", "Sec-Fetch-Site": "cross-site"}
    assert send(stranger, trusted).status_code == 201


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_elsewhere_only_json_is_read_which_no_page_sends_unasked(stranger, kind):
    answer = stranger.generic("POST", "/api/v1/tables/", json.dumps(ACE_TRUMP), content_type=kind)
    assert answer.status_code == 415
    assert not Table.objects.exists()
