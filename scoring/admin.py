"""Django's admin, if the operator enables it: read-only, except for revoking access."""

import logging
from typing import Any

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
    """Log a failed login without the user name or password."""
    logger.warning("Failed login to the admin.")


class Looking(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic at run time
    """Read-only admin; changes go through the acts."""

    def _never(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_add_permission = has_change_permission = has_delete_permission = _never


class Closing(Looking):
    """Admin with an action that revokes all links of the selected rows."""

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
