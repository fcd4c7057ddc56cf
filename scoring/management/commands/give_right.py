"""`manage.py give_right`: a new link for who has lost every other one."""

from argparse import ArgumentParser
from typing import Any, final

from django.conf import settings

from scoring.management.operator_command import TargetCommand
from scoring.models import Group, Table
from scoring.operating.acts.operating import give_right


@final
class Command(TargetCommand):
    help = "Make a new link to a group (a member's) or to a table (a scorekeeper's), and print its address this once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--looking", action="store_true", help="for looking on only")

    def act(self, target: Table | Group, options: dict[str, Any]) -> str:
        path = give_right(target, looking=options["looking"])
        return f"{settings.PUBLIC_URL or settings.PHONE_ADDRESS}{path}"
