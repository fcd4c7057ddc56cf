"""Name secret choices alike everywhere."""

from django.db import migrations


class Migration(migrations.Migration):
    """Rename what the tables of secret choices are called; nothing stored changes."""

    dependencies = [("scoring", "0006_choices_of_links")]

    operations = [
        migrations.RenameModel("SealedChoice", "SecretChoice"),
        migrations.RenameField("table", "hidden", "choosing"),
        migrations.RenameField("tableevent", "hidden", "choosing"),
    ]
