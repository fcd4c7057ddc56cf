"""Backup and restore of a phone's data: one file, its database."""

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from typing import cast

from django.core.files.uploadedfile import UploadedFile
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from scoring.models import Table

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
