"""Running `manage.py` as whoever looks after an installation does."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OWN = {"DATABASE_URL", "SECRET_KEY", "VAR_DIR", "HOST"}


def surroundings(**variables: object) -> dict[str, str]:
    """Return the environment of an installation with these variables and no others of its own."""
    inherited = {name: value for name, value in os.environ.items() if name not in OWN}
    return inherited | {name: str(value) for name, value in variables.items()}


def manage(*words: object, **variables: object) -> subprocess.CompletedProcess[str]:
    """Run a command, with variables of the environment."""
    command = [sys.executable, "manage.py", *map(str, words)]
    around = surroundings(**variables)
    return subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True, timeout=120, check=False)
