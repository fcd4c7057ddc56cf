"""Answers requests of a phone's own pages, one at a time, in the worker that runs Python.

Browsers neither send cookies to a service worker nor store those it sets. They are kept here, in the database, and
written to disk before the response that sets them.
"""

import collections
import dataclasses
import gc
import inspect
import json
import marshal
import os
import random
import struct
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache, partial
from http.cookies import Morsel
from io import BytesIO
from pathlib import Path
from types import CodeType
from typing import Any

JAR = "CREATE TABLE IF NOT EXISTS pocket_jar (name TEXT, path TEXT, value TEXT, PRIMARY KEY (name, path))"
KEY = "secret key"
WARM = ("", "new/", "new/oh-hell/", "games/oh-hell/", "ask/", "privacy/")
"""Pages that contain no personal data and are slow to render the first time."""
MOMENT = 0.02
"""Seconds for which `load_more` may delay a request."""
HEADER = "Content-Type: text/plain; charset=utf-8\nPlural-Forms: nplurals=2; plural=({plural});\n"
MAGIC, HEAD = 0x950412DE, 7 * 4  # of a gettext catalogue


class _Unsigned:
    """Replaces `inspect` in `dataclasses`, which then skips signatures."""

    unwrap = staticmethod(inspect.unwrap)

    @staticmethod
    def signature(*_: object, **__: object) -> None:
        raise TypeError


SOURCES = Path("/app/sources")
"""Code that `compile.mjs` precompiled for dataclasses and named tuples; saves a quarter of the start-up time."""


def _run_compiled(run: Callable[..., Any], compiled: dict[str, CodeType]) -> Callable[..., Any]:
    return lambda source, *names: run(compiled.get(source, source), *names)


_jar: dict[tuple[str, str], str] = {}
_learned = set[str]()  # languages, kept in snapshots with the catalogues that Django has read


def set_up(base: str, zone: str) -> None:
    """Load the application. Nothing in it is secret or random, so its memory can be saved as a snapshot."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="deploy.pocket.settings", DJANGO_ALLOW_ASYNC_UNSAFE="1", TIME_ZONE=zone,
        LOG_LEVEL="WARNING", SECRET_KEY="to be made when it wakes, and kept in its database",
    )  # fmt: skip
    gc.disable()  # loaded modules stay in memory
    # Without docstrings, each dataclass would inspect its own signature for one: a tenth of the start-up time.
    setattr(dataclasses, "inspect", _Unsigned)  # noqa: B010 - mypy does not know the attribute
    if SOURCES.exists():
        compiled = marshal.loads(SOURCES.read_bytes())
        for module, run in ((dataclasses, exec), (collections, eval)):
            setattr(module, run.__name__, _run_compiled(run, compiled))
    if not hasattr(time, "thread_time"):
        time.thread_time = time.process_time
    import django
    from django.conf import settings
    from django.urls import get_resolver, set_script_prefix

    settings.FORCE_SCRIPT_NAME = base
    django.setup(set_prefix=False)
    set_script_prefix(base)
    _ = get_resolver().url_patterns
    _handler()
    gc.freeze()
    gc.enable()


def load_more() -> bool:
    """Load views and templates not loaded yet, for a moment; return whether there are more."""
    waiting, until = _not_loaded(), time.monotonic() + MOMENT
    while waiting and time.monotonic() < until:
        waiting.pop()()
    return bool(waiting)


@cache
def _not_loaded() -> list[Callable[[], object]]:
    from importlib import import_module

    from django.template.loader import get_template

    from deploy.pocket.urls import LATER

    templates = Path(os.environ["VAR_DIR"], "templates", "names").read_text().split()
    return [*(partial(get_template, name) for name in templates), *(partial(import_module, name) for name in LATER)]


def warm(url: str, language: str) -> None:
    """Let `load_more` also render some pages, after everything else."""
    from referee.engine.game import all_games

    pages = dict.fromkeys((*WARM, *(f"new/{game.id}/" for game in all_games())))
    headers = json.dumps({"accept-language": language})
    _not_loaded()[:0] = [partial(respond, "GET", f"{url}{page}", headers, b"") for page in reversed(pages)]


def wake() -> None:
    """Start with this phone's database: migrate it, and read cookies and secret key."""
    import secrets

    from django.conf import settings
    from django.db import connection

    random.seed()  # otherwise every phone would repeat the snapshot's numbers
    migrate()
    with connection.cursor() as cursor:
        cursor.execute(JAR)
        cursor.execute("SELECT name, path, value FROM pocket_jar")
        _jar.update({(name, path): value for name, path, value in cursor.fetchall()})
    if (KEY, "") not in _jar:
        _put(KEY, "", secrets.token_urlsafe(50))
    settings.SECRET_KEY = _jar[KEY, ""]


def learn(language: str, texts: Any, said: Any) -> None:
    """Install a language: English is built in, the others are fetched when chosen.

    ``texts`` and ``said`` are JSON lists of texts and translations in the same order, passed as JavaScript arrays.
    """
    from django.conf import settings
    from django.utils.translation import trans_real

    path = Path(settings.LOCALE_PATHS[-1], language, "LC_MESSAGES", "django.mo")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_catalogue(zip(["", *json.loads(texts.to_bytes())], json.loads(said.to_bytes()), strict=True)))
    if language not in _learned:  # drop what Django cached before the catalogue existed
        vars(trans_real)["_translations"].pop(language, None)
        trans_real.reset_cache(setting="LANGUAGES")
        _learned.add(language)


def _catalogue(said: Iterable[tuple[str, str]]) -> bytes:
    """Build a gettext catalogue (``.mo``); empty translations are skipped."""
    pairs = [(text.encode(), words.encode()) for text, words in said if words]
    tables, content = [list[int](), list[int]()], bytearray()
    begin = HEAD + 2 * 8 * len(pairs)
    for place, table in enumerate(tables):
        for pair in pairs:
            table += (len(pair[place]), begin + len(content))
            content += pair[place] + b"\0"
    head = (MAGIC, 0, len(pairs), HEAD, HEAD + 8 * len(pairs), 0, 0)
    numbers = (*head, *tables[0], *tables[1])
    return struct.pack(f"<{len(numbers)}I", *numbers) + bytes(content)


def warm_up(url: str, *spoken: str) -> None:
    """Load everything before a snapshot is taken; cookies and secret key are reset."""
    from django.conf import settings
    from django.db import connection

    placeholder = settings.SECRET_KEY
    wake()
    for language in {"en": 0, **dict.fromkeys(spoken)}:
        warm(url, language)
    while load_more():
        pass
    connection.close()
    _jar.clear()
    settings.SECRET_KEY = placeholder
    gc.collect()


def migrate() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM django_migrations WHERE app = 'scoring'")
        applied = {name for (name,) in cursor.fetchall()}
    folder = Path(sys.modules["scoring"].__path__[0], "migrations")
    if {path.stem for path in folder.glob("[0-9]*")} - applied:
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)


@cache
def _handler() -> Any:
    from django.core.handlers.wsgi import WSGIHandler

    return WSGIHandler()


def respond(method: str, url: str, sent: str, body: Any) -> tuple[int, list[list[str]], bytes, list[str]]:
    """Answer one request with headers as JSON and body as bytes or a JavaScript array.

    Returns status, headers, body, and the cookies that page scripts may read.
    """
    from urllib.parse import unquote_to_bytes, urlsplit

    from django.conf import settings
    from django.core.handlers.wsgi import WSGIRequest
    from django.urls import set_script_prefix

    from scoring.tables.presenters.formats import day_first, reads_day_first

    parts, base, headers = urlsplit(url), str(settings.FORCE_SCRIPT_NAME), json.loads(sent)
    content = body if isinstance(body, bytes) else body.to_bytes()
    path = unquote_to_bytes(parts.path).decode("latin-1")
    environ = {
        "REQUEST_METHOD": method, "SCRIPT_NAME": base.rstrip("/"), "PATH_INFO": path.removeprefix(base.rstrip("/")),
        "QUERY_STRING": parts.query, "SERVER_NAME": parts.hostname, "SERVER_PORT": str(parts.port or ""),
        "REMOTE_ADDR": "127.0.0.1", "wsgi.url_scheme": parts.scheme, "wsgi.input": BytesIO(content),
        "wsgi.errors": sys.stderr, "CONTENT_LENGTH": str(len(content)), "HTTP_HOST": parts.netloc,
        "HTTP_COOKIE": "; ".join(f"{name}={value}" for (name, at), value in _jar.items() if at and path.startswith(at)),
    }  # fmt: skip
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    set_script_prefix(base)
    day_first.set(reads_day_first(headers.get("accept-language", "")))
    response = _handler().get_response(WSGIRequest(environ))
    visible = _keep_cookies(response.cookies.values(), base)
    answer = b"".join(response)
    response.close()
    return response.status_code, [[name, str(value)] for name, value in response.items()], answer, visible


def _keep_cookies(cookies: Iterable[Morsel[str]], base: str) -> list[str]:
    visible = []
    for cookie in cookies:
        path = cookie["path"] if cookie["path"].startswith(base) else base
        _put(cookie.key, path, "" if cookie["max-age"] == 0 else cookie.coded_value)
        if not cookie["httponly"]:
            cookie["path"] = path
            visible.append(cookie.OutputString())
    return visible


def _put(name: str, path: str, value: str) -> None:
    from django.db import connection

    if _jar.get((name, path), "") == value:
        return
    with connection.cursor() as cursor:
        if value:
            cursor.execute("INSERT OR REPLACE INTO pocket_jar VALUES (%s, %s, %s)", [name, path, value])
            _jar[name, path] = value
        else:
            cursor.execute("DELETE FROM pocket_jar WHERE name = %s AND path = %s", [name, path])
            del _jar[name, path]
