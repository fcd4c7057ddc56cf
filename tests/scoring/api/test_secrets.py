"""A copy of the database opens nothing, even with the installation’s secret; a retry gets its token."""

import itertools
import json
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import signing
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring import models
from scoring.models import Device, ShortLived, Table
from scoring.models.table import ALPHABET
from scoring.tables.acts.access import cookie_for
from scoring.tables.acts.keys import forget_expired
from scoring.tables.reads.access import token_hash
from tests.scoring.conftest import ACE_TRUMP, holder, play, refusal
from tests.scoring.pages.conftest import Device as Phone
from tests.scoring.pages.phones import the_cookie

pytestmark = pytest.mark.django_db(transaction=True)
RECORD = ACE_TRUMP | {"format": "table-record/1", "hands": [{"events": [play(0, "8MS")]}]}


def make(client, address, body, key=None):
    answer = client.post(f"/api/v1/{address}", body, HTTP_IDEMPOTENCY_KEY=key or str(uuid4()))
    assert answer.status_code == 201, answer.content
    return answer.json()


@pytest.fixture
def creations(stranger):
    """Every request that creates a right: client, address, body, and the secret's place in its answer."""
    table = make(stranger, "tables/", ACE_TRUMP)
    group = make(stranger, "groups/", {"name": "Us", "people": ["Ann", "Bob", "Cy"]})
    ann, member = holder(table["token"]), holder(group["token"])
    return [
        (stranger, "tables/", ACE_TRUMP, "token"),
        (stranger, "tables/import/", RECORD, "token"),
        (stranger, "groups/", {"name": "Them"}, "token"),
        (ann, f"tables/{table['code']}/links/", {"role": "player", "seat": 1}, "token"),
        (ann, f"tables/{table['code']}/links/", {"role": "reader"}, "token"),
        (ann, f"tables/{table['code']}/continue/", {"seats": ["Ann", "Bob", "Dee"]}, "token"),
        (member, f"groups/{group['code']}/links/", {"role": "viewer"}, "token"),
        (member, f"groups/{group['code']}/links/", {"role": "bot", "scope": "read", "name": "Screen"}, "token"),
    ]


def minutes_pass():
    ShortLived.objects.update(since=timezone.now() - timedelta(minutes=11), until=timezone.now() - timedelta(minutes=1))


def test_a_retry_returns_the_token_for_ten_minutes(creations):
    for client, address, body, name in creations:
        key = str(uuid4())
        first = make(client, address, body, key)
        assert make(client, address, body, key)[name] == first[name], address
        minutes_pass()
        late = make(client, address, body, key)
        assert late[name] is None, address
        assert late.get("url") is None, address
        assert {**late, "token": 0, "url": 0, name: 0} == {**first, **late, "token": 0, "url": 0, name: 0}


def test_a_shown_token_is_erased_after_ten_minutes(creations):
    minutes_pass()
    make(creations[0][0], "tables/", ACE_TRUMP)
    assert ShortLived.objects.count() == 1
    minutes_pass()
    forget_expired()
    assert not ShortLived.objects.exists()


def test_a_retry_does_not_return_a_revoked_token(creations):
    key = str(uuid4())
    client, address, body, _ = creations[0]
    made = make(client, address, body, key)
    ann = holder(made["token"])
    links = f"/api/v1/tables/{made['code']}/links/"
    other = holder(ann.post(links, {"role": "scorekeeper"}).json()["token"])
    first = other.get(links).json()["rights"][0]["id"]
    assert other.delete(f"{links}{first}/").status_code == 204
    assert make(client, address, body, key)["token"] is None


def test_reusing_the_key_for_another_right_returns_no_token(stranger):
    key = str(uuid4())
    member = holder(make(stranger, "groups/", {"name": "Us"})["token"])
    make(member, "tables/", ACE_TRUMP, key)
    for client in (stranger, holder(make(stranger, "groups/", {"name": "Them"})["token"])):
        assert refusal(client.post("/api/v1/tables/", ACE_TRUMP, HTTP_IDEMPOTENCY_KEY=key)) == (422, "key-reused")


# -- the attack -----------------------------------------------------------------------------


def words_of_a_copy():
    """Return every short string in the database, including those inside JSON."""
    found = set()
    for model in apps.get_app_config("scoring").get_models():
        for values in model._base_manager.values_list():
            for value in values:
                found |= set(flat(value))
    return {word for word in found if word and len(word) <= 200}


def flat(value):
    if isinstance(value, dict):
        yield from itertools.chain(value, *map(flat, value.values()))
    elif isinstance(value, list | tuple):
        yield from itertools.chain(*map(flat, value))
    else:
        yield str(value)


def derived(text, salt="scoring.token"):
    digest = salted_hmac(salt, text, algorithm="sha256").digest()
    yield urlsafe_b64encode(digest[:24]).decode()
    number, letters = int.from_bytes(digest), []
    for _ in range(24):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    yield "".join(letters)


def test_a_database_copy_and_the_secret_reveal_no_tokens(creations, monkeypatch):
    """Every token scheme is tried with every key, code and hash in a copy."""
    keys = [str(uuid4()) for _ in creations]
    told = [
        make(client, address, body, key)[name]
        for (client, address, body, name), key in zip(creations, keys, strict=True)
    ]
    secrets = {secret.replace("-", "") if "-" in secret and secret.isupper() else secret for secret in told}
    words = words_of_a_copy()
    assert not words & {*told, *secrets, *keys}, "nothing that opens anything is stored as it is"
    hashes = {
        *(row.token_hash for model in (models.Link, models.GroupLink) for row in model.objects.all()),
        *models.RecoveryCode.objects.values_list("code_hash", flat=True),
        *Device.objects.values_list("secret_hash", flat=True),
    }
    keyed: tuple[Any, ...] = (Table, models.Group, models.DoneRequest, models.GroupRequest)
    pairs = {(each.key, each.fingerprint) for model in keyed for each in model.objects.exclude(key=None)}
    codes = [word for word in words if len(word) == 8]
    digests = [word for word in words if len(word) == 64]
    texts = {
        f"{kind}{code} {key} {fingerprint}"
        for kind in ("", "group ", "keep ", "reading ")
        for code in codes
        for key, fingerprint in pairs
    }
    assert len(pairs) > 7
    for text in texts:
        for salt in ("scoring.token", "scoring.recovery"):
            assert not {token_hash(guess) for guess in derived(text, salt)} & hashes
    for sealed in ShortLived.objects.exclude(text=""):
        for text in (*digests, *map("\0".join, pairs)):
            pad = salted_hmac("scoring.sealing", text, algorithm="sha512").digest()
            opened = bytes(a ^ b for a, b in zip(bytes.fromhex(sealed.text), pad, strict=False))
            assert token_hash(opened.decode("latin-1")) not in hashes


def test_a_database_copy_opens_no_device(db):
    phone, thief = Phone(), Phone()
    address = phone.open_table(private="1")
    kept, own = Device.objects.get().secret_hash, the_cookie(phone)
    assert kept not in own.value
    for token in (signing.dumps([kept], salt="scoring.moving"), kept, json.dumps([kept])):
        assert thief.post("/device/take/", {"token": token}).status_code == 404
    for value in (kept, cookie_for(kept)[1], cookie_for(kept[:43])[1], signing.dumps([kept], salt="scoring.tables")):
        for name in (own.key, f"device-{token_hash(kept)[:8]}", "tables"):
            thief.cookies[name] = value
        assert thief.get(address).status_code == 404
    assert thief.get(address, headers={"Authorization": f"Bearer {kept}"}).status_code == 404
    assert phone.get(address).status_code == 200
