"""What the schema shows of every operation: requests and their answers from an evening that was really played."""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

EXCHANGES = Path(__file__).with_name("examples.json")
"""What was asked and answered; `make clients` writes it anew."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer, at the address as the router knows it."""

    route: str
    method: str
    title: str
    request: Any
    request_type: str
    status: str
    answer_type: str
    answer: Any


@cache
def exchanges() -> tuple[Exchange, ...]:
    """Return what was asked and answered that evening."""
    return tuple(Exchange(**each) for each in json.loads(EXCHANGES.read_text(encoding="utf-8")))


def dumped(played: Iterable[Exchange]) -> str:
    """Return exchanges as they are kept."""
    return json.dumps([asdict(each) for each in played], indent=1, ensure_ascii=False) + "\n"


def show_exchanges(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put them where they belong (a postprocessing hook of drf-spectacular)."""
    by_route = {re.sub(r"\{[^}]*\}", "<>", path): operations for path, operations in result["paths"].items()}
    for each in exchanges():
        operation = by_route[re.sub("<[^>]*>", "<>", each.route)][each.method]
        if each.request is not None:
            show(operation["requestBody"], each.request_type, each.title, each.request)
        show(operation["responses"][each.status], each.answer_type, each.title, each.answer)
    return result


def show(where: dict[str, Any], kind: str, title: str, value: Any) -> None:
    """Show a body where bodies of this kind are described."""
    name = re.sub(r"\W+", "-", title).strip("-")
    where["content"][kind].setdefault("examples", {})[name] = {"summary": title, "value": value}
