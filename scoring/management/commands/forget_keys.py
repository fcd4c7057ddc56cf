"""`manage.py forget_keys`: delete expired keys and requests, and abandoned imports; run it nightly."""

from scoring.groups.acts.group_importing import forget_cut_imports
from scoring.management.operator_command import OperatorCommand
from scoring.tables.acts.access import forget_empty_devices
from scoring.tables.acts.keys import forget_old_keys, oldest_key


class Command(OperatorCommand):
    help = "Delete idempotency keys older than seven days, and devices of that age without tables."

    def handle(self, *args: object, **options: object) -> str:
        forget_cut_imports()
        keys, devices = forget_old_keys(), forget_empty_devices(oldest_key())
        return f"Keys deleted: {keys}, devices deleted: {devices}."
