"""`manage.py rename_person`: rename a person everywhere in a group."""

from typing import Any

from scoring.management.operator_command import OperatorCommand
from scoring.operating.acts.operating import rename


class Command(OperatorCommand):
    help = "Rename a person of a group at every table; scores stay."
    arguments = {
        "code": {"help": "the code of the group"},
        "before": {"help": "the current name"},
        "after": {"help": "the new name"},
    }

    def handle(self, *, code: str, before: str, after: str, **_: Any) -> str:
        rename(code, before, after)
        return "Renamed."
