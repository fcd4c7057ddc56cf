"""Idempotency keys are stored as hashes, and what opens something for minutes by itself.

The keys and fingerprints from before are taken away: with the secret of the installation they gave tokens away.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import deletion


def forget_keys(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Forget the keys of requests; who sends one of them again is answered as somebody who comes first."""
    for name in ("Table", "Group", "TableEvent"):
        rows = apps.get_model("scoring", name)._base_manager.filter(key__isnull=False)
        rows.update(key=None, fingerprint="")
    for name in ("DoneRequest", "GroupRequest"):
        apps.get_model("scoring", name)._base_manager.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0025_score_mark"),
    ]

    operations = [
        migrations.CreateModel(
            name="ShortLived",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("text", models.TextField(blank=True, default="")),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name="donerequest",
            name="reading",
            field=models.ForeignKey(null=True, on_delete=deletion.CASCADE, to="scoring.reading"),
        ),
        migrations.RunPython(forget_keys, migrations.RunPython.noop, elidable=True),
    ]
