"""`manage.py close`: nobody opens a table or a group any more, until a new right is given."""

from typing import Any, final

from scoring.management.operator_command import TargetCommand
from scoring.models import Group, Table
from scoring.operating.acts.operating import close


@final
class Command(TargetCommand):
    help = "Revoke every link to a table, which is private then, or to a group. Nothing is deleted; see give_right."

    def act(self, target: Table | Group, options: dict[str, Any]) -> str:
        return f"{close(target)} links revoked."
