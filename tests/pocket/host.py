"""A static host for the pocket app below its own path, and a phone that opens it there."""

import gzip
import hashlib
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Frame, Locator, Page, Playwright, ViewportSize

from tests.e2e.conftest import ARGUMENTS, PATIENCE, executable

PLACE = "/cards/pocket/"
BELOW = "#page"
PHONE = ViewportSize(width=360, height=740)


class Handler(SimpleHTTPRequestHandler):
    """Serves a directory below `PLACE` as a plain static host does, and records what was requested."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        "": "application/octet-stream",
        ".mjs": "text/javascript",
    }

    def __init__(self, *arguments: Any, host: "Host") -> None:
        self.host = host
        super().__init__(*arguments, directory=str(host.folder))

    def do_GET(self) -> None:
        self.host.asked.append(self.path)
        if self.path.startswith(PLACE):
            self.path = self.path.removeprefix(PLACE[:-1])
            super().do_GET()
        else:
            self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Host:
    """A static file host: it can go away, come back at the same address, and serve another directory by then."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked, self.port = folder, list[str](), 0
        self._server: ThreadingHTTPServer | None = None

    def start(self) -> "Host":
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), partial(Handler, host=self))
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{PLACE}"


def with_before(built: Path, target: Path, script: str) -> Path:
    """Return a copy of a pocket whose worker runs this script before it opens its storage."""
    shutil.copytree(built, target)
    listing = target / "sw.js"
    text = listing.read_text()
    content = f"{script}\n{(target / 'disk.js').read_text()}".encode()
    digest = hashlib.sha256(content).hexdigest()[:16]
    (target / "files" / f"{digest}.bin").write_bytes(gzip.compress(content, mtime=0))
    (target / "disk.js").write_bytes(content)
    listing.write_text(re.sub(r'(\["disk.js", )"\w+"', rf'\1"{digest}"', text))
    return target


@contextmanager
def browser_of(
    playwright: Playwright, profile: Path, *, browser: Path | None = None, locale: str = "en", **options: Any
) -> Iterator[BrowserContext]:
    """Start a browser with a persistent profile, as a phone has."""
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=browser or executable(), args=ARGUMENTS, viewport=PHONE,
        has_touch=True, is_mobile=True, locale=locale, **options,
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)
    try:
        yield context
    finally:
        context.close()


@contextmanager
def private_browser_of(playwright: Playwright) -> Iterator[BrowserContext]:
    """Start a browser with a private window, which Playwright calls a context."""
    browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, locale="en")
    context.set_default_timeout(PATIENCE)
    try:
        yield context
    finally:
        browser.close()


class Pocket:
    """The page in the pocket's frame, used like any page: `tests.e2e.thumb` taps on it."""

    def __init__(self, tab: Page, host: Host) -> None:
        self.tab, self.host = tab, host
        self.touchscreen = tab.touchscreen

    @property
    def frame(self) -> Frame:
        found = self.tab.locator(BELOW).element_handle().content_frame()
        assert found is not None
        return found

    def open(self, path: str = "") -> "Pocket":
        """Open the pocket and wait until Python answers."""
        self.tab.goto(f"{self.host.url}{'#' + path if path else ''}")
        self.ready()
        return self

    def ready(self) -> None:
        self.tab.locator("html[data-ready]").wait_for(timeout=120_000)
        self.tab.locator("#cover").wait_for(state="hidden")

    def goto(self, path: str) -> None:
        self.frame.goto(f"{self.host.url}{path.lstrip('/')}")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.frame, name)

    def locator(self, *arguments: Any, **options: Any) -> Locator:
        return self.tab.frame_locator(BELOW).locator(*arguments, **options)
