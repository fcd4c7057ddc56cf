"""Django's admin, where an operator has turned it on: for looking, and for closing what has to be closed."""

import logging
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.signals import user_login_failed
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest

from scoring.models import Group, OperatorAct, Person, Table
from scoring.operating.acts.operating import close

logger = logging.getLogger(__name__)
admin.site.site_header = admin.site.site_title = "Card table"


@receiver(user_login_failed)
def note_wrong_password(**_: object) -> None:
    """Say in the log that somebody has tried a name or a password in vain, and neither of the two."""
    logger.warning("Somebody has tried to get into the admin in vain.")


if TYPE_CHECKING:
    Shown = admin.ModelAdmin[Any]
else:
    Shown = admin.ModelAdmin  # it takes no arguments where it runs


class Looking(Shown):
    """Rows that are looked at and not changed here: what is changed goes through the doors of the product."""

    def _never(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_add_permission = has_change_permission = has_delete_permission = _never


class Closing(Looking):
    """Rows whose links can be revoked, all at once."""

    actions = ("close_them",)

    @admin.action(description="Revoke all links", permissions=["view"])
    def close_them(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        revoked = sum(close(row, who=f"admin {request.user.get_username()}") for row in rows)
        messages.success(request, f"{revoked} links revoked.")


@admin.register(Table)
class TableAdmin(Closing):
    fields = ("code", "game", "seats", "group", "private", "finished", "version", "created", "updated", "evening")
    list_display = ("spoken_code", "game", "seats", "finished", "private", "updated")
    list_filter = ("finished", "private", "game")
    search_fields = ("code", "seats")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        return Table.objects.defer("snapshot", "hand_start")


@admin.register(Group)
class GroupAdmin(Closing):
    fields = ("code", "name", "created", "version", "counts_revokes")
    list_display = ("spoken_code", "name", "created")
    search_fields = ("code", "name")


@admin.register(Person)
class PersonAdmin(Looking):
    fields = ("name", "aliases", "group", "merged_into", "created")
    list_display = ("name", "group", "created")
    search_fields = ("name",)


@admin.register(OperatorAct)
class OperatorActAdmin(Looking):
    list_display = ("at", "who", "what", "on")
    fields = list_display
