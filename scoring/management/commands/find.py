"""`manage.py find`: which tables and groups somebody means, and who may open them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.groups.reads.groups import standing_group_links
from scoring.models import Group, Table
from scoring.operating.acts.operating import found_by
from scoring.tables.reads.access import standing_links


class Command(BaseCommand):
    help = "Find groups and tables by a code, the name of a group or somebody who plays there; shows their links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("words", help="a code, or a part of a name")
        parser.add_argument("--most", type=int, default=20, help="how many of each, the latest first (20)")

    def handle(self, *args: Any, **options: Any) -> None:
        groups, tables = found_by(options["words"], max(1, options["most"]))
        for group in groups:
            self.show_group(group)
        for table in tables:
            self.show_table(table)
        if not groups and not tables:
            self.stdout.write("Nothing like this is here.")

    def show_group(self, group: Group) -> None:
        tables = Table.objects.filter(group=group)
        running = tables.filter(finished=False).count()
        self.stdout.write(
            f"group {group.spoken_code} {group.name}: {group.people.count()} people, {tables.count()} tables, "
            f"{running} running, since {group.created:%Y-%m-%d}"
        )
        for link in standing_group_links(group):
            self.stdout.write(f"  link {link.pk} {link.role} {link.name}".rstrip())

    def show_table(self, table: Table) -> None:
        state = "over" if table.finished else "running"
        closed = ", private" if table.private else ""
        self.stdout.write(
            f"table {table.spoken_code} {table.game}, {', '.join(table.seats)}: {state}{closed}, "
            f"last changed {table.updated:%Y-%m-%d}"
        )
        for link in standing_links(table):
            self.stdout.write(f"  link {link.pk} {link.name}")
