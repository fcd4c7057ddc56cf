"""An event is described once: everything else that needs its name finds it by its kind."""

from pathlib import Path

import pytest

from referee.engine.event_kinds import Event, EventKind
from referee.engine.events import SHARED_EVENTS
from referee.engine.game import all_games, event_kinds
from referee.notation.patterns import patterns_of

ROOT = Path(__file__).resolve().parent.parent
NAMES = frozenset(event_kinds())


@pytest.mark.parametrize("kind", event_kinds().values(), ids=lambda kind: kind.name)
def test_every_event_kind_is_fully_described(kind: EventKind):
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


def test_every_event_a_hand_accepts_has_a_kind():
    known = {kind.event for kind in event_kinds().values()}
    for game in all_games():
        unknown = {event.__name__ for event in set(game.hand_class.TAKES) - known}
        assert not unknown, f"{game.id} takes {unknown}: name them in its `events`, or declare them in engine/events.py"
        assert not set(game.events) & set(SHARED_EVENTS)


def test_no_two_events_share_a_name():
    events: list[type[Event]] = [*SHARED_EVENTS, *(event for game in all_games() for event in game.events)]
    assert {event.type: event for event in events}.keys() == NAMES
