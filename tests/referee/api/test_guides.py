"""Guided rulings: GET referee/guides/, POST referee/guide/, a path for each rule, and what the record answers."""

from typing import Any

import pytest

from referee.engine.game import all_games
from referee.engine.rulebook import clauses
from referee.guides.case import guides_of
from referee.guides.sheet import rules_for
from tests.games.american_deuce.told_rounds import NAMED, TABLE, drop
from tests.referee.telling import (
    BOB_WINS,
    REVOKE,
    TRUMPED,
    Json,
    bids,
    exercises,
    judged_record,
    plays,
    ransoms,
    remedy,
    result,
    told,
)
from tests.referee.test_equity import HARM

DISCARDED = plays("0:8MS 1:2WL 2:9MS")
"""Bob does not follow the Diplomat."""
BIDS: Json = {"options": {"bidding": True}}
PARTNERS: Json = {"players": 4, "options": {"partners": True}}


def ask(api, situation: str, record: Json | str = "ace-trump", **answers: Any) -> Json:
    """Ask a guide about a record, or without one."""
    more = {key: answers.pop(key) for key in ("options", "players", "hand") if key in answers}
    answers = {key.replace("_", "-"): answer for key, answer in answers.items()}
    about: Json = {"game": record} if isinstance(record, str) else {"record": record}
    response = api.post("referee/guide/", {**about, **more, "situation": situation, "answers": answers})
    assert response.status_code == 200, response.json()
    said: Json = response.json()
    assert (said["question"] is None) != (said["ruling"] is None)
    return said


def asked(said: Json) -> str:
    name: str = said["question"]["id"]
    return name


def ruled(said: Json) -> tuple[str, list[str]]:
    return said["ruling"]["code"], said["ruling"]["clauses"]


def carried_out(record: Json, done: Json) -> Json:
    *before, last = record["hands"]
    instead = {amend["event"][1]: amend["instead"] for amend in done["amends"]}
    events = [instead.get(place, event) for place, event in enumerate(last["events"])]
    events = [event for event in events if event is not None] + done["events"]
    return judged_record(record | {"hands": [*before, last | {"events": events}]})


def by_record(said: Json) -> Json:
    return {each["id"]: each["answer"] for each in said["answered"] if each["by"] == "record"}


def disproved(said: Json) -> tuple[str, list[str]]:
    """Return the code that disproves an accusation, after which no remedy is offered."""
    assert said["disproved"]
    assert said["remedies"] == []
    assert said["question"] is None
    return ruled(said)


def test_a_guide_asks_who_did_it_and_what_came_next(api):
    there = api.get("referee/guides/?game=ace-pit").json()
    assert {"situation", "title", "says"} <= there[0].keys()
    assert "forgotten-draw" in [each["situation"] for each in there]
    said = ask(api, "lead-out-of-turn")
    assert (asked(said), [each["text"] for each in said["question"]["choices"]]) == ("who", ["Seat 0", "Seat 1"])
    assert asked(ask(api, "lead-out-of-turn", who=1)) == "next-played"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_listed_guide_can_be_started(api, game):
    for each in api.get(f"referee/guides/?game={game.id}").json():
        rules = rules_for(game, guides_of(game).guides[each["situation"]])
        assert rules is not None
        said = ask(api, each["situation"], game.id, options=dict(rules.options), players=rules.players)
        assert said["situation"] == each["situation"]


SITUATION = {"game": "ace-trump", "situation": "revoke"}


@pytest.mark.parametrize(
    ("body", "status", "pointer", "code"),
    [
        ({"situation": "revoke"}, 400, "/game", "missing-key"),
        ({"game": "poker", "situation": "revoke"}, 422, "/game", "unknown-game"),
        ({"game": "ace-trump"}, 400, "/situation", "missing-key"),
        ({"game": "ace-trump", "situation": "rain"}, 422, "/situation", "unknown-situation"),
        ({"game": "ace-trump", "situation": "bid-changed"}, 422, "/situation", "unknown-situation"),
        (SITUATION | {"hand": 1}, 400, "/hand", "unknown-key"),
        (SITUATION | {"answers": []}, 400, "/answers", "wrong-type"),
        (SITUATION | {"answers": {"why": 1}}, 422, "/answers/why", "unknown-question"),
        (SITUATION | {"answers": {"who": 9}}, 422, "/answers/who", "no-such-seat"),
        (SITUATION | {"answers": {"who": "0"}}, 422, "/answers/who", "bad-value"),
        (SITUATION | {"answers": {"who": 0, "next-dealt": "perhaps"}}, 422, "/answers/next-dealt", "bad-value"),
        ({"record": told(DISCARDED), "situation": "revoke", "hand": 2}, 422, "/hand", "bad-value"),
        (SITUATION | {"record": told(DISCARDED)}, 400, "/game", "unknown-key"),
    ],
)
def test_errors_are_explained_with_a_pointer(api, body, status, pointer, code):
    said = api.refused("referee/guide/", body, status)
    assert (said["errors"][0]["pointer"], said["code"]) == (pointer, code)


def test_witnesses_may_know_better_than_the_record(api):
    record = told([*DISCARDED, *plays("2:9LK")])
    assert by_record(ask(api, "revoke", record, who=1, trick=1))["played-on"] == "no"
    said = ask(api, "revoke", record, who=1, trick=1, played_on="yes")
    assert ruled(said)[0] == "established"
    assert "played-on" not in by_record(said)


@exercises("IR-1")
def test_any_player_may_call_attention_and_play_waits(api):
    assert ruled(ask(api, "played-on", who=1)) == ("waits", ["IR-1"])
    assert "no Moon, no Sun?" in ask(api, "ask-none")["ruling"]["text"]


@exercises("IR-2")
def test_a_revoke_noticed_in_time_is_taken_back_and_later_cards_may_change(api):
    record = told(DISCARDED)
    said = ask(api, "revoke", record, who=1, trick=1)
    assert ruled(said) == ("in-time", ["IR-2"])
    assert by_record(said) == {"next-dealt": "no", "played-on": "no", "last-trick": "no"}
    done = remedy(said, "take-back")
    assert [amend["event"] for amend in done["amends"]] == [[0, 1], [0, 2]]
    (hand,) = carried_out(record, done)["hands"]
    assert (hand["to_act"], [play["seat"] for play in hand["tricks"][0]["plays"]]) == ([1], [0])


@exercises("IR-3")
def test_a_revoke_is_established_by_playing_on_except_in_the_last_trick(api):
    established = ask(api, "revoke", told(REVOKE), who=1, trick=1)
    assert ruled(established) == ("established", ["IR-3", "IR-4"])
    assert remedy(established, "note")["effect"]["totals"]["before"] == [1, 0, 1]
    of_last: dict[str, Any] = {"who": 1, "next_dealt": "no", "played_on": "no", "last_trick": "yes"}
    assert asked(ask(api, "revoke", **of_last)) == "agreed"
    assert ruled(ask(api, "revoke", **of_last, agreed="no")) == ("last-card", ["IR-3"])
    assert ruled(ask(api, "revoke", **of_last, agreed="yes"))[0] == "pay"


@exercises("IR-4")
def test_at_the_end_tricks_are_given_up_at_a_cost_shown_beforehand(api):
    record = told([*TRUMPED, *BOB_WINS, result(4, 5, 3)])
    said = ask(api, "revoke", record, who=1, trick=3)
    assert ruled(said) == ("pay", ["IR-4", "IR-6"])
    done = remedy(said, "bridge")
    assert done["effect"]["totals"] == {"before": [4, 5, 3], "after": [5, 3, 4]}
    assert carried_out(record, done)["totals"] == [5, 3, 4]
    assert remedy(said, "hand-zero")["effect"]["totals"]["after"] == [4, 0, 3]
    waiting = ask(api, "revoke", told(TRUMPED), who=1, trick=3, hand_over="yes")
    assert remedy(waiting, "bridge")["pending"]["code"] == "remedy-next-trick"


@exercises("IR-5")
def test_after_the_next_deal_no_trick_moves(api):
    record = told([*TRUMPED, result(5, 4, 3)], [result(4, 4, 4)])
    said = ask(api, "revoke", record, who=1, trick=3, hand=1)
    assert ruled(said) == ("too-late", ["IR-5"])
    assert by_record(said) == {"next-dealt": "yes"}
    assert {each["code"] for each in said["remedies"]} == {"stand", "penalty"}
    assert remedy(said, "penalty")["each"]["effect"]["totals"]["after"] == [9, 7, 7]
    believed = ask(api, "revoke", record, who=1, trick=3, hand=1, next_dealt="no", hand_over="yes")
    assert remedy(believed, "bridge")["pending"]["clauses"] == ["IR-5"]


@exercises("IR-6")
def test_if_penalty_tricks_are_too_few_the_better_result_is_offered(api):
    record = told(HARM)
    said = ask(api, "revoke", record, who=0, trick=9)
    assert ruled(said)[1] == ["IR-4", "IR-6"]
    repaired, better = (remedy(said, code)["effect"]["totals"]["after"] for code in ("bridge", "equity"))
    assert (repaired, better) == ([1, 10, 1], [1, 10, 2])
    assert carried_out(record, remedy(said, "equity"))["totals"] == better
    unseen = told([*TRUMPED, result(4, 5, 3)])
    assert remedy(ask(api, "revoke", unseen, who=1, trick=3), "equity")["pending"]["code"] == "equity-unseen"


@exercises("IR-7")
def test_an_exposed_card_is_picked_up_but_must_be_played_in_a_partnership(api):
    assert ruled(ask(api, "exposed-card", who=2, players=4)) == ("pick-up", ["IR-7"])
    partners = ask(api, "exposed-card", who=2, **PARTNERS)
    assert ruled(partners) == ("penalty-card", ["IR-7"])
    assert partners["answered"][1]["by"] == "rules"
    record = told(DISCARDED, **PARTNERS)
    assert ruled(ask(api, "revoke", record, who=1, trick=1)) == ("in-time-partners", ["IR-2", "IR-7"])


@exercises("IR-8")
def test_a_lead_out_of_turn_stands_once_the_next_player_plays(api):
    led = told(plays("1:8MS!"))
    said = ask(api, "lead-out-of-turn", led, who=1)
    assert ruled(said) == ("back", ["IR-8"])
    (hand,) = carried_out(led, remedy(said, "take-back"))["hands"]
    assert (hand["to_act"], hand["irregularities"], hand["tricks"]) == ([0], [], [])
    followed = told(plays("1:8MS! 2:9MS"))
    assert ruled(ask(api, "lead-out-of-turn", followed, who=1)) == ("stands", ["IR-8", "IR-9", "REC-12"])
    assert ruled(ask(api, "play-out-of-turn", told(plays("0:8MS 2:9MS!")), who=2)) == ("back", ["IR-8"])


@exercises("IR-8")
def test_the_next_player_can_accept_a_lead_out_of_turn_verbally(api):
    led = told(plays("1:8MS!"))
    accepts = ask(api, "lead-out-of-turn", led, who=1)["answered"][-2]
    assert (accepts["id"], accepts["answer"], accepts["by"]) == ("accepts", "no", "rules")
    assert accepts["reason"]["clauses"] == ["IR-8"]
    accepted = ask(api, "lead-out-of-turn", led, who=1, accepts="yes")
    assert ruled(accepted) == ("accepted", ["IR-8"])
    (hand,) = carried_out(led, remedy(accepted, "note"))["hands"]
    assert hand["tricks"][0]["leader"] == 1


@exercises("IR-2")
def test_a_revoke_is_established_once_either_partner_plays_on(api):
    in_time = plays("0:8MS 1:XK 2:9MS 3:2MK")
    by_partner = told([*in_time, *plays("2:5SW 3:3LY")], **PARTNERS)
    by_offender = told([*in_time, *plays("2:5SW 3:3LY 0:7SK 1:4LY")], **PARTNERS)
    by_opponent = told([*in_time, *plays("2:5SW")], **PARTNERS)
    assert ruled(ask(api, "revoke", by_opponent, who=1, trick=1))[0] == "in-time-partners"
    for record in (by_partner, by_offender):
        assert ruled(ask(api, "revoke", record, who=1, trick=1)) == ("established", ["IR-3", "IR-4"])


@exercises("IR-10")
def test_a_card_exposed_by_the_dealer_and_a_wrong_cut_are_misdeals(api):
    said = ask(api, "misdeal", told(bids("0:2"), **BIDS))
    (clause,) = [each.text for each in clauses("irregularities") if each.id == "IR-10"]
    for words in ("exposed a card", "cut was wrong"):
        assert words in said["says"]
        assert words in clause
    assert ruled(said) == ("again", ["IR-10", "REC-14"])


@exercises("IR-9")
def test_playing_on_accepts_an_irregular_play_and_skipped_players_have_not_passed(api):
    last, condoned = told(plays("0:8MS 1:2WL")), told(plays("0:8MS 1:2WL 2:9MS"), players=4)
    assert ruled(ask(api, "not-protested", last, who=1)) == ("back", ["IR-2", "IR-8"])
    assert disproved(ask(api, "not-protested", condoned, who=2)) == ("cleared-followed", ["AT-5"])
    assert ruled(ask(api, "not-protested", condoned, who=1)) == ("accepted", ["IR-9"])
    assert ruled(ask(api, "skipped", "american-deuce", who=2)) == ("not-passed", ["IR-9", "AD-11"])


@exercises("IR-10")
def test_a_wrong_deal_found_before_the_first_card_is_redealt(api):
    record = told(bids("0:2"), **BIDS)
    said = ask(api, "wrong-number", record, who=1)
    assert ruled(said) == ("again", ["IR-10", "REC-14"])
    assert by_record(said) == {"first-card": "no"}
    after = carried_out(record, remedy(said, "redeal"))
    assert (after["hands"][0]["phase"], after["next"]["dealer"]) == ("void", 2)
    assert ruled(ask(api, "misdeal", told(DISCARDED)))[0] == "stands"


@exercises("IR-11")
def test_a_wrong_number_of_cards_found_later_is_corrected_if_traceable(api):
    record = told(DISCARDED)
    assert asked(ask(api, "wrong-number", record, who=1)) == "count"
    assert ruled(ask(api, "wrong-number", record, who=1, count="many", left_out="yes")) == ("add-card", ["IR-11"])
    assert ruled(ask(api, "wrong-number", record, who=1, count="few", two_cards="yes")) == ("give-back", ["IR-11"])
    lost = ask(api, "wrong-number", record, who=1, count="few", two_cards="no")
    assert ruled(lost) == ("void", ["IR-11", "REC-14"])
    assert carried_out(record, remedy(lost, "redeal"))["hands"][0]["phase"] == "void"
    passed = ask(api, "wrong-number", "american-deuce", who=1, first_card="yes", count="many")
    assert passed["question"]["text"] == "Can you find the trick that seat 1 didn’t play to?"


@exercises("REC-20", "IR-3")
def test_a_guides_offers_also_fit_a_finished_hand(api):
    running = ask(api, "remark", told(DISCARDED), who=1)
    assert "play" not in running["ruling"]["text"].lower()
    over = told([*DISCARDED, result(4, 4, 4)])
    said = ask(api, "exposed-card", over, who=1)
    assert remedy(said, "note")["text"] == "The ruling goes on record."
    said = ask(api, "exposed-card", told(DISCARDED), who=1)
    assert remedy(said, "note")["text"] == "The ruling goes on record, and play goes on."
    pay = ask(api, "revoke", over, who=1, trick=1)
    assert remedy(pay, "stand")["text"] == "Let it stand."


@exercises("REC-17", "IR-8")
def test_a_card_that_proves_something_is_not_taken_out_of_the_record(api):
    record = told([*DISCARDED, *plays("2:9LK 0:XL 1:3MW!")])
    out_of_turn = told([*DISCARDED, *plays("2:9LK 1:3MW!")])
    assert judged_record(record)["hands"][0]["irregularities"][0]["code"] == "revoke"
    said = ask(api, "play-out-of-turn", out_of_turn, who=1)
    back = remedy(said, "take-back")
    assert (back["events"], back["pending"]["code"]) == (None, "guide-keeps-proof")
    assert remedy(said, "note")["events"]


@exercises("IR-12")
def test_an_exchange_is_redone_in_the_first_trick_and_corrected_later(api):
    exchange = [*NAMED, drop(1, "5S", "9S", constipated=True)]
    record = told([*exchange, *plays("0:3S")], **TABLE)
    again = ask(api, "no-deuce", record)
    assert (ruled(again)[0], by_record(again)) == ("redo", {"first-trick": "no"})
    (hand,) = carried_out(record, remedy(again, "redo-exchange"))["hands"]
    assert (hand["exchange"], hand["tricks"]) == (None, [])
    late = told([*exchange, *plays("0:3S 1:- 2:- 3:-")], **TABLE)
    assert asked(ask(api, "no-deuce", late)) == "holds-two"
    claimed = ask(api, "no-deuce", late, holds_two="yes")
    (hand,) = carried_out(late, remedy(claimed, "claim-deuce"))["hands"]
    assert hand["exchange"] == {"king": 1, "constipated": True, "given": "5S", "returned": "9S"}
    assert ruled(ask(api, "no-deuce", late, holds_two="no"))[0] == "logged"
    lowest = told([*NAMED, drop(1, "2S", "9S"), *plays("0:3S 1:- 2:- 3:-")], **TABLE)
    swapped = ask(api, "not-lowest", lowest)
    assert ruled(swapped)[0] == "swap"
    (event, _) = remedy(swapped, "swap-back")["events"]
    assert (event["type"], event["given"]) == ("put-right", "9S")
    first = told([*NAMED, drop(1, "2S", "9S"), *plays("0:3S")], **TABLE)
    assert ruled(ask(api, "not-lowest", first))[0] == "redo"
    played = told([*NAMED, drop(1, "2S", "9S"), *plays("0:3S 1:9S 2:- 3:- 0:-")], **TABLE)
    assert ruled(ask(api, "not-lowest", played))[0] == "logged"


@exercises("IR-13")
def test_a_missed_draw_is_made_up_and_an_extra_draw_given_back(api):
    said = ask(api, "forgotten-draw", told(plays("0:8H 1:7H+9H"), game="ace-pit", players=2), who=1)
    assert ruled(said) == ("draw-now", ["IR-13", "AP-14"])
    assert said["ruling"]["text"].startswith("Bob draws the card now")
    assert ruled(ask(api, "extra-draw", "ace-pit", who=0)) == ("give-up", ["IR-13"])


@exercises("IR-14")
def test_a_claim_is_contested_or_stands_except_in_two_games_without_claims(api):
    record = told(TRUMPED)
    stands = ask(api, "claim", record, who=1, what="all", objection="no")
    assert ruled(stands) == ("stands", ["IR-14"])
    assert carried_out(record, remedy(stands, "claim-rest"))["hands"][0]["tricks_won"] == [1, 10, 1]
    doubted = ask(api, "claim", record, who=1, what="all", objection="yes", in_doubt="yes")
    assert ruled(doubted) == ("by-number", ["IR-14"])
    assert [each["code"] for each in doubted["remedies"]] == ["note"]
    for game in ("american-deuce", "ace-pit"):
        assert ruled(ask(api, "claim", game)) == ("not-offered", ["IR-14"])


@exercises("IR-15")
def test_an_invalid_combination_goes_back_unless_beaten(api):
    record = told([*NAMED, *plays("0:3S+4S!")], **TABLE)
    said = ask(api, "no-combination", record, who=0)
    assert ruled(said) == ("back", ["IR-15"])
    assert carried_out(record, remedy(said, "take-back"))["hands"][0]["cards_left"] == [13] * 4
    beaten = told([*NAMED, *plays("0:3S+4S! 1:5S+5H")], **TABLE)
    assert ruled(ask(api, "no-combination", beaten, who=0)) == ("condoned", ["IR-15", "IR-9"])
    for passed in ("1:-", "1:- 2:- 3:-", "1:- 2:- 3:- 0:5S"):
        over = told([*NAMED, *plays(f"0:3S+4S! {passed}")], **TABLE)
        assert ruled(ask(api, "no-combination", over, who=0)) == ("back", ["IR-15"])
    led = told([*NAMED, *plays("0:3S+4S! 1:- 2:- 3:- 0:5S 1:6S")], **TABLE)
    assert ruled(ask(api, "no-combination", led, who=0)) == ("condoned", ["IR-15", "IR-9"])
    pit = told(plays("0:8H 1:2C+9S! 0:KD"), game="ace-pit", players=2)
    assert ruled(ask(api, "no-combination", pit, who=1)) == ("condoned", ["IR-15", "IR-9"])


@exercises("IR-16")
def test_bids_bind_once_the_next_player_bids_and_scores_after_the_next_hand(api):
    record = told(bids("0:2 1:3"), **BIDS)
    said = ask(api, "bid-changed", record, who=1)
    assert ruled(said) == ("change", ["IR-16"])
    assert carried_out(record, remedy(said, "take-bid-back"))["hands"][0]["bids"] == [2, None, None]
    assert ruled(ask(api, "bid-changed", record, who=0)) == ("binding", ["IR-16"])
    first, second = [result(4, 4, 4)], [result(5, 4, 3)]
    assert ruled(ask(api, "score-disagreed", told(first, second, second), hand=1)) == ("stands", ["IR-16"])
    assert ruled(ask(api, "score-disagreed", told(first, plays("0:8MS")), hand=1)) == ("put-right", ["IR-16"])


@exercises("IR-17")
def test_forbidden_knowledge_is_a_warning_and_the_table_may_redeal(api):
    for situation in ("looked-at-card", "remark"):
        warned = ask(api, situation, told(DISCARDED), who=1)
        assert ruled(warned) == ("warning", ["IR-17"])
        assert remedy(warned, "warn")["events"][0]["seat"] == 1
        before = told(bids("0:2"), **BIDS)
        early = ask(api, situation, before, who=1)
        assert ruled(early) == ("early-warning", ["IR-17", "REC-14"])
        assert "Play goes on" in early["ruling"]["text"] or "play on" in early["ruling"]["text"]
        assert [each["code"] for each in early["remedies"]] == ["warn", "redeal", "penalty"]
        assert carried_out(before, remedy(early, "redeal"))["hands"][0]["phase"] == "void"


@exercises("IR-17", "RT-Q9", "WC-Q10")
def test_a_choice_after_the_reveal_makes_everyone_choose_again(api):
    record = told(ransoms("8MS 9MS XM"), game="ransom-trump")
    again = ask(api, "late-choice", record, who=2, chosen="no", shown="yes")
    assert ruled(again) == ("again", ["IR-17"])
    (hand,) = carried_out(record, remedy(again, "choose-again"))["hands"]
    assert (hand["phase"], hand["to_act"]) == ("ransom", [0, 1, 2])
    assert ruled(ask(api, "late-choice", record, who=2, chosen="yes")) == ("first-counts", ["RT-Q9"])
    first = ask(api, "late-choice", "wildcat-chicane", who=2, chosen="yes")
    assert ruled(first) == ("first-counts", ["WC-Q10"])
