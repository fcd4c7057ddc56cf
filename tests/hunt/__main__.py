"""`make hunt MINUTES=5`: look for unknown failures at random seeds for this many minutes.

`make test` tries the same examples every time, so its result is reproducible. The hunt runs the same tests, that is the
laws of every table, the comparisons with the second adjudicators and the random acts at tables, each time with other
seeds. A failure is printed with the command that reproduces it, and then deserves its own test.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom
from time import monotonic

from tests.seeds import HUNT

ROOT = Path(__file__).resolve().parents[2]
DRAWING = ("from hypothesis", "from tests.seeds")
"""What marks a file whose tests draw examples or iterate over seeds."""
BOUND = "import schemathesis"
"""Draws with its own seeds, which could not be reproduced."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One file of tests at one seed."""

    path: Path
    seed: int

    def arguments(self) -> list[str]:
        return ["-m", "pytest", "-q", "--tb=short", f"--hypothesis-seed={self.seed}", os.path.relpath(self.path, ROOT)]

    def command(self) -> str:
        return f"HYPOTHESIS_PROFILE={HUNT} SEED={self.seed} .venv/bin/python {shlex.join(self.arguments())}"

    def fire(self) -> str:
        """Run the tests; return their output if one fails."""
        surroundings = {**os.environ, "HYPOTHESIS_PROFILE": HUNT, "SEED": str(self.seed)}
        done = subprocess.run(
            [sys.executable, *self.arguments(), "-p", "no:cacheprovider", "-p", "no:schemathesis"],
            cwd=ROOT,
            env=surroundings,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr if done.returncode else ""


def hunting_grounds() -> list[Path]:
    """Return the files whose tests vary with the seed."""
    files = [(path, path.read_text()) for path in sorted((ROOT / "tests").rglob("test_*.py"))]
    return [path for path, text in files if any(word in text for word in DRAWING) and BOUND not in text]


def shots(until: float, chance: SystemRandom) -> Iterator[Shot]:
    """Yield file after file, each round in another order, until the time is up."""
    grounds = hunting_grounds()
    while True:
        chance.shuffle(grounds)
        for path in grounds:
            if monotonic() >= until:
                return
            yield Shot(path, chance.randrange(10**9))


def main(minutes: float) -> int:
    """Hunt with one process per core; return 1 if something was found."""
    guns = os.cpu_count() or 1
    fired: list[Future[bool]] = []
    with ThreadPoolExecutor(guns) as pool:
        for shot in shots(monotonic() + 60 * minutes, SystemRandom()):
            fired.append(pool.submit(found, shot))
            busy = [each for each in fired if not each.done()]
            if len(busy) == guns:
                wait(busy, return_when=FIRST_COMPLETED)
    hits = sum(each.result() for each in fired)
    print(f"{len(fired)} files of tests were run at random seeds; {hits} of them found something.")
    return int(bool(hits))


def found(shot: Shot) -> bool:
    what = shot.fire()
    if what:
        print(f"{what}\nFound. To see it again:\n  {shot.command()}\n", flush=True)
    return bool(what)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0))
