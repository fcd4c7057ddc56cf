"""`manage.py restore FILE`: restore a backup to an empty database, SQLite or PostgreSQL."""

from pathlib import Path
from typing import Any

from django.core.management import call_command

from scoring.management.operator_command import OperatorCommand
from scoring.operating.acts.backup import restore
from scoring.operating.acts.operating import note


class Command(OperatorCommand):
    help = "Read a backup into an empty database, and verify every table; ends with 1 when there is a difference."
    arguments = {"file": {"type": Path, "help": "what `backup` has written, or the file of a stopped server"}}

    def handle(self, *, file: Path, **_: Any) -> None:
        restore(file, self.stdout.write)
        note("restore", file.name)
        self.stdout.write(f"{file} is restored. Every table is rebuilt from its log now, to compare:")
        call_command("verify_tables", stdout=self.stdout, stderr=self.stderr)
