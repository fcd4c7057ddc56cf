"""`manage.py delete`: permanently delete a table, or a group with everything in it."""

from typing import Any

from django.core.management.base import CommandError

from scoring.management.operator_command import TARGET, OperatorCommand, target_of
from scoring.models.table import normal_code
from scoring.operating.acts.operating import delete


class Command(OperatorCommand):
    help = "Permanently delete a table, or a group with all its tables and people."
    arguments = TARGET | {"--again": {"required": True, "metavar": "CODE", "help": "the same code again, to confirm"}}

    def handle(self, *, code: str, again: str, **_: Any) -> str:
        target = target_of(code)
        if normal_code(again) != target.code:
            raise CommandError("The two codes differ; nothing was deleted.")
        delete(target)
        return "Deleted."
