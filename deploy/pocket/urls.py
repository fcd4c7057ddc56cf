"""URL routes of the pocket: all pages, imported on first use, and backups of a phone's database as one file."""

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, URLResolver, include, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

import scoring
from deploy.pocket import urls
from scoring.models import Table
from scoring.operating.pages import site

COPIED = "copied"
A_YEAR = 365 * 24 * 3600
DUE = timedelta(days=30)
KIND = "application/vnd.sqlite3"
AGAIN = "Pocket-Restart"
"""Response header that asks for a new Python process, since this one has cached the old data."""


def kept(request: HttpRequest) -> dict[str, object]:
    """Context processor: when the last backup was taken, and whether the next one is due."""
    written = request.COOKIES.get(COPIED, "")
    copied = datetime.fromtimestamp(int(written), tz=timezone.get_current_timezone()) if written.isdecimal() else None
    is_old = copied is None or timezone.now() - copied > DUE
    return {"copied": copied, "copy_is_due": is_old and Table.objects.exists()}


@require_http_methods(["GET", "POST"])
def copies(request: HttpRequest) -> HttpResponse:
    problem, given = "", request.FILES.get("file")
    if request.method == "POST":
        problem = _("Choose the saved copy.") if given is None else bring_back(given)
        if not problem:
            done = redirect(f"{request.path}?back=1")
            done[AGAIN] = "1"
            return done
    context = {
        "name": f"card-table-{timezone.localdate().isoformat()}.sqlite3", "problem": problem,
        "brought_back": "back" in request.GET, "something": Table.objects.exists(),
    }  # fmt: skip
    return render(request, "pocket/copies.html", context, status=422 if problem else 200)


@require_GET
def copy(request: HttpRequest) -> HttpResponse:
    connection.ensure_connection()
    answer = HttpResponse(cast(sqlite3.Connection, connection.connection).serialize(), content_type=KIND)
    answer.set_cookie(COPIED, str(int(timezone.now().timestamp())), max_age=A_YEAR, samesite="Lax", httponly=True)
    return answer


def bring_back(given: UploadedFile) -> str:
    """Replace the database with a backup, all or nothing; return an error message, empty on success."""
    from django.db.migrations.loader import MigrationLoader  # not needed at start-up

    with closing(sqlite3.connect(":memory:")) as copied:
        try:
            copied.deserialize(given.read())
            if copied.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise sqlite3.DatabaseError
            applied = copied.execute("SELECT app, name FROM django_migrations").fetchall()
        except sqlite3.DatabaseError:
            return _("This file isn’t a copy made by this app.")
        if not {(app, name) for app, name in applied} <= {*MigrationLoader(connection).disk_migrations}:
            return _("This copy was made by a newer version. Update this one first.")
        connection.ensure_connection()
        copied.backup(cast(sqlite3.Connection, connection.connection))
    return ""


# --- URL routes


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
    path("copies/", urls.copies, name="pocket-copies"),
    path("copies/copy/", urls.copy, name="pocket-copy"),
    *_page_paths(),
]

handler400 = "scoring.operating.pages.site.not_understood"
handler403 = "scoring.operating.pages.site.refused"
handler404 = "scoring.operating.pages.site.not_found"
handler500 = "scoring.operating.pages.site.broken"
