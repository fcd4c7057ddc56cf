"""`manage.py export_group CODE FILE`: write a group's archive to a file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from scoring.groups.reads.group_export import archive_of
from scoring.management.operator_command import OperatorCommand
from scoring.models import Group
from scoring.models.table import normal_code
from scoring.operating.acts.backup import new_file
from scoring.operating.acts.operating import described, note


class Command(OperatorCommand):
    help = "Write a group to a file: its people, and every table with its whole log."
    arguments = {
        "code": {"help": "the code of the group"},
        "file": {"type": Path, "help": "the file to create; it must not exist yet"},
    }

    def handle(self, *, code: str, file: Path, **_: Any) -> str:
        group = Group.objects.filter(code=normal_code(code)).first()
        if group is None:
            raise CommandError("No group has this code.")
        with new_file(file) as unfinished, unfinished.open("w", encoding="utf-8", newline="\n") as archive:
            archive.writelines(archive_of(group))
        note("export-group", described(group))
        return f"{group.name}: {group.tables.count()} tables."
