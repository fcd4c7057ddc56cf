"""What is stored: tables, their logs, the sheets of finished hands, what is known of hands, and the links that open them."""

from scoring.models.dealt import DealtHand
from scoring.models.event import TableEvent
from scoring.models.link import Link, Role
from scoring.models.sheet import HandSheet
from scoring.models.table import Table

__all__ = ["DealtHand", "HandSheet", "Link", "Role", "Table", "TableEvent"]
