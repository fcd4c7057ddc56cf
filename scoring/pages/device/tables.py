"""The tables of this device: their codes and writing tokens, in one signed cookie."""

from dataclasses import dataclass

from django.core import signing
from django.http import HttpRequest, HttpResponse

COOKIE = "tables"
SALT = "scoring.tables"
MOST = 30
"""Tables remembered; a cookie holds four kilobytes. Those that are only looked at make room first."""
SECONDS = 2 * 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Known:
    """A table this device has seen; ``token`` is empty where it only looks."""

    code: str
    token: str


def known_tables(request: HttpRequest) -> list[Known]:
    """Return the tables of this device, the latest first."""
    try:
        kept = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT)
        return [Known(str(code), str(token)) for code, token in kept]
    except (signing.BadSignature, TypeError, ValueError):
        return []


def token_for(request: HttpRequest, code: str) -> str | None:
    """Return this device's token for a table: empty where it only looks on, ``None`` where it was never let in."""
    return next((known.token for known in known_tables(request) if known.code == code), None)


def remember(request: HttpRequest, response: HttpResponse, code: str, token: str = "") -> None:
    """Remember a table on this device; a token once known is kept."""
    known = known_tables(request)
    if not token and any(table.code == code for table in known):
        return
    kept = [(code, token), *((table.code, table.token) for table in known if table.code != code)]
    while len(kept) > MOST:
        looked_at = [place for place, (_, held) in enumerate(kept) if place and not held]
        kept.pop(looked_at[-1] if looked_at else -1)
    _keep(request, response, kept)


def forget_table(request: HttpRequest, response: HttpResponse, code: str) -> None:
    """Forget a table on this device, and what its link allows."""
    _keep(request, response, [(table.code, table.token) for table in known_tables(request) if table.code != code])


def _keep(request: HttpRequest, response: HttpResponse, kept: list[tuple[str, str]]) -> None:
    response.set_cookie(
        COOKIE,
        signing.dumps(kept, salt=SALT, compress=True),
        max_age=SECONDS,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
