"""`manage.py give_right`: make a new link for someone who has lost all others."""

from typing import Any

from django.conf import settings

from scoring.management.operator_command import TARGET, OperatorCommand, target_of
from scoring.operating.acts.operating import give_right


class Command(OperatorCommand):
    help = "Make a new link to a group (a member's) or to a table (a scorekeeper's), and print its address once."
    arguments = TARGET | {"--looking": {"action": "store_true", "help": "make a read-only link"}}

    def handle(self, *, code: str, looking: bool, **_: Any) -> str:
        path = give_right(target_of(code), looking=looking)
        return f"{settings.PUBLIC_URL or settings.PHONE_ADDRESS}{path}"
