"""Listening to PostgreSQL: one connection per process, outside every pool, for as long as it lasts."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from psycopg import AsyncConnection, sql

from scoring.services.notifications import CHANNEL

# A connection that died without a word is noticed within half a minute; the hub's own looks bridge it.
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "connect_timeout": 10}
NOT_FOR_PSYCOPG = ("cursor_factory", "context", "prepare_threshold")


async def listen(*, opened: Callable[[], None], heard: Callable[[str], None]) -> None:
    """Listen until the connection is lost; raises ``psycopg.Error`` then.

    ``opened`` is called as soon as nothing that is said from now on can be missed.
    """
    async with await AsyncConnection.connect(autocommit=True, **_parameters()) as listener:
        await listener.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
        opened()
        async for word in listener.notifies():
            heard(word.payload)


def _parameters() -> dict[str, Any]:
    """Return how Django reaches the database."""
    reach: dict[str, object] = connection.get_connection_params()
    own = {name: value for name, value in reach.items() if name not in NOT_FOR_PSYCOPG}
    return KEEPALIVE | own
