"""What is stored: tables, their logs and sheets, entered hands, links, hidden choices."""

from scoring.models.act import DoneRequest
from scoring.models.choice import SealedChoice
from scoring.models.dealt import DealtHand
from scoring.models.event import TableEvent
from scoring.models.link import Link, Role
from scoring.models.sheet import HandSheet
from scoring.models.table import Table
from scoring.models.tally import Tally

__all__ = ["DealtHand", "DoneRequest", "HandSheet", "Link", "Role", "SealedChoice", "Table", "TableEvent", "Tally"]
