"""What requests and answers hold: JSON objects, by the names that the schema of the API gives their shapes."""

from typing import Any, TypeAlias

GameId: TypeAlias = str
Adjudication: TypeAlias = dict[str, Any]
Amended: TypeAlias = dict[str, Any]
Asks: TypeAlias = dict[str, Any]
End: TypeAlias = dict[str, Any]
Event: TypeAlias = dict[str, Any]
GameSummary: TypeAlias = dict[str, Any]
Log: TypeAlias = dict[str, Any]
LogEntry: TypeAlias = dict[str, Any]
NewLink: TypeAlias = dict[str, Any]
Options: TypeAlias = dict[str, Any]
Record: TypeAlias = dict[str, Any]
Recorded: TypeAlias = dict[str, Any]
Table: TypeAlias = dict[str, Any]
TableProblem: TypeAlias = dict[str, Any]
Undone: TypeAlias = dict[str, Any]
