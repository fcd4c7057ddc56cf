"""A table can hold back what is proved until the hand is over: a wish of the table, recorded with the play (REC-20)."""

from referee.engine.records import dump_record, load_record, replay
from referee.engine.snapshot import dump_table, load_table
from referee.notation import read_text, write_text
from tests.referee.telling import REDEAL, Json, exercises, judged, plays, result, told

HOLD: Json = {"type": "hold-findings"}
TELL: Json = {"type": "tell-findings"}
REVOKE = plays("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW")


def held(*hands: list[Json]) -> bool:
    """Return whether what was proved in the last hand is held back."""
    hand = replay(load_record(told(*hands))).table.hand
    assert hand is not None
    return hand.holds_back()


@exercises("REC-20")
def test_what_is_proved_waits_for_the_end_of_the_hand_and_of_those_after_it():
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
def test_the_referee_says_the_same_as_without():
    plain, waiting = judged(REVOKE)["hands"][0], judged([*REVOKE, HOLD])["hands"][0]
    assert waiting == plain


def test_it_stays_in_record_snapshot_and_notation():
    record = load_record(told([HOLD, *REVOKE, TELL, HOLD]))
    assert dump_record(read_text(write_text(record))) == dump_record(record)
    table = replay(record).table
    assert dump_table(load_table(record.rules, dump_table(table))) == dump_table(table)


def test_a_table_is_offered_the_other_way():
    def offered(*events: Json) -> list[str]:
        hand = replay(load_record(told(list(events)))).table.hand
        assert hand is not None
        return [ask.event for ask in hand.table_asks() if ask.event.endswith("findings")]

    assert (offered(), offered(HOLD), offered(HOLD, TELL)) == (["hold-findings"], ["tell-findings"], ["hold-findings"])
