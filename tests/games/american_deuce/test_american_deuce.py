"""American Deuce, clause by clause, from the President-Elect's deal to the next one's."""

from typing import Any

import pytest

from referee.engine.rules import Refused
from tests.referee.telling import Json, exercises, found, judged, known, telling_of

_hand, _refused = telling_of("american-deuce")
NAMED: list[Json] = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in enumerate("SHC")]
"""Seat 0 is President-Elect: Spades are trump, then Hearts, Clubs and Diamonds."""


def play(seat: int, cards: str, *, anyway: bool = False) -> Json:
    """Play cards."""
    event: Json = {"type": "play", "seat": seat, "cards": cards.split()}
    return event | ({"accepted": True} if anyway else {})


def passes(*seats: int) -> list[Json]:
    """Have these seats pass."""
    return [{"type": "pass", "seat": seat} for seat in seats]


def drop(king: int | None, **exchange: Any) -> Json:
    """Drop a deuce."""
    return {"type": "drop-deuce", "king": king, **exchange}


def result(*left: int) -> Json:
    """Record the rest of a round by the cards left."""
    return {"type": "result", "cards_left": list(left)}


def ad(*hands: Any, players: int = 4, dealer: int = 0, **more: Any) -> Json:
    """Judge a record of American Deuce."""
    return judged(*hands, game="american-deuce", players=players, dealer=dealer, **more)


def hand(*events: Any, players: int = 4, dealer: int = 0, **more: Any) -> Json:
    """Judge one round."""
    return _hand(*events, players=players, dealer=dealer, **more)


def refused(*events: Any, players: int = 4, dealer: int = 0, **more: Any) -> tuple[str, str]:
    """Judge one round whose last event is not taken."""
    return _refused(*events, players=players, dealer=dealer, **more)


# -- titles and deal --------------------------------------------------------------------------


@exercises("AD-2", "AD-3", "AD-4", "AD-Q21", "AD-Q25")
@pytest.mark.parametrize("president", range(4))
def test_the_first_president_elect_deals_thirteen_each_and_titles_go_clockwise(president: int):
    coming = ad(dealer=president)["next"]
    assert coming["dealer"] == president
    assert coming["seating"] == [(president + step) % 4 for step in range(4)]
    assert coming["hand_size"] == [13] * 4
    opened = hand(dealer=president)
    assert (opened["phase"], opened["to_act"], opened["cards_left"]) == ("suits", [president], [13] * 4)


@exercises("AD-2", "REC-5")
@pytest.mark.parametrize("card", ["joker", "Red Joker", "KD*"])
def test_the_special_cards_leave_the_game(card: str):
    assert refused(NAMED, {"type": "play", "seat": 0, "cards": [card]}) == ("impossible", "not-in-deck")


@exercises("AD-Q5", "AD-Q14", "AD-Q21")
@pytest.mark.parametrize(
    ("players", "sizes"),
    [(5, [20, 21, 21, 21, 21]), (6, [17, 18, 18, 17, 17, 17]), (7, [14, 15, 15, 15, 15, 15, 15]), (8, [13] * 8)],
)
def test_two_packs_are_dealt_out_and_the_president_elect_is_served_last(players: int, sizes: list[int]):
    assert ad(players=players)["next"]["hand_size"] == sizes
    even = [104 // players] * players
    assert ad(players=players, options={"deal": "even"})["next"]["hand_size"] == even


@exercises("AD-Q24")
@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_cannot_play(players: int):
    with pytest.raises(Refused, match="4 to 8"):
        ad(players=players)


@exercises("AD-5", "AD-4", "AD-Q22")
def test_president_vice_and_secretary_name_suits_in_turn_and_the_rest_is_lowest():
    assert hand(NAMED[:1])["to_act"] == [1]
    assert hand(NAMED[:2])["suit_order"] == ["S", "H"]
    done = hand(NAMED)
    assert (done["suit_order"], done["trump"], done["phase"]) == (["S", "H", "C", "D"], "S", "play")
    assert refused(NAMED[1]) == ("irregular", "out-of-turn")
    assert refused(NAMED[:1], {"type": "suit", "seat": 1, "suit": "S"}) == ("impossible", "bad-suit")


@exercises("AD-9", "AD-Q2")
def test_the_president_elect_makes_the_first_play_and_a_leader_may_not_pass():
    assert hand(NAMED)["to_act"] == [0]
    assert refused(NAMED, play(1, "3S")) == ("irregular", "out-of-turn")
    assert refused(NAMED, passes(0)) == ("impossible", "wrong-phase")


# -- drop a deuce -----------------------------------------------------------------------------


@exercises("AD-7", "AD-Q7", "AD-Q10")
@pytest.mark.parametrize("deuce", ["2S", "2D"])
def test_the_king_gives_any_deuce_he_chooses_and_asking_is_optional(deuce: str):
    assert found(hand(NAMED, drop(1, given=deuce, returned="3D"), play(0, "4S"))) == []
    assert found(hand(NAMED, play(0, "4S"))) == []
    assert refused(NAMED, drop(1, given="9S", returned="3D")) == ("irregular", "denied-deuce")


@exercises("AD-Q10", "AD-7")
def test_a_deuce_is_dropped_once_and_before_the_first_play():
    exchange = drop(1, given="2S", returned="3D")
    assert refused(NAMED, exchange, exchange) == ("impossible", "wrong-phase")
    assert refused(NAMED, play(0, "4S"), exchange) == ("impossible", "wrong-phase")


@exercises("AD-8", "AD-Q9")
def test_a_constipated_king_gives_any_card_and_may_draw_it_back():
    constipated = drop(1, constipated=True, given="9S", returned="9S")
    assert found(hand(NAMED, constipated, play(0, "4S"))) == []
    assert refused(NAMED, drop(1, constipated=True, given="2S", returned="3D")) == ("irregular", "denied-deuce")


@exercises("AD-8", "REC-17", "IR-12")
def test_a_deuce_shown_later_by_a_constipated_king_proves_that_it_was_denied():
    done = hand(NAMED, drop(1, constipated=True, given="9S", returned="3D"), play(0, "4S"), play(1, "2H"))
    assert found(done) == [("denied-deuce", "proved", 1)]
    offered = {remedy["code"]: remedy["clauses"] for remedy in done["irregularities"][0]["remedies"]}
    assert offered["redo-exchange"] == ["IR-12"]


@exercises("AD-Q8", "AD-7", "IR-12")
@pytest.mark.parametrize(("shown", "lower"), [("3C", True), ("3D", False), ("4S", False), ("3S", False)])
def test_the_lowest_card_is_lowest_by_rank_then_by_suit(shown: str, lower: bool):
    returned = "3H" if shown != "3D" else "3D"
    events = [*NAMED, drop(1, given="2S", returned=returned)]
    if returned == shown:
        events = [*NAMED, drop(1, given="2S", returned="4D")]
        assert found(hand(events, play(0, shown))) == [("not-lowest", "proved", 0)]
    else:
        expected = [("not-lowest", "proved", 0)] if lower else []
        assert found(hand(events, play(0, shown))) == expected


@exercises("AD-Q6")
def test_a_president_elect_who_holds_the_king_gets_nothing():
    for king in (0, None):
        assert found(hand(NAMED, drop(king), play(0, "KD"))) == []
    assert found(hand(NAMED, drop(None), play(0, "4S"), play(1, "KD"))) == [("king-elsewhere", "proved", 1)]


@exercises("AD-Q16")
@pytest.mark.parametrize(("card", "findings"), [("KD", []), ("KD*", [("king-elsewhere", "proved", 2)])])
def test_with_two_packs_only_the_king_of_the_trump_deck_obliges(card: str, findings: list):
    events = [*NAMED, drop(1, given="2S*", returned="?"), play(0, "4S"), *passes(1), play(2, card)]
    assert found(hand(events, players=5)) == findings


# -- beating and passing ----------------------------------------------------------------------


@exercises("AD-6", "AD-10", "AD-16", "AD-17", "AD-20", "AD-Q3", "AD-Q4", "AD-Q28", "AD-24")
@pytest.mark.parametrize(
    ("on", "cards", "code"),
    [
        ("AS", "2D", None),  # trump never beats a higher rank
        ("2D", "AS", "does-not-beat"),
        ("9H", "9S", None),
        ("9S", "9H", "does-not-beat"),
        ("9H 9C", "9S 9D", None),  # the pair with the higher suit
        ("3S 4S 5S 6S 7D", "3H 4H 5H 6H 7S", None),  # the suit of the highest card
        ("3H 4H 5H 6H 7S", "3S 4S 5S 6S 7D", "does-not-beat"),
        ("2S 3H 4H 5H 6H", "2H AS 3S 4S 5S", None),  # A2345 beats 23456 ...
        ("2S 3S 4H 5H 6H", "2H 3H 4S 5S 6S", "does-not-beat"),  # ... and the deuce's suit decides between equals
        ("3H 4H 5H 6H 7S", "QS KH AH 2S 3S", "no-combination"),
        ("3H 4H 5H 6H 7S", "KS AS 2H 3S 4S", "no-combination"),
        ("3H 4H 5H 6H 7S", "3S 5S 7H 9S JS", "no-combination"),
        ("3H 4H 5H 6H 7S", "4S 5S 7S 9S JS", "already-played"),
        ("3H 4H 5H 6H 7S", "4S 5S 8S 9S JS", None),  # a flush on a straight
        ("9H", "9S 9C", "does-not-beat"),
        ("9H", "3S 3H 3C 3D", None),  # a riot
        ("2S 2H 2C", "3S 3H 3C 3D", None),
    ],
)
def test_what_beats_what(on: str, cards: str, code: str | None):
    events = [*NAMED, play(0, on), play(1, cards)]
    if code is None:
        assert hand(events)["to_act"] == [2]
    else:
        verdict = "impossible" if code == "already-played" else "irregular"
        assert refused(events) == (verdict, code)


@exercises("AD-Q28")
def test_only_the_same_type_goes_on_it_where_the_table_says_so():
    events = [*NAMED, play(0, "3H 4H 5H 6H 7S"), play(1, "4S 5S 8S 9S JS")]
    assert refused(events, options={"same_type": True}) == ("irregular", "does-not-beat")
    riot = [*NAMED, play(0, "3H 4H 5H 6H 7S"), play(1, "9S 9H 9C 9D")]
    assert hand(riot, options={"same_type": True})["to_act"] == [2]


@exercises("AD-11", "AD-Q11", "AD-12")
def test_who_has_passed_is_out_until_the_next_trick_riots_included():
    events = [*NAMED, play(0, "9H"), *passes(1), play(2, "10H")]
    assert refused(events, play(3, "JH"), play(1, "3S 3H 3C 3D"))[1] == "passed"
    assert refused(NAMED, play(0, "9H"), play(2, "3S 3H 3C 3D")) == ("irregular", "out-of-turn")
    done = hand(events, *passes(3), *passes(0))
    assert (done["to_act"], done["tricks"][0]["winner"]) == ([2], 2)
    again = hand(events, *passes(3), *passes(0), play(2, "4H"), *passes(3), *passes(0), play(1, "5H"))
    assert again["to_act"] == [2]  # everybody is in again


@exercises("AD-Q1")
def test_every_leader_chooses_the_number_of_cards_unless_the_round_is_locked():
    events = [*NAMED, play(0, "9H"), *passes(1, 2, 3), play(0, "4S 4H")]
    assert hand(events)["to_act"] == [1]
    assert refused(events, options={"count_lock": "round"}) == ("irregular", "does-not-beat")


@exercises("AD-Q12", "AD-24")
@pytest.mark.parametrize(
    ("riot_lead", "refusal"), [("never", ("irregular", "riot-led")), ("always", None), ("quads-only", None)]
)
def test_when_a_riot_may_be_led(riot_lead: str, refusal: tuple[str, str] | None):
    options = {"riot_lead": riot_lead}
    left = [play(0, "3S"), *passes(1, 2, 3), play(0, "4S 4H 4C 4D")]  # thirteen cards: a single and three riots
    if refusal:
        assert refused(NAMED, left, options=options) == refusal
    else:
        assert found(hand(NAMED, left, options=options)) == []
    too_many = [play(0, "4S 4H 4C 4D")]  # nine cards would be left, which are no fours of a kind
    if riot_lead == "quads-only":
        assert refused(NAMED, too_many, options=options) == ("irregular", "riot-led")


@exercises("AD-Q26", "AD-23")
def test_the_flourish_of_the_royal_flush_may_be_forgotten():
    done = hand(NAMED, play(0, "9D 10D JD QD KD"), play(1, "3S 4S 5S 6S 7S", anyway=True))
    assert [code for code, _, _ in found(done)] == ["does-not-beat"]
    assert hand(NAMED, play(0, "9D 10D JD QD KD"))["irregularities"] == []


@exercises("AD-Q17", "AD-28")
@pytest.mark.parametrize(
    ("on", "cards", "beats"),
    [
        ("9S 9D", "9S* 9D*", True),  # the best single card: suit first, then deck
        ("9S* 9D", "9S 9H", False),
        ("9H 9H*", "9S 9D", True),
        ("9S 9H 9C", "9S* 9D 9D*", True),
    ],
)
def test_with_two_packs_equal_ranks_compare_by_their_best_card(on: str, cards: str, beats: bool):
    events = [*NAMED, play(0, on), play(1, cards)]
    if beats:
        assert hand(events, players=5)["to_act"] == [2]
    else:
        assert refused(events, players=5) == ("irregular", "does-not-beat")


@exercises("AD-Q18", "AD-Q20", "AD-30")
@pytest.mark.parametrize(
    ("on", "cards", "options", "beats"),
    [
        ("9S 9H 9C 9D", "9S* 9C* 9H* 9D*", {}, True),  # two mixed riots: the best card
        ("9S 9H 9C 9D*", "9S* 9H* 9C* 9D", {"riot_equal": "never"}, False),
        ("9S* 9H 9C 9D", "9H* 9D* 9H 9D", {}, None),
        ("9S* 9S 9H 9C", "9H* 9D* 9D 9C*", {}, False),
        ("9S 9S* 9C 9H", "9H* 9D 9D* 9C*", {"riot_equal": "never"}, False),
    ],
)
def test_with_two_packs_equal_riots_compare_by_colour_and_best_card(on, cards, options, beats):
    events = [*NAMED, play(0, "3S"), play(1, on), play(2, cards)]
    if beats is None:
        assert refused(events, players=5, options=options) == ("impossible", "already-played")
    elif beats:
        assert hand(events, players=5, options=options)["to_act"] == [3]
    else:
        assert refused(events, players=5, options=options) == ("irregular", "does-not-beat")


@exercises("AD-Q20", "AD-30", "AD-29")
def test_under_five_of_a_kind_only_riots_of_one_colour_are_played():
    five = [*NAMED, play(0, "9S 9S* 9H 9H* 9C")]
    assert refused(five, play(1, "KS KH KC KD"), players=5) == ("irregular", "does-not-beat")
    black = hand(five, play(1, "5S 5C 5S* 5C*"), players=5)
    assert black["to_act"] == [2]
    assert refused(five, play(1, "5S 5C 5S* 5C*"), play(2, "KS KH KC KD"), players=5)[1] == "does-not-beat"


# -- the end of a round -----------------------------------------------------------------------

OUT = [
    *NAMED, play(0, "3D 4D 5C 6C 7C"), *passes(1, 2, 3), play(0, "4C 8C 9C 10C JC"), *passes(1, 2, 3),
    play(0, "QC QD QH"),
]  # fmt: skip


@exercises("AD-13", "AD-Q13", "AD-14")
def test_the_round_is_over_when_somebody_is_out_whatever_others_could_still_play():
    answer = ad(OUT)
    done = answer["hands"][0]
    assert (done["phase"], done["to_act"], done["cards_left"]) == ("finished", [], [0, 13, 13, 13])
    assert done["tricks"][-1]["winner"] == 0
    assert answer["next"]["dealer"] == 0
    assert done["scores"] == [117, -39, -39, -39]


@exercises("AD-13", "AD-14", "AD-4")
def test_the_winner_is_the_new_president_elect_and_titles_move_with_the_seat():
    answer = ad([result(1, 2, 0, 3)], [])
    assert (answer["hands"][1]["dealer"], answer["hands"][1]["seating"]) == (2, [2, 3, 0, 1])
    assert answer["hands"][1]["to_act"] == [2]


@exercises("AD-27", "AD-Q27", "AD-26")
def test_the_game_ends_at_270_which_one_player_at_most_reaches():
    rounds = [[result(0, 13, 13, 13)]] * 3
    assert not ad(*rounds[:2])["finished"]
    answer = ad(*rounds)
    assert answer["end"] == {"kind": "score", "value": 270}
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([351, -117, -117, -117], True, [0])
    for each in answer["hands"]:
        assert [points > 0 for points in each["scores"]].count(True) == 1


@exercises("AD-Q15", "AD-25")
@pytest.mark.parametrize(
    ("bands", "left", "points"),
    [("flat", 10, -20), ("flat", 9, -9), ("flat", 21, -63), ("scaled", 16, -16), ("scaled", 17, -34),
     ("scaled", 21, -63)],
)  # fmt: skip
def test_penalty_bands_of_unequal_hands(bands: str, left: int, points: int):
    done = hand(result(0, left, 1, 1, 1), players=5, options={"bands": bands})
    assert done["scores"][1] == points


@exercises("AD-A2", "AD-Q23")
@pytest.mark.parametrize(
    ("reseat", "seating"), [("no", [0, 1, 2, 3]), ("round", [0, 3, 1, 2]), ("total", [0, 2, 3, 1])]
)
def test_seats_change_by_the_round_or_by_totals(reseat: str, seating: list[int]):
    first = [result(0, 2, 5, 1)]
    answer = ad(first, options={"reseat": reseat}, carried=[0, -50, 50, 10])
    assert answer["next"]["seating"] == seating


@exercises("AD-A2", "AD-Q23")
def test_equal_losers_keep_the_old_order_from_the_new_presidents_left():
    answer = ad([result(3, 0, 3, 1)], options={"reseat": "round"})
    assert answer["next"]["seating"] == [1, 3, 2, 0]


@exercises("AD-Q8", "REC-8")
def test_an_entered_hand_shows_the_lowest_card_at_once():
    cards = "3D 4D 5C 6C 7C 4C 8C 9C 10C JC QC QD QH"
    events = [*NAMED, drop(1, given="2S", returned="4D")]
    answer = ad(known(events, s0=cards))
    assert answer["rejected"]["reason"]["code"] == "not-lowest"
    assert ad(known([*NAMED, drop(1, given="2S", returned="3D")], s0=cards))["rejected"] is None
