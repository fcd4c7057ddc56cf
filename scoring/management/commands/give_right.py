"""`manage.py give_right`: a new link for who has lost every other one."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from scoring.services.exceptions import NoSuchTable
from scoring.services.operating import find_target, give_right


class Command(BaseCommand):
    help = "Make a new link to a group (a member's) or to a table (a scorekeeper's), and print its address this once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the code of a table or a group")
        parser.add_argument("--looking", action="store_true", help="for looking on only")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            target = find_target(options["code"])
        except NoSuchTable:
            raise CommandError("There is no table and no group with this code.") from None
        path = give_right(target, looking=options["looking"])
        address = settings.PUBLIC_URL or settings.PHONE_ADDRESS
        self.stdout.write(f"{address}{path}")
