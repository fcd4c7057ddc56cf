"""What was measured: a file of results for each release, and the page and the picture that are made of them."""

import json
import os
import platform
import re
import sqlite3
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import isfinite, log2
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tests.bench.table import BY_KEY, Figure, Goal, Row
from tests.postgres import find_binaries

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/bench"
PAGE = ROOT / "docs/reference/speed.md"
PICTURE = FOLDER / "goals.svg"
BEGIN, END = "<!-- made by make bench: begin -->", "<!-- made by make bench: end -->"


@dataclass(frozen=True, slots=True)
class Found:
    """A row as it was measured; ``ratio`` is how many times what is beside it, or nothing where that is missing."""

    row: str
    what: str
    command: str
    figure: float | None
    unit: str
    ratio: float | None
    beside: str
    goal: str
    met: bool

    @classmethod
    def of(cls, row: Row, found: Figure) -> "Found":
        ratio, figure = _rounded(found.ratio), _rounded(found.figure)
        met = figure is not None and ratio is not None and Goal.read(row.goal).met(figure, ratio)
        command = f"make bench ONLY={row.part}"
        return cls(row.key, row.what, command, figure, row.unit, ratio, row.beside, row.goal, met)

    def share(self) -> float:
        """Return how many times better than its goal it is."""
        return Goal.read(self.goal).share(self.figure, self.ratio) if self.figure and self.ratio else 0.0


@dataclass(frozen=True, slots=True)
class Results:
    """What one release was found to be."""

    release: str
    machine: dict[str, Any]
    rows: tuple[Found, ...]

    def machine_line(self) -> str:
        return "; ".join(f"{name} {value}" for name, value in self.machine.items())

    def write(self) -> Path:
        path = FOLDER / f"{self.release}.jsonl"
        lines = [{"release": self.release, "machine": self.machine}, *map(asdict, self.rows)]
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        return path

    @classmethod
    def read(cls, path: Path) -> "Results":
        head, *rows = map(json.loads, path.read_text().splitlines())
        return cls(head["release"], head["machine"], tuple(Found(**row) for row in rows))


def _rounded(value: float) -> float | None:
    """Return three digits that tell something.

    >>> _rounded(1234.5), _rounded(0.012345)
    (1230, 0.0123)
    """
    if not isfinite(value):
        return None
    rounded = float(f"{value:.3g}")
    return int(rounded) if rounded.is_integer() else rounded


def release() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def machine() -> dict[str, Any]:
    """Return where it is measured, before anything is."""
    info = Path("/proc/cpuinfo")
    models = re.findall(r"^model name\s*: (.*)$", info.read_text(), re.MULTILINE) if info.exists() else []
    told = subprocess.run(
        [find_binaries() / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout
    return {
        "day": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "commit": subprocess.run(
            ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip(),
        "processor": models[0] if models else platform.processor(),
        "cores": os.cpu_count(),
        "load before": round(os.getloadavg()[0], 1),
        "system": platform.platform(aliased=True, terse=True),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "PostgreSQL": told.split()[2],
    }


def all_results() -> list[Results]:
    """Return the results of all releases, the latest first."""
    found = [Results.read(path) for path in FOLDER.glob("*.jsonl")]
    return sorted(found, key=lambda each: [int(part) for part in re.findall(r"\d+", each.release)], reverse=True)


def publish(results: Results) -> Path:
    """Write the file of this release, and make page and picture anew."""
    FOLDER.mkdir(exist_ok=True)
    path = results.write()
    PAGE.write_text(with_table(PAGE.read_text(), all_results()))
    PICTURE.write_text(picture(all_results()))
    return path


def with_table(page: str, results: Sequence[Results]) -> str:
    """Return the page with what was measured between its two marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    latest = results[0]
    made = f"Release {latest.release}. Measured on: {latest.machine_line()}.\n\n{table_of(results)}"
    return f"{before}{BEGIN}\n{made}\n{END}{after}"


def table_of(results: Sequence[Results]) -> str:
    """Return the table of the latest, with the ratios of the releases before it in columns of their own."""
    latest, *before = results
    heads = ["what", "figure", "ratio", "beside", "goal", "met", *(each.release for each in before)]
    lines = [heads, ["---", "--:", "--:", "---", "---", "---", *("--:" for _ in before)]]
    for found in latest.rows:
        old = [next((_times(row.ratio) for row in each.rows if row.row == found.row), "") for each in before]
        figure = "not measured" if found.figure is None else f"{found.figure:,} {found.unit}"
        met = "yes" if found.met else "**no**"
        lines.append([found.what, figure, _times(found.ratio), found.beside, str(Goal.read(found.goal)), met, *old])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _times(ratio: float | None) -> str:
    return "—" if ratio is None else f"× {ratio:,}"


# -- the picture ------------------------------------------------------------------------------

LEFT, STEP, WIDTH, DOUBLING = 350, 18, 740, 45
"""Room for the words, between rows, for all of it, and for what is twice as good."""
WORST, BEST = -3, 5
"""So many doublings to either side of the goal; what lies beyond stands at the edge."""


def picture(results: Sequence[Results]) -> str:
    """Draw how far from its goal each row is: a disc for each release, the latest full; to the right is better."""
    rows = [BY_KEY[found.row] for found in results[0].rows]
    height, goal = STEP * (len(rows) + 3), _across(1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
        ' font-family="sans-serif" font-size="11">',
        f"<title>How far from its goal each row is, release {escape(results[0].release)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{goal - 8}" y="12" text-anchor="end">missed</text><text x="{goal + 8}" y="12">better</text>',
    ]
    for doublings in range(WORST, BEST + 1):
        x, shade = _across(2.0**doublings), "#ddd" if doublings else "#333"
        name = f"{'×' if doublings > 0 else '÷'} {2 ** abs(doublings)}" if doublings else "goal"
        parts.append(f'<line x1="{x}" x2="{x}" y1="{STEP}" y2="{height - STEP}" stroke="{shade}"/>')
        parts.append(f'<text x="{x}" y="{height - 5}" text-anchor="middle">{name}</text>')
    for place, row in enumerate(rows):
        y = STEP * (place + 1.5)
        parts.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(row.what)}</text>')
        for age, each in reversed([*enumerate(results)]):
            for found in each.rows:
                if found.row == row.key:
                    fill = "#fff" if age else "#1a6" if found.met else "#c30"
                    parts.append(f'<circle cx="{_across(found.share())}" cy="{y}" r="4" fill="{fill}" stroke="#333"/>')
    return "\n".join([*parts, "</svg>", ""])


def _across(times: float) -> float:
    """Return where so many times better than the goal lies."""
    return round(LEFT + DOUBLING * (0.25 - WORST + max(WORST, min(BEST, log2(max(times, 1e-9))))), 1)
