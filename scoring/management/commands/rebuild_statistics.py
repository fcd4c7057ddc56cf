"""`manage.py rebuild_statistics [code ...]`: rebuild groups' statistics from the logs, and report differences."""

import sys
from typing import Any

from scoring.groups.acts.scores import statistics_differences
from scoring.management.operator_command import PlainCommand
from scoring.models import Group
from scoring.models.table import normal_code


class Command(PlainCommand):
    help = "Work all statistics out again from the logs, and report any difference; ends with 1 when there is one."
    arguments = {
        "codes": {"nargs": "*", "metavar": "code", "help": "only these groups"},
        "--write": {"action": "store_true", "help": "mend what is stored otherwise"},
    }

    def handle(self, *, codes: list[str], write: bool, **_: Any) -> None:
        groups = Group.objects.order_by("pk")
        if codes:
            groups = groups.filter(code__in=[normal_code(code) for code in codes])
        wrong = 0
        for group in list(groups):
            for sentence in statistics_differences(group, write=write):
                wrong += 1
                self.stdout.write(f"{group.spoken_code}, {sentence}")
        mended = ", mended" if write and wrong else ""
        self.stdout.write(f"{groups.count()} groups, {wrong} differences{mended}.")
        if wrong and not write:
            sys.exit(1)
