"""`make audit`: check every locked version for known vulnerabilities; exits with 2 if a check could not run.

It asks PyPI through pip-audit, which by itself succeeds even when it could learn nothing about a package. An audit that
checked nothing must not look like one that found nothing.
"""

import json
import subprocess
import sys
from collections.abc import Sequence

CLEAN, HOLES, BLIND = 0, 1, 2


def verdict(output: str, complaint: str) -> tuple[int, list[str]]:
    """Return an audit's exit status and its message from what pip-audit printed to stdout and stderr."""
    try:
        looked = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        last = complaint.strip().splitlines()[-1:] or ["pip-audit said nothing."]
        return BLIND, [f"Could not look: {last[0]}"]
    unseen = [each["name"] for each in looked if "skip_reason" in each]
    holes = [
        f"{each['name']} {each['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version'}"
        for each in looked
        for hole in each.get("vulns", ())
    ]
    if not unseen and not holes and looked:
        return CLEAN, [f"No hole is known in any of {len(looked)} packages."]
    said = [f"Could not look at {len(unseen)} of {len(looked)} packages: {', '.join(unseen) or 'none is named'}."]
    return (HOLES if holes else BLIND), holes + (said if unseen or not looked else [])


def main(locks: Sequence[str]) -> int:
    """Audit every lock; return the worst exit status."""
    worst = CLEAN
    for lock in locks:
        command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner=off"]
        ran = subprocess.run([*command, "--format=json", "-r", lock], capture_output=True, text=True, check=False)
        ended, said = verdict(ran.stdout, ran.stderr)
        print(f"{lock}:", *said, sep="\n  ")
        worst = HOLES if HOLES in (worst, ended) else max(worst, ended)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
