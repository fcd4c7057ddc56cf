"""The types of the small client for Python: made by a generator, then laid out by theme as a package to read."""

import ast
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.clients.making import PROGRAMS

WIDTH = 120
SAYS = "; made of the API’s schema by `make clients`."
PACKAGE = "card_table_client.shapes"
TYPING = {"Any", "Literal", "NotRequired", "TypeAlias", "TypedDict"}
THEMES: Mapping[str, tuple[str, str | None]] = {
    "codes": ("The words that requests and answers use: codes, cards and numbers", None),
    "events": ("What a table records", "Event"),
    "rulings": ("What the referee says of a record", "Adjudication"),
    "asks": ("What may be recorded next", "Asks"),
    "tables": ("What a table is, and what comes of what is done at it", None),
}
"""A module each: what it holds, and the shape that stands there with all that it needs."""


def write_package(schema: Path, folder: Path) -> None:
    """Write the types of a schema into the folder of a package."""
    statements = _statements(_generated(schema, folder))
    words = {name: _words(text) for name, text in statements.items()}
    themes = _by_theme(statements, words)
    folder.mkdir(exist_ok=True)
    _write(folder / "__init__.py", "What requests and answers hold", "\n".join(map(_all_of, themes)))
    for theme, names in themes.items():
        used = set().union(*(words[name] for name in names))
        before = list(themes)[: list(themes).index(theme)]
        own = [_import(f"{PACKAGE}.{other}", used & set(themes[other])) for other in before]
        imports = ["from __future__ import annotations", _import("typing", used & TYPING), "\n".join(filter(None, own))]
        head = "\n\n".join(filter(None, imports))
        _write(folder / f"{theme}.py", THEMES[theme][0], head, *(statements[name] for name in names))


def _generated(schema: Path, folder: Path) -> str:
    """Return the types in one piece, in an order in which each knows those before."""
    written = folder.with_name(f"{folder.name}.whole.py")
    words: list[str | Path] = ["--input", schema, "--input-file-type", "openapi", "--output", written]
    words += ["--output-model-type", "typing.TypedDict", "--target-python-version", "3.11", "--disable-timestamp"]
    words += ["--use-schema-description", "--use-single-line-docstring", "--formatters", "builtin"]
    words += ["--use-standard-collections", "--use-union-operator"]
    subprocess.run([PROGRAMS / "datamodel-codegen", *words], check=True, capture_output=True)
    made = written.read_text(encoding="utf-8")
    written.unlink()
    return made


def _statements(made: str) -> dict[str, str]:
    """Return what is defined, by name."""
    body = [each for each in ast.parse(made).body if isinstance(each, ast.ClassDef | ast.Assign | ast.AnnAssign)]
    texts = [ast.get_source_segment(made, each) or "" for each in body]
    return {re.findall(r"\w+", text.removeprefix("class "))[0]: text for text in texts}


def _words(text: str) -> set[str]:
    """Return the names that a definition uses."""
    return {each.id for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Name)}


def _by_theme(statements: Mapping[str, str], words: Mapping[str, set[str]]) -> dict[str, list[str]]:
    """Return the names that each module defines, in their order."""
    needs = {name: words[name] & statements.keys() - {name} for name in statements}
    codes = {name for name, text in statements.items() if ": TypeAlias = " in text and not needs[name]}
    found: dict[str, list[str]] = {}
    left = list(statements)
    for theme, (_says, shape) in THEMES.items():
        own = codes if theme == "codes" else closure([shape], needs) if shape else set(left)
        found[theme] = [name for name in left if name in own]
        left = [name for name in left if name not in own]
    return found


def closure(names: Iterable[str], needs: Mapping[str, Iterable[str]]) -> set[str]:
    """Return these names, and all that they need."""
    found: set[str] = set()
    open_names = list(names)
    while open_names:
        name = open_names.pop()
        if name not in found:
            found.add(name)
            open_names += needs[name]
    return found


def _all_of(theme: str) -> str:
    return f"from {PACKAGE}.{theme} import *"


def _import(module: str, names: Iterable[str]) -> str:
    return f"from {module} import {', '.join(sorted(names))}" if names else ""


def _write(file: Path, says: str, *parts: str) -> None:
    file.write_text("\n\n\n".join([f'"""{says}{SAYS}"""', *parts]) + "\n", encoding="utf-8")
    shape: list[str | Path] = ["format", "--isolated", "--line-length", str(WIDTH), "--quiet", file]
    subprocess.run([PROGRAMS / "ruff", *shape], check=True, capture_output=True)
    file.write_text(LISTED.sub(_filled, file.read_text(encoding="utf-8")), encoding="utf-8")


LISTED = re.compile(r'Literal\[\n((?:    "[^"\n]*",\n)+)\]')


def _filled(found: re.Match[str]) -> str:
    """Put many words into few lines."""
    lines = ["   "]
    for word in found[1].split():
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("   ")
        lines[-1] += f" {word}"
    return "Literal[\n" + "\n".join(lines) + "\n]"
