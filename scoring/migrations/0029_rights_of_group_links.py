from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0028_secrets_as_hashes"),
    ]

    operations = [
        migrations.AddField(
            model_name="link",
            name="group_link",
            field=models.PositiveBigIntegerField(null=True),
        ),
    ]
