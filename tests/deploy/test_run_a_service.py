"""The pages on running a service, executed block by block for each of the three ways."""

import json
import re
import urllib.error
import urllib.request

import pytest
import yaml

from tests.deploy.containers import FILES, environment, read_env
from tests.deploy.machine import Machine
from tests.deploy.managing import ROOT, plain
from tests.postgres import Postgres

PAGE = (ROOT / "docs/how-to/run-a-service.md").read_text()
BACKING_UP = (ROOT / "docs/how-to/back-up.md").read_text()
LARGE = (ROOT / "docs/how-to/run-a-large-service.md").read_text()
(
    install, ask, contain, every_night, upgrade, back, after_damage, on_a_new_machine, restore_containers,
    on_the_database, on_each_machine, one_after_the_other,
) = re.findall(r"^```(?:sh)?\n(.*?)^```$", PAGE + LARGE, re.MULTILINE | re.DOTALL)  # fmt: skip
NIGHT = "2026-11-20-0440.sqlite3"
OPEN = """
from scoring.tables.acts.opening import create_table
create_table({"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0})
"""


def open_table(machine: Machine) -> str:
    """Open a table at the service through its proxy; return the code."""
    address = f"http://127.0.0.1:{machine.port}/api/v1/tables/"
    headers = {"Content-Type": "application/json", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    table = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    request = urllib.request.Request(address, json.dumps(table).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as answer:
        code: str = json.load(answer)["code"]
    return code


@pytest.fixture
def machines(tmp_path):
    made: list[Machine] = []
    with Postgres.started() as database:

        def make() -> Machine:
            made.append(Machine(tmp_path / f"machine-{len(made)}", database))
            return made[-1]

        yield make
        for machine in made:
            machine.end()


def one_machine(machines):
    machine = machines()
    machine.run(install)
    assert '"status": "ready"' in machine.run(ask)
    code = machine.folder / "opt/card-table/deploy"
    assert {compiled.name.split(".")[0] for compiled in code.glob("__pycache__/*")} >= {
        module.stem for module in code.glob("*.py")
    }
    assert (machine.folder / "var/lib/card-table/db.sqlite3").exists()
    upgraded = machine.run(upgrade)
    assert upgraded.count("Tables checked: 0. With differences: 0") == 1
    assert f"Backed up from {machine.folder}/var/lib/card-table/db.sqlite3: 0 tables, 0 groups." in upgraded
    assert re.findall(r"^[+-](?![+-]{2} ).*", upgraded, re.MULTILINE) == ["+# A line of 0.2.0."], "what is new is told"
    assert [*(machine.folder / "var/lib/card-table").glob("before-*.sqlite3")]
    assert machine.started == 2
    machine.run(back)
    assert machine.started == 3
    table = open_table(machine)
    (by_service,) = re.findall(r"^```sh\n([^`]*?card-table backup.*?)^```$", BACKING_UP, re.MULTILINE | re.DOTALL)
    machine.run(by_service, SUDO_USER="ann")
    assert (machine.folder / "srv/backups/friday.sqlite3").exists()
    assert re.search(r" ann: backup friday.sqlite3\n", machine.run("card-table operator_log"))
    (machine.folder / "var/lib/card-table-backups").mkdir()
    machine.run(f"card-table backup /var/lib/card-table-backups/{NIGHT}")
    open_table(machine)
    assert "Tables checked: 1. With differences: 0" in machine.run(after_damage)
    assert machine.started == 4
    assert plain(machine.port, f"/api/v1/tables/{table}/") == 200
    assert f": restore {NIGHT}\n" in machine.run("card-table operator_log"), "in the database that was filled"
    another = machines()
    another.run(install)
    brought = another.folder / "brought"
    brought.mkdir()
    for kept in ("etc/card-table/settings", "var/lib/card-table/secret_key", f"var/lib/card-table-backups/{NIGHT}"):
        (brought / kept.rpartition("/")[2]).write_bytes((machine.folder / kept).read_bytes())
    assert "Tables checked: 1. With differences: 0" in another.run(on_a_new_machine, at="brought")
    assert plain(another.port, f"/api/v1/tables/{table}/") == 200
    here = another.folder / "var/lib/card-table"
    assert (here / "secret_key").read_text() == (machine.folder / "var/lib/card-table/secret_key").read_text()
    assert not [*here.glob("brought*"), *here.glob("restore-*")]


def with_containers(machines):
    machine = machines()
    at = machine.folder / "code/deploy/container"
    machine.run(contain, at="code")
    docker, here = machine.containers, "code/deploy/container"
    docker.manage("shell", "-c", OPEN, at=at)
    machine.run(every_night, at=here)
    (night,) = at.glob("20*.dump")
    assert night.stat().st_mode & 0o777 == 0o600
    docker.manage("shell", "-c", OPEN, at=at)
    machine.run(one_after_the_other, at=here)
    night.rename(at / "2026-11-20.dump")
    assert docker.asked == [
        ("up",), ("exec", "database"), *[("exec", "app-1")] * 2, ("build",), ("up", "app-1"), ("up", "app-2"),
    ]  # fmt: skip
    assert "Tables checked: 1. With differences: 0" in machine.run(restore_containers, at=here)
    machine.run("sed -i s/again/card_table/ settings.env", at=here)
    assert "Tables checked: 2. With differences: 0" in docker.manage("verify_tables", at=at), (
        "what was there is put aside"
    )


def several_machines(machines):
    first, second = machines(), machines()
    first.run(on_the_database)
    told = first.folder / "srv/card-table-settings"
    assert told.stat().st_mode & 0o777 == 0o600
    for machine in (first, second):
        machine.run(install)
        (machine.folder / "srv/card-table-settings").write_text(told.read_text())
        assert '"status": "ready"' in machine.run(on_each_machine, at="srv")
    assert "CREATE ROLE" not in told.read_text()
    code = open_table(first)
    assert plain(second.port, f"/api/v1/tables/{code}/") == 200, "one database"
    (from_elsewhere,) = re.findall(r"`(curl -s -H 'Host: cards.example' http://10.0.0.2:8000\S+)`", LARGE)
    of_name = from_elsewhere.replace("10.0.0.2:8000", f"127.0.0.2:{first.port}")
    assert '"status": "ready"' in first.run(of_name)
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(f"http://127.0.0.2:{first.port}/health/ready", timeout=20)


@pytest.mark.parametrize("way", [one_machine, with_containers, several_machines])
def test_every_command_on_the_page_works(machines, way):
    way(machines)


def test_a_second_socket_address_is_reported(machines):
    """A drop-in without the empty line adds an address; the stand-in for systemd holds both sockets."""
    assert "printf '[Socket]\\nListenStream=\\nListenStream=0.0.0.0:8000\\n'" in on_each_machine
    machine = machines()
    units = machine.folder / "etc/systemd/system"
    (units / "card-table.socket").write_text((ROOT / "deploy/systemd/card-table.socket").read_text())
    (units / "card-table.socket.d").mkdir()
    (units / "card-table.socket.d/one.conf").write_text("[Socket]\nListenStream=127.0.0.2:8000\n")
    machine.hold()
    assert len(machine.held) == 2
    (units / "card-table.socket.d/one.conf").write_text("[Socket]\nListenStream=\nListenStream=127.0.0.2:8000\n")
    machine.let_go()
    machine.hold()
    assert [held.getsockname()[0] for held in machine.held] == ["127.0.0.2"]


def test_settings_in_the_env_file_override_container_defaults():
    """In compose, `environment` takes precedence over any file, so only values built from other variables are there."""
    services = yaml.safe_load((FILES / "compose.yaml").read_text())["services"]
    secrets = {"PUBLIC_HOST": "cards.example", "SECRET_KEY": "k" * 50, "POSTGRES_PASSWORD": "p" * 48}
    defaults = read_env((FILES / "defaults.env").read_text())
    assert set(services["app-1"]["environment"]) == {"PUBLIC_URL", "SECRET_KEY", "DATABASE_URL"}
    assert environment(services["app-1"], FILES, secrets).items() >= defaults.items()
    own = dict.fromkeys((*defaults, "KEEP_TABLES_DAYS"), "7")
    assert environment(services["app-1"], FILES, secrets | own).items() >= own.items()
    assert f"`app-1:{defaults['METRICS_PORT']}` and `app-2:{defaults['METRICS_PORT']}`" in PAGE
    assert yaml.safe_load((FILES / "compose.yaml").read_text())["name"] == "card-table"
    assert "`card-table_default`" in PAGE, "the network that compose makes of that name"
