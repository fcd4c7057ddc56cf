"""The state of a hand is declared once; slots, first values, copies, snapshots and events follow from that."""

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from referee.engine.catalogue import all_games
from referee.engine.events import Note, Play
from referee.engine.hand import Hand
from referee.engine.phases import PLAY
from referee.engine.snapshot import dump_table, load_table
from referee.engine.state import derived, kept, kinds_inside, per_seat, takes
from referee.engine.table import TableState, deal, open_table


@dataclass(frozen=True)
class Inner:
    """A value inside a value."""

    number: int


class Outer(NamedTuple):
    """A value of the hand."""

    inner: tuple[Inner, ...]


class Plain(Hand):
    """A hand with one attribute of each sort."""

    seen: tuple[Outer, ...] = kept(())
    counts: tuple[int, ...] = per_seat(0)
    moment: bool = derived(True)

    @takes(Play)
    def take_play(self, event):
        self.counts = tuple(count + 1 for count in self.counts)

    def cards_left(self):
        return ()

    def points(self):
        return None

    def point_lines(self):
        return []

    def describe(self):
        return {}


class Derived(Plain):
    """A hand that begins otherwise and takes a play otherwise."""

    moment: bool = derived(False)

    def take_play(self, event):
        self.counts = (9, 9)


@pytest.fixture
def hand():
    rules = next(game for game in all_games() if game.id == "ace-pit").rules({}, 2)
    table = deal(open_table(rules, first_dealer=0))
    assert isinstance(table, TableState)
    assert table.hand is not None
    return Plain(rules, table.hand.setup)


def test_every_attribute_begins_as_it_was_declared(hand):
    assert (hand.seen, hand.counts, hand.moment, hand.phase, hand.events) == ((), (0, 0), True, PLAY, 0)
    assert Derived(hand.rules, hand.setup).moment is False


def test_a_copy_is_equal_and_changes_nothing_of_the_first(hand):
    hand.seen = (Outer(()),)
    copy = hand.copy()
    assert all(getattr(copy, name) is getattr(hand, name) for name in (*Plain.ATTRIBUTES, "rules", "setup"))
    copy.counts = (1, 1)
    assert hand.counts == (0, 0)


def test_only_what_was_declared_can_be_kept(hand):
    with pytest.raises(AttributeError):
        hand.something = 1


def test_a_snapshot_holds_what_is_kept_what_is_inherited_first(hand):
    assert (*Hand.VALUES, "seen", "counts") == Plain.VALUES
    assert Derived.VALUES == Plain.VALUES


def test_a_snapshot_knows_the_kinds_of_values_by_their_types():
    found = {"Outer", "Inner", "Phase", "Certainty", "Irregularity", "Argument", "Reason"}
    assert set(kinds_inside(Plain)) == found


def test_an_event_is_taken_by_the_method_that_says_so_or_by_the_one_that_overrides_it(hand):
    play = Play(seat=0, cards=("2S",))
    assert hand.take(play) is None
    assert hand.counts == (1, 1)
    other = Derived(hand.rules, hand.setup)
    assert other.take(play) is None
    assert other.counts == (9, 9)
    assert other.take(Note(text="inherited")) is None


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_game_saves_all_it_cannot_work_out_from_the_deal(game):
    rules = game.rules({}, game.players[-1])
    table = deal(open_table(rules, first_dealer=0))
    assert isinstance(table, TableState)
    assert table.hand is not None
    again = load_table(rules, dump_table(table)).hand
    assert again is not None
    names = type(table.hand).ATTRIBUTES
    assert [getattr(again, name) for name in names] == [getattr(table.hand, name) for name in names]
