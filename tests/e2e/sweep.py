"""Takes a picture of every page on every screen, in both themes and all languages: `make pictures` beside a `make run`.

The pictures are saved in `var/screenshots/sweep/` with an `index.html` that shows them side by side. Overflowing text
is reported. Pass the server's address if it is not http://localhost:8000, then the screens.
"""

import os
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Literal

import django
from django.conf import settings
from playwright.sync_api import Browser

from tests.e2e.conftest import SCREENSHOTS, chromium
from tests.e2e.make_pictures import SERVER

FOLDER = SCREENSHOTS / "sweep"
SCREENS: dict[str, dict[str, Any]] = {
    "phone-616": {"viewport": {"width": 360, "height": 616}, "has_touch": True, "is_mobile": True},
    "phone-740": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True},
    "laptop": {"viewport": {"width": 1280, "height": 800}},
    "television": {"viewport": {"width": 1920, "height": 1080}},
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    from tests.e2e.scenes import scenes

    address, *names = sys.argv[1:] or [SERVER]
    pages = list(scenes(address.rstrip("/")))
    with chromium() as browser:
        kept: list[Any] = []
        for screen in names or SCREENS:
            for language, _name in settings.LANGUAGES:
                for told in sweep(browser, address.rstrip("/"), pages, screen, language, kept):
                    print(told, flush=True)
                    index()


def sweep(
    browser: Browser, server: str, pages: list[tuple[str, str]], screen: str, language: str, kept: list[Any]
) -> Iterator[str]:
    """Take the pictures of one screen in one language, and yield what is wrong; ``kept`` are the device's cookies."""
    from tests.e2e.conftest import follow
    from tests.e2e.test_every_page import OVERFLOWING

    context = browser.new_context(base_url=server, locale=language, **SCREENS[screen])
    context.add_cookies(kept)
    tab = context.new_page()
    for name, address in pages:
        follow(tab, address)
        tab.wait_for_load_state("load")
        wrong = tab.evaluate(OVERFLOWING)
        if wrong:
            yield f"{screen} {language} {name}: {wrong}"
        for theme in THEMES:
            tab.emulate_media(color_scheme=theme)
            path = FOLDER / screen / f"{language}-{theme}" / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            tab.screenshot(path=path)
    kept[:] = [cookie for cookie in context.cookies() if str(cookie.get("name")).startswith("device-")]
    context.close()
    yield f"{screen} {language}: {len(pages)} pages"


def index() -> None:
    """Write the page that shows all pictures side by side."""
    found = sorted(FOLDER.rglob("*.png"))
    shown = "\n".join(figure(path.relative_to(FOLDER)) for path in found)
    style = "body{display:flex;flex-wrap:wrap;gap:12px;font:12px sans-serif}img{height:370px;border:1px solid #999}"
    page = (
        f"<!doctype html><meta charset=utf-8><title>Every page</title><style>{style}figure{{margin:0}}</style>{shown}"
    )
    (FOLDER / "index.html").write_text(page, encoding="utf-8")


def figure(path: Path) -> str:
    """Return one picture with its name."""
    name = escape(str(path))
    return f'<figure><img loading="lazy" src="{name}" alt=""><figcaption>{name}</figcaption></figure>'


if __name__ == "__main__":
    main()
