"""Connections that are kept from request to request, and noticed when they have gone."""

import select

import psycopg
from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Spares a request the trip to the server and back that Django makes to see whether somebody is there.

    A server that has nothing to answer has nothing to say: when bytes have come, or the end of the connection,
    then it was closed, and Django's own question makes sure of it.
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
