"""The clauses, house rules and worked cases of Hearts."""

from typing import Any

import pytest

from referee.engine.records import load_record, replay
from referee.engine.rules import Refused
from referee.games.hearts.game import GAME as HEARTS
from tests.games.hearts.telling import DEALT, answers, hand, judged, moon, passes, refused, took
from tests.referee.api.conftest import Api
from tests.referee.telling import REDEAL, Json, exercises, found, known, penalty, plays, told, transfer, trick

TRICK_ONE = plays("3:2C 0:5C 1:KC 2:AC")


@exercises("HE-1", "HE-2", "HE-11")
@pytest.mark.parametrize(("players", "each", "out"), [(3, 17, {"2D"}), (4, 13, set()), (5, 10, {"2D", "2C"})])
def test_everyone_gets_the_same_number_of_cards(players, each, out):
    rules = HEARTS.rules({}, players)
    assert HEARTS.first(rules, 0).sizes == (each,) * players
    assert {"2D", "2C"} - set(rules.pack.codes) == out
    dealt = judged([took(26, *(0,) * (players - 1))], players=players, dealer=1)
    assert dealt["next"]["dealer"] == 2


@exercises("HE-2")
def test_the_kitty_and_its_points_go_to_the_winner_of_the_first_trick():
    told = [trick(1, points={"1": 0}), *(trick(0, points={"0": points}) for points in (13, 2, 2, 2, 2, 2, 2, *[0] * 9))]
    lines = hand(told, players=3, options={"leftover": "kitty", "moon": "none"})["score_lines"]
    assert [(line["seat"], line["points"], line["reason"]["clauses"]) for line in lines] == [
        (0, 25, ["HE-9"]), (1, 1, ["HE-2"]),
    ]  # fmt: skip
    assert hand(plays("0:9C"), players=3, options={"leftover": "kitty"})["irregularities"] == []
    assert refused(plays("0:9D"), players=3, options={"leftover": "kitty"}) == ("irregular", "wrong-opening")


@exercises("HE-3")
@pytest.mark.parametrize(
    ("players", "options", "ways"),
    [
        (4, {}, ["left", "right", "across", None, "left"]),
        (3, {}, ["left", "right", None, "left"]),
        (5, {}, ["left", "right", None, "left"]),
        (4, {"passing": "left"}, ["left", "left"]),
        (4, {"passing": "none"}, [None, None]),
    ],
)
def test_the_passing_direction_rotates_by_finished_hands(players, options, ways):
    asked = {"players": players, "options": options}
    assert [answers("deal", hand=number, **asked)["pass_to"] for number, _ in enumerate(ways, 1)] == ways


@exercises("HE-3")
def test_a_void_hand_is_dealt_again_with_its_direction():
    hands = [took(26, 0, 0, 0)], [REDEAL], [*TRICK_ONE]
    answer = judged(*hands)
    assert [each["pass_to"] for each in answer["hands"]] == [[1, 2, 3, 0], [3, 0, 1, 2], [3, 0, 1, 2]]


@exercises("HE-3")
def test_passing_ends_with_the_last_pass_or_the_first_card():
    assert hand(passes(0, "QS KS AS"))["to_act"] == [1, 2, 3]
    assert hand(passes(0, "QS KS AS"), TRICK_ONE)["phase"] == "play"
    every = [passes(0, "QS KS AS"), passes(1, "2S 3S 4S"), passes(2, "5S 6S 7S"), passes(3, "8S 9S 10S")]
    assert hand(every)["phase"] == "play"
    assert refused(TRICK_ONE, passes(0, "QS KS AS")) == ("impossible", "wrong-phase")


@exercises("HE-3")
def test_a_pass_must_be_valid():
    assert refused(passes(0, "QS KS")) == ("impossible", "wrong-count")
    assert hand(passes(0, "QS KS"), options={"pass_count": 2})["phase"] == "passing"
    assert refused(passes(0, "QS KS QS")) == ("impossible", "already-played")
    assert refused(passes(0, "QS KS AS"), passes(1, "QS 2S 3S")) == ("impossible", "already-played")
    assert refused(passes(0, "QS KS 0S")) == ("impossible", "not-in-deck")
    assert refused(passes(0, "QS ? ?"), passes(0, "2S 3S 4S")) == ("impossible", "wrong-phase")


@exercises("HE-3")
def test_passed_cards_belong_to_the_receiver():
    given = passes(0, "QS 2C AS")
    assert hand(given, plays("1:2C"))["to_act"] == [2]
    assert refused(given, plays("0:2C")) == ("impossible", "not-in-hand")
    assert refused(given, plays("1:2C 2:3C 3:QS")) == ("impossible", "not-in-hand")
    # The receiver of a club is known to hold one, so not following is a revoke at once.
    got = [passes(0, "QS 9C AS"), *plays("3:2C 0:5C 1:KD")]
    assert refused(got) == ("irregular", "revoke")


@exercises("HE-3")
def test_entered_hands_are_the_hands_before_passing_if_all_passes_are_recorded():
    every = [passes(0, "4C 9C KC"), passes(1, "AC 3C 7C"), passes(2, "8C 10C JC"), passes(3, "2C 5C 6C")]
    answer = judged(known([*every, *plays("0:2C")], **DEALT))
    assert answer["rejected"] is None
    first = judged(known([*every, *plays("3:2C")], **DEALT))
    assert first["rejected"]["reason"]["code"] == "not-in-hand"
    begun = judged(known(plays("3:2C"), **DEALT))
    assert begun["rejected"] is None
    assert begun["hands"][0]["to_act"] == [0]
    # An unrecorded card leaves both hands unknown, and Ann's passed cards with Bob
    half = [passes(0, "4C 9C KC"), passes(1, "AC 3C 7C"), passes(2, "? ? ?"), passes(3, "2C 5C 6C")]
    assert judged(known([*half, *plays("0:2C 1:9C")], **DEALT))["rejected"] is None
    strange = judged(known([passes(0, "AC 3C 4C")], **DEALT))
    assert strange["rejected"]["reason"]["code"] == "not-in-hand"


@exercises("HE-4")
def test_the_two_of_clubs_leads_from_any_seat():
    assert hand(plays("2:2C"))["to_act"] == [3]
    assert refused(plays("2:3C")) == ("irregular", "wrong-opening")
    assert hand(plays("2:3C!"))["tricks"][0]["leader"] == 2
    assert hand(plays("2:3C"), players=5)["tricks"][0]["leader"] == 2
    assert refused(plays("2:2C"), players=5) == ("impossible", "not-in-deck")
    entered = judged(known(plays("0:4C"), **DEALT))
    assert entered["rejected"]["reason"]["code"] == "out-of-turn"


@exercises("HE-4")
def test_the_dealers_left_leads_by_the_house_rule():
    left = {"options": {"opening": "left"}}
    assert hand(plays("0:9D"), **left)["to_act"] == [1]
    assert refused(plays("1:9D"), **left) == ("irregular", "out-of-turn")
    costly = hand(plays("0:5H 1:6H 2:7H 3:8H 3:2C 0:3C"), **left)
    assert found(costly) == [("points-first-trick", "proved", 0)]


@exercises("HE-5", "HE-9")
def test_the_fourth_card_takes_the_queen():
    told = answers("trick", plays=[{"cards": [card]} for card in ("KS", "4S", "QS", "AS")])
    assert (told["winner"], told["points"]) == (3, 13)
    played = hand(TRICK_ONE, plays("2:KS 3:4S 0:QS 1:AS"))
    assert played["tricks"][1]["points"] == {"1": 13}
    assert (played["points_taken"], played["scores"]) == ([0, 13, 0, 0], [0, 13, 0, 0])


@exercises("HE-8")
def test_no_points_are_played_to_the_first_trick():
    def may(*cards: str, **more: Any) -> list[str]:
        return answers("legal", hand=list(cards), led_card="2C", first_trick=True, **more)["legal"]

    assert may("5H", "QS", "3D", "JD") == ["3D", "JD"]
    assert may("5H", "QS") == ["5H", "QS"]
    assert may("5H", "QS", "3D", options={"first_trick": "free"}) == ["5H", "QS", "3D"]
    later = plays("3:2C 0:5H 1:KC 2:AC 2:2D 3:3D 0:4D")
    (costly,) = hand(later)["irregularities"]
    assert (costly["code"], costly["certainty"], costly["event"]) == ("points-first-trick", "proved", [0, 1])
    both = hand(plays("3:2C 0:5H 1:KC 2:AC 2:3C 3:4C 0:6C"))
    assert found(both) == [("revoke", "proved", 0)]


@exercises("HE-6", "HE-7")
def test_hearts_are_led_once_they_are_broken():
    def may(*cards: str, **more: Any) -> list[str]:
        return answers("legal", hand=list(cards), led_card=None, **more)["legal"]

    assert may("4H", "9H", "QS") == ["QS"]
    assert may("4H", "9H") == ["4H", "9H"]
    assert may("4H", "9H", "QS", broken=True) == ["4H", "9H", "QS"]
    assert may("4H", "QS", options={"hearts_lead": "free"}) == ["4H", "QS"]
    early = hand(TRICK_ONE, plays("2:4H 3:5H 0:6H 1:7H 1:2D 2:3D"))
    assert found(early) == [("hearts-led", "proved", 2)]
    assert early["broken"] is True


@exercises("HE-7")
@pytest.mark.parametrize(("value", "broken"), [("heart", False), ("queen", True)])
def test_the_queen_breaks_hearts_only_by_the_house_rule(value, broken):
    told = plays("2:KD 3:QS 0:3D 1:4D")
    assert hand(TRICK_ONE, told, options={"breaks": value})["broken"] is broken
    assert hand(TRICK_ONE, told[:2], options={"breaks": value})["broken"] is False


def test_the_queen_rule_is_refused_if_hearts_need_no_breaking():
    with pytest.raises(Refused):
        HEARTS.rules({"breaks": "queen", "hearts_lead": "free"}, 4)


@exercises("HE-6")
@pytest.mark.parametrize(("points", "broken"), [(None, None), (0, False), (13, False), (2, True)])
def test_a_trick_without_cards_may_have_broken_hearts(points, broken):
    told = trick(2) if points is None else trick(2, points={"2": points})
    played = hand(told)
    assert (played["broken"], played["tricks"][0]["points"]) == (broken, {} if points is None else {"2": points})
    assert played["points_taken"][2] == points
    assert ("broken-unknown" in [each["code"] for each in played["unchecked"]]) is (broken is None)


@exercises("HE-9")
def test_the_jack_of_diamonds_subtracts_ten_points():
    ten = {"options": {"jack": "ten"}}
    assert hand(TRICK_ONE, plays("2:KD 3:JD 0:3D 1:4D"), **ten)["scores"] == [0, 0, -10, 0]
    assert hand(took(3, 5, 4, 4), **ten)["scores"] == [3, 5, 4, 4]
    assert hand(took(26, -10, 0, 0), **ten)["scores"] == [0, 16, 26, 26]
    assert hand(took(16, 0, 0, 0), **ten)["scores"] == [-10, 26, 26, 26]
    assert refused(took(26, 0, 0, 0), **ten) == ("impossible", "bad-result")


@exercises("HE-9", "HE-10")
def test_shooting_the_moon_is_detected():
    assert hand(took(26, 0, 0, 0))["scores"] == [0, 26, 26, 26]
    assert hand(took(26, 0, 0, 0))["moon"] == 0
    for value, scores in (("subtract", [-26, 0, 0, 0]), ("none", [26, 0, 0, 0])):
        assert hand(took(26, 0, 0, 0), options={"moon": value})["scores"] == scores
    assert refused(took(7, 7, 6, 6)) == ("impossible", "bad-result")
    assert refused(took(0, 26, 26, 26)) == ("impossible", "bad-result")
    assert refused({"type": "result", "tricks": [13, 0, 0, 0]}) == ("impossible", "bad-result")


@exercises("HE-10")
def test_the_shooter_chooses_how_the_moon_scores():
    choice = {"options": {"moon": "choice"}}
    waiting = hand(took(0, 26, 0, 0), **choice)
    assert (waiting["phase"], waiting["to_act"], waiting["moon"]) == ("moon", [1], 1)
    assert waiting["scores"] == [None] * 4
    assert hand(took(0, 26, 0, 0), moon(1, subtract=True), **choice)["scores"] == [0, -26, 0, 0]
    assert hand(took(0, 26, 0, 0), moon(1, subtract=False), **choice)["scores"] == [26, 0, 26, 26]
    assert refused(took(0, 26, 0, 0), moon(0, subtract=True), **choice) == ("irregular", "out-of-turn")
    assert refused(took(0, 13, 13, 0), moon(1, subtract=True), **choice) == ("impossible", "hand-finished")


@exercises("HE-11")
def test_the_game_ends_when_a_player_reaches_100():
    answer = judged([took(6, 13, 0, 7)], carried=[95, 60, 71, 60], end={"kind": "score", "value": 100})
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([101, 73, 71, 67], True, [3])
    assert not judged([took(4, 13, 2, 7)], carried=[95, 60, 71, 60])["finished"]
    assert str(HEARTS.end.value) == "100"


@exercises("HE-12")
def test_a_tie_is_shared_or_played_on():
    told = {"end": {"kind": "hands", "value": 1}}
    shared = judged([took(13, 13, 0, 0)], **told)
    assert (shared["finished"], shared["winners"]) == (True, [2, 3])
    on = {**told, "options": {"tie": "play-on"}}
    assert judged([took(13, 13, 0, 0)], **on)["next"]["number"] == 2
    assert judged([took(13, 13, 0, 0)], [took(0, 0, 26, 0)], **on)["winners"] == [2]


def test_points_the_cards_cannot_make_are_refused():
    assert refused(trick(0, points={"0": 5})) == ("impossible", "bad-result")
    assert refused(trick(0, points={"1": 4})) == ("impossible", "bad-result")
    assert refused(trick(0, points={"0": 13}), trick(0, points={"0": 13})) == ("impossible", "bad-result")
    assert refused(trick(0, points={"0": 13}), plays("0:2D 1:3D 2:QS")) == ("impossible", "already-played")
    assert refused(TRICK_ONE, plays("2:KS 3:4S 0:QS 1:AS"), took(26, 0, 0, 0)) == ("impossible", "bad-result")
    assert refused(transfer(0, 1, 1)) == ("impossible", "wrong-phase")


def test_the_only_trick_with_unknown_points_gets_the_remainder():
    known_ones = [trick(1, points={"1": points}) for points in (0, 13, 4, 4, 1, *[0] * 7)]
    told = hand(trick(0), known_ones)
    assert (told["phase"], told["scores"]) == ("finished", [4, 22, 0, 0])
    open_ones = hand(trick(0), trick(2), known_ones[1:])
    assert (open_ones["phase"], open_ones["to_act"], open_ones["scores"]) == ("play", [], [None] * 4)
    assert refused(trick(0), trick(2), known_ones[1:], trick(0)) == ("impossible", "wrong-phase")
    assert hand(trick(0), trick(2), known_ones[1:], took(1, 22, 3, 0))["scores"] == [1, 22, 3, 0]


REVOKE = [*plays("3:2C 0:5C 1:KD 2:AC"), *plays("2:3C 3:4C 0:6C 1:7C")]


@exercises("HE-R1")
def test_a_revoke_costs_every_point_of_the_hand():
    def fines(*events: Json) -> list[tuple[int, int]]:
        state: Any = replay(load_record(told([*REVOKE, *events], game="hearts", players=4))).table.hand
        return [(each.seat, each.points) for each in state.carry_out("hand-zero", state.irregularities[0], "")]

    assert fines(took(4, 2, 13, 7)) == [(0, -4), (1, 24), (2, -13), (3, -7)]
    assert fines(took(0, 26, 0, 0)) == [(0, -26), (1, 26), (2, -26), (3, -26)]
    assert fines(took(26, 0, 0, 0)) == [(2, -26), (3, -26)]
    assert fines(took(4, 2, 20, 0)) == [(0, -4), (1, 24), (2, -20)]
    with pytest.raises(Refused):
        HEARTS.rules({"revoke": "bridge"}, 4)


@exercises("HE-R2")
@pytest.mark.parametrize(
    ("said", "ruling", "remedies"),
    [
        ({"what": "wrong", "led": "no"}, "pass-again", ["choose-again", "note"]),
        ({"what": "wrong", "led": "yes", "right-number": "yes"}, "hands-stand", ["note"]),
        ({"what": "wrong", "led": "yes", "right-number": "no"}, "misdealt", ["redeal", "note"]),
        ({"what": "looked"}, "looked-first", ["note", "warn"]),
    ],
)
def test_a_wrong_pass_is_ruled_on_by_questions(said, ruling, remedies):
    asked = {"game": "hearts", "situation": "passed-wrong", "answers": said}
    told = Api().post("referee/guide/", asked).json()
    assert told["ruling"]["code"] == ruling
    assert "HE-R2" in told["ruling"]["clauses"]
    assert [each["code"] for each in told["remedies"]] == remedies


def test_a_penalty_is_added_to_the_score():
    assert hand(took(4, 2, 13, 7), penalty(1, 10))["scores"] == [4, 12, 13, 7]


@exercises("HE-R1")
@pytest.mark.parametrize(
    ("situation", "events", "points", "seat"),
    [
        ("revoke", REVOKE, (13, 0, 0, 13), 1),
        ("hearts-led", [*TRICK_ONE, *plays("2:4H 3:5H 0:6H 1:7H 1:2D 2:3D 3:4D 0:5D")], (0, 4, 22, 0), 2),
        ("points-first-trick", plays("3:2C 0:5H 1:KC 2:AC 2:2D 3:3D 0:4D 1:5D"), (0, 12, 14, 0), 0),
    ],
)
def test_a_guided_ruling_names_its_cost(situation, events, points, seat):
    record = told([*events, took(*points)], game="hearts", players=4)
    said = {"who": seat, "trick": 2 if situation == "hearts-led" else 1}
    asked = {"record": record, "situation": situation, "answers": said}
    answer = Api().post("referee/guide/", asked).json()
    assert answer["ruling"]["code"] == "pay", answer
    codes = [each["code"] for each in answer["remedies"]]
    assert codes[0] == "hand-zero"
    assert "bridge" not in codes


def test_equity_compensates_with_fewer_points_where_the_lowest_total_wins():
    """With the club Bob kept back he would have won the first trick and led the second, so the loss is unknowable."""
    record = load_record(told([*REVOKE, took(4, 2, 13, 7)], game="hearts", players=4))
    state: Any = replay(record).table.hand
    assert state.owed(state.irregularities[0], record.hands[0].events).code == "equity-unseen"
