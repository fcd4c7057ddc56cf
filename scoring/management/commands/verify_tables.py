"""`manage.py verify_tables [code ...]`: rebuild tables from their logs and report whatever is stored otherwise."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from scoring.models import Table
from scoring.models.table import normal_code
from scoring.queries.verifying import differences


class Command(BaseCommand):
    help = "Rebuild every table from its log, and report any difference; ends with 1 when there is one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("codes", nargs="*", metavar="code", help="only these tables")

    def handle(self, *args: Any, **options: Any) -> None:
        tables = Table.objects.all()
        if options["codes"]:
            tables = tables.filter(code__in=[normal_code(code) for code in options["codes"]])
        seen, wrong = 0, 0
        for pk in list(tables.order_by("pk").values_list("pk", flat=True)):
            # One writer at a time: while a table is looked at, nobody writes to it.
            with transaction.atomic():
                row = Table.objects.select_for_update().filter(pk=pk).first()
                found = [] if row is None else differences(row)
            seen += row is not None
            wrong += bool(found)
            for sentence in found:
                self.stdout.write(f"{row}: {sentence}")
        self.stdout.write(f"{seen} tables, {wrong} of them with differences.")
        if wrong:
            sys.exit(1)
