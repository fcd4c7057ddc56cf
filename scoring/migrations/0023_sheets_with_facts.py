"""Sheets of hands hold the facts of every reason now: those kept so far are drawn up again when they are read."""

from typing import Any

from django.db import migrations


def empty_sheets(apps: Any, schema_editor: Any) -> None:
    apps.get_model("scoring", "HandSheet").objects.using(schema_editor.connection.alias).update(sheet=None)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0022_operator_log")]

    operations = [migrations.RunPython(empty_sheets, migrations.RunPython.noop)]
