"""The schema: its content, what bodies accept, and invalid requests."""

import ast
import json
import math
from pathlib import Path
from uuid import uuid4

import pytest
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

import referee
from referee.api.schema import PROPERTIES, is_told
from referee.engine.game import all_games, event_kinds, phases
from referee.engine.reader import LARGEST, LARGEST_EXACT
from scoring.api_urls import whole_schema
from scoring.groups.reads.groups import least_worn
from scoring.models import Group, Table
from scoring.tables.api.schema import HEADERS
from tests.scoring.conftest import ACE_TRUMP, holder, open_table, play
from tests.scoring.groups import make_group
from tests.strict_answers import inlined

# --- The schema as tools read it: named components, declared headers, events as a union


@pytest.fixture(scope="module")
def schema():
    return inlined(APIClient().get("/api/v1/schema/", headers={"accept": "application/json"}).json())


def operations(schema):
    return [each for path in schema["paths"].values() for each in path.values()]


def operation(schema, name):
    return next(each for each in operations(schema) if each.get("operationId") == name)


def test_every_component_is_defined_and_used(schema):
    told = json.dumps(schema)
    unused = {name for name in schema["components"]["schemas"] if f'"#/components/schemas/{name}"' not in told}
    assert not unused
    used = {part.partition('"')[0] for part in told.split('"$ref": "#/components/schemas/')[1:]}
    assert used <= schema["components"]["schemas"].keys()


def test_an_event_to_record_has_one_of_the_known_kinds(schema):
    body = operation(schema, "record_events")["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/EventsToRecord"}
    events = schema["components"]["schemas"]["EventsToRecord"]
    assert events["properties"]["events"]["items"] == {"$ref": "#/components/schemas/Event"}
    assert (events["required"], events["additionalProperties"]) == (["events"], False)
    kinds = schema["components"]["schemas"]["Event"]
    assert kinds["discriminator"]["propertyName"] == "type"
    assert set(kinds["discriminator"]["mapping"]) == set(event_kinds())


SELF_EVIDENT = {"name", "text", "title"}


def test_every_property_has_a_description(schema):
    told = schema["components"]["schemas"]
    assert not [name for name, shape in told.items() if not is_told(shape) and not name.endswith("Enum")]
    found = [
        (f"{place}/{name}", name, own)
        for place, part in (*parts_of(schema["paths"]), *parts_of(told))
        for name, own in part.get("properties", {}).items()
    ]
    assert len(found) > 1000
    assert not [place for place, name, own in found if name not in SELF_EVIDENT and not is_told(own)]


def parts_of(shape, place="", without=("example", "examples", "if", "then", "else")):
    """Yield every object of a schema with its place."""
    if isinstance(shape, list):
        shape = dict(enumerate(shape))
    elif isinstance(shape, dict):
        yield place, shape
        own = {f"properties/{name}": part for name, part in shape.get("properties", {}).items()}
        shape = {key: part for key, part in shape.items() if key not in ("properties", *without)} | own
    for key, part in shape.items() if isinstance(shape, dict) else ():
        yield from parts_of(part, f"{place}/{key}", without)


def test_no_property_description_is_stale(schema):
    told = json.dumps(schema, ensure_ascii=False)
    for name, means in PROPERTIES.items():
        for meaning in means.values() if isinstance(means, dict) else [means]:
            assert meaning.partition("; null")[0].removesuffix(".") in told, (name, meaning)


def test_every_tag_is_described(schema):
    used = {tag for each in operations(schema) for tag in each["tags"]}
    assert used == {tag["name"] for tag in schema["tags"] if tag["description"]}


def test_games_phases_and_codes_are_listed(schema):
    told = schema["components"]["schemas"]
    assert told["GameId"]["enum"] == [game.id for game in all_games()]
    assert told["Phase"]["enum"] == [str(phase) for phase in phases()]
    assert {"revoke", "joint-revoke"} <= set(told["IrregularityCode"]["enum"])
    assert {"no-such-table", "moved-on"} <= set(told["ProblemCode"]["enum"])


def test_answers_list_their_headers(schema):
    answers = operation(schema, "record_events")["responses"]
    limits = {"RateLimit", "RateLimit-Policy"}
    assert {"ETag", "Idempotent-Replayed", "X-Request-Id"} | limits == set(answers["201"]["headers"])
    assert answers["201"]["headers"]["ETag"]["required"]
    assert limits <= set(operation(schema, "judge")["responses"]["200"]["headers"])
    assert limits.isdisjoint(operation(schema, "get_table")["responses"]["200"]["headers"])
    assert "Retry-After" in answers["429"]["headers"]
    assert "Link" in operation(schema, "get_log")["responses"]["200"]["headers"]
    assert "Location" in operation(schema, "open_table")["responses"]["201"]["headers"]
    told = {name for each in operations(schema) for answer in each["responses"].values() for name in answer["headers"]}
    assert set(HEADERS) <= told


@pytest.mark.parametrize("name", ["get_table", "get_log", "get_record", "get_asks", "open_table"])
def test_the_token_is_optional(schema, name):
    assert operation(schema, name)["security"] == [{"token": []}, {}]


def test_every_value_in_the_schema_has_a_type(schema):
    left = ("/answers/items", "/Fact/anyOf/1/items", "/schemas/Nothing")
    assert not [place for place, part in parts_of(schema) if takes_anything(place, part) and not place.endswith(left)]


@pytest.mark.parametrize(("where", "largest"), [("requestBody", LARGEST), ("parameters", LARGEST_EXACT)])
def test_a_request_number_is_bounded_like_its_reader(schema, where, largest):
    numbers = list(numbers_sent(schema, where))
    assert len(numbers) > 20
    assert not [place for place, each in numbers if not -largest <= each.get("minimum", -math.inf)]
    assert not [place for place, each in numbers if not each.get("maximum", math.inf) <= largest]


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        *((value, True) for value in (2**53, "a", None, [{"b": [-1.5, {}]}])),
        *((value, False) for value in (2**53 + 1, [{"b": [1e300]}])),
    ],
)
def test_a_custom_key_holds_any_json_with_supported_numbers(schema, value, valid):
    note = Draft202012Validator({"$ref": "#/components/schemas/NoteEvent", "components": schema["components"]})
    assert note.is_valid({"type": "note", "text": "Hm.", "x_own": value}) == valid


def numbers_sent(schema, where):
    """Yield every integer in a request, in its parameters or body, with its place."""
    left = dict(schema["components"]["schemas"])
    sent = [(each["operationId"], each.get(where)) for each in operations(schema)]
    while sent:
        place, whole = sent.pop()
        for inside, part in parts_of(whole, place, without=("example", "examples")):
            if "integer" in (part.get("type") or ()):
                yield inside, part
            name = part.get("$ref", "").rpartition("/")[2]
            sent.append((name, left.pop(name, None)))


def takes_anything(place, shape):
    keys = shape.keys() - {"description", "title", "default", "examples", "readOnly"}
    names = place.rsplit("/", 2)
    if shape.get("type") == "object":
        return not {"properties", "patternProperties"} & keys and not shape.get("additionalProperties")
    return not keys and (names[-2:-1] == ["properties"] or names[-1] in ("schema", "items", "additionalProperties"))


def test_every_code_of_a_reason_is_listed(schema):
    known = schema["components"]["schemas"]["ReasonCode"]["enum"]
    assert {"revoke", "highest-trump", "joint-revoke", "read", "audit-clean", "penalty-card"} <= set(known)
    given = {code for code in codes_given() if code not in ("", "no", "yes")}
    assert len(given) > 100
    assert given <= set(known)
    assert set(remedies_offered()) <= set(schema["components"]["schemas"]["RemedyCode"]["enum"])


def codes_given():
    """Find the code in every call that gives a reason with a literal code."""
    for file in Path(referee.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Reason" | "impossible"), args=[ast.Constant(value=code), *_]):
                    yield code


def remedies_offered():
    """Find the code of every remedy hands offer."""
    for game in all_games():
        yield from (*game.hand_class.PROVED_REMEDIES, *game.hand_class.SEEN_REMEDIES)


def test_defaults_are_among_the_allowed_values(schema):
    kinds = [asked["schema"] for each in operations(schema) for asked in each.get("parameters", ())]
    wrong = [kind for kind in kinds if "enum" in kind and kind.get("default", kind["enum"][0]) not in kind["enum"]]
    assert wrong == []


def test_the_schema_is_built_once(client, schema):
    client.get("/api/v1/schema/", headers={"accept-language": "de"})
    before = whole_schema.cache_info().misses
    assert inlined(client.get("/api/v1/schema/").json()) == schema
    assert whole_schema.cache_info().misses == before


# --- Bodies are read as strictly as records: nothing is guessed, and each error has a pointer

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
    ("post", "links/", {"role": "spectator", "since": 1}, 400, [("/since", "unknown-key")]),
    ("post", "links/", {"role": "dealer"}, 422, [("/role", "bad-value")]),
    ("post", "links/", {"role": "player", "seat": 3}, 422, [("/seat", "no-such-seat")]),
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
def test_errors_are_explained_with_a_pointer(ann, table, method, path, body, status, problems):
    table.record(play(0, "8MS"))
    answer = getattr(ann, method)(f"{table.url}{path}", body)
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
def test_optional_parts_may_be_left_out(ann, table, method, path, body, status):
    table.record(play(0, "8MS"))
    assert getattr(ann, method)(f"{table.url}{path}", body).status_code == status


def test_a_reason_is_stored_verbatim(ann, table):
    table.record(play(0, "8MS"))
    ann.post(f"{table.url}amendments/", {"seq": 1, "event": None, "reason": " mistyped\n"})
    assert table.row.log.get(amends=1).reason == " mistyped\n"


@pytest.mark.parametrize(
    ("path", "query"),
    [
        *(
            ("events/", f"after={odd}")
            for odd in ("-1", "x", "", "1.5", "1.0", "1_0", "+1", "1e3", "null", "1000000000", "9" * 5000)
        ),
        *(("events/", f"limit={odd}") for odd in ("0", "501", "-+1", "null", "%00", "1;2")),
        *(("", f"hidden_points={odd}") for odd in ("2", "", "true", "01")),
        *(("record/", odd) for odd in ("annotate=yes", "annotate=", "part=all", "part=", "as=xml", "as=")),
    ],
)
def test_a_meaningless_query_is_malformed(ann, table, path, query):
    answer = ann.get(f"{table.url}{path}?{query}")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    code = "bad-request" if "%00" in query else "bad-query"  # which is refused before the query is read
    assert (answer.json()["code"], answer.json()["detail"][:1] > " ") == (code, True)
    if code == "bad-query":
        name = query.partition("=")[0]
        assert [(each["parameter"], each["code"]) for each in answer.json()["errors"]] == [(name, code)]
        assert answer.json()["detail"].startswith(name)


# --- Invalid rights, filters and values: each is reported, and nothing is done

pytestmark = pytest.mark.django_db
TABLES = "/api/v1/tables/"


def key():
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid4())}


# -- rights ---------------------------------------------------------------------------------


def test_a_group_table_accepts_a_token_of_its_group(group, stranger):
    other, body = make_group(name="Others"), ACE_TRUMP | {"group": group.code}
    loose = open_table()
    before = Table.objects.count()
    for client, status in (
        (stranger, 401), (holder("x" * 32), 401), (loose.keeper, 401), (other.member, 422),
        (holder(group.link("viewer")), 403),
    ):  # fmt: skip
        assert client.post(TABLES, body).status_code == status
    assert stranger.post(TABLES, ACE_TRUMP | {"group": "Thursday"}).status_code == 401
    assert stranger.post(TABLES, ACE_TRUMP | {"group": "nobody’s"})["WWW-Authenticate"] == "Bearer"
    assert Table.objects.count() == before
    assert group.member.post(TABLES, body).json()["group"] == group.code
    assert stranger.post(TABLES, ACE_TRUMP | {"group": None}).json()["group"] is None


def test_a_group_viewer_learns_which_right_is_missing(group):
    table = group.open_table()
    for token in (group.link("viewer"), group.link("bot", "Screen", "read")):
        for path, body in (("events/", play(0, "8MS")), ("undo/", {}), ("disputes/", {"claim": "x"}), ("links/", {})):
            refused = holder(token).post(f"{table.url}{path}", body)
            assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
            assert "A member of the group can make one that does" in refused.json()["detail"]


@pytest.mark.parametrize("path", ["", "asks/", "events/", "record/", "disputes/", "guide/"])
def test_an_invalid_token_is_refused_even_on_public_tables(table, ann, stranger, path):
    url = table.url
    ann.post(f"{url}links/", {"role": "scorekeeper"})
    made = ann.post(f"{url}links/", {"role": "spectator"}).json()
    revoked = holder(made["token"])
    assert revoked.get(f"{url}{path}").status_code == 200
    ann.delete(f"{url}links/{made['id']}/")
    for client in (revoked, holder("x" * 32), open_table().keeper):
        refused = client.get(f"{url}{path}")
        assert (refused.status_code, refused.json()["code"]) == (401, "authentication-failed")
    assert stranger.get(f"{url}{path}").status_code == 200


# -- filters --------------------------------------------------------------------------------


KNOWN = {
    "game": (
        "tables/?", "statistics/?", "statistics/?part=ratings&", "statistics/?part=hands&", "statistics/?by=evening&",
        "archive/?as=history&", "rulings/?",
    ),
    "person": ("tables/?", "statistics/?", "statistics/?part=ratings&", "statistics/?part=hands&"),
    "situation": ("rulings/?",),
    "clause": ("rulings/?",),
}  # fmt: skip


@pytest.mark.parametrize(("path", "name"), [(path, name) for name, paths in KNOWN.items() for path in paths])
def test_a_filter_takes_only_what_there_is_and_lists_it(group, path, name):
    elsewhere = min(make_group(name="Others").people().values())
    values: dict[str, tuple[str, list, list]] = {
        "game": ("unknown-game", ["nope"], ["oh-hell"]),
        "person": ("no-such-person", [77777, elsewhere], []),
        "situation": ("unknown-situation", ["nope"], ["revoke", "joint-revoke", "king-elsewhere", "card", "words"]),
        "clause": ("no-such-clause", ["XX-99"], []),
    }
    code, unknown, known = values[name]
    url = f"{group.url}{path}{name}="
    for value in unknown:
        told = group.member.get(f"{url}{value}")
        assert (told.status_code, told.json()["code"]) == (400, code)
        assert told.json()["errors"][0]["parameter"] == name
        assert all(each in told.json()["detail"] for each in known)
    for value in [group.people()["Ann"]] if name == "person" else known:
        assert group.member.get(f"{url}{value}").status_code == 200


def test_reversed_date_ranges_are_refused(group):
    told = group.member.get(f"{group.url}statistics/?from=2026-02-02&to=2026-02-01")
    assert (told.status_code, told.json()["errors"][0]["parameter"]) == (400, "to")


CHOICES = {
    "tables/?": ("status", "game", "person", "cursor", "from", "to"),
    "evenings/?": ("cursor", "limit", "from", "to"),
    "statistics/?by=evening&": ("game", "from", "to"),
    "what-if/?": ("game", "from", "to", "cursor"),
    "statistics/?": ("part", "by", "game", "person", "from", "to"),
    "statistics/?part=ratings&": ("game", "person", "moments", "from", "to"),
    "statistics/?part=hands&": ("game", "person", "from", "to"),
    "rulings/?": ("game", "clause", "situation", "cursor"),
    "archive/?as=history&": ("game", "from", "to"),
    "archive/?": ("as", "game", "from", "to"),
}


@pytest.mark.parametrize(("path", "name"), [(path, name) for path, names in CHOICES.items() for name in names])
def test_every_filter_refuses_unknown_values(group, path, name):
    told = group.member.get(f"{group.url}{path}{name}=nope")
    assert (told.status_code, told.json()["errors"][0]["parameter"]) == (400, name)


# -- values ---------------------------------------------------------------------------------


def test_a_null_color_picks_the_least_used_one(group):
    url = f"{group.url}people/"
    made = group.member.post(url, {"name": "Zoe", "colour": "red"}).json()
    assert made["colour"] == "red"
    assert group.member.patch(f"{url}{made['id']}/", {"name": "Zoë"}).json()["colour"] == "red"
    people = group.member.get(url).json()["people"]
    free = least_worn([each["colour"] for each in people if each["id"] != made["id"]])
    assert group.member.patch(f"{url}{made['id']}/", {"colour": None}).json()["colour"] == free
    worn = [each["colour"] for each in group.member.get(url).json()["people"]]
    assert group.member.post(url, {"name": "Yan", "colour": None}).json()["colour"] == least_worn(worn)
    assert group.member.post(url, {"name": "Xia"}).json()["colour"] == least_worn([*worn, least_worn(worn)])
    assert group.member.post(url, {"name": "Wim", "colour": ""}).status_code == 422


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        *(("people/{ann}/", changes) for changes in ({"name": None}, {"aliases": None}, {"colour": 7})),
        *(("", {name: None}) for name in ("name", "counts_revokes", "shares_rulings")),
    ],
)
def test_invalid_changes_to_a_person_or_group_are_refused(group, path, changes):
    path = path.format(ann=group.people()["Ann"])
    assert group.member.patch(f"{group.url}{path}", changes).status_code == 400


@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("disputes/", {"claim": ""}, "words"),
        ("events/", {}, "type"),
        ("events/", {"sealed": True}, "type"),
        ("events/", {"type": "note", "text": "x", "seat": 10**10}, "1,000,000,000"),
    ],
)
def test_a_problem_explains_what_is_wrong(table, ann, path, body, detail):
    told = ann.post(f"{table.url}{path}", body).json()
    assert detail in told["detail"], told["detail"]
    assert "name" not in told["detail"]
    assert told["code"] != "unknown-event"


def test_an_accept_header_with_only_problem_json_is_answered(table, stranger):
    for path in (table.url, "/api/v1/games/", f"{table.url}record/"):
        answer = stranger.get(path, headers={"Accept": "application/problem+json"})
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    refused = stranger.get("/api/v1/games/nope/", headers={"Accept": "application/problem+json"})
    assert (refused.status_code, refused["Content-Type"]) == (404, "application/problem+json")
    assert stranger.get("/api/v1/games/", headers={"Accept": "image/png"}).status_code == 406


# -- retries --------------------------------------------------------------------------------


def test_a_table_is_opened_once_whatever_the_order_of_its_keys(stranger):
    same = key()
    first = stranger.post(TABLES, ACE_TRUMP, **same)
    again = stranger.post(TABLES, dict(reversed(ACE_TRUMP.items())), **same)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()


def test_a_retried_deletion_gets_the_first_answer(group, table, ann):
    for client, path in ((ann, table.url), (group.member, group.url)):
        same = key()
        assert client.delete(path, **same).status_code == 204
        again = client.delete(path, **same)
        assert (again.status_code, again["Idempotent-Replayed"], again.content) == (204, "true", b"")
        assert client.delete(path).status_code == 404
        assert client.delete(path, **key()).status_code == 404
        assert holder("x" * 32).delete(path, **same).status_code == 404
        assert client.get(path).status_code == 404
    assert not Table.objects.exists()
    assert not Group.objects.exists()


def test_revoking_your_own_link_asks_for_confirmation(group, table, ann):
    other = group.link("member")
    for client, path, own in (
        (ann, f"{table.url}links/", table.link("scorekeeper")),
        (group.member, f"{group.url}links/", other),
    ):
        same, leaving = key(), holder(own)
        number = next(each["id"] for each in leaving.get(path).json()["rights"] if each["own"])
        assert leaving.delete(f"{path}{number}/", **same).status_code == 204
        assert leaving.delete(f"{path}{number}/", **same).status_code == 204
        assert leaving.delete(f"{path}{number}/", **key()).status_code in (401, 404)
        assert client.get(path).status_code == 200
