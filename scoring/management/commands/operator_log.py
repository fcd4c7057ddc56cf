"""`manage.py operator_log`: list what operators have done."""

from typing import Any

from scoring.management.operator_command import OperatorCommand
from scoring.models import OperatorAct


class Command(OperatorCommand):
    help = "List what operators did, latest last: when, who, what, and on what."
    arguments = {"--most": {"type": int, "default": 100, "help": "how many of the latest to list (100)"}}

    def handle(self, *, most: int, **_: Any) -> None:
        for act in reversed(OperatorAct.objects.order_by("-pk")[: max(1, most)]):
            self.stdout.write(str(act))
