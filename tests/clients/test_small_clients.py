"""The small clients under `docs/clients/`: with types made of the schema, they play."""

import json
import shutil
from pathlib import Path

import httpx
import pytest
from card_table_client import CardTable, Irregular, MovedOn, Refused

from referee.engine.game import all_games
from tests.clients.making import NODE_MODULES, described, node
from tests.documents import blocks

HERE = Path(__file__).parent
CLIENTS = HERE.parents[1] / "docs" / "clients"


class LosesAnswers(httpx.HTTPTransport):
    """A network on which the first answer to every act gets lost."""

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
    """Return the example of a page, for a server elsewhere."""
    ((_language, block),) = [each for each in blocks(page / "README.md") if each[0] != "text"]
    return block.replace("http://localhost:8000", url)


def test_the_example_for_python_runs(url, capsys):
    exec(compile(example(CLIENTS / "python", url), "README.md", "exec"), {})
    why, totals = capsys.readouterr().out.splitlines()
    assert why.endswith(".")
    assert totals == "[0, 0, 0]"


def test_the_client_for_python_records_a_hand(there):
    assert {game["id"] for game in there.games()} == {game.id for game in all_games()}
    table = there.open("ace-pit", ["Ann", "Bob"], end={"kind": "hands", "value": 1})
    while not (asked := table.asks())["finished"]:
        assert table.record(asked["asks"][0]["events"][0])["ruling"]["verdict"] == "accepted"
    now = table.now()
    assert now["state"]["finished"]
    assert [row["seq"] for row in table.log()] == list(range(1, now["version"] + 1))
    assert there.judge(table.whole_record())["totals"] == now["state"]["totals"]


def test_the_client_for_python_says_why_something_was_not_done(there, table):
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


def test_what_got_lost_on_the_way_is_done_once(url):
    with CardTable(url, transport=LosesAnswers()) as server:
        table = server.open("ace-trump", ["Ann", "Bob", "Cy"])
        table.record(table.asks()["asks"][0]["events"][0])
        assert table.now()["version"] == 1


def test_the_client_for_typescript_compiles_and_records(url, tmp_path):
    shutil.copytree(CLIENTS / "typescript", tmp_path / "client")
    shutil.copy(HERE / "small_client.ts", tmp_path)
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    (tmp_path / "schema.json").write_text(json.dumps(described()))
    types = NODE_MODULES / "openapi-typescript" / "bin" / "cli.js"
    node(types, "schema.json", "-o", "client/shapes.d.ts", folder=tmp_path)
    words = ("--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "--target", "es2022", "--lib", "es2022,dom")
    shown = example(CLIENTS / "typescript", url).replace("./index.js", "./client/index.js")
    (tmp_path / "shown.ts").write_text(shown)
    more = ("--module", "nodenext", "--types", "node", "--outDir", "built", "small_client.ts", "shown.ts")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    node(NODE_MODULES / "typescript" / "bin" / "tsc", *words, *more, folder=tmp_path)
    assert node(tmp_path / "built" / "small_client.js", url, folder=tmp_path).strip() == "All of it went well."
    assert "turn" in node(tmp_path / "built" / "shown.js", folder=tmp_path)
