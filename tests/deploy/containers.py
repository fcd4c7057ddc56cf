"""Compose's services without a container runtime: each service's environment, and a stand-in for `docker compose`."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from itertools import dropwhile
from pathlib import Path
from typing import Any

import yaml
from psycopg import sql

from tests.deploy.managing import ROOT, surroundings
from tests.postgres import Postgres, find_binaries

FILES = ROOT / "deploy/container"
VARIABLE = re.compile(r"\$\{(\w+)(?::\?|:-(\w*))?\}")
OURS = ("app-1", "app-2")


def read_env(text: str) -> dict[str, str]:
    """Return the variables of a file such as `settings.env`; the later of two values wins."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def filled(value: str, given: Mapping[str, str]) -> str:
    """Substitute variables in a value of compose's file, as compose does."""
    return VARIABLE.sub(lambda found: given.get(found[1]) or found[2] or refuse(found[1]), value)


def refuse(name: str) -> str:
    raise AssertionError(f"{name} is not given")


def environment(service: Mapping[str, Any], folder: Path, given: Mapping[str, str]) -> dict[str, str]:
    """Return a service's environment: its files in order, then the values that override them."""
    from_files: dict[str, str] = {}
    for name in service.get("env_file", ()):
        from_files |= given if name == "settings.env" else read_env((folder / name).read_text())
    return from_files | {name: filled(str(value), given) for name, value in service["environment"].items()}


OWN_TMP = re.compile(r"(?<![\w/.-])/tmp/(?=\w+\b(?!/))")
"""A file in a container's `/tmp`; this checkout may itself lie in the machine's."""


class Containers:
    """A stand-in for `docker compose`: a container is a directory, gone when it ends, with a test database.

    A command runs in it with the caller's stdin and stdout.
    """

    def __init__(self, folder: Path, database: Postgres) -> None:
        self.folder, self.database, self.made = folder, database, 0
        self.asked: list[tuple[str, ...]] = []
        self.up: dict[str, Path] = {}

    def docker(self, at: Path, *words: str) -> dict[str, object] | None:
        assert words[:3] == ("compose", "--env-file", "settings.env"), words
        text = (at / "compose.yaml").read_text()
        services = yaml.safe_load(text)["services"]
        given = read_env((at / "settings.env").read_text())
        assert {name for name, default in VARIABLE.findall(text) if not default} <= set(given)
        assert len(given["SECRET_KEY"]) >= 50
        act, *more = words[3:]
        options = [word for word in more if word.startswith("-")]
        named = [*dropwhile(lambda word: word.startswith("-"), more)]
        self.asked.append((act, *named[:1]))
        if act in ("exec", "run"):
            assert "-T" in options, "cron has no terminal"
            service, *command = named
            assert act == "exec" or "--rm" in options
            inside = self.up[service] if act == "exec" else self.begin()
            return self.within(inside, service, command, environment(services[service], at, given))
        if act == "up":
            assert "--detach" in options
            for service in named or services:
                self.up[service] = self.begin()
            self.make_database()
        elif act == "stop":
            for service in named:
                del self.up[service]
        else:
            assert (act, named) == ("build", [])
        return None

    def begin(self) -> Path:
        """Make a container: the files of the image and its own `/tmp`."""
        self.made += 1
        inside = self.folder / str(self.made)
        (inside / "tmp").mkdir(parents=True)
        (inside / "code/.venv/bin").mkdir(parents=True)
        python = inside / "code/.venv/bin/python"
        python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        python.chmod(0o755)
        copied = re.findall(r"^COPY (?!--from)(.*) \S+$", (FILES / "Containerfile").read_text(), re.MULTILINE)
        for name in {name for line in copied for name in line.split()}:
            (inside / "code" / name).symlink_to(ROOT / name)
        return inside

    def make_database(self) -> None:
        """Create what the PostgreSQL image creates at its start, and the tables the first process creates."""
        with self.database.connect() as line:
            if not line.execute("SELECT 1 FROM pg_roles WHERE rolname = 'card_table'").fetchone():
                line.execute("CREATE ROLE card_table LOGIN SUPERUSER")
                like = sql.Identifier(self.database.create_migrated_database())
                line.execute(sql.SQL("CREATE DATABASE card_table OWNER card_table TEMPLATE {}").format(like))

    def within(self, inside: Path, service: str, command: list[str], said: Mapping[str, str]) -> dict[str, object]:
        """Return a command to run in a container, and its environment."""
        if service == "database":
            assert command[0] in ("createdb", "pg_dump", "pg_restore")
            binary = str(find_binaries() / command[0])
            return {"folder": str(inside), "command": [binary, *command[1:]], "around": self.around()}
        assert service in OURS
        of_tests = f"@{self.database.url('').split('@')[1]}"
        around = {name: value.replace("@database/", of_tests) for name, value in said.items()}
        around |= {"VAR_DIR": str(inside / "var"), "PYTHONDONTWRITEBYTECODE": "1", "USER": "card-table"}
        words = [OWN_TMP.sub(f"{inside}/tmp/", word) for word in command]
        return {"folder": str(inside / "code"), "command": words, "around": self.around(**around)}

    def around(self, **variables: str) -> dict[str, str]:
        return surroundings(PGHOST=self.database.directory, LOGNAME="card-table", **variables)

    def manage(self, *words: str, at: Path, name: str = "app-1") -> str:
        """Run a command in a running container beside the commands of the page."""
        services = yaml.safe_load((at / "compose.yaml").read_text())["services"]
        said = environment(services[name], at, read_env((at / "settings.env").read_text()))
        told: Any = self.within(self.up[name], name, [sys.executable, "manage.py", *words], said)
        ran = subprocess.run(
            told["command"], cwd=told["folder"], env=os.environ | told["around"], capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout
