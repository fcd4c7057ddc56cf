"""Groups and tables are isolated: no act at one writes rows of another."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.distributed.evening import Evening
from tests.scoring.conftest import open_table, play
from tests.scoring.evenings import result
from tests.scoring.groups import make_group


def test_no_act_writes_rows_in_two_groups(db):
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
    """Return all stored rows of a table and its group."""
    row = table.row
    kept = [(row.pk, row.version, row.updated), *row.log.values_list("seq", "event"), *row.scores.values_list()]
    return kept + ([*row.group.scores.filter(table=row).values_list()] if row.group else [])


def test_the_evening_of_the_distributed_run_plays_on_one_database(db):
    evening = Evening()
    evening.play()
    assert evening.failed == []
