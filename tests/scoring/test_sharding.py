"""What lets tables be spread over many databases: every statement of an evening says whose rows it means.

Tables are spread by the table, groups and what is counted of them by the group. A device, a counter and what an
operator did belong to neither and stay in one place. What opens a table or a group, a code or a token, is looked for by
itself, once in an act; everything after that look-up names its table or its group.
"""

import re
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from tests.distributed.evening import Evening
from tests.scoring.conftest import holder, open_table, play
from tests.scoring.evenings import result
from tests.scoring.groups import make_group
from tests.scoring.pages.conftest import Device
from tests.scoring.sharding import IN_ONE_PLACE, KEYS

SECRETS = {
    ("table", "code"): "what people type: 31 to the 8th, made up anew when it is taken",
    ("table", "key"): "a caller’s own number for a request that opens a table",
    ("table", "previous"): "the table before names one that follows it",
    ("link", "token_hash"): "a secret of 256 bits",
    ("reading", "token_hash"): "a secret of 256 bits",
    ("group", "code"): "as that of a table",
    ("group", "key"): "as that of a table",
    ("groupimport", "digest"): "what an archive holds",
    ("grouplink", "token_hash"): "a secret of 256 bits",
    ("recoverycode", "code_hash"): "a secret of 118 bits",
    ("devicetable", "device", "link"): "a link belongs to one table",
    ("devicegroup", "device", "link"): "a link belongs to one group",
    ("seatscore", "table", "seat"): "a table belongs to one group",
}
"""What is unique beyond a table or a group, and why it is so, or can be looked after, without asking everywhere."""
OWN = list(apps.get_app_config("scoring").get_models())


def column(model, name):
    return model._meta.get_field(name).column


@pytest.mark.parametrize("model", OWN, ids=lambda model: model._meta.model_name)
def test_what_is_unique_is_so_within_its_table_or_group(model):
    """Ids are drawn from one sequence; what else is unique has the key in it, or stands among the secrets."""
    name = model._meta.model_name
    if name in IN_ONE_PLACE:
        return
    unique: list[tuple[str, ...]] = [
        (field.name,) for field in model._meta.local_fields if field.unique and not field.primary_key
    ]
    unique += [tuple(each.fields) for each in model._meta.constraints if isinstance(each, models.UniqueConstraint)]
    for fields in unique:
        has_key = KEYS[name] in {column(model, field) for field in fields}
        assert has_key or (name, *fields) in SECRETS, f"{name}: {fields} is unique everywhere"


# What binds a statement to one table or one group, or looks one up by a secret.
BOUND = re.compile(
    r"""(?:"?scoring_table"?\.)?"?(?:table_id|group_id|previous_id)"?\ (?:=|IN)\ \(?\d
    |(?:"scoring_table"|"scoring_group")\."id"\ (?:=|IN)\ \(?\d
    |UPDATE\ "?scoring_table"?\ SET\ .*\ WHERE\ id\ =\ \d
    |"(?:code|token_hash|secret_hash|key)"\ (?:=|IN)\ \(?'
    """,
    re.VERBOSE | re.DOTALL,
)
INSERTED = re.compile(r'INSERT INTO "?scoring_(\w+)"? \(([^)]*)\)')
TABLES = re.compile(r'"?scoring_(\w+)"?')


def unbound(statement):
    """Return whether a statement would have to be asked everywhere."""
    if not statement.startswith(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")):
        return False
    if inserted := INSERTED.search(statement):
        name = inserted[1]
        return KEYS.get(name) not in (None, "id") and f'"{KEYS[name]}"' not in inserted[2]
    spread = {name for name in TABLES.findall(statement) if name in KEYS}
    return bool(spread) and not BOUND.search(statement)


@pytest.fixture
def everywhere():
    """Return a function that does an act, and says which of its statements would have to be asked everywhere."""

    def ask(act):
        with CaptureQueriesContext(connection) as statements:
            answer = act()
        assert answer.status_code < 300, answer.content
        return [each["sql"] for each in statements if unbound(each["sql"])]

    return ask


def key():
    return {"Idempotency-Key": str(uuid4())}


def test_a_program_at_a_table(db, everywhere):
    """All that a program does in an evening, at a table of a group that has played before."""
    group = make_group()
    group.open_table().record(result(4, 4, 4), {"type": "end"})
    opened = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}
    assert everywhere(lambda: group.member.post("/api/v1/tables/", opened, headers=key())) == []
    table = group.open_table()
    me, path = holder(table.token), f"/api/v1/tables/{table.code}/"
    two = {"events": [result(4, 4, 4), {"type": "end"}]}
    for method, end, body in (
        ("post", "events/", play(0, "8MS")),
        ("post", "events/", play(1, "XS")),
        ("post", "undo/", {}),
        ("post", "links/", {"role": "spectator"}),
        ("get", "", None),
        ("get", "asks/", None),
        ("get", "events/", None),
        ("get", "record/", None),
        ("post", "undo/", {}),
        ("post", "events/", two),
    ):
        ask = getattr(me, method)
        assert everywhere(lambda ask=ask, end=end, body=body: ask(path + end, body, headers=key())) == [], end
    for end in ("", "tables/", "evenings/", "season/", "statistics/", "people/"):
        assert everywhere(lambda end=end: group.member.get(group.url + end)) == [], end


def test_a_phone_at_a_table(db, everywhere):
    device = Device()
    address = device.open_table()
    taps = {"HX-Request": "true"}
    for card in ("8MS", "XS"):
        tap = {"event": "play", "seat": "", "cards": card}
        assert everywhere(lambda tap=tap: device.post(f"{address}record/", tap, headers={**taps, **key()})) == []
        assert everywhere(lambda: device.get(address)) == []
    assert everywhere(lambda: device.post(f"{address}undo/", {}, headers={**taps, **key()})) == []


PINNED = re.compile(r"(?:(\w+)\.)?(\w+) (?:=|IN) \(?'?\d")
EDGE = re.compile(r"(\w+)\.(\w+) = \(?(\w+)\.(\w+)")
ALIAS = r"(?: ((?!(?:ON|WHERE|SET|INNER|LEFT|ORDER|GROUP|LIMIT|JOIN|AS)\b)\w+))?"
NAMED = re.compile(rf"(?:FROM|JOIN|UPDATE|INTO) scoring_(\w+){ALIAS}")
BESIDE = re.compile(rf"(?:JOIN|EXISTS ?\(SELECT .{{1,80}}? FROM) scoring_(\w+){ALIAS}")
HELD = "/* FOR UPDATE */"


def unheld(statement):
    """Return why one node alone cannot do a statement that changes or holds rows, or joins them; empty where it can.

    A row is held, changed and deleted by its key: the node is known then. Rows of two tables are joined where they lie
    side by side: by the keys of both. What a list of statements is asked of everywhere, such as a code, only reads.
    """
    plain = statement.replace('"', "")
    names = {alias or f"scoring_{name}": name for name, alias in NAMED.findall(plain)}
    spread = {alias: KEYS[name] for alias, name in names.items() if name in KEYS}
    pinned = {(alias, column) for alias, column in PINNED.findall(plain)}
    edges = [{(one, its), (other, own)} for one, its, other, own in EDGE.findall(plain)]
    first = re.match(r"(?:WITH moved AS \()?(UPDATE|DELETE FROM) scoring_(\w+)", plain)
    if HELD in plain or first:
        name = first[2] if first else next(iter(names.values()))
        own = KEYS.get(name)
        if own and not pinned & {(f"scoring_{name}", own), ("", own)}:
            return f"holds or changes rows of {name} without its key"
    for name, alias in BESIDE.findall(plain):
        here = (alias or f"scoring_{name}", KEYS.get(name))
        others = {(each, key) for each, key in spread.items() if each != here[0]}
        if here[1] and others and here not in pinned and not any(here in edge and edge & others for edge in edges):
            return f"joins {name} not by its key"
    return ""


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (f'SELECT 1 FROM "scoring_table" WHERE "scoring_table"."code" = \'A\' {HELD}', "without its key"),
        (f'SELECT 1 FROM "scoring_table" WHERE "scoring_table"."id" = 3 {HELD}', ""),
        ('UPDATE "scoring_link" SET "revoked" = \'x\' WHERE "scoring_link"."id" = 3', "without its key"),
        ('UPDATE "scoring_link" SET "seat" = 1 WHERE ("scoring_link"."id" = 3 AND "scoring_link"."table_id" = 2)', ""),
        ('DELETE FROM "scoring_person" WHERE "scoring_person"."id" IN (3)', "without its key"),
        ('DELETE FROM "scoring_person" WHERE "scoring_person"."group_id" IN (3)', ""),
        (
            'SELECT 1 FROM "scoring_devicetable" LEFT OUTER JOIN "scoring_link" ON '
            '("scoring_devicetable"."link_id" = "scoring_link"."id") WHERE "scoring_devicetable"."table_id" = 1',
            "not by its key",
        ),
        (
            'SELECT 1 FROM "scoring_devicetable" LEFT OUTER JOIN "scoring_link" own ON ("scoring_devicetable"."link_id"'
            ' = own."id" AND (own."table_id" = ("scoring_devicetable"."table_id"))) WHERE 1 = 1',
            "",
        ),
        (
            'SELECT 1 FROM "scoring_table" WHERE NOT (EXISTS(SELECT 1 AS "a" FROM "scoring_seatscore" U0 WHERE '
            'U0."table_id" = ("scoring_table"."id") LIMIT 1))',
            "not by its key",
        ),
    ],
)
def test_what_one_node_cannot_do_is_known(statement, why):
    assert unheld(statement).endswith(why)
    assert bool(unheld(statement)) is bool(why)


def test_rows_are_held_changed_and_joined_by_what_they_are_spread_by(db, monkeypatch):
    """All that people, phones and programs do in an evening; SQLite is made to say what it would hold.

    What takes rows away for good, or looks for old ones, is asked everywhere.
    """
    monkeypatch.setattr(connection.features, "has_select_for_update", True)
    monkeypatch.setattr(connection.features, "has_select_for_no_key_update", True)
    monkeypatch.setattr(connection.ops, "for_update_sql", lambda **_: HELD)
    evening = Evening()
    with CaptureQueriesContext(connection) as statements:
        evening.play()
    assert evening.failed == []
    held = {(why, each["sql"][:600]) for each in statements if (why := unheld(each["sql"]))}
    assert not held, "\n".join(sorted(map(" | ".join, held)))
    assert any(HELD in each["sql"] for each in statements)


def test_no_act_writes_rows_of_two_groups(db):
    """Neither while somebody plays nor when a table is over and the ratings of its group follow."""
    groups = [make_group(name=name) for name in ("Thursday", "Friday")]
    tables = [group.open_table() for group in groups] + [open_table()]
    for group, table in zip([*groups, None], tables, strict=True):
        others = [each for each in tables if each is not table]
        before = {each.code: rows_of(each) for each in others}
        with CaptureQueriesContext(connection) as statements:
            table.record(play(0, "8MS"))
            table.undo()
            table.record(result(4, 4, 4), {"type": "end"})
        written = [each["sql"] for each in statements if each["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
        assert written
        own = {table.row.pk}, {group.row.pk} if group else set()
        for statement in written:
            for ids, column in zip(own, ("table_id", "group_id"), strict=True):
                found = {int(number) for number in re.findall(rf'"{column}" = (\d+)', statement)}
                assert found <= ids, statement
        assert {each.code: rows_of(each) for each in others} == before


def rows_of(table):
    """Return all that is kept of a table and of its group."""
    row = table.row
    kept = [(row.pk, row.version, row.updated), *row.log.values_list("seq", "event"), *row.scores.values_list()]
    return kept + ([*row.group.scores.filter(table=row).values_list()] if row.group else [])
