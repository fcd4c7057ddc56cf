"""What the small clients under `docs/clients/` say of requests and answers, made of the schema, and its examples.

`make clients` writes both anew, and the pages of the reference that are made.
"""

import ast
import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import django
from django.db import connection
from django.test.utils import setup_test_environment

from deploy.examples import EXCHANGES, dumped
from referee.engine.shapes import OWN_KEYS
from tests.clients.making import NODE_MODULES, described, node
from tests.clients.python_shapes import PACKAGE, closure, write_package

CLIENTS = Path(__file__).parents[2] / "docs" / "clients"
PYTHON = CLIENTS / "python" / "card_table_client" / "shapes"
TYPESCRIPT = CLIENTS / "typescript" / "shapes.d.ts"
OPEN = ("additionalProperties", "patternProperties")
"""What says that an object has no other keys, which no type has to say."""


def shapes(used: Iterable[str]) -> dict[str, Any]:
    """Return the schema of these shapes: without operations, and without what types cannot say."""
    schema = described()
    opened = _opened(schema["components"]["schemas"])
    needed = closure(used, {name: list(_references(shape)) for name, shape in opened.items()})
    return schema | {"paths": {}, "components": {"schemas": {name: opened[name] for name in opened if name in needed}}}


def used_by_python() -> set[str]:
    """Return the shapes that the modules which are written by hand import."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in PYTHON.parent.glob("*.py")]
    imports = [each for tree in trees for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
    return {alias.name for each in imports if each.module == PACKAGE for alias in each.names}


def used_by_typescript() -> set[str]:
    """Return the shapes that the module which is written by hand names."""
    return set(re.findall(r"\bShapes\['(\w+)'\]", TYPESCRIPT.with_name("index.ts").read_text(encoding="utf-8")))


def _references(shape: Any) -> Iterator[str]:
    if isinstance(shape, list):
        for each in shape:
            yield from _references(each)
    elif isinstance(shape, dict):
        if "$ref" in shape:
            yield shape["$ref"].rpartition("/")[2]
        for value in shape.values():
            yield from _references(value)


def _opened(shape: Any) -> Any:
    if isinstance(shape, list):
        return [_opened(each) for each in shape]
    if not isinstance(shape, dict):
        return shape
    logic = ("if", "then", "else")
    return {
        key: _opened(value)
        for key, value in shape.items()
        if key not in logic and not (key in OPEN and value in (False, OWN_KEYS))
    }


def write(python_folder: Path, typescript_file: Path) -> None:
    """Write both, each with what its client uses."""
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder) / "schema.json"
        schema.write_text(json.dumps(shapes(used_by_python())), encoding="utf-8")
        write_package(schema, python_folder)
        schema.write_text(json.dumps(shapes(used_by_typescript())), encoding="utf-8")
        program = NODE_MODULES / "openapi-typescript" / "bin" / "cli.js"
        node(program, schema, "-o", typescript_file, folder=typescript_file.parent)


def write_examples() -> None:
    """Play an evening in a database of its own, and write down what was asked and answered."""
    from tests.clients.evening import play_evening  # needs Django’s applications, as does all below

    setup_test_environment(debug=False)
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    EXCHANGES.write_text(dumped(play_evening()), encoding="utf-8")


if __name__ == "__main__":
    django.setup()
    from tests import documents  # needs them, too

    write_examples()
    write(PYTHON, TYPESCRIPT)
    documents.write()
