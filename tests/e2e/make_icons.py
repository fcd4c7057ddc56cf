"""Draws the app's icons from `icon.svg`: `python -m tests.e2e.make_icons`."""

import re
from pathlib import Path

from tests.e2e.conftest import ROOT, chromium

FOLDER = ROOT / "scoring" / "static" / "scoring"
SIZES = (192, 512)
SAFE = 0.72
"""The share of a maskable icon left for the drawing: phones cut circles and other shapes out of it."""


def main() -> None:
    plain = (FOLDER / "icon.svg").read_text()
    with chromium() as browser:
        page = browser.new_page()
        for size in SIZES:
            for name, drawing in (("icon", plain), ("maskable", maskable(plain))):
                page.set_viewport_size({"width": size, "height": size})
                page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: 100vw }}</style>{drawing}")
                page.screenshot(path=target(name, size), omit_background=True)


def target(name: str, size: int) -> Path:
    return FOLDER / "icons" / f"{name}-{size}.png"


def maskable(drawing: str) -> str:
    """Fill the square to its corners, and draw smaller in the middle."""
    margin = 16 * (1 - SAFE)
    square = re.sub(r' rx="\d+"', "", drawing)
    return re.sub(r"<path ([^>]*)/>", rf'<path transform="translate({margin} {margin}) scale({SAFE})" \1/>', square)


if __name__ == "__main__":
    main()
