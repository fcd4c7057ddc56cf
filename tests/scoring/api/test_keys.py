"""Requests sent again: the first answer, for seven days, and nothing twice."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from scoring.models import Table
from scoring.services.keys import KEYS_ARE_KEPT
from tests.scoring.conftest import ACE_TRUMP, play

KEY = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c14"
TABLES = "/api/v1/tables/"


def send(client, url, body, key=KEY):
    return client.post(url, body, format="json", HTTP_IDEMPOTENCY_KEY=key)


def days_pass():
    row = Table.objects.get()
    long_ago = timezone.now() - KEYS_ARE_KEPT - timedelta(minutes=1)
    row.log.update(at=long_ago)
    Table.objects.update(created=long_ago)


def test_a_table_is_opened_once(stranger):
    first = send(stranger, TABLES, ACE_TRUMP)
    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {first.json()['token']}")
    stranger.post(first.json()["links"]["events"], play(0, "8MS"), format="json")
    again = send(stranger, TABLES, ACE_TRUMP)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again["ETag"] == first["ETag"] == '"0"'
    assert Table.objects.count() == 1


def test_a_key_opens_one_table_only(stranger):
    send(stranger, TABLES, ACE_TRUMP)
    answer = send(stranger, TABLES, ACE_TRUMP | {"first_dealer": 1})
    assert (answer.status_code, answer.json()["code"]) == (422, "key-reused")


def test_after_seven_days_a_key_opens_another_table(stranger):
    first = send(stranger, TABLES, ACE_TRUMP).json()
    days_pass()
    assert send(stranger, TABLES, ACE_TRUMP).json()["code"] != first["code"]


def test_after_seven_days_a_key_may_be_used_for_another_event(scorekeeper, table):
    url = f"{TABLES}{table.code}/events/"
    assert send(scorekeeper, url, play(0, "8MS")).status_code == 201
    days_pass()
    assert send(scorekeeper, url, play(1, "XS")).json()["version"] == 2
    assert send(scorekeeper, url, play(1, "XS")).json()["version"] == 2


def test_old_keys_can_be_cleared_away(scorekeeper, table, capsys):
    send(scorekeeper, f"{TABLES}{table.code}/events/", play(0, "8MS"))
    days_pass()
    send(scorekeeper, f"{TABLES}{table.code}/undo/", {}, "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c15")
    call_command("forget_keys")
    assert capsys.readouterr().out == "1 keys and 0 devices forgotten.\n"
    assert [entry.key is None for entry in table.row.log.order_by("seq")] == [True, False]


@pytest.mark.parametrize("path", ["", "{code}/events/", "{code}/undo/"])
def test_a_key_is_a_uuid_everywhere(scorekeeper, table, path):
    answer = send(scorekeeper, TABLES + path.format(code=table.code), ACE_TRUMP, "once more")
    assert answer.status_code == 400


@pytest.mark.parametrize("key", [KEY.upper(), KEY.replace("-", ""), f'"{KEY}"', f"{{{KEY}}}"])
def test_a_key_is_the_same_however_it_is_written(scorekeeper, table, key):
    url = f"{TABLES}{table.code}/events/"
    first = send(scorekeeper, url, play(0, "8MS"))
    assert send(scorekeeper, url, play(0, "8MS"), key).json() == first.json()
    assert table.row.version == 1


@pytest.mark.parametrize("digit", "0f")
def test_a_key_that_nobody_made_is_none(stranger, digit):
    """Whoever forgets to make one would be answered what the first of them was: a table, and the right to it."""
    key = f"{digit * 8}-{digit * 4}-{digit * 4}-{digit * 4}-{digit * 12}"
    answer = send(stranger, TABLES, ACE_TRUMP, key)
    assert answer.status_code == 400
    assert "made for this request" in answer.json()["detail"]
    assert not Table.objects.exists()
