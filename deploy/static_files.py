"""Static file storage that bundles scripts and style sheets, so that a page requests one of each.

Sources are ES modules and style sheets with imports. Served separately, each would be a request, and a distant phone
would wait for every level of imports. All imports of `app.js` and `app.css` are joined into them, each module as a
function called once.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from rcssmin import cssmin
from rjsmin import jsmin
from servestatic.storage import CompressedManifestStaticFilesStorage

JOINED = ("scoring/app.js", "scoring/new_table.js", "scoring/joining.js", "scoring/replay.js", "scoring/app.css")
IMPORT = re.compile(r'^import (?:(?:\* as (\w+)|(\{[^}]*\})) from )?"\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|(?:async )?function|class) (\w+))", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
REMARK = re.compile(r"^\s*//.*\n|^\n", re.MULTILINE)
STYLE_IMPORT = re.compile(r'^@import "([\w-]+\.css)";\n', re.MULTILINE)
STYLE_REMARK = re.compile(r"/\*.*?\*/\n?", re.DOTALL)

Read = Callable[[str], str]


class JoinedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """Compressed static files with hashed names; those in `JOINED` include everything they import."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Join and minify, then hash names as Django does."""
        joined = InMemoryStorage()

        def read(name: str) -> str:
            storage, path = paths[name]
            with storage.open(path) as file:
                return str(file.read().decode())

        for name in JOINED:
            shrunk = jsmin(join_script(name, read)) if name.endswith(".js") else cssmin(join_style(name, read))
            joined.save(name, ContentFile(shrunk.encode()))
        yield from super().post_process({**paths, **{name: (joined, name) for name in JOINED}}, dry_run, **options)


def join_script(entry: str, read: Read) -> str:
    """Bundle ``entry`` and its imports into one module, with a variable for each module's exports.

    Raises ``ImproperlyConfigured`` for unsupported import or export forms, and for import cycles.
    """
    modules: dict[str, str] = {}

    def add(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ImproperlyConfigured(f"Scripts import each other in a circle: {' > '.join((*above, name))}")
        text = read(name)
        for _, _, file in IMPORT.findall(text):
            if (other := posixpath.join(posixpath.dirname(name), file)) not in modules:
                add(other, (*above, name))
        body = EXPORT.sub("", IMPORT.sub(_taken, text))
        if left := LEFT.search(body):
            raise ImproperlyConfigured(f"{name}: {left[0]!r} is written in a form that cannot be joined.")
        exports = f"return {{ {', '.join(EXPORT.findall(text))} }};\n"
        variable = _variable(posixpath.basename(name))
        modules[name] = f"const {variable} = (() => {{\n{REMARK.sub('', body)}{exports}}})();"

    add(entry, ())
    return "\n".join(modules.values())


def _taken(found: re.Match[str]) -> str:
    everything, names, file = found.groups()
    taken = everything or (names and names.replace(" as ", ": "))
    return f"const {taken} = {_variable(file)};\n" if taken else ""


def _variable(file: str) -> str:
    return "$" + file.removesuffix(".js").replace("-", "_")


def join_style(entry: str, read: Read) -> str:
    folder = posixpath.dirname(entry)
    return STYLE_REMARK.sub("", STYLE_IMPORT.sub(lambda found: read(posixpath.join(folder, found[1])), read(entry)))
