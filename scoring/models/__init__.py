"""What is stored: tables with their logs and sheets, and who may do what at them."""

from scoring.models.access import Device, DeviceTable, DoneRequest, Link, Role, SecretChoice, Tally
from scoring.models.table import DealtHand, HandSheet, Table, TableEvent

__all__ = [
    "DealtHand",
    "Device",
    "DeviceTable",
    "DoneRequest",
    "HandSheet",
    "Link",
    "Role",
    "SecretChoice",
    "Table",
    "TableEvent",
    "Tally",
]
