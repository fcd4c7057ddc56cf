"""A tag stands for the bytes of an answer: what depends on the token or the language has a tag that does, too."""

import gzip
import json

import pytest
from django.test import Client

from scoring.models import Table
from tests.scoring.conftest import open_table, play
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "de")
AFTER = ("asks/", "events/", "record/", "disputes/", "guides/", "hands/1/audit/", "hands/1/confirmation/", "what-if/")
OF_GROUP = (
    "", "people/", "links/", "tables/", "evenings/", "season/", "statistics/", "statistics/ratings/",
    "statistics/hands/", "rulings/", "precedents/", "recovery/", "files/history/", "files/text/",
)  # fmt: skip
CATALOGUE = (
    "", "games/", "games/ace-trump/", "games/ace-trump/rulebook/", "decks/", "decks/french/",
    "referee/guides/?game=oh-hell", "schema/",
)  # fmt: skip


@pytest.fixture
def house(db):
    """A table of a group with an irregularity, and the tokens of everybody."""
    group = make_group()
    table = group.open_table()
    table.record(play(0, "8MS"), play(2, "XM", accepted=True), {"type": "note", "text": "Hm."})
    tokens = {
        "": "", "spectator": table.link("spectator"), "player": table.link("player", 1), "keeper": table.token,
        "member": group.token, "viewer": group.link("viewer"),
    }  # fmt: skip
    return table, group, tokens


def asked(path, token="", language="en", *, head=False, **more):
    headers = {"Accept-Language": language} | ({"Authorization": f"Bearer {token}"} if token else {}) | more
    return (Client().head if head else Client().get)(path, headers=headers)


def every_answer(house):
    table, group, tokens = house
    for end in (
        "",
        *AFTER,
        "record/?as=text",
        "guide/?situation=lead-out-of-turn",
        "bgstats/",
        "?points=1",
        "links/",
        "readings/",
    ):
        yield f"/api/v1/tables/{table.code}/{end}", tokens
    for end in OF_GROUP:
        yield f"/api/v1/groups/{group.code}/{end}", {name: tokens[name] for name in ("member", "viewer")}
    for end in CATALOGUE:
        yield f"/api/v1/{end}", {"": "", "keeper": tokens["keeper"]}


def test_the_same_tag_stands_for_the_same_bytes(house):
    seen = 0
    for path, tokens in every_answer(house):
        known: dict[str, bytes] = {}
        for token in tokens.values():
            for language in LANGUAGES:
                answer = asked(path, token, language)
                vary = {word.strip() for word in answer["Vary"].split(",")}
                assert {"Authorization", "Accept-Language"} <= vary, path
                if answer.status_code != 200:
                    assert "ETag" not in answer, path
                    continue
                body, seen = answer.getvalue(), seen + 1
                assert known.setdefault(answer["ETag"], body) == body, (path, language)
                again = asked(path, token, language, **{"If-None-Match": answer["ETag"]})
                assert (again.status_code, again["ETag"]) == (304, answer["ETag"]), path
                assert vary <= {word.strip() for word in again["Vary"].split(",")}, path
                assert asked(path, token, language, head=True)["ETag"] == answer["ETag"], path
        for tag, body in known.items():
            for token in tokens.values():
                for language in LANGUAGES:
                    other = asked(path, token, language, **{"If-None-Match": tag})
                    if other.status_code == 304:
                        assert asked(path, token, language).getvalue() == body, path
    assert seen > 150


def test_a_page_that_signs_in_keeps_its_controls(house):
    table, _, tokens = house
    path = f"/api/v1/tables/{table.code}/asks/"
    before = asked(path)
    assert not any(ask["yours"] for ask in before.json()["asks"])
    signed_in = asked(path, tokens["keeper"], **{"If-None-Match": before["ETag"]})
    assert signed_in.status_code == 200
    assert any(ask["yours"] for ask in signed_in.json()["asks"])


def test_what_is_compressed_has_a_weak_tag_that_may_be_sent_back(house):
    table, _, tokens = house
    path = f"/api/v1/tables/{table.code}/"
    plain, small = asked(path), asked(path, **{"Accept-Encoding": "gzip"})
    assert small["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(small.content)) == plain.json()
    assert small["ETag"] == f"W/{plain['ETag']}"
    assert asked(path, **{"If-None-Match": small["ETag"]}).status_code == 304
    for tag in (small["ETag"], plain["ETag"], '"3"'):
        answer = Client().post(
            f"{path}events/?dry_run=1", {"type": "note", "text": "x"}, "application/json",
            headers={"Authorization": f"Bearer {tokens['keeper']}", "If-Match": tag},
        )  # fmt: skip
        assert answer.status_code == 200, tag


@pytest.mark.parametrize("end", [{"kind": "time", "value": 60}, {"kind": "hands", "value": 1}])
def test_what_changes_without_an_event_changes_the_tag(end):
    table = open_table(end=end)
    table.record(play(0, "8MS"))
    path = f"/api/v1/tables/{table.code}/"
    first = asked(path, table.token)
    assert first["ETag"].startswith('"1-')
    assert asked(path, table.token, **{"If-None-Match": first["ETag"]}).status_code == 304
    for change in ({"private": True}, {"seats": ["Ann", "Bo", "Cy"]}, {"shares_rulings": True}):
        Table.objects.filter(code=table.code).update(**change)
        later = asked(path, table.token, **{"If-None-Match": first["ETag"]})
        assert later.status_code == 200, change
        first = later


def test_who_sits_where_and_the_table_after_change_the_tag(house):
    table, group, _ = house
    path = f"/api/v1/tables/{table.code}/"
    tag = asked(path)["ETag"]
    people = group.people()
    merged = group.member.post(f"/api/v1/groups/{group.code}/people/", {"name": "Annie"}).json()["id"]
    assert merged != people["Ann"]
    table.row.people.filter(seat=0).update(person=merged)
    later = asked(path, **{"If-None-Match": tag})
    assert (later.status_code, later.json()["people"][0]) == (200, merged)
