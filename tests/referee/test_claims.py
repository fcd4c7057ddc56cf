"""Claims about hidden hands, and the state that keeps them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.engine.claims import Claim, Places, argue, contradictory, joint_finding, minimal, proved, spare_room
from referee.engine.events import Note, Play
from referee.engine.game import all_games
from referee.engine.hand import Hand
from referee.engine.records import dump_record, load_record, replay
from referee.engine.rulings import Certainty
from referee.engine.snapshot import dump_table, load_table
from referee.engine.state import PLAY, derived, kept, per_seat, takes
from referee.engine.table import TableState, deal, open_table
from referee.notation import read_text, write_text
from referee.packs import decktet
from tests.referee.telling import REDEAL, REVOKE, Json, exercises, judged, plays, result, told
from tests.seeds import as_often_as

# --- Proofs by counting compared with brute force over every placement of the unseen cards

MOST_CARDS = 8
MOST_SEATS = 4

Situation = tuple[list[Claim], tuple[Places, ...]]


def placements(places: Places) -> Iterator[tuple[int, ...]]:
    """Try every way to deal the unseen cards to the seats; the rest is set aside."""
    cards = [1 << i for i in range(places.unseen.bit_length()) if places.unseen >> i & 1]
    yield from _deal(cards, places.room)


def _deal(cards: Sequence[int], room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not room:
        yield ()
        return
    for chosen in combinations(cards, room[0]):
        rest = [card for card in cards if card not in chosen]
        for others in _deal(rest, room[1:]):
            yield (sum(chosen), *others)


def all_true_somewhere(claims: Sequence[Claim], places: Sequence[Places]) -> bool:
    """Return whether some placement of the cards makes every claim true, in each class of cards."""
    return all(
        any(all(not hands[claim.seat] & claim.cards for claim in claims) for hands in placements(place))
        for place in places
    )


@st.composite
def situations(draw: st.DrawFn, classes: int = 1) -> Situation:
    """Draw a small deck, hands and a pile of any size, and arbitrary claims."""
    seats = draw(st.integers(1, MOST_SEATS))
    deck = list(range(MOST_CARDS))
    places = []
    for number in range(classes):
        own = [card for card in deck if card % classes == number]
        unseen = draw(st.sets(st.sampled_from(own), max_size=len(own)))
        left = len(unseen)
        room = []
        for _ in range(seats):
            room.append(draw(st.integers(0, left)))
            left -= room[-1]
        places.append(Places(sum(1 << card for card in unseen), tuple(room)))
    said = draw(st.lists(st.tuples(st.integers(0, seats - 1), st.integers(0, 2**MOST_CARDS - 1)), max_size=6))
    claims = [Claim(seat, event, 1, cards, "revoke", "AT-5") for event, (seat, cards) in enumerate(said)]
    return claims, tuple(places)


TWO_HANDS_OF_ONE = (Places(0b11, (1, 1)),)
ANY_SITUATION = st.one_of(situations(), situations(classes=2))
"""All cards dealt together, or two classes of cards dealt apart, which are counted apart."""
CONTRADICTIONS = ANY_SITUATION.filter(lambda drawn: contradictory(*drawn))


@exercises("REC-18", "WC-2")
@given(ANY_SITUATION)
@example(([Claim(0, 0, 1, 0b11, "revoke", "AT-5")], TWO_HANDS_OF_ONE))
@settings(max_examples=as_often_as(always=700, quick=230))
def test_claims_contradict_each_other_if_no_deal_satisfies_them(situation: Situation):
    claims, places = situation
    assert contradictory(claims, places) is not all_true_somewhere(claims, places)


@exercises("REC-18")
@given(situations(), st.data())
@settings(max_examples=as_often_as(always=300, quick=100))
def test_claims_stay_consistent_until_spare_places_run_out(situation: Situation, data: st.DataObject):
    claims, (place,) = situation
    denied: dict[int, int] = {}
    for claim in claims:
        denied[claim.seat] = denied.get(claim.seat, 0) | claim.cards
    spare = spare_room(denied, place)
    assert (spare < 0) is contradictory(claims, (place,))
    unseen = [card for card in range(MOST_CARDS) if place.unseen >> card & 1]
    for count in range(1, sum(place.room) + 1):
        seat = data.draw(st.sampled_from([seat for seat, room in enumerate(place.room) if room]))
        card = unseen.pop(data.draw(st.integers(0, len(unseen) - 1)))
        room = tuple(left - (other == seat) for other, left in enumerate(place.room))
        place = Places(place.unseen & ~(1 << card), room)
        assert count > spare or spare_room(denied, place) >= spare - count


@exercises("REC-18")
@given(CONTRADICTIONS)
@settings(max_examples=as_often_as(always=200, quick=60))
def test_a_finding_names_the_smallest_and_earliest_set_of_claims(situation: Situation):
    claims, places = situation
    core = minimal(claims, places)
    smallest = next(
        chosen
        for size in range(len(claims) + 1)
        for chosen in combinations(claims, size)
        if not all_true_somewhere(chosen, places)
    )
    assert core == smallest
    for claim in core:
        assert all_true_somewhere([other for other in core if other is not claim], places)


@pytest.mark.parametrize(
    ("claims", "places", "contradict"),
    [
        ([], Places(0b111, (1, 2)), False),
        ([(0, 0b111)], Places(0b111, (1, 2)), True),  # the only hand with room denies every card
        ([(0, 0b111)], Places(0b111, (0, 2)), False),  # an empty hand denies nothing relevant
        ([(0, 0b001), (1, 0b001)], Places(0b111, (1, 1)), False),  # the card may lie aside
        ([(0, 0b001), (1, 0b001)], Places(0b111, (1, 2)), True),  # nothing lies aside
        ([(0, 0b011), (1, 0b011)], Places(0b111, (1, 1)), True),  # two cards, one place aside
    ],
)
def test_contradictions_in_small_hands_are_found(claims: list[tuple[int, int]], places: Places, contradict: bool):
    said = [Claim(seat, event, 1, cards, "revoke", "AT-5") for event, (seat, cards) in enumerate(claims)]
    assert contradictory(said, (places,)) is contradict


@exercises("REC-18")
def test_a_finding_by_counting_names_suspects_and_acts_but_no_culprit():
    claims = [Claim(2, 7, 3, 1, "revoke", "AT-5"), Claim(0, 4, 2, 1, "trump-led", "WC-10")]
    finding = joint_finding(claims, (Places(0b11, (1, 1, 1)),), pack=decktet(), event=9)
    assert (finding.certainty, finding.seat, finding.suspects) == (Certainty.JOINT, None, (0, 2))
    assert (finding.claims, finding.event, finding.trick, finding.proved_by) == ((4, 7), 7, 3, (9,))
    assert finding.reason.clauses == ("AT-5", "WC-10", "REC-18")


@exercises("REC-18")
@given(CONTRADICTIONS)
@settings(max_examples=as_often_as(always=200, quick=60))
def test_the_argument_names_the_denied_cards_and_all_other_places(situation: Situation):
    claims, places = situation
    core = minimal(claims, places)
    arguments = [found for place in places if (found := argue(core, place))]
    assert arguments
    for cards, excluded_by, room in arguments:
        assert sorted(excluded_by) == sorted((claim.seat, claim.event) for claim in core)
        place = next(each for each in places if cards & each.unseen)
        seats = {claim.seat for claim in core}
        for card in (1 << number for number in range(MOST_CARDS)):
            denied = all(any(claim.cards & card for claim in core if claim.seat == seat) for seat in seats)
            assert bool(cards & card) is bool(denied and place.unseen & card)
        assert dict(room) == {
            where: left
            for where, left in [*enumerate(place.room), (None, place.unseen.bit_count() - sum(place.room))]
            if left and where not in seats
        }
        assert sum(left for _, left in room) < cards.bit_count()


@exercises("REC-17")
def test_a_direct_proof_names_the_act_the_player_and_the_card():
    finding = proved(Claim(1, 4, 2, 1, "revoke", "AT-5"), event=9, card="the Pact", first="the Sea")
    assert (finding.certainty, finding.seat, finding.event, finding.proved_by) == (Certainty.PROVED, 1, 4, (9,))
    assert finding.reason.sentence(("Ann", "Bob")).startswith(
        "Bob didn’t follow suit with the Sea, but now shows the Pact"
    )


# --- Holding findings back until the hand is over: a table's choice, recorded with the play (REC-20)

HOLD: Json = {"type": "hold-findings"}
TELL: Json = {"type": "tell-findings"}


def last_hand(*hands: list[Json], **more: Any) -> Hand:
    hand = replay(load_record(told(*hands, **more))).table.hand
    assert hand is not None
    return hand


def held(*hands: list[Json]) -> bool:
    return last_hand(*hands).holds_back()


@exercises("REC-20")
def test_proofs_wait_for_the_end_of_the_hand():
    assert not held(REVOKE)
    assert held([HOLD, *REVOKE])
    assert held([*REVOKE, HOLD])
    assert not held([HOLD, *REVOKE, result(4, 4, 4)])
    assert not held([HOLD, *REVOKE, REDEAL])
    assert held([HOLD, result(4, 4, 4)], plays("1:9WY"))
    assert held([result(4, 4, 4), HOLD], [result(4, 4, 4)], plays("2:9WY"))
    assert not held([HOLD, result(4, 4, 4)], [TELL])
    assert not held([HOLD, result(4, 4, 4), TELL], plays("1:9WY"))


@exercises("REC-20")
def test_holding_findings_back_changes_no_ruling_and_round_trips():
    plain, waiting = judged(REVOKE)["hands"][0], judged([*REVOKE, HOLD])["hands"][0]
    assert waiting == plain
    record = load_record(told([HOLD, *REVOKE, TELL, HOLD]))
    assert dump_record(read_text(write_text(record))) == dump_record(record)
    table = replay(record).table
    assert dump_table(load_table(record.rules, dump_table(table))) == dump_table(table)


def test_a_table_is_offered_the_other_timing_of_findings():
    def offered(*events: Json) -> list[str]:
        return [ask.event for ask in last_hand([*events]).table_asks() if ask.event.endswith("findings")]

    assert (offered(), offered(HOLD), offered(HOLD, TELL)) == (["hold-findings"], ["tell-findings"], ["hold-findings"])


# --- The state of a hand is declared once; slots, initial values, copies and snapshots follow


@dataclass(frozen=True)
class Inner:
    number: int


class Outer(NamedTuple):
    inner: tuple[Inner, ...]


class Plain(Hand):
    """A hand with one attribute of each kind."""

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
    """A hand that overrides how it begins and how it accepts a play."""

    moment: bool = derived(False)

    def take_play(self, event):
        self.counts = (9, 9)


@pytest.fixture
def hand():
    dealt = last_hand([], game="ace-pit", players=2)
    return Plain(dealt.rules, dealt.setup)


def test_every_attribute_starts_as_declared(hand):
    assert (hand.seen, hand.counts, hand.moment, hand.phase, hand.events) == ((), (0, 0), True, PLAY, 0)
    assert Derived(hand.rules, hand.setup).moment is False


def test_an_event_is_handled_by_its_registered_method_or_an_override(hand):
    play = Play(seat=0, cards=("2S",))
    assert hand.take(play) is None
    assert hand.counts == (1, 1)
    other = Derived(hand.rules, hand.setup)
    assert other.take(play) is None
    assert other.counts == (9, 9)
    assert other.take(Note(text="inherited")) is None


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_game_saves_all_state_not_derived_from_the_deal(game):
    rules = game.rules({}, game.players[-1])
    table = deal(open_table(rules, first_dealer=0))
    assert isinstance(table, TableState)
    again = load_table(rules, dump_table(table)).hand
    assert again is not None
    names = type(again).ATTRIBUTES
    assert [getattr(again, name) for name in names] == [getattr(table.hand, name) for name in names]
