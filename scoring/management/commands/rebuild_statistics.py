"""`manage.py rebuild_statistics [code ...]`: work the statistics of groups out again from the logs, and compare."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.groups.acts.scores import statistics_differences
from scoring.models import Group
from scoring.models.table import normal_code


class Command(BaseCommand):
    help = "Work all statistics out again from the logs, and report any difference; ends with 1 when there is one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("codes", nargs="*", metavar="code", help="only these groups")
        parser.add_argument("--write", action="store_true", help="mend what is stored otherwise")

    def handle(self, *args: Any, **options: Any) -> None:
        groups = Group.objects.order_by("pk")
        if options["codes"]:
            groups = groups.filter(code__in=[normal_code(code) for code in options["codes"]])
        wrong = 0
        for group in list(groups):
            for sentence in statistics_differences(group, write=options["write"]):
                wrong += 1
                self.stdout.write(f"{group.spoken_code}, {sentence}")
        mended = ", mended" if options["write"] and wrong else ""
        self.stdout.write(f"{groups.count()} groups, {wrong} differences{mended}.")
        if wrong and not options["write"]:
            sys.exit(1)
