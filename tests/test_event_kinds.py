"""An event is described once: what else has to know its name finds it by its kind."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.engine.event_kinds import Event, EventKind
from referee.engine.events import SHARED_EVENTS
from referee.engine.game import all_games, event_kinds
from referee.notation.patterns import patterns_of

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [path for part in ("referee", "scoring", "deploy") for path in sorted((ROOT / part).rglob("*.py"))]
NAMES = frozenset(event_kinds())


def lists_of_names(source: str) -> Iterator[int]:
    """Yield the line of every literal list, set, tuple or dict whose texts are two or more names of events."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
            continue
        parts = node.keys if isinstance(node, ast.Dict) else node.elts
        texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if len(texts) > 1 and NAMES.issuperset(texts):
            yield node.lineno


def tuples_of_classes(source: str) -> Iterator[int]:
    """Yield the line of every literal collection, save what games take and bring, of two or more classes of events."""
    classes = {kind.event.__name__ for kind in event_kinds().values()}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            named = [part.id for part in node.elts if isinstance(part, ast.Name)]
            if len(named) > 1 and classes.issuperset(named):
                yield node.lineno


def test_no_other_list_of_events_stands_anywhere():
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        assert not list(lists_of_names(source)), f"{path}: ask the kinds of events instead"
        declares = path.name in ("game.py", "events.py") and path.is_relative_to(ROOT / "referee")
        assert declares or not list(tuples_of_classes(source)), f"{path}: ask the kinds of events instead"


def test_the_search_finds_what_it_looks_for():
    assert list(lists_of_names('OWN = ("note", "penalty")\n')) == [1]
    assert list(lists_of_names('WORDS = {\n "play": 1, "bid": 2}\n')) == [1]
    assert not list(lists_of_names('ways = ("play", "something else")'))
    assert list(tuples_of_classes("STAYING = (Note, Penalty)")) == [1]


@pytest.mark.parametrize("kind", event_kinds().values(), ids=lambda kind: kind.name)
def test_every_kind_is_described_whole(kind: EventKind):
    assert kind.says.endswith(".")
    assert kind.log
    assert bool(kind.label) == kind.stays, "what `stays` is recorded at any time by a form, and `label` names it"
    if kind.label:
        mute = [field.name for field in kind.fields if field.needed and not field.shown]
        assert not mute, f"the form has no words for {mute}: annotate them with `Shown`"
    assert bool(kind.log_one) == bool(kind.counted)
    patterns = patterns_of(kind)
    assert patterns, "the notation has no line for it"
    everything = {field.name: 1 for field in kind.fields}
    assert any(pattern.fits(everything) for pattern in patterns), "no line has place for all of its fields"


def test_what_a_game_asks_for_in_secret_may_be_chosen_in_secret():
    secret = {name for name, kind in event_kinds().items() if kind.secret}
    assert secret == {"ransom", "ruling-card", "bid"}
    assert all(event_kinds()[name].by_player for name in secret)


def test_the_reference_names_every_line_of_the_notation_that_games_share():
    page = (ROOT / "docs" / "reference" / "notation.md").read_text(encoding="utf-8")
    heads = [line.head for event in SHARED_EVENTS for line in event.kind.lines]
    missing = [head for head in heads if f"`{head}" not in page]
    assert not missing, f"docs/reference/notation.md needs a row for {missing}"


def test_every_event_that_a_hand_takes_is_known():
    known = {kind.event for kind in event_kinds().values()}
    for game in all_games():
        unknown = {event.__name__ for event in set(game.hand_class.TAKES) - known}
        assert not unknown, f"{game.id} takes {unknown}: name them in its `events`, or declare them in engine/events.py"
        assert not set(game.events) & set(SHARED_EVENTS)


def test_no_two_events_share_a_name():
    events: list[type[Event]] = [*SHARED_EVENTS, *(event for game in all_games() for event in game.events)]
    assert {event.type: event for event in events}.keys() == NAMES
