"""The clients under `docs/clients/`, as source files and as built packages."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from card_table_client import CardTable, Irregular, MovedOn, Refused

from referee.engine.game import all_games
from tests.clients.making import NODE_MODULES, described, node
from tests.clients.packages import build, operations
from tests.documents import blocks

HERE = Path(__file__).parent
CLIENTS = HERE.parents[1] / "docs" / "clients"


class LosesAnswers(httpx.HTTPTransport):
    """A network that loses the first answer to every act."""

    def __init__(self):
        super().__init__()
        self.lost = set()

    def handle_request(self, request):
        answer = super().handle_request(request)
        key = request.headers.get("Idempotency-Key")
        if key and key not in self.lost:
            self.lost.add(key)
            answer.read()
            answer.close()
            raise httpx.ReadError("The answer got lost.", request=request)
        return answer


@pytest.fixture
def there(url):
    with CardTable(url) as there:
        yield there


@pytest.fixture
def table(there):
    return there.open("ace-trump", ["Ann", "Bob", "Cy"], first_dealer=2)


def example(page: Path, url: str) -> str:
    """Return a page's example, pointed at another server."""
    ((_language, block),) = [each for each in blocks(page / "README.md") if each[0] != "text"]
    return block.replace("http://localhost:8000", url)


def test_the_python_example_runs(url, capsys):
    exec(compile(example(CLIENTS / "python", url), "README.md", "exec"), {})
    why, totals = capsys.readouterr().out.splitlines()
    assert why.endswith(".")
    assert totals == "[0, 0, 0]"


def test_the_python_client_records_a_hand(there):
    assert {game["id"] for game in there.games()} == {game.id for game in all_games()}
    table = there.open("ace-pit", ["Ann", "Bob"], end={"kind": "hands", "value": 1})
    while not (asked := table.asks())["finished"]:
        assert table.record(asked["asks"][0]["events"][0])["ruling"]["verdict"] == "accepted"
    now = table.now()
    assert now["state"]["finished"]
    assert [row["seq"] for row in table.log()] == list(range(1, now["version"] + 1))
    assert there.judge(table.whole_record())["totals"] == now["state"]["totals"]


def test_the_python_client_explains_refusals(there, table):
    first, second = table.asks()["asks"][0]["events"][:2]
    assert table.record(first, dry_run=True)["version"] == 0
    assert table.record(first, version=0)["version"] == 1
    with pytest.raises(MovedOn) as late:
        table.record(second, version=0)
    assert late.value.problem["version"] == 1
    with pytest.raises(Irregular) as why:
        table.record({"type": "play", "seat": 2, "cards": ["9WY"]})
    assert why.value.problem["code"] == "out-of-turn"
    assert table.amend(1, second, reason="The other card.")["version"] == 2
    bob = there.table(table.code, table.link("player", 1, name="Bob’s phone")["token"])
    assert bob.record(bob.asks()["asks"][0]["events"][0])["version"] == 3
    with pytest.raises(Refused, match="not-your-seat"):
        bob.record({"type": "play", "seat": 2, "cards": ["9WY"]})
    assert table.undo()["version"] == 4
    closed = there.open("ace-trump", ["Ann", "Bob"], private=True)
    with pytest.raises(Refused, match="no-such-table"):
        there.table(closed.code).now()


def test_a_lost_request_is_carried_out_once(url):
    with CardTable(url, transport=LosesAnswers()) as server:
        table = server.open("ace-trump", ["Ann", "Bob", "Cy"])
        table.record(table.asks()["asks"][0]["events"][0])
        assert table.now()["version"] == 1


def test_every_operation_in_the_schema_can_be_called_by_its_id(there, table):
    asked = {operation["operationId"] for _, _, operation in operations(described())}
    assert {name for name in asked if callable(getattr(there.api, name))} == asked
    assert there.api.get_table(table.code)["code"] == table.code
    with pytest.raises(Refused, match="moved-on"):
        there.table(table.code, table.token).calls.write("POST", f"tables/{table.code}/undo/", table.token, {}, {}, 7)


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The packages of both clients, unpacked as pip and npm unpack them."""
    folder = tmp_path_factory.mktemp("packages")
    wheel, packed = build(folder / "built")
    shutil.unpack_archive(wheel, folder / "python", "zip")
    shutil.unpack_archive(packed, folder / "typescript")
    return folder


def run_python(packages, *words, **more):
    environment = {"PYTHONPATH": str(packages / "python"), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False, cwd=packages, **more
    )


def test_the_python_package_has_a_typed_method_for_every_operation(packages):
    source = (packages / "python" / "card_table_client" / "operations.py").read_text()
    written = {each.name for each in ast.walk(ast.parse(source)) if isinstance(each, ast.FunctionDef)} - {"__init__"}
    assert written == {operation["operationId"] for _, _, operation in operations(described())}
    package = packages / "python" / "card_table_client"
    checked = run_python(packages, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir", "mypy", package)
    assert checked.returncode == 0, checked.stdout


def cardref(packages, url, *words, **more):
    return run_python(packages, "-m", "card_table_client.cardref", "--server", url, *words, **more)


def test_cardref_judges_a_record_as_json_and_as_text(packages, url, there, tmp_path):
    table = there.open("ace-trump", ["Ann", "Bob", "Cy"], first_dealer=2)
    table.record(*({"type": "play", "seat": seat, "cards": [card]} for seat, card in enumerate(("8MS", "XS", "XM"))))
    (tmp_path / "table.json").write_text(json.dumps(table.whole_record()))
    done = cardref(packages, url, "judge", tmp_path / "table.json")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Hand 1: 0 0 1"), done.stderr
    text = httpx.get(f"{url}/api/v1/tables/{table.code}/record/", params={"as": "text"}).text
    assert cardref(packages, url, "judge", "-", input=text).stdout == done.stdout
    twice = table.whole_record()
    twice["hands"][0]["events"].append(twice["hands"][0]["events"][0])
    stopped = cardref(packages, url, "judge", "-", input=json.dumps(twice))
    assert stopped.returncode == 1
    assert "Stopped at hand 1, event 4" in stopped.stdout


def test_cardref_tells_who_wins_a_trick(packages, url):
    done = cardref(packages, url, "trick", "ace-trump", "8MS", "XS", "XM")
    assert done.returncode == 0, done.stderr
    assert "matches Moons" in done.stdout
    assert "[AT-10, AT-12]" in done.stdout
    wrong = cardref(packages, url, "trick", "ace-trump", "8MS", "no-card")
    assert wrong.returncode == 1
    assert "/plays/1/cards/0" in wrong.stderr


def test_cardref_follows_a_table(packages, url, table):
    environment = {"PYTHONPATH": str(packages / "python"), "PATH": "/usr/bin:/bin"}
    words = [sys.executable, "-m", "card_table_client.cardref", "--server", url, "follow", table.code]
    words += ["--after", "0"]
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as following:
        assert following.stdout
        first = table.asks()["asks"][0]["events"][0]
        table.record(first)
        line = following.stdout.readline()
        following.terminate()
    assert "play" in line
    assert first["cards"][0] in line


def test_the_typescript_package_compiles_and_records(packages, url):
    folder = packages / "typescript"
    modules = folder / "node_modules"
    modules.mkdir()
    (folder / "package").rename(modules / "card-table-client")
    (modules / "@types").symlink_to(NODE_MODULES / "@types")
    (modules / "undici-types").symlink_to(NODE_MODULES / "undici-types")
    shutil.copy(HERE / "small_client.ts", folder)
    (folder / "shown.ts").write_text(example(CLIENTS / "typescript", url))
    (folder / "package.json").write_text('{"type": "module"}')
    words = ("--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--lib", "es2022,dom,dom.asynciterable")
    more = ("--module", "nodenext", "--types", "node", "--outDir", "built", "small_client.ts", "shown.ts")
    node(NODE_MODULES / "typescript" / "bin" / "tsc", *words, *more, folder=folder)
    assert node(folder / "built" / "small_client.js", url, folder=folder).strip() == "All of it went well."
    assert "turn" in node(folder / "built" / "shown.js", folder=folder)
