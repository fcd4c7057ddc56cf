"""`manage.py verify_tables [code ...]`: rebuild tables from their logs and report differences from what is stored."""

import sys
from typing import Any

from django.db import transaction

from scoring.management.operator_command import OperatorCommand
from scoring.models import Table
from scoring.models.table import normal_code, spoken_code
from scoring.operating.reads import differences


class Command(OperatorCommand):
    help = "Rebuild every table from its log and report differences; exits with 1 if there are any."
    arguments = {
        "codes": {"nargs": "*", "metavar": "code", "help": "only these tables"},
        "--expect": {"type": int, "default": 0, "metavar": "N", "help": "exit with 1 if there are fewer tables"},
    }

    def handle(self, *, codes: list[str], expect: int, **_: Any) -> None:
        tables = Table.objects.all()
        if codes:
            tables = tables.filter(code__in=[normal_code(code) for code in codes])
        seen, wrong = 0, 0
        for pk, code in list(tables.order_by("pk").values_list("pk", "code")):
            found = _look_at(pk)
            seen += found is not None
            wrong += bool(found)
            for sentence in found or ():
                self.stdout.write(f"{spoken_code(code)}: {sentence}")
        self.stdout.write(f"Tables checked: {seen}. With differences: {wrong}.")
        if not seen:
            self.stderr.write("There was nothing to verify: is this the right database?")
        if wrong or seen < max(expect, len(codes)):
            sys.exit(1)


def _look_at(pk: int) -> list[str] | None:
    """Return the differences at a table; ``None`` if it has been deleted meanwhile."""
    try:
        # Lock the table, so that nothing is written while it is compared.
        with transaction.atomic():
            row = Table.objects.select_for_update().filter(pk=pk).first()
            return None if row is None else differences(row)
    except Exception as problem:  # noqa: BLE001 - one broken row must not stop the others
        return [f"It cannot be read: {type(problem).__name__}: {problem}"]
