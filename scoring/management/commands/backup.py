"""`manage.py backup FILE`: back up the whole installation to a new file while it runs."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import DatabaseError

from scoring.management.operator_command import ASK, OperatorCommand, database_name
from scoring.models import Group, Table
from scoring.operating.acts.backup import back_up
from scoring.operating.acts.operating import note
from scoring.tables.acts.keys import forget_expired


class Command(OperatorCommand):
    help = "Back up all tables, groups and links to a new file. The server can keep running."
    arguments = {"file": {"type": Path, "help": "the file to create; it must not exist yet"}}

    def handle(self, *, file: Path, **_: Any) -> None:
        tables, groups = Table.objects.count(), Group.objects.count()
        with suppress(DatabaseError):  # a full disk, for example, allows no writes
            forget_expired()
        back_up(file, self.stdout.write)
        self.stdout.write(f"{file} is complete and verified: {file.stat().st_size:,} bytes.")
        self.stdout.write(f"Backed up from {database_name()}: {tables:,} tables, {groups:,} groups.")
        try:
            note("backup", file.name)
        except DatabaseError as problem:  # a database that can't be written to is still backed up
            self.stderr.write(f"The operator's log could not record it: {str(problem).strip()}.")
        if not tables:
            self.stderr.write(f"The backup contains no tables. {ASK}")
