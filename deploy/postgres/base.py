"""PostgreSQL connections that detect a closed socket without a query."""

import select

import psycopg
from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Skips Django's health-check query while the socket is quiet.

    An idle server sends nothing: if bytes or EOF are waiting, the connection was closed, and Django's own query
    confirms it.
    """

    def is_usable(self) -> bool:
        if self.connection is None:
            return False
        try:
            watched = select.poll()
            watched.register(self.connection.fileno(), select.POLLIN | select.POLLHUP)
            silent = not watched.poll(0)
        except (OSError, ValueError, psycopg.Error):
            return False
        return silent or bool(super().is_usable())
