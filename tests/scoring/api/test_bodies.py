"""Bodies of the tables' API are read as strictly as records: nothing is guessed, and each mistake has its place."""

import pytest

from tests.scoring.conftest import play

LONG = "x" * 2001
CASES = [
    ("patch", "", {"private": "true"}, 400, [("/private", "wrong-type")]),
    ("patch", "", {"private": 1}, 400, [("/private", "wrong-type")]),
    ("patch", "", {"private": None}, 400, [("/private", "wrong-type")]),
    ("patch", "", {"privat": True}, 400, [("/privat", "unknown-key")]),
    ("patch", "", {"private": 0, "a": 1}, 400, [("/a", "unknown-key"), ("/private", "wrong-type")]),
    ("post", "links/", {}, 400, [("/role", "missing-key")]),
    ("post", "links/", {"role": None}, 400, [("/role", "wrong-type")]),
    ("post", "links/", {"role": 7, "seat": "1"}, 400, [("/role", "wrong-type"), ("/seat", "wrong-type")]),
    ("post", "links/", {"role": "x" * 21}, 400, [("/role", "wrong-type")]),
    ("post", "links/", {"role": " player", "seat": 1}, 422, [("/role", "bad-value")]),
    ("post", "links/", {"role": "player"}, 422, [("/seat", "no-such-seat")]),
    ("post", "links/", {"role": "player", "seat": -1}, 422, [("/seat", "no-such-seat")]),
    ("post", "links/", {"role": "player", "seat": True}, 400, [("/seat", "wrong-type")]),
    ("post", "links/", {"role": "player", "seat": 1.5}, 400, [("/seat", "wrong-type")]),
    ("post", "links/", {"role": "player", "seat": 10**10}, 400, [("/seat", "wrong-type")]),
    ("post", "links/", {"role": "spectator", "seat": 1}, 422, [("/seat", "bad-value")]),
    ("post", "undo/", {"seq": 1}, 400, [("/seq", "unknown-key")]),
    ("post", "amendments/", {}, 400, [("/seq", "missing-key"), ("/event", "missing-key")]),
    ("post", "amendments/", {"seq": "1", "event": 1}, 400, [("/seq", "wrong-type"), ("/event", "wrong-type")]),
    ("post", "amendments/", {"seq": None, "event": None}, 400, [("/seq", "wrong-type")]),
    ("post", "amendments/", {"seq": 0, "event": None}, 422, [("/seq", "no-such-event")]),
    ("post", "amendments/", {"seq": 0, "event": {"type": "pass", "seat": "0"}}, 400, [("/event/seat", "wrong-type")]),
    ("post", "amendments/", {"seq": 1, "event": None, "reason": LONG}, 400, [("/reason", "wrong-type")]),
    ("post", "amendments/", {"seq": 1, "event": None, "reason": 1}, 400, [("/reason", "wrong-type")]),
    ("post", "amendments/", {"seq": 1, "event": None, "dry_run": 1}, 400, [("/dry_run", "unknown-key")]),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "problems"), CASES)
def test_what_is_wrong_is_said_with_its_place(ann, table, method, path, body, status, problems):
    table.record(play(0, "8MS"))
    answer = getattr(ann, method)(f"/api/v1/tables/{table.code}/{path}", body)
    assert answer.status_code == status
    assert [(each["pointer"], each["code"]) for each in answer.json()["errors"]] == problems
    assert (table.row.version, table.row.private) == (1, False)


TAKEN = [
    ("patch", "", {}, 200),
    ("patch", "", {"private": True, "x_why": "so"}, 200),
    ("post", "links/", {"role": "player", "seat": 2.0}, 201),
    ("post", "links/", {"role": "spectator", "seat": None, "x_for": {}}, 201),
    ("post", "undo/", None, 201),
    ("post", "undo/", {"x_why": 1}, 201),
    ("post", "amendments/", {"seq": 1, "event": None, "reason": None, "x_": []}, 201),
    ("post", "amendments/?dry_run=1", {"seq": 1, "event": play(0, "9MS"), "reason": " mistyped "}, 200),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), TAKEN)
def test_what_may_be_left_out_may_be_left_out(ann, table, method, path, body, status):
    table.record(play(0, "8MS"))
    assert getattr(ann, method)(f"/api/v1/tables/{table.code}/{path}", body).status_code == status


def test_a_reason_is_kept_as_it_was_written(ann, table):
    table.record(play(0, "8MS"))
    ann.post(f"/api/v1/tables/{table.code}/amendments/", {"seq": 1, "event": None, "reason": " mistyped\n"})
    assert table.row.log.get(amends=1).reason == " mistyped\n"


@pytest.mark.parametrize(
    ("path", "method", "keys", "needed"),
    [
        ("", "patch", {"private", "seats", "rules_by", "referee", "shares_rulings", "time_zone"}, None),
        ("links/", "post", {"role", "seat", "name"}, ["role"]),
        ("undo/", "post", set(), None),
        ("amendments/", "post", {"seq", "event", "also", "rethread", "keep_seats", "reason"}, ["event", "seq"]),
    ],
)
def test_the_schema_says_what_is_read(client, path, method, keys, needed):
    schema = client.get("/api/v1/schema/", headers={"accept": "application/json"}).json()
    body = schema["paths"][f"/api/v1/tables/{{code}}/{path}"][method]["requestBody"]
    named = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    described = schema["components"]["schemas"][named]
    assert set(described.get("properties", {})) == keys
    assert (described.get("required"), described["additionalProperties"]) == (needed, False)
    assert body.get("required", False) == bool(needed)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        *(
            ("events/", f"after={odd}")
            for odd in ("-1", "x", "", "1.5", "1.0", "1_0", "+1", "1e3", "null", "1000000000", "9" * 5000)
        ),
        *(("events/", f"limit={odd}") for odd in ("0", "1001", "-+1", "null", "%00", "1;2")),
        *(("", f"points={odd}") for odd in ("2", "", "true", "01")),
        *(("record/", odd) for odd in ("annotate=yes", "annotate=", "part=all", "part=", "as=xml", "as=")),
    ],
)
def test_a_query_that_means_nothing_is_malformed(ann, table, path, query):
    answer = ann.get(f"/api/v1/tables/{table.code}/{path}?{query}")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    code = "bad-request" if "%00" in query else "bad-query"  # which is refused before anybody reads a query
    assert (answer.json()["code"], answer.json()["detail"][:1] > " ") == (code, True)
    if code == "bad-query":
        name = query.partition("=")[0]
        assert [(each["parameter"], each["code"]) for each in answer.json()["errors"]] == [(name, code)]
        assert answer.json()["detail"].startswith(name)


def test_what_a_query_may_say_the_schema_says(client):
    schema = client.get("/api/v1/schema/", headers={"accept": "application/json"}).json()
    said = {}
    for path in ("", "events/", "record/"):
        for each in schema["paths"][f"/api/v1/tables/{{code}}/{path}"]["get"]["parameters"]:
            if each["in"] == "query":
                assert each["description"]
                said[each["name"]] = each["schema"]
    assert set(said) == {"points", "after", "limit", "as", "annotate", "part", "full"}
    assert (said["limit"]["minimum"], said["limit"]["maximum"], said["limit"]["default"]) == (1, 1000, 1000)
    assert said["part"]["enum"] == ["events", "scores"]
