"""Helpers for tests of what the pages' scripts decide without a page."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent.parent / "scoring" / "static" / "scoring"
ADDRESS = "http://scripts.test/"


def cases(*rows):
    """Parametrize with rows of a name, an expression and its result."""
    return pytest.mark.parametrize(("expression", "expected"), [row[1:] for row in rows], ids=[row[0] for row in rows])
