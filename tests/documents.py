"""The pages of the reference that are made: every address of the API, and every house rule.

`make pages` writes them anew.
"""

import json
import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()

from referee.engine.game import all_games
from referee.engine.rules import Option
from tests.strict_answers import METHODS, description

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
ADDRESSES = """# Every address of the API

Made of the schema by `make pages`. What they take and answer is told by the schema (`/api/v1/schema/`), its page
(`/api/v1/docs/`), and in [the API](api.md), [tables](tables.md), [groups](groups.md), [history](history.md) and
[disputes](disputes.md); what can go wrong by `/api/v1/problems/`. Beside the API there are `/health/live` and
`/health/ready` ([health](health-and-metrics.md)), `/.well-known/security.txt`
([settings](settings.md#security_contact)), `/robots.txt`, and the pages for people.
"""
RULES = """# Every house rule

Made of the games by `make pages`. A house rule goes under `options` of a table or a record; what is left out has its
usual value. `games/{game}/` gives the same as JSON Schema, the rulebook each rule by its number. How people choose
them: [choose how you play](../how-to/house-rules.md).
"""


def addresses() -> str:
    """Return the page of addresses."""
    found: list[tuple[str, str, str, str]] = [
        (operation["tags"][0], path, method.upper(), operation["summary"])
        for path, operations in description().schema["paths"].items()
        for method, operation in operations.items()
        if method in METHODS
    ]
    tags = [tag["name"] for tag in description().schema["tags"]]
    found.sort(key=lambda each: (tags.index(each[0]), each[1], METHODS.index(each[2].lower())))
    page = ADDRESSES
    for tag, lines in groupby(found, key=lambda each: each[0]):
        page += f"\n## {tag.capitalize()}\n\n| method | address | what it is |\n|---|---|---|\n"
        page += "".join(f"| {method} | `{path}` | {_cell(summary)} |\n" for _, path, method, summary in lines)
    return page


def house_rules() -> str:
    """Return the page of house rules, game by game."""
    page = RULES
    for game in all_games():
        page += f"\n## {game.name} (`{game.id}`)\n\n"
        page += "| key | what it is | values, the usual one first | rules |\n|---|---|---|---|\n"
        for option in game.all_options():
            told = f"**{option.label}.** {option.help}" + (f" Goes with `{option.needs}`." if option.needs else "")
            page += f"| `{option.key}` | {_cell(told)} | {_cell(_values(option))} | {', '.join(option.clauses)} |\n"
    return page


def _values(option: Option) -> str:
    if option.by_players and option.span:
        usual = _ranges({players: str(value) for players, (value, _most) in option.by_players.items()})
        least = option.span[0]
        most = _ranges({players: f"{least} to {most}" for players, (_value, most) in option.by_players.items()})
        return f"{usual}; from {most}" if usual else most
    if option.span:
        usual = "none" if option.default is None else str(option.default)
        return f"{usual}; {option.span[0]} to {option.span[1]}"
    labels = option.labels or ("",) * len(option.values)
    return "; ".join(f"`{_json(value)}` {label}".strip() for value, label in zip(option.values, labels, strict=True))


def _ranges(by_players: dict[int, str]) -> str:
    """Return values by how many play, those that are the same together."""
    parts = []
    for value, together in groupby(sorted(by_players), key=lambda players: by_players[players]):
        players = list(together)
        who = str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"
        parts.append(f"{value} with {who} players")
    return ", ".join(parts)


def _json(value: object) -> str:
    return json.dumps(value) if value is None or isinstance(value, bool) else str(value)


def _cell(text: Any) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


PAGES = {REFERENCE / "addresses.md": addresses, REFERENCE / "house-rules.md": house_rules}


def write() -> None:
    """Write the pages."""
    for path, make in PAGES.items():
        path.write_text(make(), encoding="utf-8")


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the blocks of code of a page: their language, and what stands in them."""
    inside: list[str] | None = None
    language = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if inside is None and line.startswith("```"):
            inside, language = [], line.removeprefix("```").strip()
        elif inside is not None and line.startswith("```"):
            yield language, "\n".join(inside)
            inside = None
        elif inside is not None:
            inside.append(line)


if __name__ == "__main__":
    write()
