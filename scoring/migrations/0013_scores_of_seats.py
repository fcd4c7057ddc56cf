"""What each seat of a table of a group has made, for the statistics of the group."""

import django.db.models.deletion
from django.db import migrations, models

import scoring.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0012_agreed_results"),
    ]

    operations = [
        migrations.CreateModel(
            name="SeatScore",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("side", models.PositiveSmallIntegerField()),
                ("game", models.CharField(max_length=40)),
                ("evening", models.DateField()),
                ("finished_at", models.DateTimeField(null=True)),
                ("hands", models.PositiveIntegerField(default=0)),
                ("points", models.IntegerField(default=0)),
                ("best_hand", models.IntegerField(null=True)),
                ("best_number", models.PositiveIntegerField(null=True)),
                ("tricks", models.PositiveIntegerField(default=0)),
                ("untold", models.PositiveIntegerField(default=0)),
                ("bids_made", models.PositiveIntegerField(null=True)),
                ("bids_over", models.PositiveIntegerField(null=True)),
                ("bids_under", models.PositiveIntegerField(null=True)),
                ("revokes", models.PositiveIntegerField(default=0)),
                ("feat", scoring.models.fields.CanonicalJSONField(null=True)),
                ("scores", scoring.models.fields.CanonicalJSONField(default=list)),
                ("lines", scoring.models.fields.CanonicalJSONField(default=list)),
                ("total", models.IntegerField()),
                ("rank", models.PositiveSmallIntegerField()),
                ("share", models.PositiveSmallIntegerField(default=0)),
                ("mu", models.FloatField(null=True)),
                ("sigma", models.FloatField(null=True)),
                ("mu_all", models.FloatField(null=True)),
                ("sigma_all", models.FloatField(null=True)),
                (
                    "group",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scores",
                        to="scoring.group",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="scores",
                        to="scoring.person",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scores",
                        to="scoring.table",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["group", "finished_at", "table"], name="scores_in_order_of_finishing")
                ],
                "constraints": [models.UniqueConstraint(fields=("table", "seat"), name="one_score_per_seat")],
            },
        ),
    ]
