"""Admin sessions with hashed keys, so that a copy of the database opens none of them."""

from hashlib import sha256
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils import timezone


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
