"""What is stored: tables, their logs and sheets, entered hands, links, hidden choices."""

from scoring.models.choice import SealedChoice
from scoring.models.dealt_hand import DealtHand
from scoring.models.done_request import DoneRequest
from scoring.models.event import TableEvent
from scoring.models.link import Link, Role
from scoring.models.rate_count import Tally
from scoring.models.sheet import HandSheet
from scoring.models.table import Table

__all__ = ["DealtHand", "DoneRequest", "HandSheet", "Link", "Role", "SealedChoice", "Table", "TableEvent", "Tally"]
