"""`manage.py rebuild_statistics [code ...]`: rebuild groups' statistics from the logs, and report differences."""

import sys
from typing import Any

from scoring.groups.acts.scores import statistics_differences
from scoring.management.operator_command import OperatorCommand
from scoring.models import Group
from scoring.models.table import normal_code


class Command(OperatorCommand):
    help = "Recompute all statistics from the logs and report differences; exits with 1 if there are any."
    arguments = {
        "codes": {"nargs": "*", "metavar": "code", "help": "only these groups"},
        "--write": {"action": "store_true", "help": "correct the stored statistics"},
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
        corrected = ", corrected" if write and wrong else ""
        self.stdout.write(f"Groups checked: {groups.count()}. Differences: {wrong}{corrected}.")
        if wrong and not write:
            sys.exit(1)
