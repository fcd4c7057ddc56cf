"""What is stored: tables with their logs and sheets, groups and their people, and who may do what."""

from scoring.models.access import (
    Device,
    DeviceReading,
    DeviceTable,
    DoneRequest,
    Link,
    OperatorAct,
    Role,
    Scope,
    SeatRequest,
    SecretChoice,
    ShortLived,
    Tally,
)
from scoring.models.dispute import Dispute, DisputeState, Precedent
from scoring.models.group import (
    WHOLE_WIN,
    Colour,
    DeviceGroup,
    EveningNote,
    Group,
    GroupImport,
    GroupLink,
    GroupRequest,
    GroupRole,
    PastImport,
    Person,
    RecoveryCode,
    ScoreMark,
    SeatedPerson,
    SeatScore,
)
from scoring.models.table import DealtHand, HandSheet, Table, TableEvent

__all__ = [
    "WHOLE_WIN", "Colour", "DealtHand", "Device", "DeviceGroup", "DeviceReading", "DeviceTable", "Dispute",
    "DisputeState", "DoneRequest", "EveningNote", "Group", "GroupImport", "GroupLink", "GroupRequest", "GroupRole",
    "HandSheet", "Link", "OperatorAct", "PastImport", "Person", "Precedent", "RecoveryCode", "Role", "Scope",
    "ScoreMark", "SeatRequest", "SeatScore", "SeatedPerson", "SecretChoice", "ShortLived", "Table", "TableEvent",
    "Tally",
]  # fmt: skip
