"""Groups and their people. What a table called its group becomes a label; it knows its evening and when it was over."""

from datetime import timedelta

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F

import scoring.models.fields
import scoring.models.table


def date_tables(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    tables = apps.get_model("scoring", "Table").objects.using(schema_editor.connection.alias)
    tables.filter(finished=True).update(finished_at=F("updated"))
    for pk, created in tables.values_list("pk", "created").iterator():
        tables.filter(pk=pk).update(evening=(created - timedelta(hours=6)).date())


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0009_choices_of_devices"),
    ]

    operations = [
        migrations.CreateModel(
            name="Group",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(default=scoring.models.table.new_code, max_length=8, unique=True)),
                ("name", models.CharField(max_length=60)),
                ("counts_revokes", models.BooleanField(default=False)),
                ("version", models.PositiveIntegerField(default=0)),
                ("writes", scoring.models.fields.CanonicalJSONField(default=dict)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("key", models.CharField(max_length=64, null=True, unique=True)),
                ("fingerprint", models.CharField(blank=True, default="", max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="GroupLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, default="", max_length=60)),
                ("role", models.CharField(choices=[("member", "Member"), ("viewer", "Viewer")], max_length=12)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("revoked", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="GroupRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("fingerprint", models.CharField(max_length=64)),
                ("made", models.PositiveBigIntegerField(null=True)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Person",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("aliases", scoring.models.fields.CanonicalJSONField(default=list)),
                (
                    "colour",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("red", "red"),
                            ("orange", "orange"),
                            ("yellow", "yellow"),
                            ("green", "green"),
                            ("teal", "teal"),
                            ("blue", "blue"),
                            ("purple", "purple"),
                            ("pink", "pink"),
                        ],
                        default="",
                        max_length=8,
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="SeatedPerson",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.AddField(
            model_name="link",
            name="label",
            field=models.CharField(blank=True, default="", max_length=60),
        ),
        migrations.AddField(
            model_name="table",
            name="evening",
            field=models.DateField(default=scoring.models.table.evening_now),
        ),
        migrations.AddField(
            model_name="table",
            name="finished_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RenameField(
            model_name="table",
            old_name="group",
            new_name="group_label",
        ),
        migrations.AlterField(
            model_name="table",
            name="group_label",
            field=models.CharField(blank=True, default="", max_length=40),
        ),
        migrations.CreateModel(
            name="DeviceGroup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField(auto_now_add=True)),
                (
                    "device",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="groups",
                        to="scoring.device",
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="devices", to="scoring.group"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="table",
            name="group",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tables",
                to="scoring.group",
            ),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["group", "-created", "-id"], name="tables_of_a_group"),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["group", "game", "-created"], name="tables_of_a_group_by_game"),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["group", "evening"], name="tables_of_an_evening"),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(fields=["group", "finished", "-created"], name="running_tables_of_a_group"),
        ),
        migrations.AddField(
            model_name="grouplink",
            name="group",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="links", to="scoring.group"
            ),
        ),
        migrations.AddField(
            model_name="devicegroup",
            name="link",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="devices", to="scoring.grouplink"
            ),
        ),
        migrations.AddField(
            model_name="grouprequest",
            name="group",
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to="scoring.group"),
        ),
        migrations.AddField(
            model_name="person",
            name="group",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="people", to="scoring.group"
            ),
        ),
        migrations.AddField(
            model_name="person",
            name="merged_into",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="merged", to="scoring.person"
            ),
        ),
        migrations.AddField(
            model_name="seatedperson",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="scoring.person"
            ),
        ),
        migrations.AddField(
            model_name="seatedperson",
            name="table",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="people", to="scoring.table"
            ),
        ),
        migrations.AddIndex(
            model_name="devicegroup",
            index=models.Index(fields=["device", "group"], name="groups_of_a_device"),
        ),
        migrations.AddConstraint(
            model_name="devicegroup",
            constraint=models.UniqueConstraint(fields=("device", "link"), name="one_row_per_group_link_of_a_device"),
        ),
        migrations.AddConstraint(
            model_name="grouprequest",
            constraint=models.UniqueConstraint(fields=("group", "key"), name="one_group_request_per_key"),
        ),
        migrations.AddConstraint(
            model_name="seatedperson",
            constraint=models.UniqueConstraint(fields=("table", "seat"), name="one_person_per_seat"),
        ),
        migrations.AlterField(
            model_name="handsheet",
            name="sheet",
            field=scoring.models.fields.CanonicalJSONField(null=True),
        ),
        migrations.RunPython(date_tables, migrations.RunPython.noop),
    ]
