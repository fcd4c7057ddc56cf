"""What the small clients under `docs/clients/` say of requests and answers, made of the schema, and its examples.

`make clients` writes both anew, and the pages of the reference that are made.
"""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import django
from django.db import connection
from django.test.utils import setup_test_environment

from deploy.examples import EXCHANGES, dumped
from tests.clients.making import NODE_MODULES, PROGRAMS, described, node

CLIENTS = Path(__file__).parents[2] / "docs" / "clients"
PYTHON = CLIENTS / "python" / "card_table_client" / "shapes.py"
TYPESCRIPT = CLIENTS / "typescript" / "shapes.d.ts"
OPEN = ("additionalProperties", "patternProperties")
"""What says that an object has no other keys, which no type has to say."""


def shapes() -> dict[str, Any]:
    """Return the schema without its operations, and without what types cannot say."""
    schema = described()
    return schema | {"paths": {}, "components": {"schemas": _opened(schema["components"]["schemas"])}}


def _opened(shape: Any) -> Any:
    if isinstance(shape, list):
        return [_opened(each) for each in shape]
    if not isinstance(shape, dict):
        return shape
    logic = ("if", "then", "else")
    return {
        key: _opened(value)
        for key, value in shape.items()
        if key not in logic and not (key in OPEN and value in (False, {"^x_": {}}))
    }


def python(schema: Path, written: Path) -> None:
    """Write the types of Python."""
    words: list[str | Path] = ["--input", schema, "--input-file-type", "openapi", "--output", written]
    words += [
        "--output-model-type",
        "typing.TypedDict",
        "--target-python-version",
        "3.11",
        "--disable-timestamp",
        "--use-schema-description",
    ]
    words += ["--custom-file-header", '"""What requests and answers hold; made of the API’s schema."""']
    words += ["--formatters", "builtin", "--use-standard-collections", "--use-union-operator"]
    subprocess.run([PROGRAMS / "datamodel-codegen", *words], check=True, capture_output=True)
    shape: list[str | Path] = ["format", "--isolated", "--line-length", "120", "--quiet", written]
    subprocess.run([PROGRAMS / "ruff", *shape], check=True, capture_output=True)


def typescript(schema: Path, written: Path) -> None:
    """Write the types of TypeScript."""
    node(NODE_MODULES / "openapi-typescript" / "bin" / "cli.js", schema, "-o", written, folder=written.parent)


def write(python_file: Path, typescript_file: Path) -> None:
    """Write both."""
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder) / "schema.json"
        schema.write_text(json.dumps(shapes()), encoding="utf-8")
        python(schema, python_file)
        typescript(schema, typescript_file)


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
