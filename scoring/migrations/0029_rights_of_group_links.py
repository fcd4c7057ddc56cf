from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0025_score_mark"),
    ]

    operations = [
        migrations.AddField(
            model_name="link",
            name="group_link",
            field=models.PositiveBigIntegerField(null=True),
        ),
    ]
