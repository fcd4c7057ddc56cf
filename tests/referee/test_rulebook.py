"""The rulebook: every clause complete, every clause cited anywhere existing, every clause exercised by a test."""

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import referee
from referee.engine import rulebook
from referee.engine.catalogue import all_games
from referee.engine.rulebook import BASES
from tests.games.discovery import CASES
from tests.referee.telling import clause_ids

ENGINE = Path(referee.__file__).parent
TESTS = Path(__file__).parent.parent
BOOKS = rulebook.books()
CLAUSES = [clause for book in BOOKS for clause in rulebook.clauses(book)]
PREFIXES = sorted({clause.id.partition("-")[0] for clause in CLAUSES})
CLAUSE = re.compile(rf"\b(?:{'|'.join(PREFIXES)})-[A-Z]?\d+\b")


def test_every_clause_has_title_text_source_and_basis():
    for clause in CLAUSES:
        assert re.fullmatch(r"[A-Z]{2,3}-[A-Z]?\d+", clause.id)
        assert clause.title.strip(), clause.id
        assert len(clause.text) > 20, clause.id
        assert clause.source.strip(), clause.id
        assert clause.basis in BASES, clause.id


def test_no_clause_stands_twice():
    assert len({clause.id for clause in CLAUSES}) == len(CLAUSES)


def test_every_game_has_a_rulebook_and_credits_its_source():
    for game in all_games():
        assert game.rulebook(), game.id
        assert game.source
        assert rulebook.title(game.id) == game.name
    assert {clause.id[:3] for clause in rulebook.shared()} >= {"DK-", "TT-", "IR-", "REC"}
    assert rulebook.clauses("no-such-game") == ()


def test_every_clause_that_the_code_cites_exists():
    cited = {clause: str(file) for file in ENGINE.rglob("*.py") for clause in constants(file)}
    missing = {clause: file for clause, file in cited.items() if clause not in clause_ids()}
    assert not missing
    assert len(cited) > 50


def test_every_option_cites_clauses_that_exist_and_names_its_values():
    for game in all_games():
        for option in game.all_options():
            assert option.clauses, option.key
            assert set(option.clauses) <= clause_ids(), option.key
            assert len(option.labels) == len(option.values), option.key
            assert option.label, option.key
            assert option.help, option.key


def test_every_clause_that_a_clause_mentions_exists():
    mentioned = {(clause.id, other) for clause in CLAUSES for other in CLAUSE.findall(clause.text)}
    assert not [pair for pair in mentioned if pair[1] not in clause_ids()]


def test_every_clause_is_exercised():
    exercised = set(chain.from_iterable(constants(file) for file in TESTS.rglob("*.py")))
    exercised |= {clause for case in CASES for clause in case.get("clauses", ())}
    idle = [clause.id for clause in CLAUSES if clause.id not in exercised]
    assert not idle, f"no test exercises: {', '.join(idle)}"


def constants(file: Path) -> Iterator[str]:
    """Find the clauses named by the text constants of a module; comments and docstrings do not count."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
            yield from CLAUSE.findall(node.value)
