"""The pocket app in a browser with a quarter of a core: starts, a tap and a page, compared with a whole core.

A control group (version 1 or 2) limits the whole browser, because a page's own throttling does not slow down workers.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from math import nan
from pathlib import Path
from statistics import median

from playwright.sync_api import Playwright, sync_playwright

from tests.bench.table import Figure
from tests.e2e.conftest import executable
from tests.e2e.thumb import Thumb, whole_hand
from tests.pocket.host import Host, Pocket, browser_of

QUARTER, WHOLE = 0.25, 1.0
PERIOD = 20_000  # microseconds: a longer period lets a browser run at full speed for a while, then not at all
ROOT = Path("/sys/fs/cgroup")
LATER = 5  # starts, each of a new browser; their median counts
LATER_MARKS = {"later": "page", "later-python": "python"}
SECONDS_TO_START = {QUARTER: 40, WHOLE: 12}
MARKS = "Object.fromEntries(performance.getEntriesByType('mark').map((each) => [each.name, each.startTime]))"
TAPPED = """(button) => new Promise((done) => {
  const began = performance.now();
  const page = button.ownerDocument;
  let shows = NaN;
  page.addEventListener("outbox-changed", () => requestAnimationFrame(() => {
    shows = performance.now() - began;
  }), { once: true });
  page.addEventListener("tap-recorded", () => done([shows, performance.now() - began]), { once: true });
  button.click();
})"""
OPENED = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        built = Path(os.environ.get("POCKET") or Path(folder, "pocket"))
        if not built.exists():
            subprocess.run([sys.executable, "-m", "deploy.pocket.build", str(built)], check=True)
        host = Host(built).start()
        found = {share: measured(playwright, host, Path(folder), share) for share in (WHOLE, QUARTER)}
        host.stop()
    for name, figure in found[QUARTER].items():
        yield Figure(f"pocket/{name}", figure, figure / found[WHOLE].get(name, nan))


def measured(playwright: Playwright, host: Host, folder: Path, share: float) -> dict[str, float]:
    """Return the seconds of each start, and the milliseconds of a tap and a page."""
    profile, browser = folder / f"profile-{share}", held(folder, share)
    told = whole_hand("oh-hell", 3)
    events = told["hands"][0]["events"]
    found: dict[str, float] = {}
    with browser_of(playwright, profile, browser=browser) as context:
        first = started(Pocket(context.pages[0], host), share)
        found |= {"first": first["page"] / 1000, "first-python": first["python"] / 1000}
        pocket = Pocket(context.pages[0], host)
        pocket.ready()
        Thumb(pocket).start_table(told)
        time.sleep(4 * SECONDS_TO_START[share])  # it keeps what is loaded
    later = []
    for _ in range(LATER):
        with browser_of(playwright, profile, browser=browser) as context:
            later.append(started(Pocket(context.pages[0], host), share))
    found |= {name: median(each[mark] for each in later) / 1000 for name, mark in LATER_MARKS.items()}
    with browser_of(playwright, profile, browser=browser) as context:
        pocket = Pocket(context.pages[0], host)
        started(pocket, share)
        pocket.ready()
        thumb, taps = Thumb(pocket), []
        for event in events[:3]:
            thumb.record(event)
        for event in events[3:8]:
            button = pocket.locator(f"form.ask[data-event={event['type']}] button:not([disabled])")
            chosen = button.locator(f"xpath=self::*[@value='{event.get('tricks', (event.get('cards') or ['?'])[0])}']")
            if not chosen.count():
                break
            taps.append(chosen.first.evaluate(TAPPED))
            thumb.version += 1
            time.sleep(1)
        pages = []
        for path in ("new/", "ask/", "games/oh-hell/", "new/", "ask/"):
            pocket.goto(path)
            pages.append(pocket.frame.evaluate(OPENED))
        shows, recorded = zip(*taps, strict=True) if taps else ([nan], [nan])
        found |= {"tap-shows": max(shows), "tap": median(recorded), "page": median(pages[2:])}
    return found


def started(pocket: Pocket, share: float) -> dict[str, float]:
    pocket.tab.goto(pocket.host.url, wait_until="commit")
    time.sleep(SECONDS_TO_START[share])  # polling would cost CPU time
    marks: dict[str, float] = pocket.tab.evaluate(MARKS)
    return marks


def held(folder: Path, share: float) -> Path:
    """Return a program that starts the browser in a group with this share of a core."""
    quota, name = int(PERIOD * share), "pocket-bench"
    if (ROOT / "cgroup.controllers").exists():
        group = ROOT / name
        limits = {"cpu.max": f"{quota} {PERIOD}"}
    else:
        group = ROOT / "cpu" / name
        limits = {"cpu.cfs_period_us": str(PERIOD), "cpu.cfs_quota_us": str(quota), "cpu.shares": "20000"}
    group.mkdir(exist_ok=True)
    for file, value in limits.items():
        (group / file).write_text(value)
    script = folder / f"browser-{share}"
    script.write_text(f'#!/bin/sh\necho $$ > {group}/cgroup.procs\nexec {executable()} "$@"\n')
    script.chmod(0o755)
    return script
