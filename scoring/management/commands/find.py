"""`manage.py find`: find tables and groups, and list who can open them."""

from typing import Any

from scoring.groups.reads.groups import standing_group_links
from scoring.management.operator_command import OperatorCommand
from scoring.models import Table
from scoring.operating.acts.operating import found_by
from scoring.tables.reads.access import standing_links


class Command(OperatorCommand):
    help = "Find groups and tables by code, group name or player, and list their links."
    arguments = {
        "words": {"help": "a code, or part of a name"},
        "--most": {"type": int, "default": 20, "help": "the maximum number of each, latest first (20)"},
    }

    def handle(self, *, words: str, most: int, **_: Any) -> None:
        groups, tables = found_by(words, max(1, most))
        for group in groups:
            played = Table.objects.filter(group=group)
            running = played.filter(finished=False).count()
            self.stdout.write(
                f"group {group.spoken_code} {group.name}: {group.people.count()} people, {played.count()} tables, "
                f"{running} running, since {group.created:%Y-%m-%d}"
            )
            for right in standing_group_links(group):
                self.stdout.write(f"  link {right.pk} {right.role} {right.name}".rstrip())
        for table in tables:
            state = ("over" if table.finished else "running") + (", private" if table.private else "")
            self.stdout.write(
                f"table {table.spoken_code} {table.game}, {', '.join(table.seats)}: {state}, "
                f"last changed {table.updated:%Y-%m-%d}"
            )
            for link in standing_links(table):
                self.stdout.write(f"  link {link.pk} {link.name}")
        if not groups and not tables:
            self.stdout.write("Nothing found.")
