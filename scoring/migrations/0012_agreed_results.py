"""Players agree with the result of a hand."""

from django.db import migrations

import scoring.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0011_table_results"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="agreed",
            field=scoring.models.fields.CanonicalJSONField(default=dict),
        ),
    ]
