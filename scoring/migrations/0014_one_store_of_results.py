"""What tables have brought stands in the scores of their seats alone."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0013_scores_of_seats"),
    ]

    operations = [
        migrations.DeleteModel(name="TableResult"),
    ]
