"""Typed readers of environment variables, and the generated secret key.

Unlike django-environ, which reads any unknown word as false and a leading ``$`` as a reference, they take values
literally and raise ``ImproperlyConfigured`` for invalid ones.
"""

import os
import re
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"", "0", "false", "no", "off"}
SHORTEST_SECRET = 32
HOST = re.compile(r"\.?[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]+\]")
HOSTS = re.compile(rf"\*|{HOST.pattern}")
CONTACT = re.compile(r"(mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+|https://[^\s/]+(/\S*)?)")


def _wrong(name: str, expected: str, found: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{name} must be {expected}, not {found!r}.")


def flag(name: str) -> bool:
    """Read a boolean, false if unset; raises ``ImproperlyConfigured`` unless the value is a known yes or no."""
    found = os.environ.get(name, "")
    if found.lower() not in TRUE | FALSE:
        raise _wrong(name, "1 or 0", found)
    return found.lower() in TRUE


def text(name: str, *, default: str = "") -> str:
    """Read a string; blank counts as unset."""
    return os.environ.get(name, "").strip() or default


def words(name: str, *, default: str = "") -> list[str]:
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def whole(name: str, *, default: int, least: int = 0, most: int = 10**9) -> int:
    found = text(name)
    if not found:
        return default
    if not (found.isascii() and found.isdecimal() and least <= int(found) <= most):
        limits = f"from {least}" if most == 10**9 else f"from {least} to {most}"
        raise _wrong(name, f"a whole number {limits}", found)
    return int(found)


def one_of(name: str, values: Sequence[str], *, default: str) -> str:
    """Read one of a fixed set of words, ignoring case."""
    if (found := text(name, default=default).upper()) not in values:
        raise _wrong(name, f"one of {', '.join(values)}", found)
    return found


def time_zone(name: str, *, default: str) -> str:
    found = text(name, default=default)
    try:
        ZoneInfo(found)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise _wrong(name, "an IANA time zone such as Europe/Berlin", found) from None
    return found


def _alike(name: str, form: re.Pattern[str], expected: str, *, default: str = "") -> list[str]:
    found = words(name, default=default)
    for each in found:
        if not form.fullmatch(each):
            raise _wrong(name, expected, each)
    return found


def hosts(name: str, *, default: str = "") -> list[str]:
    """Read a list of host names; ``*`` matches any, ``.cards.example`` every subdomain."""
    return _alike(name, HOSTS, "host names such as cards.example", default=default)


def contacts(name: str) -> list[str]:
    return _alike(name, CONTACT, "addresses such as mailto:me@cards.example")


def origin(name: str) -> str:
    """Read an origin: scheme and host, plus a port if it is not the default."""
    return _origin(name, found) if (found := text(name)) else ""


def origins(name: str) -> list[str]:
    return [_origin(name, found) for found in words(name)]


def _origin(name: str, found: str) -> str:
    try:
        parts = urlsplit(found)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        parts, port, host = urlsplit(""), None, ""
    shown = f"[{host}]" if ":" in host else host
    more = parts.path.strip("/") or parts.query or parts.fragment or parts.username
    if parts.scheme not in ("http", "https") or not HOST.fullmatch(shown) or more:
        raise _wrong(name, "an address such as https://cards.example", found)
    usual = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{shown}" if usual else f"{parts.scheme}://{shown}:{port}"


def folder(name: str, *, default: Path) -> Path:
    """Read a directory path; a missing directory is created with mode 0700."""
    path = Path(text(name) or default).resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise ImproperlyConfigured(
            f"{name} must be a folder that exists or can be created, not {path}: {problem}."
        ) from problem
    return path


def secret(name: str, path: Path) -> str:
    """Read a secret of at least 32 characters; if unset, use the one stored at ``path``."""
    found = text(name)
    if found and len(found) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} must have at least {SHORTEST_SECRET} characters, to be hard to guess.")
    return found or kept_secret(path)


def kept_secret(path: Path) -> str:
    """Return the secret stored at ``path``, generating it first if necessary; safe for concurrent processes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        for _ in range(100):
            if found := path.read_text().strip():
                return found
            time.sleep(0.01)
        raise ImproperlyConfigured(f"{path} is empty. Delete it, and a new secret is generated.") from None
    made = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w") as file:
        file.write(made)
    return made
