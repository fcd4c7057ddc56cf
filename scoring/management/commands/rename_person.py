"""`manage.py rename_person`: somebody's name put right everywhere in a group."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from referee.engine.options import Refused
from scoring.services.exceptions import NotDone
from scoring.services.operating import rename


class Command(BaseCommand):
    help = "Give somebody of a group another name, at every table; scores stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the code of the group")
        parser.add_argument("before", help="the name as it is")
        parser.add_argument("after", help="the name as it is to be")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rename(options["code"], options["before"], options["after"])
        except Refused as why:
            raise CommandError(" ".join(problem.detail for problem in why.problems)) from None
        except NotDone as why:
            raise CommandError(str(why)) from None
        self.stdout.write("Renamed.")
