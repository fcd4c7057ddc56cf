"""Groups that are being brought back from their archives, and may be cut."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0019_tables_after_one_another"),
    ]

    operations = [
        migrations.CreateModel(
            name="GroupImport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("done", models.PositiveIntegerField(default=0)),
                ("at", models.DateTimeField(auto_now=True)),
                (
                    "group",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="coming", to="scoring.group"
                    ),
                ),
            ],
        ),
    ]
