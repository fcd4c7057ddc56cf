"""Common OpenAPI linters find no problems in the schema, and every example in it is valid."""

import json
from pathlib import Path

from tests.clients.making import NODE_MODULES, node

HERE = Path(__file__).parent


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
