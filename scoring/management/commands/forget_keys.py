"""`manage.py forget_keys`: forget the idempotency keys that are older than seven days; worth a run every night."""

from django.core.management.base import BaseCommand

from scoring.services.keys import forget_old_keys


class Command(BaseCommand):
    help = "Forget the idempotency keys that are older than seven days."

    def handle(self, *args: object, **options: object) -> None:
        self.stdout.write(f"{forget_old_keys()} keys forgotten.")
