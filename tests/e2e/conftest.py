"""A real server and a real browser.

`server` is what `make run` starts, on a free port with its own database. `page` is a tab in a laptop-sized window,
`phone` one in a 360 by 740 window with touch. Both know the server: `page.goto("/")`. Every test gets a fresh browser
context; if it fails, the screen is saved in `var/screenshots/`. `PICTURES=1 make pytest` also saves the screenshots
that tests take along the way.
"""

import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.e2e.scripts import ADDRESS, FOLDER
from tests.scoring.live.driving import serving

ROOT = Path(__file__).resolve().parent.parent.parent
SCREENSHOTS = ROOT / "var" / "screenshots"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The names under which systems install it. The first is headless only, which halves the work."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-site-isolation-trials",  # there is only one site, and every process takes time to start
]
BROKEN = ("Content Security Policy", "returned no matches")
"""What the console says when the policy blocks something, or an htmx attribute names a missing element."""
PATIENCE = 30_000
"""How long to wait for something, in milliseconds; a busy machine is not the page's fault."""
expect.set_options(timeout=PATIENCE)
PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
LAPTOP: dict[str, Any] = {"width": 1280, "height": 800}


@dataclass(frozen=True, slots=True)
class Server:
    """A running server's address."""

    url: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.e2e)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Save what the browser showed when a test failed."""
    report = yield
    if report.when == "call" and report.failed:
        for name, value in getattr(item, "funcargs", {}).items():
            if isinstance(value, Page):
                with suppress(PlaywrightError):  # the page may be what hangs
                    value.screenshot(path=_screenshot_path(f"failed-{item.name}-{name}"), full_page=True)
    return report


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """What `make run` starts, on a free port, with an empty SQLite database."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield Server(url=f"http://127.0.0.1:{running.port}")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, for all tests in this directory.

    Its scope ends with the directory, not the session: while Playwright runs, its thread has an event loop, and Django
    refuses database access to later tests in such a thread.
    """
    with chromium() as running:
        yield running


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        yield browser
        browser.close()


def executable() -> str:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise RuntimeError("There is no Chromium on this machine; `sh tests/tools.sh` installs one.")
    return found


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A tab in a laptop-sized window."""
    with open_tab(browser, server, **LAPTOP) as tab:
        yield tab


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """A tab on a small phone, with touch."""
    with open_tab(browser, server, **PHONE) as tab:
        yield tab


@pytest.fixture
def second_phone(browser: Browser, server: Server) -> Iterator[Page]:
    """Another player's phone: it shares no cookie with the first."""
    with open_tab(browser, server, **PHONE) as tab:
        yield tab


@contextmanager
def open_tab(
    browser: Browser, server: Server, *, width: int, height: int, locale: str = "en", **options: Any
) -> Iterator[Page]:
    """Open a tab; at the end, fail if a script failed or the content security policy blocked something."""
    context = browser.new_context(
        base_url=server.url, viewport=ViewportSize(width=width, height=height), locale=locale, **options
    )
    context.set_default_timeout(PATIENCE)
    tab = context.new_page()
    troubles: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error" and any(sign in message.text for sign in BROKEN):
            troubles.append(message.text)

    tab.on("console", listen)
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    yield tab
    context.close()
    assert not troubles, "The page broke:\n" + "\n".join(troubles)


@contextmanager
def phones(browser: Browser, server: Server, addresses: Sequence[str]) -> Iterator[list[Page]]:
    """Open each address on its own phone."""
    with ExitStack() as opened:
        tabs = [opened.enter_context(open_tab(browser, server, **PHONE)) for _ in addresses]
        for tab, address in zip(tabs, addresses, strict=True):
            tab.goto(address)
        yield tabs


@contextmanager
def another_site(browser: Browser, body: bytes, **options: Any) -> Iterator[Callable[[], Page]]:
    """Serve another site's page at another origin; yield a function that opens it in a tab."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Discard the message."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        context = browser.new_context(locale="en", **options)
        tab = context.new_page()

        def open_page() -> Page:
            tab.goto(f"http://127.0.0.1:{site.server_port}/")
            return tab

        yield open_page
        context.close()
        site.shutdown()


@pytest.fixture
def screenshot() -> Callable[[Page, str], None]:
    """Save what a tab shows if pictures are wanted: `screenshot(phone, "first-trick")`."""

    def take(tab: Page, name: str) -> None:
        if os.environ.get("PICTURES"):
            tab.screenshot(path=_screenshot_path(name), full_page=True)

    return take


def _screenshot_path(name: str) -> Path:
    path = SCREENSHOTS / (re.sub(r"[^\w./-]+", "-", name).strip("-") + ".png")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


# -- the scripts without a page ----------------------------------------------------------------


@pytest.fixture(scope="module")
def blank(browser):
    """A blank page that can load the unbundled modules and nothing else."""
    context = browser.new_context(locale="en")
    tab = context.new_page()

    def answer(route):
        name = Path(route.request.url.partition("?")[0]).name
        if name.endswith(".js"):
            route.fulfill(path=FOLDER / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>Blank</title>", content_type="text/html")

    tab.route("**/*", answer)
    tab.goto(ADDRESS)
    yield tab
    context.close()


@pytest.fixture
def result(blank, request):
    """Evaluate an expression about a module, which is loaded again for each test."""

    def result(module, expression):
        return blank.evaluate(
            f"import('{ADDRESS}{module}.js?{hash(request.node.name)}').then(({module}) => {expression})"
        )

    return result


def follow(tab: Page, address: str) -> None:
    """Open a page and follow a link to its table."""
    tab.goto(address)
    if "/join/#" in address:
        tab.wait_for_url(lambda url: "/join/" not in url)


def join_group(tab: Page, address: str, name: str = "I’m only watching") -> None:
    """Open a group by a link and say whose phone this is."""
    tab.goto(address)
    tab.get_by_role("button", name=name).click()
    tab.wait_for_url(lambda url: "#" not in url and "/who/" not in url)
