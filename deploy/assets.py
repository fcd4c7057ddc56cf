"""Static files, delivered compressed: the server's own way of serving files cannot do that."""

import asyncio
import gzip
import mimetypes
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS_TO_KEEP = 365 * 24 * 3600
"""File names carry a hash of the content, so what a browser has it may keep."""
COMPRESSED = ("text/", "application/json", "image/svg+xml", "application/javascript")
WORTH_IT = 0.9
GZIP, REFUSED = re.compile(rb"gzip\s*(;.*)?"), re.compile(rb";\s*q=0(\.0*)?\s*$")
LARGEST_KEPT = 2 * 1024 * 1024

Application = Callable[[Any, Any, Any], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent, plain or compressed."""

    kind: str
    plain: bytes
    small: bytes | None


class Assets:
    """Answers requests below `prefix` with files out of `folder`, and hands all others on.

    Files are read and compressed when they are first asked for and then stay in memory: they are few, and never change
    under their name.
    """

    def __init__(self, application: Application, *, prefix: str, folder: Path) -> None:
        self._application = application
        self._prefix = prefix
        self._folder = folder.resolve()
        self._known: dict[str, Asset] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self._prefix):
            await self._application(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            await _answer(send, 405, [(b"allow", b"GET, HEAD")], b"")
            return
        asset = await self._find(scope["path"].removeprefix(self._prefix))
        if asset is None:
            await _answer(send, 404, [(b"content-type", b"text/plain")], b"There is no such file.")
            return
        headers = [
            (b"content-type", asset.kind.encode()),
            (b"cache-control", b"public, max-age=%d, immutable" % SECONDS_TO_KEEP),
            (b"x-content-type-options", b"nosniff"),
        ]
        body = asset.plain
        if asset.small is not None:
            headers.append((b"vary", b"accept-encoding"))
            if _takes_gzip(scope["headers"]):
                headers.append((b"content-encoding", b"gzip"))
                body = asset.small
        await _answer(send, 200, headers, body, head=scope["method"] == "HEAD")

    async def _find(self, name: str) -> Asset | None:
        asset = self._known.get(name)
        if asset is None:
            asset = await asyncio.to_thread(self._read, name)
            if asset is not None and len(asset.plain) <= LARGEST_KEPT:
                self._known[name] = asset
        return asset

    def _read(self, name: str) -> Asset | None:
        try:
            path = (self._folder / name).resolve()
            # A file goes by one name only: what is kept of it under others would fill the memory.
            if str(path) != f"{self._folder}/{name}" or not path.is_file():
                return None
            plain = path.read_bytes()
        except (OSError, ValueError):  # a name that no file can have
            return None
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        kind = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        small = gzip.compress(plain, 9, mtime=0) if kind.startswith(COMPRESSED) else None
        return Asset(kind, plain, small if small and len(small) < WORTH_IT * len(plain) else None)


def _takes_gzip(headers: list[tuple[bytes, bytes]]) -> bool:
    accepted = b",".join(value for name, value in headers if name == b"accept-encoding")
    return any(GZIP.fullmatch(offer.strip()) and not REFUSED.search(offer) for offer in accepted.lower().split(b","))


async def _answer(
    send: Any, status: int, headers: list[tuple[bytes, bytes]], body: bytes, *, head: bool = False
) -> None:
    headers = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if head else body})
