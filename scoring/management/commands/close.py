"""`manage.py close`: nobody opens a table or a group any more, until a new right is given."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.services.exceptions import NoSuchTable
from scoring.services.operating import close, find_target


class Command(BaseCommand):
    help = "Revoke every link to a table, which is private then, or to a group. Nothing is deleted; see give_right."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the code of a table or a group")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            target = find_target(options["code"])
        except NoSuchTable:
            raise CommandError("There is no table and no group with this code.") from None
        self.stdout.write(f"{close(target)} links revoked.")
