"""Models: tables with their logs and score sheets, groups and people, links and devices."""

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
from scoring.models.group import (
    WHOLE_WIN,
    Colour,
    DeviceGroup,
    Draw,
    EveningNote,
    Group,
    GroupImport,
    GroupLink,
    GroupRequest,
    GroupRole,
    PastImport,
    Person,
    Precedent,
    RankedBy,
    RecoveryCode,
    ScoreMark,
    Season,
    SeatedPerson,
    SeatScore,
)
from scoring.models.table import DealtHand, Dispute, DisputeState, HandSheet, Table, TableEvent

__all__ = [
    "WHOLE_WIN", "Colour", "DealtHand", "Device", "DeviceGroup", "DeviceReading", "DeviceTable", "Dispute",
    "DisputeState", "DoneRequest", "Draw", "EveningNote", "Group", "GroupImport", "GroupLink", "GroupRequest",
    "GroupRole", "HandSheet", "Link", "OperatorAct", "PastImport", "Person", "Precedent", "RankedBy",
    "RecoveryCode", "Role", "Scope", "ScoreMark", "Season", "SeatRequest", "SeatScore", "SeatedPerson",
    "SecretChoice", "ShortLived", "Table", "TableEvent", "Tally",
]  # fmt: skip
