"""Proofs by counting against the plainest way to know: trying every way to place the unseen cards."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.engine.claims import Claim, Places, argue, contradictory, joint_finding, minimal, proved, spare_room
from referee.engine.rulings import Certainty
from referee.packs import decktet
from tests.referee.telling import exercises

MOST_CARDS = 8
MOST_SEATS = 4

Situation = tuple[list[Claim], tuple[Places, ...]]


def placements(places: Places) -> Iterator[tuple[int, ...]]:
    """Try every way to deal the unseen cards to the seats; what is left over lies aside."""
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
    """Return whether some way to place the cards makes every claim true, in each class of cards."""
    return all(
        any(all(not hands[claim.seat] & claim.cards for claim in claims) for hands in placements(place))
        for place in places
    )


@st.composite
def situations(draw: st.DrawFn, classes: int = 1) -> Situation:
    """Draw a small deck, hands and a pile of any size, and claims that say anything."""
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


@exercises("REC-18")
@given(situations())
@example(([Claim(0, 0, 1, 0b11, "revoke", "AT-5")], TWO_HANDS_OF_ONE))
@settings(max_examples=400)
def test_claims_contradict_one_another_when_no_way_to_place_the_cards_makes_them_true(situation: Situation):
    claims, places = situation
    assert contradictory(claims, places) is not all_true_somewhere(claims, places)


@exercises("REC-18", "WC-2")
@given(situations(classes=2))
@settings(max_examples=300)
def test_two_classes_of_cards_dealt_apart_are_counted_apart(situation: Situation):
    claims, places = situation
    assert contradictory(claims, places) is not all_true_somewhere(claims, places)


@exercises("REC-18")
@given(situations(), st.data())
@settings(max_examples=300)
def test_claims_outlive_as_many_plays_as_there_is_room_to_spare(situation: Situation, data: st.DataObject):
    claims, (place,) = situation
    denied: dict[int, int] = {}
    for claim in claims:
        denied[claim.seat] = denied.get(claim.seat, 0) | claim.cards
    spare = spare_room(denied, place)
    assert (spare < 0) is contradictory(claims, (place,))
    unseen = [card for card in range(MOST_CARDS) if place.unseen >> card & 1]
    for plays in range(1, sum(place.room) + 1):
        seat = data.draw(st.sampled_from([seat for seat, room in enumerate(place.room) if room]))
        card = unseen.pop(data.draw(st.integers(0, len(unseen) - 1)))
        room = tuple(left - (other == seat) for other, left in enumerate(place.room))
        place = Places(place.unseen & ~(1 << card), room)
        assert plays > spare or spare_room(denied, place) >= spare - plays


@exercises("REC-18")
@given(st.one_of(situations(), situations(classes=2)).filter(lambda drawn: contradictory(*drawn)))
@settings(max_examples=200)
def test_the_finding_names_the_smallest_set_of_claims_and_of_those_the_earliest(situation: Situation):
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
        ([(0, 0b111)], Places(0b111, (0, 2)), False),  # an empty hand denies nothing that matters
        ([(0, 0b001), (1, 0b001)], Places(0b111, (1, 1)), False),  # the card may lie aside
        ([(0, 0b001), (1, 0b001)], Places(0b111, (1, 2)), True),  # nothing lies aside
        ([(0, 0b011), (1, 0b011)], Places(0b111, (1, 1)), True),  # two cards, one place aside
    ],
)
def test_small_hands_counted_out(claims: list[tuple[int, int]], places: Places, contradict: bool):
    said = [Claim(seat, event, 1, cards, "revoke", "AT-5") for event, (seat, cards) in enumerate(claims)]
    assert contradictory(said, (places,)) is contradict


@exercises("REC-18")
def test_counting_convicts_nobody_it_names_suspects_and_the_acts():
    claims = [Claim(2, 7, 3, 1, "revoke", "AT-5"), Claim(0, 4, 2, 1, "trump-led", "WC-10")]
    finding = joint_finding(claims, (Places(0b11, (1, 1, 1)),), pack=decktet(), event=9)
    assert (finding.certainty, finding.seat, finding.suspects) == (Certainty.JOINT, None, (0, 2))
    assert (finding.claims, finding.event, finding.trick, finding.proved_by) == ((4, 7), 7, 3, (9,))
    assert finding.reason.clauses == ("AT-5", "WC-10", "REC-18")


@exercises("REC-18")
@given(st.one_of(situations(), situations(classes=2)).filter(lambda drawn: contradictory(*drawn)))
@settings(max_examples=200)
def test_the_argument_names_the_cards_that_all_suspects_deny_and_all_other_room(situation: Situation):
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
    assert finding.reason.sentence(("Ann", "Bob")).startswith("Bob did not follow with the Sea and now shows the Pact")
