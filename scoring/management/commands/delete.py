"""`manage.py delete`: a table, or a group with everything in it, for good."""

from argparse import ArgumentParser
from typing import Any, final

from django.core.management.base import CommandError

from scoring.management.operator_command import TargetCommand
from scoring.models import Group, Table
from scoring.models.table import normal_code
from scoring.operating.acts.operating import delete


@final
class Command(TargetCommand):
    help = "Delete a table, or a group with all its tables and people, at once and for good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--again", required=True, metavar="CODE", help="the same code once more")

    def act(self, target: Table | Group, options: dict[str, Any]) -> str:
        if normal_code(options["again"]) != target.code:
            raise CommandError("The two codes are not the same; nothing was deleted.")
        delete(target)
        return "Deleted."
