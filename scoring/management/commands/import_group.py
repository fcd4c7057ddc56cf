"""`manage.py import_group FILE`: make a group from its archive, all of it or nothing."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from referee.engine.options import Refused
from scoring.services.group_importing import import_group

EVERY = 50
"""Tables after which progress is told."""


class Command(BaseCommand):
    help = "Make a group from its archive, all of it or nothing; prints the address that opens it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with Path(options["file"]).open(encoding="utf-8") as file:
                made = import_group(file, progress=self._tell)
        except OSError as problem:
            raise CommandError(f"{options['file']} cannot be read: {problem.strerror}.") from None
        except Refused as refused:
            raise CommandError(refused.problems[0].detail) from None
        group = made.link.group
        self.stdout.write(f"{group.name}: {group.tables.count()} tables.")
        self.stdout.write(f"{reverse('scoring:group', args=[group.code])}#{made.token}")

    def _tell(self, done: int, all_: int) -> None:
        if done % EVERY == 0:
            self.stdout.write(f"{done} of {all_} tables ...")
