"""A hand checked in full (REC-19)."""

from random import Random
from typing import Any, cast

import pytest

from referee.engine.audit import audit
from referee.engine.audit_sheet import describe_audits
from referee.engine.catalogue import all_games
from referee.engine.game import Game
from referee.engine.options import Refused
from referee.engine.records import Record, load_record
from referee.engine.rulings import Certainty
from referee.engine.what_if_sheet import View
from referee.notation import read_text
from tests.games.discovery import HONEST, RANDOM
from tests.referee.telling import Json, clause_ids, exercises, known, plays, reasons, result, told
from tests.referee.test_equity import HARM
from tests.referee.test_golden import FILES
from tests.seeds import FIRST, as_often_as

SEEDS = as_often_as(always=12, hunting=200)
SMALL = {"seats": ["Ann", "Bob"], "first_dealer": 1, "options": {"tides": True}}


def checked(record: Record | Json) -> list[Json]:
    """Check every hand of a record, and look over what every answer must keep."""
    loaded = record if isinstance(record, Record) else load_record(record)
    answer = cast(Json, describe_audits(*audit(loaded), View(loaded.seats)))
    for reason in reasons(answer):
        assert reason["clauses"], reason
        assert set(reason["clauses"]) <= clause_ids(), reason
        assert "{" not in reason["text"], reason
    for each in answer["hands"]:
        looked_at = each["plays"] or each["complete"] or each["infractions"]
        assert each["clean"] == (not each["infractions"] if looked_at else None)
        assert each["clean"] is not None or each["unchecked"]
        assert not (each["complete"] and each["unchecked"])
    return cast(list[Json], answer["hands"])


def tide(text: str, *more: Json) -> Json:
    """Check one hand of a single card each."""
    (only,) = checked({"game": "ace-trump", **SMALL, "hands": [{"events": [*plays(text), *more]}]})
    return only


@exercises("REC-19")
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_hand_without_cards_is_not_called_clean(game: Game):
    players = game.players[0]
    record = {"game": game.id, "seats": ["Ann", "Bob", "Cy", "Dot"][:players], "first_dealer": 0}
    (only,) = checked({**record, "hands": [{"events": [{"type": "note", "text": "tea"}]}]})
    assert (only["clean"], only["complete"], only["plays"]) == (None, False, 0)
    assert only["verdict"]["text"] == "No card of this hand is on record, so nothing could be checked."


def test_bids_alone_do_not_make_a_hand_clean():
    told_by_bids = told([{"type": "bid", "seat": 0, "tricks": 3}], options={"bidding": True})
    (only,) = checked(told_by_bids)
    assert (only["clean"], only["bids"]) == (None, 1)
    assert only["verdict"]["text"] == "No card of this hand is on record. Only its bids could be checked."


@exercises("REC-19")
def test_a_hand_played_to_its_last_card_is_known_and_clean():
    only = tide("0:8MS 1:9WY")
    assert (only["complete"], only["clean"], only["plays"]) == (True, True, 2)
    assert only["verdict"]["text"] == "Every card of this hand is known, and nothing in it was irregular."


def test_a_hand_with_cards_to_come_is_checked_as_far_as_it_goes():
    (only,) = checked(told(plays("0:8MS 1:XK 2:XM 2:9LK 0:3LY 1:3MW")))
    assert (only["complete"], only["clean"]) == (False, False)
    assert [(each["code"], each["certainty"], each["seat"]) for each in only["infractions"]] == [
        ("revoke", "proved", 1)
    ]
    assert [reason["code"] for reason in only["unchecked"]] == ["hands-unknown"]


def test_what_counting_left_open_is_said_of_one_when_every_card_is_known():
    for path in FILES:
        record = read_text(path.read_text())
        judged, hands = audit(record)
        for hand, each in zip(judged.hands, hands, strict=True):
            if each.complete:
                assert all(found.certainty is not Certainty.JOINT for found in each.infractions), path.stem
            certain = {(found.code, found.event) for found in hand.irregularities if not found.claims}
            assert certain <= {(found.code, found.event) for found in each.infractions}, path.stem
        checked(record)


@pytest.mark.parametrize("game", HONEST)
def test_of_honest_players_nothing_is_said(game: str):
    complete = 0
    for seed in range(FIRST, FIRST + SEEDS):
        record: Any = HONEST[game](Random(seed))
        try:
            hands = checked(record)
        except Refused:
            continue
        complete += sum(each["complete"] for each in hands)
        assert all(each["clean"] is not False or "accepted" in str(record) for each in hands), seed
    assert complete or game in ("american-deuce", "ace-pit"), "Cards are left, or drawn, that nobody sees."


@pytest.mark.parametrize("game", RANDOM)
def test_what_was_proved_stays_proved(game: str):
    for seed in range(FIRST, FIRST + SEEDS):
        try:
            judged, hands = audit(load_record(RANDOM[game](Random(seed))))
        except Refused:
            continue
        for hand, each in zip(judged.hands, hands, strict=True):
            certain = {(found.code, found.event) for found in hand.irregularities if not found.claims}
            assert certain <= {(found.code, found.event) for found in each.infractions}, (game, seed)


def test_a_bid_and_a_result_are_counted_and_said():
    (only,) = checked(told([result(4, 4, 4)]))
    assert (only["complete"], only["plays"]) == (False, 0)
    assert {"hands-unknown", "result-only"} <= {reason["code"] for reason in only["unchecked"]}


def test_entered_hands_are_checked_at_once():
    entered = known([*plays("0:8MS 1:9WY!")], s1="9WY 3MW 2SY XK AK AL AY 5SW 4WL")
    (only,) = checked(told(entered, players=2))
    assert [(each["code"], each["certainty"]) for each in only["infractions"]] == [("revoke", "seen")]


@exercises("IR-6")
def test_what_the_others_lost_beside_what_is_given_up_is_said_with_numbers():
    (only,) = checked(told(HARM))
    (found,) = only["infractions"]
    assert found["equity"]["reason"]["text"] == (
        "Had Ann followed suit, as the cards lay, Cy would have scored 2. Giving up tricks makes that only 1."
    )
    assert {key: found["equity"][key] for key in ("played", "repaired", "lawful", "better", "harmed")} == {
        "played": [2, 9, 1], "repaired": [1, 10, 1], "lawful": [1, 9, 2], "better": [1, 10, 2], "harmed": [2],
    }  # fmt: skip


def test_where_nobody_can_know_what_was_lost_that_is_said():
    (only,) = checked(told(plays("0:8MS 1:XK 2:XM 2:9LK 0:3LY 1:3MW")))
    (found,) = only["infractions"]
    assert (found["equity"]["reason"]["code"], found["equity"]["better"]) == ("equity-at-end", None)
