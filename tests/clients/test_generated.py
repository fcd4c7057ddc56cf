"""Generated clients record what happens at tables, and linters find no problems in the schema."""

import json
import re
import shutil
from importlib import import_module
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from referee.engine.game import all_games
from tests.clients.evening import play_evening
from tests.clients.making import NODE_MODULES, described, node
from tests.clients.packages import operations
from tests.clients.players import PLAYERS, Player
from tests.seeds import FIRST


@pytest.fixture(params=list(PLAYERS))
def player(request, made, url) -> Player:
    return PLAYERS[request.param](url)


def opened(player, game="ace-trump", seats=3, **more):
    answer = player.open(game, seats, **more)
    assert answer.status == 201, answer.body
    return answer.body.code, answer.body.token


def one_of(asks, chance):
    return chance.choice(asks.asks[0].events)


def a_play(player, code, token, chance):
    return one_of(player.asks(code, token).body, chance)


@pytest.mark.parametrize("game", [game for game in all_games() if not game.takes_title], ids=lambda game: game.id)
def test_a_hand_of_each_game_is_recorded(player, game):
    chance = Random(FIRST)
    code, token = opened(player, game.id, min(max(game.players), 4) if 4 in game.players else max(game.players))
    for _ in range(300):
        asks = player.asks(code, token).body
        if asks.finished:
            break
        recorded = player.record(code, token, one_of(asks, chance))
        assert recorded.status == 201, recorded.body
        assert recorded.body.ruling.verdict == "accepted"
    table = player.table(code).body
    assert table.state.finished
    assert table.state.hands[0].phase == "finished"
    assert table.state.hands[0].score_lines[0].reason.clauses


def test_a_retry_gets_the_first_answer_and_is_recorded_once(player):
    code, token = opened(player)
    key, event = str(uuid4()), a_play(player, code, token, Random(FIRST))
    first, again = (player.record(code, token, event, key=key) for _ in range(2))
    assert (first.status, again.status) == (201, 201)
    assert first.body == again.body
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert player.table(code).body.version == 1


def test_a_stale_client_gets_the_current_state(player):
    code, token = opened(player)
    chance = Random(FIRST)
    tag = player.record(code, token, a_play(player, code, token, chance), version=0).headers["etag"]
    assert tag.removeprefix("W/") == '"1"'  # weak if the client accepts compression
    late = player.record(code, token, a_play(player, code, token, chance), version=0)
    assert (late.status, late.body.code, late.body.version) == (412, "moved-on", 1)
    assert len(late.body.state.hands[0].tricks) == 1


def test_an_amendment_is_previewed_and_then_made(player):
    code, token = opened(player)
    chance = Random(FIRST)
    other = a_play(player, code, token, chance)
    first = player.record(code, token, a_play(player, code, token, chance))
    assert first.status == 201
    assert player.record(code, token, a_play(player, code, token, chance)).status == 201
    tried = player.amend(code, token, 1, other, dry_run=True)
    assert (tried.status, tried.body.dry_run, tried.body.version) == (200, True, 2)
    done = player.amend(code, token, 1, other)
    assert (done.status, done.body.version) == (201, 3)
    entries = player.log(code, token).body.events
    assert [entry.amended_by for entry in entries] == [3, None, None]
    assert entries[2].amends == 1


def test_a_players_link_records_that_players_acts(player):
    code, token = opened(player)
    link = player.link(code, token, "player", 1)
    assert (link.status, link.body.seat) == (201, 1)
    event = a_play(player, code, link.body.token, Random(FIRST))
    recorded = player.record(code, link.body.token, event)
    assert recorded.status == 201
    refused = player.record(code, "x" * 30, event)
    assert (refused.status, refused.body.code) == (401, "authentication-failed")
    assert player.record(code, link.body.token, event).status in (403, 422)


def test_a_private_table_opens_with_a_link(player):
    code, token = opened(player, private=True)
    refused = player.table(code)
    assert (refused.status, refused.body.code) == (404, "no-such-table")
    assert player.table(code, token).body.private


def test_an_irregular_event_is_refused_with_its_ruling(player):
    code, token = opened(player)
    chance = Random(FIRST)
    event = a_play(player, code, token, chance)
    event = getattr(event, "actual_instance", event)
    event.seat = 0
    refused = player.record(code, token, event if not hasattr(player, "made") else player.made.Event(event))
    assert (refused.status, refused.body.code, refused.body.ruling.verdict) == (409, "out-of-turn", "irregular")


@pytest.mark.parametrize("package", ["attrs_client.models", "pydantic_client"])
def test_every_answer_has_a_named_model(made, package, db):
    models, schema = import_module(package), json.loads(made.schema.read_text(encoding="utf-8"))
    by_route = {re.sub(r"\{[^}]*\}", "<>", path): operations for path, operations in schema["paths"].items()}
    read = 0
    for each in play_evening():
        answer = by_route[re.sub("<[^>]*>", "<>", each.route)][each.method]["responses"][each.status]
        shape = answer["content"][each.answer_type]["schema"]
        names = filter(None, (one.get("$ref", "").rpartition("/")[2] for one in shape.get("oneOf", [shape])))
        # Of several types, such as a record or a full log, the first with all its keys present.
        needed = ((name, schema["components"]["schemas"][name].get("required", ())) for name in names)
        name = next((name for name, keys in needed if {*keys} <= {*each.answer}), None)
        assert name or not isinstance(each.answer, dict), f"{each.method} {each.route}: no name"
        if name:
            getattr(models, name).from_dict(each.answer)
            read += 1
    assert read > 60


def operations_of(folder, files, pattern):
    """Return the functions of a generated client that call an operation, lower-case and without underscores."""
    names = (name for file in folder.rglob(files) for name in re.findall(pattern, file.read_text(), re.MULTILINE))
    return {name.replace("_", "").lower() for name in names}


def test_no_generator_drops_an_operation(made):
    wanted = {operation["operationId"].replace("_", "") for _, _, operation in operations(described())}
    attrs = {file.stem.replace("_", "") for file in made.attrs_client.glob("attrs_client/api/*/*.py")} - {"init"}
    assert attrs == wanted
    assert (
        operations_of(made.pydantic_client / "pydantic_client" / "api", "*.py", r"^    def (\w+)_with_http_info")
        == wanted
    )
    assert operations_of(made.go_client, "api_*.go", r"^func \(\w+ \*\w+\) (\w+)\(ctx") == wanted
    assert operations_of(made.typescript_client / "apis", "*.ts", r"^    async (\w+)\(") >= wanted


# --- The TypeScript client compiles and records what happens at tables

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def compiled(made, tmp_path_factory):
    """The client and the stories, compiled in strict mode to scripts that Node runs."""
    folder = tmp_path_factory.mktemp("typescript")
    shutil.copytree(made.typescript_client, folder / "client")
    for name in ("stories.ts", "tsconfig.json"):
        shutil.copy(HERE / name, folder)
    (folder / "node_modules").symlink_to(NODE_MODULES)
    node(NODE_MODULES / "typescript" / "bin" / "tsc", "--project", folder, folder=folder)
    return folder


def test_the_typescript_client_records_all_games(compiled, url):
    games = [
        f"{game.id}={4 if 4 in game.players else max(game.players)}" for game in all_games() if not game.takes_title
    ]
    said = node(compiled / "built" / "stories.js", url, *games, folder=compiled)
    assert said.strip() == "All of it went well."


# --- Common OpenAPI linters find no problems in the schema


def test_redocly_finds_no_problems(made):
    words = ("lint", made.schema, "--config", HERE / "redocly.yaml", "--format", "stylish")
    said = node(NODE_MODULES / "@redocly" / "cli" / "bin" / "cli.js", *words, folder=made.folder)
    assert "Your API description is valid" in said, said
    assert "warning" not in said, said


def test_spectral_finds_no_problems(made, tmp_path):
    schema = json.loads(made.schema.read_text())
    schema["servers"] = [{"url": "https://cards.example"}]  # in a separate file, "/" leads nowhere
    (tmp_path / "schema.json").write_text(json.dumps(schema))
    words = ("lint", "--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint")
    program = NODE_MODULES / "@stoplight" / "spectral-cli" / "dist" / "index.js"
    said = node(program, *words, "schema.json", folder=tmp_path)
    assert "No results with a severity" in said, said
