"""`manage.py prune`: delete abandoned tables; optional, suited to a nightly job."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from scoring.management.operator_command import PlainCommand
from scoring.operating.acts.operating import abandoned, prune


class Command(PlainCommand):
    help = "Delete tables of no group that nobody has touched for KEEP_TABLES_DAYS days, for good. 0 keeps all."
    arguments = {
        "--days": {"type": int, "help": "so many days instead of the setting"},
        "--dry-run": {"action": "store_true", "help": "say how many there are, and delete none"},
    }

    def handle(self, *, days: int | None, dry_run: bool, **_: Any) -> str:
        days = settings.KEEP_TABLES_DAYS if days is None else days
        if days < 0:
            raise CommandError("There are no negative days.")
        if not days:
            return "All tables are kept: KEEP_TABLES_DAYS is 0."
        if dry_run:
            since = timezone.now() - timedelta(days=days)
            return f"{abandoned(days).count()} tables were not touched since {since:%Y-%m-%d}."
        return f"{prune(days)} tables deleted."
