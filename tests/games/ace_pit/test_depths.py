"""Ace Pit at other recording depths, and with hidden points."""

import json
import re
from itertools import permutations
from random import Random
from typing import Any

import pytest

from referee.engine.adjudication import describe_replay
from referee.engine.events import Play
from referee.engine.records import Replay, load_record, replay
from referee.engine.texts import ENGLISH
from referee.games.ace_pit.game import GAME
from referee.games.ace_pit.sets import can_be_made
from referee.notation import write_sheet, write_text
from referee.packs import french
from tests.games.ace_pit import oracle
from tests.games.ace_pit.telling import hand, refused, result, trick
from tests.referee.telling import END, NAMES, Json, exercises, penalty, plays, refusal, told

# --- A hand of Ace Pit recorded by tricks, or by its result alone (REC-11)


@exercises("REC-11", "AP-13")
@pytest.mark.parametrize(
    ("event", "options"),
    [
        ({"type": "trick", "winner": 0}, {}),
        ({"type": "trick", "winner": 0, "points": {}}, {}),
        (trick(0, 10, key=1), {}),
        ({"type": "trick", "winner": 0, "points": {"0": 10, "1": 0}}, {}),
        (trick(0, 20), {}),
        (trick(0, 60), {}),
        (trick(0, 50), {"ace_lead": 60}),
        (trick(1, 10), {}),
        (trick(1, 35), {}),
        (trick(1, 170), {"ace_pit_once": True}),
        (trick(1, -15), {}),
        (trick(1, 60), {}),
        (trick(1, 150), {"fork_spoon": False, "ace_pit_once": True}),
        ({"type": "result", "tricks": [4, 3]}, {}),
        (result(70), {}),
        (result(70, 0, 0), {}),
        (result(72, 0), {}),
        (result(80, -10), {}),
        (result(60, 5), {}),
    ],
)
def test_impossible_points_are_refused(event: Json, options: Json):
    assert refused(event, options=options) == ("impossible", "bad-result")


def test_a_trick_without_cards_has_points_but_no_trump():
    only = hand(trick(1, 145))
    entry = only["tricks"][0]
    assert (entry["plays"], entry["winner"], entry["points"], entry["reason"]["lines"]) == ([], 1, {"1": 145}, [])
    assert (only["scores"], only["cards_left"], only["to_act"]) == ([0, 145], [6, 6], [1])
    assert [each["code"] for each in only["unchecked"]] == ["hands-unknown", "tricks-without-cards"]
    assert refused(trick(0, 10) | {"trump": "S"}) == ("impossible", "bad-suit")
    assert refused(trick(0, 10) | {"last": "ZZ"}) == ("impossible", "not-in-deck")
    assert refused(plays("0:8H 1:3C"), trick(0, 10) | {"last": "8H"}) == ("impossible", "already-played")
    assert hand(trick(0, 10) | {"trump": None, "last": "8H"})["tricks_won"] == [1, 0]


@exercises("REC-11")
def test_a_result_counts_the_points_of_the_whole_hand():
    before = plays("0:8H 1:9H 1:2C 0:5D")
    only = hand(before, result(20, 65))
    assert (only["scores"], only["cards_left"], only["tricks_won"]) == ([20, 65], [0, 0], [None, None])
    assert [(line["seat"], line["points"]) for line in only["score_lines"]] == [(1, 15), (1, 10), (0, 20), (1, 40)]
    assert refused(before, result(60, 20)) == ("impossible", "bad-result")
    assert refused(before, result(25, 45)) == ("impossible", "bad-result")
    # five tricks for 50 points are five of 10 each: 25 for each player is impossible
    assert refused(before, result(25, 50)) == ("impossible", "bad-result")
    assert hand(before, result(20, 55))["phase"] == "finished"
    assert hand(before, result(25, 65))["phase"] == "finished"


SIX = plays("0:8H 1:3C 0:9H 1:3D 0:10H 1:3S 0:2C 1:JC 0:4S 1:JD 0:5S 1:JH")
"""Six tricks the leader wins with a Throw Away: 60 points for seat 0, and one card left for each."""
WITHOUT_CARDS = [trick(0, 10)] * 6


@exercises("REC-11", "AP-Q11")
@pytest.mark.parametrize("before", [SIX, WITHOUT_CARDS])
@pytest.mark.parametrize("options", [{}, {"free_pairs": True}, {"spoon_beats_ace": True, "ace_pit_once": True}])
def test_in_the_last_trick_a_response_is_one_card(before: list[Json], options: Json):
    for worth in (15, 20, 50, 70, 85):
        assert hand(before, trick(1, worth), options=options)["scores"] == [60, worth]
        assert hand(before, result(60, worth), options=options)["scores"] == [60, worth]
    for worth in (25, 30, 35, 40, 65, 75, 80, 95, 115, 130, 145, 150, 165, 170):
        assert refused(before, trick(1, worth), options=options) == ("impossible", "bad-result")
        assert refused(before, result(60, worth), options=options) == ("impossible", "bad-result")
        assert refused(before, result(60 + worth, 0), options=options) == ("impossible", "bad-result")
    assert hand(WITHOUT_CARDS[:5], trick(1, 95))["scores"] == [50, 95]


@exercises("REC-11", "AP-13")
def test_both_players_cannot_score_in_one_trick():
    assert refused(SIX, result(70, 15)) == ("impossible", "bad-result")
    assert hand(SIX, result(70, 0))["scores"] == [70, 0]
    assert refused(WITHOUT_CARDS[:5], result(75, 25)) == ("impossible", "bad-result")  # the 25 of a Pin come before
    assert hand(WITHOUT_CARDS[:5], result(65, 25))["scores"] == [65, 25]
    assert refused(WITHOUT_CARDS[:5], result(65, 25 + 20)) == ("impossible", "bad-result")


@exercises("REC-11", "AP-Q8")
@pytest.mark.parametrize(("lead", "fits"), [(50, False), (60, True), (10, False)])
def test_the_points_of_a_laid_ace_count_in_the_result(lead: int, fits: bool):
    only = [*SIX, result(120, 0)]
    if fits:
        assert hand(only, options={"ace_lead": lead})["scores"] == [120, 0]
    else:
        assert refused(only, options={"ace_lead": lead}) == ("impossible", "bad-result")


@exercises("REC-11", "AP-15")
@pytest.mark.parametrize("left", [1, 2, 3, 7])
@pytest.mark.parametrize(
    "options",
    [{}, {"free_pairs": True}, {"ace_lead": 60, "ace_pit_once": True}, {"fork_spoon": False, "spoon_beats_ace": True}],
)
def test_a_result_is_accepted_only_if_some_tricks_can_give_it(left: int, options: Json):
    rules = dict(GAME.rules(options, 2).options)
    own = {key: rules[key] for key in oracle.OPTIONS}
    made = [(a, b) for a in range(0, 560, 5) for b in range(0, 350, 5)]
    for leader, some in ((0, made[:: 13 * left * left]), (1, made[:: 17 * left * left])):
        for each in some:
            expected = oracle.can_be_made(own, list(each), left, leader)
            assert can_be_made(each, rules, tricks=left, leader=leader) is expected, (each, leader)


@exercises("AP-2", "AP-10", "AP-20")
def test_a_hand_has_only_four_aces():
    laid = [trick(0, 50)] * 4
    assert refused(laid, trick(0, 50)) == ("impossible", "bad-result")
    assert hand(laid, trick(0, 10))["scores"] == [210, 0]
    assert hand(laid, trick(1, 50))["scores"] == [200, 50]  # a Double Fork with a Flush needs none
    assert refused(laid, trick(1, 85)) == ("impossible", "bad-result")
    assert refused(laid, plays("0:AH")) == ("impossible", "already-played")
    assert refused(laid[:3], plays("0:AH 1:AS")) == ("impossible", "already-played")
    seen = plays("0:AH 1:AS 1:AC 0:AD")
    assert refused(seen, trick(0, 50)) == ("impossible", "bad-result")
    assert hand(seen, trick(0, 10))["scores"] == [80, 70]
    assert refused(seen, result(80, 70 + 170)) == ("impossible", "bad-result")
    reason = refusal(laid, trick(0, 50), game="ace-pit", players=2)["reason"]
    assert reason["text"] == "The cards that are left can’t score 50 in this trick."


@exercises("AP-15", "REC-11")
def test_winning_every_trick_makes_no_more_than_the_aces_allow():
    assert refused(result(0, 350), dealer=0) == ("impossible", "bad-result")
    assert refused(result(0, 235), dealer=0) == ("impossible", "bad-result")
    assert hand(result(0, 230), dealer=0)["scores"] == [0, 230]
    assert hand(result(30, 40))["scores"] == [30, 40]  # a lead by the wrong player may have been accepted


@exercises("AP-11", "AP-19")
def test_points_need_cards_that_are_left():
    # 85 is an Ace on the king of its suit; with all kings seen it is impossible
    kings = plays("0:KH 1:KS 1:KD 0:KC")
    assert refused(kings, trick(1, 85)) == ("impossible", "bad-result")
    assert hand(kings[:2], trick(0, 85))["scores"] == [85, 20]


@pytest.mark.parametrize("options", [{}, {"free_pairs": True, "ace_lead": 60}, {"spoon_beats_ace": True}])
def test_small_hands_match_brute_force(options: Json):
    rules = dict(GAME.rules(options, 2).options)
    own = {key: rules[key] for key in oracle.OPTIONS}
    cards = french().cards
    for seed in range(4):
        deck = Random(seed).sample(range(52), 5)
        gone = french().everything & ~french().mask(deck)
        sums: dict[tuple[int, int], None] = {}
        for order in permutations(deck):  # a lead and a response of one or two cards, then one card each
            for count in (1, 2):
                codes = [cards[card].code for card in order]
                first = oracle.responder_lines(own, codes[0], codes[1 : 1 + count])
                if first is None:
                    continue
                last = oracle.responder_lines(own, codes[1 + count], [codes[2 + count]])
                won = [sum((first or oracle.leader_lines(own, codes[0])).values())]
                won.append(sum((last or oracle.leader_lines(own, codes[1 + count])).values()))
                points, leader = [0, 0], 1 if first else 0
                points[leader] += won[0]
                points[1 - leader if last else leader] += won[1]
                sums[points[0], points[1]] = None
        for each in sums:
            assert can_be_made(each, rules, tricks=2, gone=gone), (seed, each)
        able = {sum(points) for points in sums}
        for total in range(20, 360, 5):
            some = any(can_be_made((a, total - a), rules, tricks=2, gone=gone) for a in range(0, total + 5, 5))
            assert some <= (total in able), (seed, total)


def test_unchecked_parts_are_reported():
    only = hand(WITHOUT_CARDS, result(60, 15))
    told = {each["code"]: each["text"] for each in only["unchecked"]}
    assert list(told) == ["hands-unknown", "tricks-without-cards", "result-only"]
    assert all("which ones is not checked" in told[code] for code in list(told)[1:])


@exercises("REC-11", "AP-Q11", "AP-12", "AP-13")
@pytest.mark.parametrize(
    ("event", "clauses", "text"),
    [
        (trick(1, 95), "AP-Q11", "In the last trick the response is a single card, and no single card scores 95."),
        (trick(1, 35), "AP-13", "No response scores 35."),
        (trick(0, 20), "AP-12 AP-Q8", "A leader who wins can’t score 20 in a trick."),
        (result(60, 95), "AP-13 AP-Q11", "With 1 trick left, one player can’t score 0 and the other 95."),
    ],
)
def test_a_refusal_names_the_impossible_value(event: Json, clauses: str, text: str):
    reason = refusal(SIX, event, game="ace-pit", players=2)["reason"]
    assert (reason["clauses"], reason["text"]) == ([*clauses.split(), "REC-11"], text)


def test_pages_offer_only_possible_points():
    def offered(*events: Json) -> tuple[tuple[str, ...], int, int]:
        at = replay(load_record(told(list(events), game="ace-pit", players=2))).table.hand
        assert at is not None
        asks = {ask.event: ask for ask in at.asks()}
        (made,) = asks["result"].fields
        return asks["trick"].fields[1].choices, made.least, made.most

    every = "10 15 20 25 30 50 65 70 75 80 85 95 115 130 145 150 165 170"
    assert offered() == (tuple(every.split()), 0, 520)
    assert offered(*WITHOUT_CARDS) == (("10", "15", "20", "50", "70", "85"), 0, 60 + 85)


@exercises("AP-Q12")
def test_the_best_hand_anyone_remembers_is_not_a_limit():
    assert hand(result(45, 520))["scores"] == [45, 520]  # kings led four times, answered by Aces and queens
    assert refused(result(45, 525)) == ("impossible", "bad-result")


# --- Points hidden from the players until the game is over (AP-18)

HIDDEN = {"totals": "hidden"}
HAND = plays("0:8H 1:7H+9H 1:AD 0:2C 1:5S 0:JC 1:6S 0:9D+JD! 1:7C 0:7S 0:4D 1:3D")
"""Six tricks: sets, an unbeaten Ace, a Throw Away, two cards that make no set, Even Stevens, a Spoon."""
NUMBERS = ("95", "50", "10", "20", "15", "155", "175", "200")


def replayed(*hands: list[Json], **more: Any) -> Replay:
    record = told(*hands, game="ace-pit", players=2, options=HIDDEN, **more)
    return replay(load_record(json.loads(json.dumps(record))))


def shown(judged: Replay) -> Json:
    """Describe a record as shown to players: with points, unless the table hides them."""
    return dict(describe_replay(judged, NAMES[:2], points=not judged.table.hides_points()))


@exercises("AP-18")
def test_points_are_hidden_until_the_game_is_over():
    assert replayed([]).table.hides_points()
    assert replayed(HAND).table.hides_points()
    assert replayed([result(30, 45)], [result(30, 40)]).table.hides_points()
    over = replayed([result(30, 45)], [result(30, 45)], end={"kind": "hands", "value": 2})
    assert not over.table.hides_points()
    assert shown(over)["totals"] == [60, 90]
    assert not replayed([*HAND, END]).table.hides_points()
    open_table = replay(load_record(told(HAND, game="ace-pit", players=2)))
    assert not open_table.table.hides_points()


@exercises("AP-18")
def test_cards_winners_and_reasons_are_shown_without_points():
    answer = shown(replayed(HAND))
    (hand,) = answer["hands"]
    assert (answer["totals"], answer["points_hidden"]) == ([None, None], True)
    assert (hand["scores"], hand["score_lines"]) == ([None, None], [])
    assert [each["winner"] for each in hand["tricks"]] == [1, 1, 1, 1, 0, 1]
    assert all(each["points"] == {} and each["reason"]["lines"] == [] for each in hand["tricks"])
    assert [each["reason"]["text"] for each in hand["tricks"]] == [
        "Bob wins with Spoon, Pin and Flush.",
        "The 2 of clubs doesn’t beat the ace of diamonds: Bob wins.",
        "The jack of clubs makes no set with the 5 of spades, so it’s a Throw Away: Bob wins.",
        "Not a set, but accepted (the 9 of diamonds and the jack of diamonds): Bob wins.",
        "Ann wins with Even Stevens.",
        "Bob wins with Spoon.",
    ]
    assert [each["reason"]["clauses"] for each in hand["tricks"]] == [
        each["reason"] and each["reason"]["clauses"]
        for each in describe_replay(replayed(HAND), NAMES[:2])["hands"][0]["tricks"]
    ]


@exercises("AP-18")
def test_a_remedy_hides_its_effect_while_points_are_hidden():
    (found,) = shown(replayed(HAND))["hands"][0]["irregularities"]
    remedies = {remedy["code"]: remedy for remedy in found["remedies"]}
    assert [event["type"] for event in remedies["stand"]["events"]] == ["note"]
    assert all(remedy["effect"] is None for remedy in remedies.values())
    each = remedies["penalty"]["each"]
    assert (each["events"][0]["points"], each["effect"]) == (-1, None)


@exercises("AP-18")
def test_a_response_preview_names_its_sets():
    hand = replayed(plays("0:8H")).table.hand
    assert hand is not None
    for cards, text in (
        (("7H", "9H"), "Bob wins with Spoon, Pin and Flush."),
        (("8S",), "Bob wins with Even Stevens."),
    ):
        seen = hand.preview(Play(1, cards))
        assert seen is not None
        assert [reason.sentence(NAMES, ENGLISH) for reason in seen.reasons] == [text]


@exercises("AP-18", "REC-11")
@pytest.mark.parametrize("impossible", [result(95, 95), result(0, 100), result(25, 95), result(1000, 1000)])
def test_a_refused_result_reveals_no_hidden_points(impossible: Json):
    assert refused(HAND, impossible, options=HIDDEN) == ("impossible", "bad-result")
    judged = replayed([*HAND, impossible])
    assert judged.rejected is not None
    assert judged.rejected.ruling.reason is not None
    said = judged.rejected.ruling.reason.text
    assert not re.search(r"\d", said.replace("multiples of 5", "")), said
    before = replayed(HAND[:-2]).table.hand
    assert before is not None
    (points,) = next(ask for ask in before.asks() if ask.event == "result").fields
    assert (points.least, points.most) == (0, 520)


@exercises("AP-18")
def test_the_text_of_a_running_table_hides_its_points():
    record = load_record(told([*HAND, penalty(0, -5)], game="ace-pit", players=2, options=HIDDEN))
    text, sheet = write_text(record, annotate=True), write_sheet(record)
    assert "# Bob wins the trick. Bob wins with Spoon, Pin and Flush." in text
    assert "Totals: hidden" in sheet
    assert "score:" not in sheet
    assert "points" not in text.replace("Points", "")
    for number in NUMBERS:
        assert not re.search(rf"\+{number}\b|\b{number} points", text + sheet)
    recorded = load_record(told([trick(1, 95)], game="ace-pit", players=2, options=HIDDEN))
    assert "95" in write_text(recorded)
    assert "95" not in write_sheet(recorded)
