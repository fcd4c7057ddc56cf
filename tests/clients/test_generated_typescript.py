"""The generated TypeScript client compiles and records what happens at tables."""

import shutil
from pathlib import Path

import pytest

from referee.engine.game import all_games
from tests.clients.making import NODE_MODULES, node

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
