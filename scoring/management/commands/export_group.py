"""`manage.py export_group CODE FILE`: write a whole group to a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.models import Group
from scoring.models.table import normal_code
from scoring.queries.archiving import archive_of
from scoring.services.operating import described, note


class Command(BaseCommand):
    help = "Write the whole group to a file: people, and every table with its whole log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code")
        parser.add_argument("file")

    def handle(self, *args: Any, **options: Any) -> None:
        group = Group.objects.filter(code=normal_code(options["code"])).first()
        if group is None:
            raise CommandError("There is no group with this code.")
        path = Path(options["file"])
        if path.exists():
            raise CommandError(f"{path} is there already.")
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(archive_of(group))
        note("export-group", described(group))
        self.stdout.write(f"{group.name}: {group.tables.count()} tables.")
