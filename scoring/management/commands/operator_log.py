"""`manage.py operator_log`: what was done to an installation by hand."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.models import OperatorAct


class Command(BaseCommand):
    help = "Print what operators have done, the latest last: when, who, what, on what."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--most", type=int, default=100, help="how many, the latest (100)")

    def handle(self, *args: Any, **options: Any) -> None:
        latest = OperatorAct.objects.order_by("-pk")[: max(1, options["most"])]
        for act in reversed(latest):
            self.stdout.write(str(act))
