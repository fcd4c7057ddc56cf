"""Sentences for players: one for every reason in the code, and none unused."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import referee
from referee.engine.rulings import Reason
from referee.engine.texts import Language, sentences
from referee.packs import decktet

ENGINE = Path(referee.__file__).parent
FILES = [file for file in sorted(ENGINE.rglob("*.py")) if "api" not in file.relative_to(ENGINE).parts]


def reasons_given() -> Iterator[str]:
    """Find the sentence key in every call that gives a reason with a literal key."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in GIVES:
                named = {word.arg: word.value for word in node.keywords}
                placed = dict(zip(("code", "clauses", "facts", "phrase"), node.args, strict=False))
                fourth = placed.get("phrase") if node.func.id == "Reason" else None
                said = named.get("phrase") or fourth or placed.get("code")
                if isinstance(said, ast.Constant) and said.value:
                    yield str(said.value)


GIVES = ("Reason", "impossible")


def test_every_reason_has_its_sentence():
    given = set(reasons_given())
    assert len(given) > 40
    assert given <= set(sentences())


def test_no_sentence_is_unused():
    code = "\n".join(file.read_text(encoding="utf-8") for file in FILES if file.name != "texts.py")
    made = tuple({start for file in FILES for start in starts_of_names(file)})
    unsaid = [name for name in sentences() if f'"{name}"' not in code and not name.startswith(made)]
    assert not unsaid


def starts_of_names(file: Path) -> Iterator[str]:
    """Find the beginnings of composed keys, such as ``f"proved-{code}"`` or ``"beats-" + how``."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and START.fullmatch(node.value):
            yield node.value


START = re.compile(r"[a-z]+(-[a-z]+)*-")


def test_every_sentence_is_complete_and_names_its_facts():
    for code, sentence in sentences().items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
        assert code.startswith("step-") or sentence[-1] in ".}", sentence
        assert all(name is None or name.isidentifier() for _, name, _, _ in Formatter().parse(sentence)), sentence


def test_players_are_called_by_name_or_else_by_seat():
    reason = Reason("out-of-turn", ("REC-12",), {"seat": 0, "turn": 1})
    assert reason.sentence(("Ann", "Bob")) == "Ann acted out of turn; it was Bob’s turn."
    assert reason.text == "seat 0 acted out of turn; it was seat 1’s turn."


def test_translations_may_reorder_facts():
    sea = decktet().cards[decktet().codes["XW"]]
    words = {
        ("{card:The} is the highest trump.", ""): "{card:The} sticht alles; nichts schlägt {card:object}.",
        ("the Sea", ""): "das Meer",
        ("the Sea", "object"): "das große Meer",
        ("Crown of Waves", ""): "Krone der Wellen",
    }

    class Words(Language):
        def translate(self, text: str, context: str = "") -> str:
            return words.get((text, context), text)

    told = Reason("highest-trump", ("AT-9",), {"card": sea}).sentence((), Words())
    assert told == "Das Meer (Krone der Wellen) sticht alles; nichts schlägt das große Meer (Krone der Wellen)."


def test_a_game_can_define_its_own_sentences():
    assert Reason("capot", ("REC-1",), {"seat": 0}, phrase="{seat} made capot.").sentence(("Ann",)) == "Ann made capot."
    with pytest.raises(LookupError, match="capot"):
        Reason("capot", ("REC-1",)).sentence(("Ann",))
