"""Events of a corrected record keep their place; imported records say more of a hand than its events."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F

import scoring.models.fields


def give_every_row_its_place(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let every row stand where it was written, and one that took another back in the place of that."""
    rows = apps.get_model("scoring", "TableEvent").objects.using(schema_editor.connection.alias)
    rows.update(place=F("seq"))
    rows.filter(amends__isnull=False).update(place=F("amends"))


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]

    operations = [
        migrations.AddField("tableevent", "place", models.PositiveIntegerField(default=0), preserve_default=False),
        migrations.AddField("tableevent", "reason", models.TextField(blank=True, default="")),
        migrations.RunPython(give_every_row_its_place, migrations.RunPython.noop),
        migrations.RemoveIndex("tableevent", "log_by_hand"),
        migrations.AddIndex("tableevent", models.Index(fields=["table", "hand", "place"], name="log_by_place")),
        migrations.CreateModel(
            name="DealtHand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("known", scoring.models.fields.CanonicalJSONField(default=dict)),
                ("extra", scoring.models.fields.CanonicalJSONField(default=dict)),
                ("retired", models.PositiveIntegerField(null=True)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="dealt", to="scoring.table"
                    ),
                ),
            ],
            options={
                "ordering": ["table", "number"],
                "constraints": [models.UniqueConstraint(fields=("table", "number"), name="one_deal_per_hand")],
            },
        ),
    ]
