"""A secret choice belongs to the device it was made on, whatever rights that gets or loses later."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def to_devices(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    choices = apps.get_model("scoring", "SecretChoice").objects.using(schema_editor.connection.alias)
    for choice in choices.filter(device_table__isnull=False).select_related("device_table"):
        choices.filter(pk=choice.pk).update(device=choice.device_table.device_id)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0008_devices"),
    ]

    operations = [
        migrations.AddField(
            model_name="secretchoice",
            name="device",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="choices", to="scoring.device"
            ),
        ),
        migrations.RunPython(to_devices, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name="secretchoice",
            name="device_table",
        ),
    ]
