"""What is stored: tables, their logs, the sheets of finished hands, the links that open them, and hidden choices."""

from scoring.models.choice import SealedChoice
from scoring.models.event import TableEvent
from scoring.models.link import Link, Role
from scoring.models.sheet import HandSheet
from scoring.models.table import Table
from scoring.models.tally import Tally

__all__ = ["HandSheet", "Link", "Role", "SealedChoice", "Table", "TableEvent", "Tally"]
