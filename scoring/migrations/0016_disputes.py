"""Disputes: what of them follows from the log, who decides them, and whether others read what was ruled."""

import django.db.models.deletion
from django.db import migrations, models

import scoring.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0015_recovery_codes"),
    ]

    operations = [
        migrations.AddField(
            model_name="group",
            name="shares_rulings",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="table",
            name="disputes",
            field=scoring.models.fields.CanonicalJSONField(default=dict),
        ),
        migrations.AddField(
            model_name="table",
            name="ruled_by",
            field=scoring.models.fields.CanonicalJSONField(default=dict),
        ),
        migrations.AddField(
            model_name="table",
            name="shares_rulings",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "open"),
                            ("upheld", "upheld"),
                            ("overruled", "overruled"),
                            ("agreed", "agreed"),
                            ("withdrawn", "withdrawn"),
                        ],
                        max_length=12,
                    ),
                ),
                ("situation", models.CharField(max_length=40)),
                ("claim", models.TextField()),
                ("ruling", models.TextField(blank=True, default="")),
                ("clauses", scoring.models.fields.CanonicalJSONField(default=list)),
                ("raised", models.DateTimeField()),
                ("decided", models.DateTimeField(null=True)),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="disputed",
                        to="scoring.table",
                    ),
                ),
            ],
            options={
                "ordering": ["table", "number"],
                "indexes": [models.Index(fields=["-decided", "-id"], name="rulings_by_time")],
                "constraints": [models.UniqueConstraint(fields=("table", "number"), name="one_row_per_dispute")],
            },
        ),
    ]
