"""After which table its people have opened another one."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0018_links_for_reading"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="after",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="later", to="scoring.table"
            ),
        ),
    ]
