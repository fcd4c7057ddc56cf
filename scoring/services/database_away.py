"""Saying once that the database is away, however many ask meanwhile."""

import logging
import time

logger = logging.getLogger(__name__)
SECONDS_AWAY = 5
"""When to ask again."""
SECONDS_BETWEEN = 30.0
"""How often it is said."""
_said = [float("-inf")]


def database_is_away(why: Exception) -> None:
    """Log that the database is away, full or read-only, unless it was said a moment ago."""
    now = time.monotonic()
    if now - _said[0] >= SECONDS_BETWEEN:
        _said[0] = now
        logger.error("The database does not take or give anything now: %s", str(why).strip())
