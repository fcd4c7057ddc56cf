"""What long runs have found: each leaves a line when it ends, or is ended, and the page of faults shows them.

A run is kept with what shows it again: the command with its seeds, and the commit that was tried.
"""

import json
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "docs/runs/long_runs.jsonl"
PAGE = ROOT / "docs/explanation/faults.md"
BEGIN, END = "<!-- made by the runs: begin -->", "<!-- made by the runs: end -->"
HEADS = ("day", "commit", "command", "seeds", "tried", "longest", "outcome")


@dataclass(frozen=True, slots=True)
class Run:
    """One run, as it ended."""

    day: str
    commit: str
    command: str
    seeds: str
    tried: str
    longest: str
    outcome: str

    def row(self) -> str:
        cells = [self.day, self.commit, f"`{self.command}`", self.seeds, self.tried, self.longest, self.outcome]
        return f"| {' | '.join(cell or '–' for cell in cells)} |"


class Begun:
    """A run that is under way: what is tried is what was there when it began."""

    def __init__(self, command: str, *, seeds: str = "", file: Path = FILE, page: Path = PAGE) -> None:
        self.command, self.seeds, self._file, self._page = command, seeds, file, page
        self.day, self.commit = f"{datetime.now(UTC):%Y-%m-%d}", commit()
        self.ended_by = ""
        """The signal by which somebody asked it to end."""

    @contextmanager
    def until_a_signal(self, *, at_once: bool = False) -> Iterator[None]:
        """Note Ctrl-C and SIGTERM instead of ending by them: a second one ends it all the same.

        ``at_once`` is for what cannot look again and again whether it is to end: it raises KeyboardInterrupt.
        """

        def note(number: int, _: FrameType | None) -> None:
            self.ended_by = signal.Signals(number).name
            for each, handler in before.items():
                signal.signal(each, handler)
            if at_once:
                raise KeyboardInterrupt

        before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def keep(self, *, tried: str, outcome: str, longest: str = "") -> Run:
        """Write down how it ended, and make the page anew."""
        outcome = f"ended early by {self.ended_by}; {outcome}" if self.ended_by else outcome
        run = Run(self.day, self.commit, self.command, self.seeds, tried, longest, outcome)
        self._file.parent.mkdir(exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(run), ensure_ascii=False) + "\n")
        self._page.write_text(with_runs(self._page.read_text(encoding="utf-8"), runs(self._file)), encoding="utf-8")
        return run


def commit() -> str:
    """Return which commit is checked out, and whether anything but documents was changed since."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs", ":!*.md")
    return git("rev-parse", "--short=8", "HEAD") + (" and changes" if changed else "")


def runs(file: Path = FILE) -> list[Run]:
    """Return what was run, the earliest first."""
    if not file.exists():
        return []
    return [Run(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def with_runs(page: str, found: Sequence[Run]) -> str:
    """Return the page with the runs between its two marks, the latest first."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = [f"| {' | '.join(HEADS)} |", "|---" * len(HEADS) + "|", *(run.row() for run in reversed(found))]
    return "\n".join([f"{before}{BEGIN}", *lines, f"{END}{after}"])
