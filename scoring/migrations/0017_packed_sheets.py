"""Sheets of hands are packed, the index of keys holds keys alone, and what another index has in it goes."""

import json
from collections import Counter
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

import scoring.models.fields
from scoring.models.fields import PACKED, canonical, packed

AT_ONCE = 500
HAS_KEY = models.Q(key__isnull=False)


def pack(apps: Any, schema_editor: Any) -> None:
    """Pack what was stored before; what is packed already stays."""
    table, database = apps.get_model("scoring", "HandSheet")._meta.db_table, schema_editor.connection
    last = 0
    while True:
        with database.cursor() as cursor:
            cursor.execute(
                f"SELECT id, sheet, start FROM {table} WHERE id > %s AND start NOT LIKE %s ORDER BY id LIMIT {AT_ONCE}",
                (last, f"{PACKED}%"),
            )
            rows = cursor.fetchall()
            if not rows:
                return
            values = [(None if sheet is None else packed(sheet), packed(start), pk) for pk, sheet, start in rows]
            cursor.executemany(f"UPDATE {table} SET sheet = %s, start = %s WHERE id = %s", values)
            last = rows[-1][0]


def count_bids(apps: Any, schema_editor: Any) -> None:
    """Pack the lines of what seats have made, and count the bids in them."""
    table, database = apps.get_model("scoring", "SeatScore")._meta.db_table, schema_editor.connection
    last = 0
    while True:
        with database.cursor() as cursor:
            cursor.execute(
                f"SELECT id, lines FROM {table} WHERE id > %s AND lines NOT LIKE %s ORDER BY id LIMIT {AT_ONCE}",
                (last, f"{PACKED}%"),
            )
            rows = cursor.fetchall()
            if not rows:
                return
            values = [(packed(lines), canonical(_bids(json.loads(lines))), pk) for pk, lines in rows]
            cursor.executemany(f"UPDATE {table} SET lines = %s, bids = %s WHERE id = %s", values)
            last = rows[-1][0]


def _bids(lines: list[list[Any]]) -> list[list[int]]:
    counted = Counter((line[3], line[4]) for line in lines if line[3] is not None)
    return [[bid, won, count] for (bid, won), count in sorted(counted.items())]


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0016_disputes"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField("handsheet", "sheet", scoring.models.fields.PackedJSONField(null=True)),
                migrations.AlterField("handsheet", "start", scoring.models.fields.PackedJSONField()),
                migrations.AlterField("seatscore", "lines", scoring.models.fields.PackedJSONField(default=list)),
            ]
        ),
        migrations.AddField("seatscore", "bids", scoring.models.fields.CanonicalJSONField(default=list)),
        migrations.RunPython(pack, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(count_bids, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            "dealthand",
            "table",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="dealt",
                to="scoring.table",
            ),
        ),
        migrations.AlterField(
            "secretchoice",
            "table",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="choices",
                to="scoring.table",
            ),
        ),
        migrations.RemoveConstraint("tableevent", "one_request_per_key"),
        migrations.AddConstraint(
            "tableevent",
            models.UniqueConstraint(condition=HAS_KEY, fields=("key", "table"), name="one_request_of_a_key"),
        ),
    ]
