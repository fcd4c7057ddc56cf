"""`manage.py rename_person`: somebody's name put right everywhere in a group."""

from argparse import ArgumentParser
from typing import Any

from scoring.management.operator_command import OperatorCommand
from scoring.operating.acts.operating import rename


class Command(OperatorCommand):
    help = "Give somebody of a group another name, at every table; scores stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the code of the group")
        parser.add_argument("before", help="the name as it is")
        parser.add_argument("after", help="the name as it is to be")

    def handle(self, *args: Any, **options: Any) -> None:
        rename(options["code"], options["before"], options["after"])
        self.stdout.write("Renamed.")
