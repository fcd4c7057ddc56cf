"""`make container`: build the image and run compose's services from it on a machine without a container runtime.

Buildah builds and runs in its own directories (`chroot` isolation, no daemon). Debian's base system, fetched by
debootstrap, stands in for the Containerfile's base image, and this machine's PostgreSQL and Caddy for compose's two
other services. Everything else follows the files. It takes some minutes, as root.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

from tests.deploy.containers import FILES, environment
from tests.deploy.managing import ROOT, kill, patiently, plain, start
from tests.deploy.proxies import OverTls, caddy
from tests.deploy.recording import RECORDERS, recording, wait_for_more
from tests.postgres import Postgres, find_binaries
from tests.scoring.live.driving import free_port

FOLDER = ROOT / "var/container"
BASE, IMAGE = "localhost/card-table-base", "localhost/card-table"
BUILDAH = ("buildah", "--root", f"{FOLDER}/storage", "--runroot", f"{FOLDER}/run", "--storage-driver", "vfs")
PROGRAMS = ("buildah", "debootstrap")
SECRETS = {"PUBLIC_HOST": "cards.example", "SECRET_KEY": "k" * 50, "POSTGRES_PASSWORD": "p" * 48}
# What a build needs from this machine to reach the package index: certificates and pip's configuration.
MOUNTED = ("/etc/ssl/certs/ca-certificates.crt", *filter(None, [os.environ.get("PIP_CONFIG_FILE")]))


def main() -> None:
    if os.geteuid():
        sys.exit("Only root can make a base system: sudo make container")
    if missing := [name for name in PROGRAMS if not shutil.which(name)]:
        subprocess.run(["apt-get", "install", "--yes", "--no-install-recommends", *missing], check=True)
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    build()
    run()


def buildah(*words: object, **more: Any) -> str:
    ran = subprocess.run([*BUILDAH, *map(str, words)], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, **more)
    return ran.stdout.strip()


def build() -> None:
    """Build the image as `docker build` does, on our own base."""
    if BASE not in buildah("images", "--format", "{{.Name}}").split():
        print("Fetching a base system ...", flush=True)
        with tempfile.TemporaryDirectory(dir=FOLDER) as base:
            packages = "--include=python3,python3-venv,ca-certificates"
            subprocess.run(["debootstrap", "--variant=minbase", packages, "stable", base], check=True)
            container = buildah("from", "scratch")
            buildah("add", container, base, "/")
            buildah("commit", "--rm", "--quiet", container, BASE)
    print("Building the image ...", flush=True)
    container_folder = ROOT / "deploy/container"
    buildah(
        *("build", "--isolation", "chroot", "--format", "docker", "--build-arg", f"PYTHON={BASE}"),
        *(word for path in MOUNTED for word in ("--volume", f"{path}:{path}:ro")),
        *("--ignorefile", container_folder / "Containerfile.dockerignore"),
        *("--file", container_folder / "Containerfile", "--tag", IMAGE, "."),
        stderr=subprocess.STDOUT,
    )


class Container:
    """One of our containers, configured by compose's file; it shares this machine's network."""

    def __init__(self, service: dict[str, Any], folder: Path, database: Path, **own: str) -> None:
        self.port, self.folder = free_port(), folder
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
        said = environment(service, FILES, SECRETS)
        said |= {"PORT": str(self.port), "METRICS_PORT": str(free_port()), "WRITES_PER_MINUTE": "0", **own}
        self.options = [word for name, value in said.items() for word in ("--env", f"{name}={value}")]
        self.options += ["--volume", f"{database}:{database}", "--volume", f"{folder}:/run/own"]

    def start(self) -> None:
        print(f"Starting {self.folder.name} ...", flush=True)
        container = buildah("from", IMAGE)
        command = json.loads(buildah("inspect", container))["OCIv1"]["config"]["Cmd"]
        noting = ["sh", "-c", 'echo $$ > /run/own/pid; exec "$@"', "-", *command]
        whole = [*BUILDAH, "run", "--isolation", "chroot", *self.options, container, "--", *noting]
        self.process = start(whole, self.folder / "log", os.environ)
        assert patiently(lambda: plain(self.port, "/health/ready")) == 200, (self.folder / "log").read_text()

    def stop(self) -> None:
        os.kill(int((self.folder / "pid").read_text()), signal.SIGTERM)
        assert self.process.wait(timeout=20) == 0

    def end(self) -> None:
        kill(self.process)

    def do(self, script: str, **more: Any) -> None:
        """Run a script in its own container, as `docker compose run --rm` does."""
        container = buildah("from", IMAGE)
        whole = [*BUILDAH, "run", "--isolation", "chroot", *self.options, container, "--", "sh", "-ec", script]
        try:
            subprocess.run(whole, check=True, **more)
        finally:
            buildah("rm", container)


def kept_and_brought_back(database: Postgres, name: str, folder: Path, service: dict[str, Any]) -> None:
    """Back up, and restore into another database, with the page's commands for the PostgreSQL container."""
    again, night = database.create_database(), folder / "night.dump"
    around = os.environ | {"PGHOST": str(database.directory), "PGUSER": "postgres"}
    with night.open("wb") as file:
        dump = [str(find_binaries() / "pg_dump"), "--format=custom", name]
        subprocess.run(dump, stdout=file, env=around, check=True)
    with night.open("rb") as file:
        restore = [str(find_binaries() / "pg_restore"), "--exit-on-error", f"--dbname={again}"]
        subprocess.run(restore, stdin=file, env=around, check=True)
    other = Container(service, folder / "restoring", database.directory, DATABASE_URL=database.url(again))
    other.do(f".venv/bin/python manage.py verify_tables --expect {RECORDERS}")


def run() -> None:
    """Start compose's services; replace the containers one by one under load."""
    services = yaml.safe_load((ROOT / "deploy/container/compose.yaml").read_text())["services"]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        database = stack.enter_context(Postgres.started())
        database.directory.chmod(0o755)
        original = database.create_database()
        address = database.url(original)
        ours = []
        for name in (each for each in services if each.startswith("app-")):
            ours.append(Container(services[name], folder / name, database.directory, DATABASE_URL=address))
            ours[-1].start()
            stack.callback(ours[-1].end)
        proxy = stack.enter_context(caddy(folder, *(each.port for each in ours)))
        page, _ = patiently(lambda: OverTls(proxy.tls).ask("GET", "/"))
        assert page.status == 200
        with recording(f"https://127.0.0.1:{proxy.tls}") as recorders:
            for each in ours:
                each.stop()
                wait_for_more(recorders)
                each.start()
            wait_for_more(recorders)
        cards = sum(len(recorder.recorded) for recorder in recorders)
        again = sum(len(recorder.way.failed) for recorder in recorders)
        kept_and_brought_back(database, original, folder, services["app-1"])
        print(f"Both were replaced while {cards} cards were recorded; {again} had to be sent again, none was lost.")
        print("What was there was backed up, and restored into another database.")


if __name__ == "__main__":
    main()
