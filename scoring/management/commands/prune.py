"""`manage.py prune`: delete abandoned tables; optional, suited to a nightly job."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from scoring.management.operator_command import OperatorCommand
from scoring.operating.acts.operating import abandoned, prune


class Command(OperatorCommand):
    help = "Permanently delete tables without a group that have not changed for KEEP_TABLES_DAYS days. 0 keeps all."
    arguments = {
        "--days": {"type": int, "help": "the number of days, instead of the setting"},
        "--dry-run": {"action": "store_true", "help": "count the tables, and delete none"},
    }

    def handle(self, *, days: int | None, dry_run: bool, **_: Any) -> str:
        days = settings.KEEP_TABLES_DAYS if days is None else days
        if days < 0:
            raise CommandError("The number of days can't be negative.")
        if not days:
            return "All tables are kept: KEEP_TABLES_DAYS is 0."
        if dry_run:
            since = timezone.now() - timedelta(days=days)
            return f"Tables not changed since {since:%Y-%m-%d}: {abandoned(days).count()}."
        return f"Tables deleted: {prune(days)}."
