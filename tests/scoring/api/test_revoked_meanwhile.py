"""A right that goes while a request is under way is gone: a body may hang as long as its sender likes."""

import json
from io import BytesIO

import pytest
from django.test import Client

from scoring.models import Link, Role
from scoring.queries.access import token_hash
from scoring.services.keys import Caller
from scoring.services.links import revoke_link
from scoring.services.table_access import remembered_link
from tests.scoring.conftest import holder, play

TYPE = "application/json; charset=utf-8"
ACTS = [
    ("post", "events/", {"type": "note", "text": "Still here."}),
    ("post", "events/", {"events": [play(0, "8MS"), play(1, "XS")]}),
    ("post", "undo/", {}),
    ("post", "amendments/", {"seq": 1, "event": None}),
    ("post", "amendments/?dry_run=1", {"seq": 1, "event": None}),
    ("post", "links/", {"role": "scorekeeper"}),
    ("post", "continue/", {"seats": ["Ann", "Bob", "Cy"]}),
    ("patch", "", {"private": True}),
    ("patch", "", {}),
    ("post", "disputes/", {"claim": "Whose trick was that?"}),
    ("post", "readings/", {}),
    ("patch", "links/1/", {"name": "Mallory"}),
    ("post", "guide/", {"situation": "bid-out-of-turn", "answers": {}, "remedy": "stand"}),
]


class Hanging(BytesIO):
    """A body that comes only after something else has happened."""

    def __init__(self, body, *, before):
        super().__init__(body)
        self.before = before

    def read(self, *most):
        if self.before:
            self.before()
            self.before = None
        return super().read(*most)


@pytest.fixture
def mallory(table):
    """Mallory's token, a second scorekeeper's, and what Ann does about it."""
    token = table.link("scorekeeper")
    number = Link.objects.get(token_hash=token_hash(token)).pk
    return token, lambda: revoke_link(table.code, number, Caller())


def send(method, path, body, *, before, content_type=TYPE, **headers):
    given = {"wsgi.input": Hanging(body, before=before), "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": content_type}
    return Client().generic(method.upper(), path, headers=headers, **given)


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_a_link_that_is_revoked_before_the_body_has_come_does_nothing(table, mallory, method, path, body):
    table.record({"type": "note", "text": "Hm."})
    token, ann_revokes_it = mallory
    address = f"/api/v1/tables/{table.code}/{path}"
    answer = send(method, address, json.dumps(body).encode(), before=ann_revokes_it, Authorization=f"Bearer {token}")
    assert answer.status_code == 401, answer.content
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["code"] == "authentication-failed"
    row = table.row
    assert (row.version, row.private, row.finished) == (1, False, False)
    assert Link.objects.filter(role=Role.SCOREKEEPER, revoked=None).count() == 1


@pytest.mark.parametrize(("method", "path", "body"), [*ACTS, ("delete", "", {}), ("delete", "links/1/", {})])
def test_nor_does_one_that_a_process_remembers(table, mallory, method, path, body):
    """What another process has revoked is known here by the database alone."""
    token, ann_revokes_it = mallory
    client, address = holder(token), f"/api/v1/tables/{table.code}/"
    assert client.post(f"{address}events/", {"type": "note", "text": "Hm."}, format="json").status_code == 201
    assert remembered_link(table.code, token=token)
    ann_revokes_it()
    answer = getattr(client, method)(f"{address}{path}", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (401, "authentication-failed")
    assert (table.row.version, table.row.private) == (1, False)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("record/", "event=note&text=Still+here."),
        ("undo/", "version=1"),
        ("links/", "for=scorekeeper"),
        ("private/", "private=1"),
        ("continue/", "name=Ann&name=Bob&name=Cy"),
        ("amend/1/", "strike=1"),
    ],
)
def test_nor_does_a_form(table, mallory, path, form):
    """It is told so at once, or sent to the table, which says so."""
    table.record(play(0, "8MS"))
    token, ann_revokes_it = mallory
    browser = Client()
    browser.post(f"/t/{table.code}/join/", {"token": token})
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())
    kind = "application/x-www-form-urlencoded"
    where = f"/t/{table.code}/{path}"
    answer = send("post", where, form.encode(), before=ann_revokes_it, content_type=kind, Cookie=cookie)
    if answer.status_code == 302:
        assert "You are watching" in browser.get(answer["Location"]).content.decode()
    else:
        assert answer.status_code == 403, answer.content.decode()
        assert "only watches" in answer.content.decode() or "not keep the score" in answer.content.decode()
    row = table.row
    assert (row.version, row.private, row.finished) == (1, False, False)
    assert Link.objects.filter(role=Role.SCOREKEEPER, revoked=None).count() == 1
