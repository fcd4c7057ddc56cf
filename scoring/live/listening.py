"""Listening to other processes: over a connection to PostgreSQL, outside every pool, or at a mailbox beside SQLite."""

import asyncio
from collections.abc import Callable
from typing import Any

from django.db import connection
from psycopg import AsyncConnection, sql

from scoring.services.mailboxes import mailbox
from scoring.services.notifications import CHANNEL

# A connection that died without a word is noticed within half a minute; the hub's own looks bridge it.
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "connect_timeout": 10}
NOT_FOR_PSYCOPG = ("cursor_factory", "context", "prepare_threshold")


async def listen(*, opened: Callable[[], None], received: Callable[[str], None]) -> None:
    """Listen until the connection is lost; raises ``psycopg.Error`` or ``OSError`` then.

    ``opened`` is called as soon as nothing that is said from now on can be missed.
    """
    if connection.vendor == "postgresql":
        await _listen_to_postgresql(opened, received)
    else:
        await _listen_to_mailbox(opened, received)


async def _listen_to_mailbox(opened: Callable[[], None], received: Callable[[str], None]) -> None:
    reader = asyncio.StreamReader()
    with mailbox() as box:
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), box)
        opened()
        async for line in reader:
            received(line.decode().rstrip("\n"))


async def _listen_to_postgresql(opened: Callable[[], None], received: Callable[[str], None]) -> None:
    async with await AsyncConnection.connect(autocommit=True, **_parameters()) as listener:
        await listener.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
        opened()
        async for word in listener.notifies():
            received(word.payload)


def _parameters() -> dict[str, Any]:
    reach: dict[str, object] = connection.get_connection_params()
    own = {name: value for name, value in reach.items() if name not in NOT_FOR_PSYCOPG}
    return KEEPALIVE | own
