"""Readers of environment variables, and the secret that is made once and kept."""

import os
import secrets
import time
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}


def flag(name: str, *, default: bool = False) -> bool:
    """Read a yes-or-no variable; anything else than yes or no is an error, not a guess."""
    text = os.environ.get(name)
    if text is None:
        return default
    if text.lower() in TRUE:
        return True
    if text.lower() in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {text!r}.")


def words(name: str, *, default: str = "") -> list[str]:
    """Read a comma-separated list."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def whole(name: str, *, default: int) -> int:
    """Read a whole number from 0."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal()):
        raise ImproperlyConfigured(f"{name} must be a whole number from 0, not {text!r}.")
    return int(text)


def kept_secret(path: Path) -> str:
    """Return the secret in the file, making it on the first call.

    Several processes may start at the same time: exactly one of them creates the file, the others read it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _read_when_written(path)
    secret = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w") as file:
        file.write(secret)
    return secret


def _read_when_written(path: Path) -> str:
    for _ in range(100):
        if secret := path.read_text().strip():
            return secret
        time.sleep(0.01)
    raise ImproperlyConfigured(f"{path} is empty; delete it, and a new secret will be made.")
