"""URL routes of the pocket: all pages, and backups. View modules are imported on first use."""

from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern, URLResolver, include, path

import scoring
from deploy.pocket import copies
from scoring.operating.pages import site


class Later:
    """A module of views, imported on first use."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, view: str) -> Any:
        return partial(_answer, self.name, view)


def _answer(module: str, view: str, request: HttpRequest, **found: Any) -> HttpResponseBase:
    answer: HttpResponseBase = getattr(import_module(module), view)(request, **found)
    return answer


def _page_paths() -> list[URLPattern | URLResolver]:
    """URL patterns of the pages, built without importing the view modules."""
    later = list[tuple[ModuleType, str]]()
    for folder in sorted(Path(scoring.__path__[0]).glob("*/pages/")):
        package = import_module(f"scoring.{folder.parent.name}.pages")
        names = {file.stem for file in folder.glob("*.py*")} - {"__init__", *vars(package)}
        later += [(package, name) for name in sorted(names)]
    for package, name in later:
        setattr(package, name, Later(f"{package.__name__}.{name}"))
    paths: list[URLPattern | URLResolver] = [path("", include("scoring.page_urls"))]
    for package, name in later:
        delattr(package, name)
    LATER.extend(f"{package.__name__}.{name}" for package, name in later)
    return paths


LATER: list[str] = []
"""Names of view modules not imported yet."""
urlpatterns = [
    path("favicon.ico", site.favicon, name="favicon"),
    path("copies/", copies.copies, name="pocket-copies"),
    path("copies/copy/", copies.copy, name="pocket-copy"),
    *_page_paths(),
]

handler400 = "scoring.operating.pages.site.not_understood"
handler403 = "scoring.operating.pages.site.refused"
handler404 = "scoring.operating.pages.site.not_found"
handler500 = "scoring.operating.pages.site.broken"
