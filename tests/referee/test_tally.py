"""What a finished hand leaves for statistics, against what its description says."""

from hypothesis import given

from referee.engine.adjudication import adjudicate, describe_hand
from referee.engine.options import Refused
from referee.engine.records import load_record, replay
from referee.engine.tally import tally
from tests.referee.random_tables import records


@given(records())
def test_a_tally_says_what_the_description_of_the_hand_says(data):
    try:
        record = load_record(data)
        hands = replay(record).hands
    except Refused:  # some are refused as a whole
        return
    for hand in hands:
        described, told = describe_hand(hand, record.seats), tally(hand)
        if described["phase"] != "finished":
            assert told is None
            continue
        assert told is not None
        assert [seat.score for seat in told.seats] == described["scores"]
        assert [seat.tricks for seat in told.seats] == described["tricks_won"]
        revokers = [
            each["seat"]
            for each in described["irregularities"]
            if each["code"] == "revoke" and each["certainty"] != "joint"
        ]
        assert [seat.revokes for seat in told.seats] == [revokers.count(seat) for seat in range(len(record.seats))]
        together = data.get("options", {}).get("partner_bid") == "joint"
        for number, seat in enumerate(told.seats):
            side = hand.scored_with(number)
            bids = [described["bids"][each] for each in side]
            if None in bids:
                assert seat.bid is None
                continue
            assert len(side) == 1 + together
            won = hand.tricks_won()
            assert seat.bid == (sum(bid or 0 for bid in bids), sum(won[each] or 0 for each in side))


def test_the_highest_answer_of_ace_pit_is_told_with_its_cards():
    data = {
        "game": "ace-pit",
        "seats": ["Ann", "Bob"],
        "first_dealer": 0,
        "hands": [
            {
                "events": [
                    {"type": "play", "seat": 1, "cards": ["5C"]},
                    {"type": "play", "seat": 0, "cards": ["3H", "9H"]},
                    {"type": "play", "seat": 0, "cards": ["5H"]},
                    {"type": "play", "seat": 1, "cards": ["5D"]},
                    {"type": "result", "points": [105, 130]},
                ]
            }
        ],
    }
    record = load_record(data)
    assert adjudicate(record)["rejected"] is None
    (hand,) = replay(record).hands
    told = tally(hand)
    assert told is not None
    assert not told.complete
    first, second = (seat.feat for seat in told.seats)
    assert first is not None
    assert second is not None
    assert first[1:] == (25, 1, "5C", ("3H", "9H"))
    assert second.on == "5H"
