"""Devices and what they have; an address of a link is for the first that opens it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0007_choosing"),
    ]

    operations = [
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.RemoveField(
            model_name="secretchoice",
            name="link",
        ),
        migrations.AddField(
            model_name="link",
            name="taken",
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name="DeviceTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField(auto_now_add=True)),
                (
                    "device",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tables",
                        to="scoring.device",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="devices",
                        to="scoring.link",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="devices", to="scoring.table"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="secretchoice",
            name="device_table",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="scoring.devicetable"
            ),
        ),
        migrations.AddIndex(
            model_name="devicetable",
            index=models.Index(fields=["device", "table"], name="tables_of_a_device"),
        ),
        migrations.AddConstraint(
            model_name="devicetable",
            constraint=models.UniqueConstraint(fields=("device", "link"), name="one_row_per_link_of_a_device"),
        ),
        migrations.AddConstraint(
            model_name="devicetable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("link", None)), fields=("device", "table"), name="one_row_per_table_of_a_device"
            ),
        ),
    ]
