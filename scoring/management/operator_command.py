"""Base class of operator commands."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from referee.engine.rules import Refused
from scoring.models import Group, Table
from scoring.models.table import normal_code
from scoring.operating.acts.backup import BackupRefused
from scoring.operating.acts.database import is_away
from scoring.tables.acts.exceptions import NotDone

ASK = "Check that VAR_DIR and DATABASE_URL are those of the service."


TARGET = {"code": {"help": "the code of a table or a group"}}


class OperatorCommand(BaseCommand):
    """A command that turns refusals and database outages into a ``CommandError``.

    It declares its arguments: names mapped to keyword arguments of ``add_argument``.
    """

    arguments: Mapping[str, Mapping[str, Any]] = {}

    def add_arguments(self, parser: ArgumentParser) -> None:
        for name, form in self.arguments.items():
            parser.add_argument(name, **form)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Refused as refused:
            raise CommandError(" ".join(problem.detail for problem in refused.problems)) from None
        except (BackupRefused, NotDone) as why:
            raise CommandError(str(why)) from None
        except DatabaseError as problem:
            if Table._meta.db_table in connection.introspection.table_names():
                if not is_away(problem):
                    raise
                reason = str(problem).strip()
                raise CommandError(f"{database_name()} is unavailable: {reason}.") from None
            raise CommandError(f"{database_name()} has not been set up yet. {ASK}") from None


def database_name() -> str:
    """Return the database's name and host for messages, without credentials."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return str(database["NAME"])
    return f"{database['NAME']} at {database['HOST'] or 'this machine'}"


def target_of(code: str) -> Table | Group:
    typed = normal_code(code)
    found = Table.objects.filter(code=typed).first() or Group.objects.filter(code=typed).first()
    if found is None:
        raise CommandError("No table or group has this code.")
    return found
