"""`make clients`: the Python and TypeScript client packages, with every operation and type of the schema.

Generated files are not committed: `operations.py` and `shapes.py`, and `shapes.d.ts`.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path
from typing import Any

from tests.clients.making import NODE_MODULES, PROGRAMS, described, node

CLIENTS = Path(__file__).parents[2] / "docs" / "clients"
METHODS = ("get", "post", "put", "patch", "delete")
STREAMS = "text/event-stream"
HEAD = '''"""Every operation of the API, by its id in the schema. Made of the schema."""

from collections.abc import Iterator
from typing import Any

from card_table_client.calls import Calls, Message
from card_table_client.shapes import *


class Operations:
    """The operations of a server, with the rights of a token."""

    def __init__(self, calls: Calls, token: str = "") -> None:
        self._calls, self.token = calls, token
'''


def build(folder: Path) -> list[Path]:
    """Build both packages in a directory; return the paths of the wheel and the npm tarball."""
    shutil.rmtree(folder, ignore_errors=True)
    schema = described()
    python, typescript = folder / "python", folder / "typescript"
    for source, made in ((CLIENTS / "python", python), (CLIENTS / "typescript", typescript)):
        shutil.copytree(source, made, ignore=shutil.ignore_patterns("__pycache__", "shapes.d.ts", "*.egg-info"))
        shutil.copy(CLIENTS.parents[1] / "LICENSE", made)
    (folder / "schema.json").write_text(json.dumps(schema))
    write_python(schema, folder / "schema.json", python / "card_table_client")
    _run(sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--wheel-dir", folder, python)
    compile_typescript(folder / "schema.json", typescript)
    _run(PROGRAMS / "npm", "pack", "--silent", "--pack-destination", folder, cwd=typescript)
    return [*folder.glob("*.whl"), *folder.glob("*.tgz")]


def write_python(schema: dict[str, Any], file: Path, package: Path) -> None:
    """Write the generated modules of the Python client."""
    (package / "operations.py").write_text(HEAD + "".join(method(schema, *each) for each in operations(schema)))
    _run(
        PROGRAMS / "datamodel-codegen", "--input", file, "--input-file-type", "openapi", "--openapi-scopes", "schemas",
        "--output", package / "shapes.py", "--output-model-type", "typing.TypedDict", "--use-schema-description",
        "--target-python-version", "3.11", "--no-use-closed-typed-dict", "--disable-timestamp",
        "--disable-future-imports", "--formatters", "builtin",
    )  # fmt: skip


def compile_typescript(file: Path, package: Path) -> None:
    """Write the schema's types beside the TypeScript client and compile it."""
    (package / "node_modules").symlink_to(NODE_MODULES)
    node(
        NODE_MODULES / "openapi-typescript" / "bin" / "cli.js",
        file,
        "-o",
        "shapes.d.ts",
        "--default-non-nullable",
        "false",
        folder=package,
    )
    words = ("--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "--declaration", "--lib", "es2022,dom")
    more = ("--target", "es2022", "--module", "nodenext", "--types", "node", "index.ts")
    node(NODE_MODULES / "typescript" / "bin" / "tsc", *words, *more, folder=package)
    (package / "node_modules").unlink()


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield every operation with its path below the version and its method."""
    for path, methods in schema["paths"].items():
        yield from ((path.removeprefix("/api/v1/"), name, methods[name]) for name in METHODS if name in methods)


def method(schema: dict[str, Any], path: str, verb: str, operation: dict[str, Any]) -> str:
    """Return the method that calls an operation."""
    wanted: dict[str, list[Any]] = {"path": [], "query": [], "header": []}
    for each in operation.get("parameters", ()):
        found = _resolved(schema, each)
        wanted[found["in"]].append(found)
    arguments = ["self", *(f"{each['name']}: {_kind(each['schema'])}" for each in wanted["path"])]
    body, sent = operation.get("requestBody"), []
    if body is not None:
        kinds = [_shape(content["schema"]) for content in body["content"].values()]
        default = "" if body.get("required") else " | None = None"
        arguments.append(f"body: {' | '.join(dict.fromkeys(kinds))}{default}")
    stream = STREAMS in operation["responses"]["200"]["content"] if "200" in operation["responses"] else False
    named = [f"{_named(each)}: {_kind(each['schema'])} | None = None" for each in wanted["query"]]
    versioned = any(each["name"] == "If-Match" for each in wanted["header"])
    named += ["version: int | None = None"] if versioned else []
    named += ["last_id: str | None = None"] if stream else []
    arguments += ["*", *named] if named else []
    query = "{" + ", ".join(f'"{each["name"]}": {_named(each)}' for each in wanted["query"]) + "}"
    sent = [f'f"{path}"' if "{" in path else f'"{path}"', "self.token", query]
    if stream:
        kind, call = "Iterator[Message]", f"self._calls.stream({', '.join(sent)}, last_id)"
    elif verb == "get":
        kind, call = _answered(operation), f"self._calls.read({', '.join(sent)})"
    else:
        sent += ["body" if body is not None else "None", "version" if versioned else "None"]
        kind, call = _answered(operation), f'self._calls.write("{verb.upper()}", {", ".join(sent)})'
    said = operation["summary"].rstrip(".")
    lines = [f"    def {operation['operationId']}({', '.join(arguments)}) -> {kind}:", f'        """{said}."""']
    lines += [f"        {call}"] if kind == "None" else [f"        made: {kind} = {call}", "        return made"]
    return "\n" + "\n".join(lines) + "\n"


def _resolved(schema: dict[str, Any], parameter: dict[str, Any]) -> dict[str, Any]:
    name = parameter.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = schema["components"]["parameters"][name] if name else parameter
    return found


def _named(parameter: dict[str, Any]) -> str:
    """Return an argument's name; `from`, `as` and `with` are keywords."""
    name: str = parameter["name"]
    return f"{name}_" if iskeyword(name) else name


def _kind(schema: dict[str, Any]) -> str:
    kinds = {"integer": "int", "boolean": "bool", "object": "dict[str, str]"}
    return kinds.get(schema.get("type", ""), "str")


def _shape(schema: dict[str, Any]) -> str:
    """Return the type of a body."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "oneOf" in schema:
        return " | ".join(map(_shape, schema["oneOf"]))
    if schema.get("type") == "array":
        return f"list[{_shape(schema['items'])}]"
    return "str" if schema.get("type") == "string" else "dict[str, Any]"


def _answered(operation: dict[str, Any]) -> str:
    answers = [told for status, told in operation["responses"].items() if status.startswith("2")]
    kinds = [_shape(each["schema"]) for told in answers for each in told.get("content", {}).values()]
    kinds += ["None"] if any("content" not in told for told in answers) else []
    return " | ".join(dict.fromkeys(kinds))


def _run(*words: str | Path, cwd: Path | None = None) -> None:
    path = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [*map(str, words)], cwd=cwd, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    for package in build(Path("var/clients").absolute()):
        print(package)
