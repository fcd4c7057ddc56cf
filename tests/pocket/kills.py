"""Kills the browser of a pocket while cards are tapped, and checks that nothing is lost or doubled.

    python -m tests.pocket.kills 300

What a page showed as recorded must be there afterwards; what was tapped may be; and nothing is there twice, so every
hand ends with the points a second adjudicator counts.
"""

import os
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import django
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Playwright, sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup(set_prefix=False)

from tests.e2e.thumb import Thumb, totals, whole_hand  # noqa: E402
from tests.games.discovery import ORACLES  # noqa: E402
from tests.pocket.host import Host, Pocket, browser_of  # noqa: E402

LONGEST = 0.4  # the most seconds from a tap to the end of the browser
SECONDS_TO_SEND = 3


@dataclass
class Count:
    """What was done; `unheard` taps were neither shown as recorded nor on the disk."""

    kills: int = 0
    taps: int = 0
    unheard: int = 0
    hands: int = 0


def kill(profile: Path) -> None:
    """Kill every process of the browser with this profile."""
    mine = f"--user-data-dir={profile}".encode()
    parents = {}
    own = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            pid = int(folder.name)
            parents[pid] = int(folder.joinpath("stat").read_text().rpartition(")")[2].split()[1])
            if mine in folder.joinpath("cmdline").read_bytes().split(b"\0"):
                own.add(pid)
    while more := {pid for pid, parent in parents.items() if parent in own} - own:
        own |= more
    for pid in own:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def play(playwright: Playwright, host: Host, profile: Path, kills: int, seed: int = 0) -> Count:
    """Tap hands with this many kills; `AssertionError` means something shown was lost or is there twice."""
    random, count = Random(seed), Count()
    told = whole_hand("ace-trump", 4)
    events, done, tapped, unheard, started = told["hands"][0]["events"], 0, 0, 0, False
    while count.kills < kills:
        with suppress(PlaywrightError), browser_of(playwright, profile) as browser:
            pocket = Pocket(browser.pages[0], host).open()
            thumb = Thumb(pocket)
            if not started:
                thumb.start_table(told)
                done = tapped = unheard = 0
                started = True
            there = _version(pocket, tapped)
            assert done <= there <= tapped, f"{there} of {done} shown and {tapped} tapped"
            count.unheard += max(0, tapped - there - unheard)
            unheard = tapped - there
            done = thumb.version = there
            after = random.randrange(1, 6)
            for event in events[done : done + after]:
                tapped += 1
                count.taps += 1
                if tapped == min(done + after, len(events)):
                    threading.Timer(random.uniform(0, LONGEST), kill, [profile]).start()
                try:
                    thumb.record(event)
                except (PlaywrightError, AssertionError):  # it is gone
                    break
                done += 1
            time.sleep(LONGEST)
            if done == len(events):
                count.hands += 1
                started = False
        count.kills += 1
        print(count, file=sys.stderr, flush=True)
        if started and tapped == len(events):
            with browser_of(playwright, profile) as browser:
                pocket = Pocket(browser.pages[0], host).open()
                if _version(pocket, tapped) == tapped:
                    assert totals(pocket) == ORACLES["ace-trump"](told)["totals"]
                    count.hands += 1
                    started = False
    return count


def _version(pocket: Pocket, tapped: int) -> int:
    """Return the table's version on the disk after all waiting taps have been sent."""
    until = time.monotonic() + SECONDS_TO_SEND
    while True:
        version = int(pocket.locator("#table").get_attribute("data-version") or 0)
        if version >= tapped or time.monotonic() > until:
            pocket.goto(pocket.frame.url.removeprefix(pocket.host.url))
            return int(pocket.locator("#table").get_attribute("data-version") or 0)
        time.sleep(0.1)


if __name__ == "__main__":
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    seed = int(os.environ.get("SEED", "0"))
    built = Path(os.environ.get("POCKET") or Path(__file__).parent.parent.parent / "var" / "pocket")
    host = Host(built).start()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        print(play(playwright, host, Path(profile) / "profile", kills, seed))
    host.stop()
