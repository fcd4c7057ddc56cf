"""What is stored: tables, their logs, the sheets of finished hands, entered hands, and links."""

from scoring.models.dealt import DealtHand
from scoring.models.event import TableEvent
from scoring.models.link import Link, Role
from scoring.models.sheet import HandSheet
from scoring.models.table import Table

__all__ = ["DealtHand", "HandSheet", "Link", "Role", "Table", "TableEvent"]
