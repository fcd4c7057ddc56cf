"""`manage.py prune`: tables that nobody comes back to are deleted; worth a run every night, where that is wanted."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scoring.operating.acts.operating import abandoned, prune


class Command(BaseCommand):
    help = "Delete tables of no group that nobody has touched for KEEP_TABLES_DAYS days, for good. 0 keeps all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, help="so many days instead of the setting")
        parser.add_argument("--dry-run", action="store_true", help="say how many there are, and delete none")

    def handle(self, *args: Any, **options: Any) -> None:
        days = settings.KEEP_TABLES_DAYS if options["days"] is None else options["days"]
        if days < 0:
            raise CommandError("There are no negative days.")
        if not days:
            self.stdout.write("All tables are kept: KEEP_TABLES_DAYS is 0.")
            return
        if options["dry_run"]:
            since = timezone.now() - timedelta(days=days)
            self.stdout.write(f"{abandoned(days).count()} tables were not touched since {since:%Y-%m-%d}.")
            return
        self.stdout.write(f"{prune(days)} tables deleted.")
