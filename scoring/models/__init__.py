"""What is stored: tables, their logs, the sheets of finished hands, and the links that open them."""

from scoring.models.event import TableEvent
from scoring.models.link import Link, Role
from scoring.models.sheet import HandSheet
from scoring.models.table import Table

__all__ = ["HandSheet", "Link", "Role", "Table", "TableEvent"]
