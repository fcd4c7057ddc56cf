"""Time zones in which evenings are counted, and people with names much alike who are others."""

from django.db import migrations, models

import scoring.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0026_continued_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="group",
            name="time_zone",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="person",
            name="distinct_from",
            field=scoring.models.fields.CanonicalJSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="table",
            name="time_zone",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
