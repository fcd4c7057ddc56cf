"""The page on running a service, done block by block, from the first command to the way back.

It happens in a folder that stands for the machine: paths of the page are put below it. What only root or a network can
do is done by stand-ins, which refuse what the real ones would refuse; the rest, and the service itself, is real.
"""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest
import yaml

from deploy.systemd.as_service import read_settings
from tests.deploy.managing import ROOT, kill, plain, start, surroundings
from tests.scoring.live.driving import free_port

PAGE = ROOT / "docs/how-to/run-a-service.md"
BLOCKS = re.findall(r"^```(?:sh)?\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
PLACES = (
    "/opt/card-table",
    "/etc/card-table",
    "/etc/systemd/system",
    "/etc/nginx/conf.d",
    "/usr/local/sbin",
    "/var/lib/card-table",
)
HERE = "<where you have it from>"

STAND_INS = {
    "useradd": 'test "$1 $2 $4" = "--system --home-dir card-table" && install -d -m 700 "$3"',
    "git": """case "$1" in
        clone) test "$2" = cards.git && cp -r "$MACHINE/code" "$3";;
        fetch) test "$2" = --tags -a -f manage.py;;
        checkout) test "$2" = v0.1.0 -o "$2" = v0.2.0 && test -f manage.py;;
        *) exit 9; esac""",
    # Its packages are those of the tests, which come by the same lock.
    "python3": 'test "$1" = -m -a "$2" = venv && mkdir -p "$3/bin" && cp "$MACHINE/bin/in-venv" "$3/bin/python"',
    "in-venv": """case "$1 $2" in
        "-m pip") test "$3 $4 $5" = "install --require-hashes -r" -a -f "$6";;
        *) exec "$PYTHON" "$@"; esac""",
    "runuser": 'test "$1 $2 $3" = "-u card-table --" && shift 3 && exec "$@"',
    # Whose a file is to be only root can say.
    "install": """mine=""
    while test $# -gt 0; do
        case "$1" in -o | -g) test "$2" = card-table && shift;; *) mine="$mine $1";; esac
        shift
    done
    exec /usr/bin/install $mine""",
    # That these make a standby is shown where one is made: tests/deploy/test_replica.py.
    "pg_basebackup": 'shift 3 && test "$*" = "--write-recovery-conf --checkpoint=fast"',
    "pg_ctlcluster": 'test "$*" = "15 cards start"',
    "systemctl": 'exec "$PYTHON" "$MACHINE/ask.py" systemctl "$@"',
    "docker": 'exec "$PYTHON" "$MACHINE/ask.py" docker "$@"',
}
ASK = """
import os, socket, sys
with socket.socket(socket.AF_UNIX) as line:
    line.connect(os.environ["MACHINE"] + "/asked")
    line.sendall("\\n".join([os.getcwd(), *sys.argv[1:]]).encode())
    line.shutdown(socket.SHUT_WR)
    answer = line.recv(65536).decode()
print(answer, file=sys.stderr)
sys.exit(answer != "done")
"""


class Machine:
    """A folder as a machine, on which systemd and docker are played by this."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.started = folder, free_port(), 0
        self.asked: list[tuple[str, ...]] = []
        (folder / "bin").mkdir(parents=True)
        (folder / "ask.py").write_text(ASK)
        for name, text in STAND_INS.items():
            (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (folder / "bin" / name).chmod(0o755)
        for place in PLACES[2:5]:
            (folder / place[1:]).mkdir(parents=True)
        (folder / "opt").mkdir()
        code = folder / "code"
        shutil.copytree(ROOT / "deploy", code / "deploy", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("manage.py", "requirements.txt", "referee", "scoring", "templates", "docs", "LICENSE"):
            (code / name).symlink_to(ROOT / name)
        by_hand = code / "deploy/systemd/card-table"
        by_hand.write_text(self.here(by_hand.read_text()))
        self.process: subprocess.Popen[bytes] | None = None
        self.held = socket.create_server(("127.0.0.1", self.port), backlog=4096)
        self.around = surroundings(
            MACHINE=folder,
            PYTHON=sys.executable,
            PATH=f"{folder}/bin:{folder}/usr/local/sbin:{os.environ['PATH']}:/usr/sbin",
            PYTHONDONTWRITEBYTECODE=1,  # the service may write nothing where its code is
        )
        self.line = socket.socket(socket.AF_UNIX)
        self.line.bind(str(folder / "asked"))
        self.line.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def here(self, text: str) -> str:
        """Return a text of the page or of a unit with the places of this machine."""
        for place in PLACES:
            text = text.replace(place, f"{self.folder}{place}")
        return text.replace(HERE, "cards.git").replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")

    def run(self, block: str) -> str:
        """Do a block of the page."""
        command = ["bash", "-ec", self.here(block)]
        ran = subprocess.run(
            command, cwd=self.folder, env=self.around, capture_output=True, text=True, timeout=120, check=False
        )
        assert ran.returncode == 0, f"{block}\n{ran.stdout}{ran.stderr}"
        return ran.stdout

    def serve(self) -> None:
        """Answer who asks for systemctl or docker."""
        while True:
            try:
                asking, _ = self.line.accept()
            except OSError:
                return
            with asking:
                words = asking.makefile().read().split("\n")
                try:
                    getattr(self, words[1])(Path(words[0]), *words[2:])
                    answer = "done"
                except Exception as why:  # noqa: BLE001 - whatever it is, the command has failed
                    answer = repr(why)
                asking.sendall(answer.encode())

    def systemctl(self, _: Path, act: str, *words: str) -> None:
        units = self.folder / "etc/systemd/system"
        self.asked.append(("systemctl", act))
        if act == "enable":
            assert words[0] == "--now"
            assert all((units / name).exists() for name in words[1:]), words
            assert {name for name in words[1:] if name.endswith(".socket")}
            self.start()
        elif act == "restart":
            assert words == ("card-table",)
            self.stop()
            self.start()
        elif act in ("stop", "start"):
            assert words == ("card-table.socket", "card-table.service")
            getattr(self, act)()
        else:
            assert (act, words) == ("daemon-reload", ())

    def docker(self, at: Path, *words: str) -> None:
        assert words[:3] == ("compose", "--env-file", "settings.env"), words
        text = (at / "compose.yaml").read_text()
        services = yaml.safe_load(text)["services"]
        given = dict(line.split("=", 1) for line in (at / "settings.env").read_text().splitlines())
        assert set(re.findall(r"\$\{(\w+)", text)) == set(given)
        assert len(given["SECRET_KEY"]) >= 50
        act, *more = words[3:]
        named = [word for word in more if not word.startswith("-")]
        self.asked.append(("docker", act, *(name for name in named[:1] if name in services)))
        assert act in {"up", "build", "exec", "cp"}
        assert not named or named[0].partition(":")[0] in services

    def start(self) -> None:
        """Start the service as its unit says, with the socket that is held for it."""
        unit = self.here((self.folder / "etc/systemd/system/card-table.service").read_text())
        found = dict(re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE))
        own = Path(found["EnvironmentFile"].removeprefix("-")).read_text()
        variables = shlex.split(found["Environment"]) + own.split()
        around = self.around | dict(word.split("=", 1) for word in variables)
        around |= {"METRICS_PORT": str(free_port()), "WORKERS": "1"}
        self.process = start(shlex.split(found["ExecStart"]), self.folder / "log", around, held=self.held.fileno())
        self.started += 1

    def stop(self) -> None:
        assert self.process
        self.process.terminate()
        assert self.process.wait(timeout=20) == 0

    def end(self) -> None:
        if self.process:
            kill(self.process)
        self.held.close()
        self.line.close()


def open_table(machine: Machine) -> str:
    """Open a table at the service, as its proxy would, and return the code."""
    address = f"http://127.0.0.1:{machine.port}/api/v1/tables/"
    headers = {"Content-Type": "application/json", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    table = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    request = urllib.request.Request(address, json.dumps(table).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        code: str = json.load(answer)["code"]
    return code


@pytest.fixture
def machine(tmp_path):
    machine = Machine(tmp_path / "machine")
    yield machine
    machine.end()


def test_every_block_of_the_page_does_what_it_says(machine):
    install, ask, contain, standby, upgrade, one_after_the_other, back, restore = BLOCKS
    machine.run(install)
    assert '"status": "ready"' in machine.run(ask)
    code = machine.folder / "opt/card-table/deploy"
    assert {compiled.name.split(".")[0] for compiled in code.glob("__pycache__/*")} >= {
        module.stem for module in code.glob("*.py")
    }
    assert (machine.folder / "var/lib/card-table/db.sqlite3").exists()
    machine.run(standby)
    upgraded = machine.run(upgrade)
    assert upgraded.count("0 tables, 0 of them with differences") == 1
    assert f"read from {machine.folder}/var/lib/card-table/db.sqlite3: 0 tables, 0 groups" in upgraded
    assert [*(machine.folder / "var/lib/card-table").glob("before-*.sqlite3")]
    assert machine.started == 2
    machine.run(f"cd /opt/card-table\n{contain}")
    machine.run(f"cd /opt/card-table/deploy/container\n{one_after_the_other}")
    assert [words[1:] for words in machine.asked if words[0] == "docker"] == [
        ("up",), ("exec", "app-1"), ("cp",), ("build",), ("up", "app-1"), ("up", "app-2"),
    ]  # fmt: skip
    machine.run(back)
    assert machine.started == 3
    table = open_table(machine)
    backups = machine.folder / "var/lib/card-table-backups"
    backups.mkdir()
    machine.run("card-table backup /var/lib/card-table-backups/2026-11-20-0440.sqlite3")
    open_table(machine)
    assert "1 tables, 0 of them with differences" in machine.run(restore)
    assert machine.started == 4
    assert plain(machine.port, f"/api/v1/tables/{table}/") == 200


def test_settings_are_read_as_systemd_reads_them():
    told = """
# Ours, and ; so is this
PUBLIC_URL="https://cards.example"
DATABASE_URL=postgres://cards:pa$$w#rd@db.example/cards?sslmode=require&application_name=cards
  LOG_FORMAT = 'json'
SECURITY_CONTACT=
"""
    assert read_settings(told) == {
        "PUBLIC_URL": "https://cards.example",
        "DATABASE_URL": "postgres://cards:pa$$w#rd@db.example/cards?sslmode=require&application_name=cards",
        "LOG_FORMAT": "json",
        "SECURITY_CONTACT": "",
    }
