"""Django's admin, if the operator enables it: read-only, except for revoking access; and its sessions."""

import logging
from hashlib import sha256
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.signals import user_login_failed
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

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


# --- Sessions
# Stored keys are hashed, so that a copy of the database opens no session.


class SessionStore(DatabaseStore):
    def exists(self, session_key: str) -> bool:
        return bool(super().exists(hashed(session_key)))

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            super().delete(hashed(key))

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        row = super().create_model_instance(data)
        row.session_key = hashed(row.session_key)
        return row

    def _get_session_from_db(self) -> Any:
        standing = self.model.objects.filter(expire_date__gt=timezone.now())
        row = standing.filter(session_key=hashed(self.session_key or "")).first()
        if row is None:
            self._session_key = None
        return row


def hashed(key: str) -> str:
    """Return the stored form of a session key, which fits the column's 40 characters."""
    return sha256(key.encode()).hexdigest()[:40]
