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
    help = "Write all tables, groups and rights to a new file; the server may go on running."
    arguments = {"file": {"type": Path, "help": "a file that is not there yet"}}

    def handle(self, *, file: Path, **_: Any) -> None:
        tables, groups = Table.objects.count(), Group.objects.count()
        with suppress(DatabaseError):  # a full disk, for example, allows no writes
            forget_expired()
        back_up(file, self.stdout.write)
        self.stdout.write(f"{file} holds everything, and was looked through: {file.stat().st_size:,} bytes.")
        self.stdout.write(f"It was read from {database_name()}: {tables:,} tables, {groups:,} groups.")
        try:
            note("backup", file.name)
        except DatabaseError as problem:  # a database that can't be written to is still backed up
            self.stderr.write(f"The operator's log has no line of it: {str(problem).strip()}.")
        if not tables:
            self.stderr.write(f"There is no table in it. {ASK}")
