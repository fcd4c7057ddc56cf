"""The linter that people put into their pipelines finds no error in the schema, and every example in it is valid."""

from pathlib import Path

from tests.clients.making import NODE_MODULES, node

RULES = Path(__file__).parent / "redocly.yaml"


def test_the_linter_finds_no_error(made):
    words = ("lint", made.schema, "--config", RULES, "--format", "stylish")
    said = node(NODE_MODULES / "@redocly" / "cli" / "bin" / "cli.js", *words, folder=made.folder)
    assert "Your API description is valid" in said, said
