"""A stand-in for an operator's machine: a directory in which the page's commands are run, block by block.

The page's paths are placed below it. Stand-ins do what needs root or a network and refuse what the real ones would
refuse; the rest, PostgreSQL and the service itself, is real.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
from itertools import takewhile
from pathlib import Path

from tests.deploy.containers import Containers
from tests.deploy.managing import ROOT, kill, start, surroundings
from tests.postgres import Postgres, find_binaries
from tests.scoring.live.driving import free_port

PLACES = (
    "/opt/card-table",
    "/etc/card-table",
    "/etc/systemd/system",
    "/etc/nginx/conf.d",
    "/usr/local/sbin",
    "/etc/postgresql",
    "/var/lib/card-table",
    "/srv/",
)
HERE = "<where you have it from>"
SERVER = "etc/postgresql/15/main"  # where Debian keeps the database's configuration

STAND_INS = {
    "useradd": 'test "$1 $2 $4" = "--system --home-dir card-table" && install -d -m 700 "$3"',
    "git": """case "$1" in
        clone) test "$2" = cards.git && cp -r "$MACHINE/code" "$3";;
        fetch) test "$2" = --tags -a -f manage.py;;
        checkout) test "$2" = v0.1.0 -o "$2" = v0.2.0 && test -f manage.py
            test "$2" = v0.1.0 || echo "# A line of 0.2.0." >> deploy/systemd/card-table.service;;
        *) exit 9; esac""",
    # It uses the tests' packages, which come from the same lock.
    "python3": 'test "$1" = -m -a "$2" = venv && mkdir -p "$3/bin" && cp "$MACHINE/bin/in-venv" "$3/bin/python"',
    "in-venv": """case "$1 $2" in
        "-m pip") test "$3 $4 $5" = "install --require-hashes -r" -a -f "$6";;
        *) exec "$PYTHON" "$@"; esac""",
    # Like the real one, it identifies itself as the other one.
    "runuser": """test "$1 $3" = "-u --" && case "$2" in card-table | postgres);; *) exit 9;; esac
    export USER="$2" LOGNAME="$2"
    shift 3
    exec "$@\"""",
    # Only root can change a file's owner; the service's files must belong to it.
    "install": """mine=""
    while test $# -gt 0; do
        case "$1" in -o | -g) test "$2" = card-table && shift;; *) mine="$mine $1";; esac
        shift
    done
    exec /usr/bin/install $mine""",
    "psql": 'test "$USER" = postgres && exec "$BINARIES/psql" --no-psqlrc -q -h "$DATABASE" -U postgres "$@"',
    "systemctl": 'exec "$PYTHON" "$MACHINE/ask.py" systemctl "$@"',
    "systemd-run": 'exec "$PYTHON" "$MACHINE/ask.py" systemd_run "$@"',
    "logname": "exit 1",  # there is no terminal
    "docker": 'exec "$PYTHON" "$MACHINE/ask.py" docker "$@"',
}
ASK = """
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect(os.environ["MACHINE"] + "/asked")
    line.sendall("\\n".join([os.getcwd(), *sys.argv[1:]]).encode())
    line.shutdown(socket.SHUT_WR)
    answer = json.loads(line.makefile().read())
if "failed" in answer:
    sys.exit(answer["failed"])
if "command" in answer:
    os.chdir(answer["folder"])
    os.execvpe(answer["command"][0], answer["command"], answer["around"])
"""


def read_settings(text: str) -> dict[str, str]:
    """Return the variables of an `EnvironmentFile`: a value ends with its line, and quotes around it are dropped."""
    lines = [line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith(("#", ";"))]
    return {name.strip(): value.strip().strip("\"'") for name, value in lines}


class Machine:
    """A directory as a machine; this class plays systemd and docker."""

    def __init__(self, folder: Path, database: Postgres) -> None:
        self.folder, self.database, self.port, self.started = folder, database, free_port(), 0
        self.containers = Containers(folder / "containers", database)
        self.asked: list[tuple[str, ...]] = []
        (folder / "bin").mkdir(parents=True)
        (folder / "ask.py").write_text(ASK)
        for name, text in STAND_INS.items():
            (folder / "bin" / name).write_text(f"#!/bin/sh -e\n{text}\n")
            (folder / "bin" / name).chmod(0o755)
        for place in (*PLACES[2:5], "/opt", "/srv", f"/{SERVER}/conf.d"):
            (folder / place[1:]).mkdir(parents=True, exist_ok=True)
        (folder / SERVER / "pg_hba.conf").touch()
        code = folder / "code"
        shutil.copytree(ROOT / "deploy", code / "deploy", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("manage.py", "requirements.txt", "referee", "scoring", "templates", "docs", "LICENSE"):
            (code / name).symlink_to(ROOT / name)
        by_hand = code / "deploy/systemd/card-table"
        by_hand.write_text(self.here(by_hand.read_text()))
        self.process: subprocess.Popen[bytes] | None = None
        self.held: list[socket.socket] = []
        self.around = surroundings(
            MACHINE=folder,
            PYTHON=sys.executable,
            BINARIES=find_binaries(),
            DATABASE=database.directory,
            PATH=f"{folder}/bin:{folder}/usr/local/sbin:{os.environ['PATH']}:/usr/sbin",
            PYTHONDONTWRITEBYTECODE=1,  # the service must not write to the directory of its code
        )
        self.line = socket.socket(socket.AF_UNIX)
        self.line.bind(str(folder / "asked"))
        self.line.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def here(self, text: str) -> str:
        """Return the text of a page or a unit with this machine's paths."""
        for place in PLACES:
            text = re.sub(rf"(?<![\w}}.]){place}", f"{self.folder}{place}", text)
        # On one machine as on several: the database is reached through its socket and trusts local users.
        text = re.sub(r"@db\.example/", lambda _: f"@{self.database.url('').split('@')[1]}", text)
        return text.replace(HERE, "cards.git").replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")

    def run(self, block: str, at: str = "", **variables: str) -> str:
        command = ["bash", "-ec", self.here(block)]
        ran = subprocess.run(
            command,
            cwd=self.folder / at,
            env=self.around | variables,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ran.returncode == 0, f"{block}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def serve(self) -> None:
        """Answer calls of systemctl and docker: success, failure, or a command to run."""
        while True:
            try:
                asking, _ = self.line.accept()
            except OSError:
                return
            with asking:
                words = asking.makefile().read().split("\n")
                try:
                    answer = getattr(self, words[1])(Path(words[0]), *words[2:]) or {}
                except Exception as why:  # noqa: BLE001 - whatever it is, the command has failed
                    answer = {"failed": repr(why)}
                asking.sendall(json.dumps(answer).encode())

    def systemctl(self, _: Path, act: str, *words: str) -> None:
        units = self.folder / "etc/systemd/system"
        self.asked.append(("systemctl", act))
        if act == "enable":
            assert words[0] == "--now"
            assert all((units / name).exists() for name in words[1:]), words
            assert {name for name in words[1:] if name.endswith(".socket")}
            self.hold()
            self.start()
        elif words == ("postgresql",):
            assert act == "restart"
            assert "listen_addresses = '*'\n" in (self.folder / SERVER / "conf.d/card-table.conf").read_text()
        elif act == "restart":
            assert words == ("card-table",)
            self.stop()
            self.start()
        elif act in ("stop", "start"):
            assert words == ("card-table.socket", "card-table.service")
            if act == "start":
                self.hold()
            getattr(self, act)()
            if act == "stop":
                self.let_go()
        else:
            assert (act, words) == ("daemon-reload", ())

    def systemd_run(self, _: Path, *words: str) -> dict[str, object]:
        """Return the command with its properties applied; the settings file wins, as with systemd."""
        options = [*takewhile(lambda word: word.startswith("--"), words)]
        assert {"--wait", "--collect", "--pipe"} < {*options}
        said = dict(word.removeprefix("--property=").split("=", 1) for word in options if "--property=" in word)
        own = dict(word.removeprefix("--setenv=").split("=", 1) for word in options if "--setenv=" in word)
        assert (said["User"], said["Group"]) == ("card-table", "card-table")
        own |= read_settings(Path(said["EnvironmentFile"].removeprefix("-")).read_text())
        command = [*words[len(options) :]]
        return {"folder": said["WorkingDirectory"], "command": command, "around": self.around | own}

    def docker(self, at: Path, *words: str) -> dict[str, object] | None:
        return self.containers.docker(at, *words)

    def hold(self) -> None:
        """Listen where the socket unit and its drop-ins say; an empty address clears the earlier ones."""
        units = self.folder / "etc/systemd/system"
        said = [units / "card-table.socket", *sorted(units.glob("card-table.socket.d/*.conf"))]
        where: list[str] = []
        for address in re.findall(r"^ListenStream=(.*)$", "".join(file.read_text() for file in said), re.MULTILINE):
            where = [*where, address] if address else []
        hosts = [address.removesuffix(":8000") for address in where]
        self.held = [socket.create_server((host, self.port), backlog=4096) for host in hosts]

    def start(self) -> None:
        """Start the service as its unit says, with the socket held for it."""
        unit = self.here((self.folder / "etc/systemd/system/card-table.service").read_text())
        found = dict(re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE))
        own = read_settings(Path(found["EnvironmentFile"].removeprefix("-")).read_text())
        around = self.around | dict(word.split("=", 1) for word in shlex.split(found["Environment"])) | own
        around |= {"METRICS_PORT": str(free_port()), "WORKERS": "1"}
        (held,) = self.held
        self.process = start(shlex.split(found["ExecStart"]), self.folder / "log", around, held=held.fileno())
        self.started += 1

    def stop(self) -> None:
        assert self.process
        self.process.terminate()
        # A process just started may not handle the signal yet: systemd counts that as a clean exit, too.
        assert self.process.wait(timeout=20) in (0, -signal.SIGTERM), (self.folder / "log").read_text()

    def let_go(self) -> None:
        for each in self.held:
            each.close()

    def end(self) -> None:
        if self.process:
            kill(self.process)
        self.let_go()
        self.line.close()
