"""`manage.py delete`: a table, or a group with everything in it, for good."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.models.table import normal_code
from scoring.services.exceptions import NoSuchTable
from scoring.services.operating import delete, find_target


class Command(BaseCommand):
    help = "Delete a table, or a group with all its tables and people, at once and for good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the code of a table or a group")
        parser.add_argument("--again", required=True, metavar="CODE", help="the same code once more")

    def handle(self, *args: Any, **options: Any) -> None:
        if normal_code(options["again"]) != normal_code(options["code"]):
            raise CommandError("The two codes are not the same; nothing was deleted.")
        try:
            target = find_target(options["code"])
        except NoSuchTable:
            raise CommandError("There is no table and no group with this code.") from None
        delete(target)
        self.stdout.write("Deleted.")
