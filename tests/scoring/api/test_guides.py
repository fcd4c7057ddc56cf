"""tables/{code}/guides/ and tables/{code}/guide/: guided rulings, and carrying them out."""

from uuid import uuid4

import pytest

from tests.scoring.api.test_hidden_points import FIRST, PIT, leaks
from tests.scoring.conftest import OpenTable, holder, open_table, play

LED = play(1, "8MS", accepted=True)
REVOKE = (play(0, "8MS"), play(1, "2WL"), play(2, "9MS"))


def path(table: OpenTable, name: str = "guide") -> str:
    return f"/api/v1/tables/{table.code}/{name}/"


def carry_out(table: OpenTable, situation: str, remedy: str, token: str | None = None, **more):
    """Carry a remedy out as who keeps the score, or with another token."""
    keys = ("hand", "points", "dispute")
    body = {key: more.pop(key) for key in keys if key in more}
    answers = {key.replace("_", "-"): answer for key, answer in more.items()}
    body |= {"situation": situation, "remedy": remedy, "answers": answers}
    return holder(token or table.token).post(path(table), body, format="json")


def test_it_works(table, stranger):
    table.record(LED)
    there = stranger.get(path(table, "guides")).json()
    assert "lead-out-of-turn" in [each["situation"] for each in there]
    assert "bid-changed" not in [each["situation"] for each in there], "Nobody bids at this table."
    asked = stranger.get(path(table), {"situation": "exposed-card"}).json()
    assert [each["text"] for each in asked["question"]["choices"]] == ["Ann", "Bob", "Cy"]
    said = stranger.get(path(table), {"situation": "lead-out-of-turn"}).json()
    assert said["ruling"]["text"] == "Bob takes the card back, and whoever has the lead plays first."
    assert [each["by"] for each in said["answered"]] == ["record", "record", "rules"]
    assert said["remedies"][0]["amends"] == [{"event": [0, 0], "seq": 1, "instead": None}]
    assert table.row.version == 1, "Looking changes nothing."


def test_a_card_goes_back_and_the_ruling_is_written_down(table):
    table.record(LED)
    done = carry_out(table, "lead-out-of-turn", "take-back", who=1)
    assert done.status_code == 201, done.json()
    hand = done.json()["state"]["hand"]
    assert (hand["to_act"], hand["irregularities"]) == ([0], [])
    log = holder(table.token).get(path(table, "events")).json()["events"]
    assert [(each["amends"], each["event"] and each["event"]["type"]) for each in log[1:]] == [
        (1, None),
        (None, "note"),
    ]
    note = log[2]["event"]
    assert note["x_guide"]["answers"] == {"who": 1, "next-played": "no", "partners": "no"}
    assert (note["x_guide"]["ruling"], note["seat"]) == ("back", 1)
    assert note["text"].startswith("Somebody led out of turn: Bob takes the card back")


def test_a_retry_is_answered_again_and_does_nothing_twice(table):
    table.record(LED)
    client, key = holder(table.token), str(uuid4())
    body = {"situation": "lead-out-of-turn", "remedy": "take-back", "answers": {"who": 1}}
    first, again = (
        client.post(path(table), body, format="json", headers={"Idempotency-Key": key}) for _ in range(2)
    )  # fmt: skip
    assert (first.status_code, again.status_code) == (201, 201)
    assert (first.json()["version"], table.row.version) == (3, 3)
    assert again.headers["Idempotent-Replayed"] == "true"


def test_the_price_shown_before_is_what_comes_of_it(table):
    table.record(*REVOKE, {"type": "result", "tricks": [6, 3, 3]})
    said = holder(table.token).get(path(table), {"situation": "exposed-card", "who": "0"}).json()
    assert said["ruling"]["code"] == "pick-up"
    fine = carry_out(table, "looked-at-card", "penalty", who=2, first_card="yes", points=2)
    assert fine.json()["state"]["totals"] == [6, 3, 1]


def test_a_guided_ruling_decides_a_dispute(table):
    table.record(LED)
    cy = holder(table.link("player", 2))
    cy.post(path(table, "disputes"), {"claim": "It was Ann’s lead."}, format="json")
    done = carry_out(table, "lead-out-of-turn", "take-back", who=1, dispute=1)
    assert done.status_code == 201, done.json()
    (dispute,) = holder(table.token).get(path(table, "disputes")).json()["disputes"]
    assert (dispute["state"], dispute["ruling"]["tree"]) == ("upheld", "lead-out-of-turn")
    assert dispute["ruling"]["answers"] == [["who", 1], ["next-played", "no"], ["partners", "no"]]
    assert (dispute["ruling"]["clauses"], dispute["ruling"]["carried_out"]) == (["IR-8"], True)


@pytest.mark.parametrize(
    ("more", "status", "pointer"),
    [
        ({"situation": "rain"}, 422, "/situation"),
        ({"remedy": "thunder"}, 422, "/remedy"),
        ({"remedy": "penalty"}, 422, "/remedy"),
        ({"hand": 4}, 422, "/hand"),
        ({"situation": "exposed-card", "answers": {}}, 422, "/answers/who"),
        ({"answers": {"who": 8}}, 422, "/answers/who"),
        ({"answers": 3}, 400, "/answers"),
    ],
)
def test_what_cannot_be_carried_out_is_refused_and_nothing_is_written(table, more, status, pointer):
    table.record(LED)
    body = {"situation": "lead-out-of-turn", "remedy": "take-back", "answers": {"who": 1}} | more
    answer = holder(table.token).post(path(table), body, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (status, pointer)
    assert table.row.version == 1


@pytest.mark.parametrize(
    ("situation", "answers"),
    [
        ("revoke", {"who": 0, "trick": 1}),
        ("revoke", {"who": 2, "trick": 1}),
        ("revoke", {"who": 2}),
        ("not-protested", {"who": 2}),
        ("play-out-of-turn", {"who": 1}),
    ],
)
@pytest.mark.parametrize("remedy", ["take-back", "note", "bridge", "penalty"])
def test_what_the_record_disproves_is_put_right_by_nothing(table, stranger, situation, answers, remedy):
    table.record(*REVOKE)
    said = stranger.get(path(table), {"situation": situation, **answers}).json()
    assert (said["disproved"], said["remedies"]) == (True, [])
    more = answers | ({"points": 3} if remedy == "penalty" else {})
    answer = carry_out(table, situation, remedy, **more)
    assert (answer.status_code, answer.json()["code"]) == (422, "disproved")
    assert answer.json()["errors"][0]["detail"] == said["ruling"]["text"]
    assert table.row.version == 3


def test_what_cannot_have_gone_wrong_is_not_listed(table, stranger):
    table.record(*play_all("0:8MS 1:9MS 2:XM"))
    there = [each["situation"] for each in stranger.get(path(table, "guides")).json()]
    assert "revoke" not in there
    assert "not-protested" not in there
    assert {"lead-out-of-turn", "exposed-card", "claim"} <= {*there}


def play_all(cards: str):
    """The cards of a trick, as they are recorded."""
    return [play(int(seat), card) for seat, card in (each.split(":") for each in cards.split())]


def test_a_penalty_needs_its_points(table):
    table.record(*REVOKE)
    answer = carry_out(table, "remark", "penalty", who=1)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/points")


def test_only_who_keeps_the_score_carries_it_out(table, stranger):
    table.record(LED)
    assert carry_out(table, "lead-out-of-turn", "note", table.link("player", 1), who=1).status_code == 403
    assert carry_out(table, "lead-out-of-turn", "note", table.link("spectator"), who=1).status_code == 403
    assert stranger.post(path(table), {}, format="json").status_code == 401
    assert stranger.get(path(table), {"situation": "lead-out-of-turn", "who": "1"}).status_code == 200


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "missing-key"),
        ("situation=revoke&situation=claim", 400, "duplicate-key"),
        ("situation=rain", 422, "unknown-situation"),
        ("situation=revoke&who=Bob", 422, "bad-value"),
        ("situation=revoke&hand=9", 422, "bad-value"),
        ("situation=revoke&hand=last", 400, "bad-query"),
        ("situation=revoke&why=1", 400, "unknown-parameter"),
        ("situation=revoke&next-played=no", 422, "unknown-question"),
    ],
)
def test_an_address_that_says_something_wrong_is_refused(table, stranger, query, status, code):
    table.record(LED)
    answer = stranger.get(f"{path(table)}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_before_the_first_event_a_wrong_deal_is_simply_dealt_again(table):
    said = holder(table.token).get(path(table), {"situation": "misdeal"}).json()
    assert (said["ruling"]["code"], said["answered"][0]["by"]) == ("again", "record")
    done = carry_out(table, "misdeal", "redeal").json()
    assert done["state"]["hand"]["phase"] == "play", "Nothing was recorded that would be void."


def test_an_earlier_hand_is_looked_at_by_its_number(table):
    table.record(*REVOKE, {"type": "result", "tricks": [6, 3, 3]}, play(1, "8MS"))
    said = holder(table.token).get(path(table), {"situation": "revoke", "hand": "1", "who": "1", "trick": "1"}).json()
    assert said["ruling"]["clauses"] == ["IR-5"]


@pytest.mark.django_db
def test_what_lies_face_down_stays_there_when_a_ruling_is_written_down():
    table = open_table(game="ransom-trump")
    bob = holder(table.link("player", 1))
    sealed = {"type": "ransom", "seat": 1, "cards": ["9MS"], "sealed": True}
    assert bob.post(path(table, "events"), sealed, format="json").status_code == 201
    assert carry_out(table, "exposed-card", "note", who=0).status_code == 201
    assert table.row.choosing["chosen"] == [1]


@pytest.mark.django_db
def test_hidden_points_stay_hidden(stranger):
    table = open_table(**PIT)
    table.record(*FIRST)
    said = stranger.get(path(table), {"situation": "remark", "who": "0"}).json()
    assert all(each["effect"] is None for each in said["remedies"])
    assert not leaks(said)
