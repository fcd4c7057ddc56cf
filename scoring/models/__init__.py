"""What is stored: tables with their logs and sheets, groups and their people, and who may do what."""

from scoring.models.access import Device, DeviceTable, DoneRequest, Link, Role, SecretChoice, Tally
from scoring.models.group import (
    Colour,
    DeviceGroup,
    Group,
    GroupLink,
    GroupRequest,
    GroupRole,
    Person,
    SeatedPerson,
)
from scoring.models.result import TableResult
from scoring.models.statistics import WHOLE_WIN, SeatScore
from scoring.models.table import DealtHand, HandSheet, Table, TableEvent

__all__ = [
    "WHOLE_WIN",
    "Colour",
    "DealtHand",
    "Device",
    "DeviceGroup",
    "DeviceTable",
    "DoneRequest",
    "Group",
    "GroupLink",
    "GroupRequest",
    "GroupRole",
    "HandSheet",
    "Link",
    "Person",
    "Role",
    "SeatScore",
    "SeatedPerson",
    "SecretChoice",
    "Table",
    "TableEvent",
    "TableResult",
    "Tally",
]
