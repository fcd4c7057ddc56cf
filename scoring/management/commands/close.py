"""`manage.py close`: revoke all access to a table or group, until `give_right` makes a new link."""

from typing import Any

from scoring.management.operator_command import TARGET, OperatorCommand, target_of
from scoring.operating.acts.operating import close


class Command(OperatorCommand):
    help = "Revoke every link to a group, or to a table, which becomes private. Nothing is deleted; see give_right."
    arguments = TARGET

    def handle(self, *, code: str, **_: Any) -> str:
        return f"Links revoked: {close(target_of(code))}."
