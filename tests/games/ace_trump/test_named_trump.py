"""A fixed trump that the table names anew before each deal (AT-V6)."""

from typing import Any

import pytest

from referee.engine.catalogue import find_game
from referee.engine.options import Refused
from referee.engine.records import dump_record, load_record, replay
from referee.notation import read_text, write_text
from tests.referee.telling import (
    REDEAL,
    Json,
    bids,
    exercises,
    found,
    hand,
    judged,
    plays,
    refusal,
    refused,
    result,
    told,
    trick,
    winners,
)

NAMED = {"trump": "named"}


def names(suit: str, **seat: int | None) -> Json:
    """Name the trump of a hand; nobody in particular has to."""
    return {"type": "trump", "suit": suit, **seat}


@exercises("AT-V6")
def test_each_hand_begins_with_its_trump_and_aces_do_not_touch_it():
    begun = judged([], options=NAMED)["hands"][0]
    assert (begun["phase"], begun["to_act"], begun["trump"]) == ("trump", [], None)
    done = hand(names("K"), plays("0:8MS 1:AM 2:2MK"), options=NAMED)
    assert (done["trump"], winners(done), done["tricks"][0]["trump"]) == ("K", [2], "K")
    assert done["tricks"][0]["reason"]["clauses"] == ["AT-9", "AT-V6"]
    answer = judged([names("K"), result(4, 4, 4)], [names("moons"), *plays("1:8MS 2:2WL 0:XL")], options=NAMED)
    assert [each["trump"] for each in answer["hands"]] == ["K", "M"]
    assert winners(answer["hands"][1]) == [1]


@exercises("AT-V6", "REC-2", "REC-3", "REC-9")
def test_trump_is_named_once_before_the_first_bid_or_play():
    assert refused(plays("0:8MS"), options=NAMED) == ("impossible", "wrong-phase")
    reason = refusal(plays("0:8MS"), options=NAMED)["reason"]
    assert (reason["text"], reason["clauses"]) == ("The trump of this hand has to be named first.", ["AT-V6", "REC-2"])
    assert refused(names("K"), names("M"), options=NAMED) == ("impossible", "wrong-phase")
    assert refused(names("K"), plays("0:8MS"), names("K"), options=NAMED) == ("impossible", "wrong-phase")
    assert refused(names("Z"), options=NAMED) == ("impossible", "bad-suit")
    for other in ({}, {"trump": "sticky"}, {"trump": "fixed", "fixed_trump": "K"}):
        assert refused(names("K"), options=other) == ("impossible", "wrong-phase")
    with_bids = NAMED | {"bidding": True}
    assert hand(names("K"), options=with_bids)["phase"] == "bidding"
    assert hand(names("K"), bids("0:4 1:4 2:4"), plays("0:8MS"), options=with_bids)["phase"] == "play"


@exercises("AT-V6", "REC-3")
@pytest.mark.parametrize("seat", [{}, {"seat": None}, {"seat": 0}, {"seat": 2}])
def test_it_matters_to_nobody_who_says_it(seat: dict[str, int | None]):
    done = hand(names("K", **seat), plays("0:8MS"), options=NAMED)
    assert (done["trump"], found(done)) == ("K", [])
    assert refused(names("K", seat=3), options=NAMED) == ("impossible", "no-such-seat")


@exercises("REC-19", "REC-9", "AT-V6")
def test_a_recorded_trick_may_tell_it():
    done = hand(trick(0), trick(0, trump="K"), plays("0:8MS 1:AM 2:2MK"), options=NAMED)
    assert [entry["trump"] for entry in done["tricks"]] == ["K", "K", "K"]
    late = hand(trick(0), names("K"), plays("0:8MS"), options=NAMED)
    assert (late["trump"], late["tricks"][0]["trump"]) == ("K", "K")
    assert refused(trick(0), plays("0:8MS"), options=NAMED) == ("impossible", "wrong-phase")
    assert refused(names("K"), trick(0, trump="M"), options=NAMED) == ("impossible", "bad-suit")
    assert refused(trick(0, trump=None), options=NAMED) == ("impossible", "bad-suit")
    said = [reason["clauses"] for reason in hand(trick(0), options=NAMED)["unchecked"]]
    assert ["AT-V6", "REC-19"] in said
    assert ["AT-V6", "REC-19"] not in [r["clauses"] for r in hand(trick(0, trump="K"), options=NAMED)["unchecked"]]
    assert hand(result(4, 4, 4), options=NAMED)["phase"] == "finished"


@exercises("REC-14", "AT-V6")
def test_a_new_deal_has_a_new_trump_also_after_a_redeal():
    answer = judged([names("K"), *plays("0:8MS"), REDEAL], [names("M")], options=NAMED)
    assert [each["trump"] for each in answer["hands"]] == ["K", "M"]


@exercises("AT-Q3", "AT-Q2", "AT-V6")
@pytest.mark.parametrize("other", [{"trump_carry": True}, {"two_aces": "first"}, {"fixed_trump": "M"}])
def test_what_a_named_trump_rules_out(other: Json):
    with pytest.raises(Refused):
        judged(options=NAMED | other)


@exercises("AT-V6")
def test_a_question_about_a_trick_needs_the_trump_of_the_hand():
    game = find_game("ace-trump")
    assert game is not None
    asked: dict[str, Any] = {"options": NAMED, "plays": [{"cards": ["8MS"]}, {"cards": ["AM"]}, {"cards": ["2MK"]}]}
    assert game.answer("trick", asked | {"trump": "K"})["winner"] == 2
    with pytest.raises(Refused, match="The trump of the hand is needed"):
        game.answer("trick", asked)


def test_it_is_written_and_read_again():
    events = [names("K"), *plays("0:8MS 1:AM 2:2MK")]
    record = load_record(told(events, options=NAMED))
    text = write_text(record)
    assert "Fixed trump: K" in text
    assert dump_record(read_text(text)) == dump_record(record)
    by = load_record(told([names("K", seat=1)], options=NAMED))
    assert "Trump: Bob K" in write_text(by)
    assert dump_record(read_text(write_text(by))) == dump_record(by)


def test_the_record_asks_for_it_first():
    state = replay(load_record(told([], options=NAMED) | {"hands": [{"events": []}]})).table.hand
    assert state is not None
    asks = {ask.event: ask for ask in state.asks()}
    assert list(asks) == ["trump", "trick", "result"]
    assert asks["trump"].fields[0].choices == tuple("MSWLYK")


@exercises("RT-7", "REC-3")
def test_in_ransom_trump_it_has_to_be_said_who_names_it():
    ransoms = [{"type": "ransom", "seat": seat, "cards": [card]} for seat, card in enumerate(("7SK", "8MS", "9LK"))]
    assert refused(ransoms, names("K"), game="ransom-trump") == ("impossible", "no-such-seat")
