"""`manage.py restore FILE`: restore a backup to an empty database, SQLite or PostgreSQL."""

from pathlib import Path
from typing import Any

from django.core.management import call_command

from scoring.management.operator_command import OperatorCommand
from scoring.operating.acts.backup import restore
from scoring.operating.acts.operating import note


class Command(OperatorCommand):
    help = "Restore a backup to an empty database and verify every table; exits with 1 if there are differences."
    arguments = {"file": {"type": Path, "help": "a file from `backup`, or the database file of a stopped server"}}

    def handle(self, *, file: Path, **_: Any) -> None:
        restore(file, self.stdout.write)
        note("restore", file.name)
        self.stdout.write(f"{file} is restored. Now verifying every table against its log:")
        call_command("verify_tables", stdout=self.stdout, stderr=self.stderr)
