"""Guided rulings, findings held back or settled, and audited hands."""

from uuid import uuid4

import pytest

from tests.games.american_deuce.told_rounds import NAMED, drop
from tests.referee.telling import plays
from tests.scoring.api.test_secrets_of_hands import FIRST, PIT, leaks
from tests.scoring.conftest import OpenTable, holder, open_table, play, refusal

pytestmark = pytest.mark.django_db

# --- tables/{code}/guide/: guided rulings, and carrying them out

LED = play(1, "8MS", accepted=True)
REVOKE = (play(0, "8MS"), play(1, "2WL"), play(2, "9MS"))


def path(table: OpenTable, name: str = "guide") -> str:
    return f"{table.url}{name}/"


def carry_out(table: OpenTable, situation: str, remedy: str, answers=None, **more):
    """Carry out a remedy as the scorekeeper."""
    return table.keeper.post(path(table), {"situation": situation, "remedy": remedy, "answers": answers or {}, **more})


def test_a_guide_asks_only_what_the_record_does_not_know(table, stranger):
    table.record(LED)
    there = stranger.get(path(table)).json()["guides"]
    assert "lead-out-of-turn" in [each["situation"] for each in there]
    assert "bid-changed" not in [each["situation"] for each in there], "There is no bidding at this table."
    asked = stranger.get(path(table), {"situation": "exposed-card"}).json()
    assert [each["text"] for each in asked["question"]["choices"]] == ["Ann", "Bob", "Cy"]
    said = stranger.get(path(table), {"situation": "lead-out-of-turn"}).json()
    assert said["ruling"]["text"] == "Bob takes the card back, and the right player leads."
    assert [each["by"] for each in said["answered"]] == ["record", "record", "rules", "rules"]
    assert said["remedies"][0]["amends"] == [{"event": [0, 0], "seq": 1, "instead": None}]
    assert table.row.version == 1, "Looking changes nothing."


def test_a_card_is_taken_back_and_the_ruling_recorded(table):
    table.record(LED)
    done = carry_out(table, "lead-out-of-turn", "take-back", {"who": 1})
    assert done.status_code == 201, done.json()
    hand = done.json()["state"]["hand"]
    assert (hand["to_act"], hand["findings"]) == ([0], 0)
    _led, back, ruling = table.keeper.get(path(table, "events")).json()["events"]
    assert (back["amends"], back["event"]) == (1, None)
    note = ruling["event"]
    assert note["x_guide"]["answers"] == {"who": 1, "next-played": "no", "accepts": "no", "partners": "no"}
    assert (note["type"], note["x_guide"]["ruling"], note["seat"]) == ("note", "back", 1)
    assert note["text"].startswith("Led out of turn: Bob takes the card back")


def test_a_retried_ruling_of_several_entries_happens_once(table):
    table.record(LED)
    key, body = str(uuid4()), {"situation": "lead-out-of-turn", "remedy": "take-back", "answers": {"who": 1}}
    first, again = (table.keeper.post(path(table), body, headers={"Idempotency-Key": key}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert (first.json()["version"], again.json()["version"], table.row.version) == (3, 3, 3)
    assert again.headers["Idempotent-Replayed"] == "true"


def test_the_previewed_price_equals_the_result(table):
    table.record(*REVOKE, {"type": "result", "tricks": [6, 3, 3]})
    said = table.keeper.get(path(table), {"situation": "exposed-card", "who": "0"}).json()
    assert said["ruling"]["code"] == "pick-up"
    fine = carry_out(table, "looked-at-card", "penalty", {"who": 2, "first-card": "yes"}, points=2)
    assert fine.json()["state"]["totals"] == [6, 3, 1]


def test_a_guided_ruling_decides_a_dispute(table):
    table.record(LED)
    table.keeper.post(path(table, "disputes"), {"claim": "It was Ann’s lead."})
    done = carry_out(table, "lead-out-of-turn", "take-back", {"who": 1}, dispute=1)
    assert done.status_code == 201, done.json()
    (dispute,) = table.keeper.get(path(table, "disputes")).json()["disputes"]
    assert (dispute["status"], dispute["decision"]["tree"]) == ("upheld", "lead-out-of-turn")
    answers = {"who": 1, "next-played": "no", "accepts": "no", "partners": "no"}
    assert dispute["decision"]["answers"] == [list(each) for each in answers.items()]
    assert (dispute["decision"]["clauses"], dispute["decision"]["carried_out"]) == (["IR-8"], True)


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
        ({"situation": "remark", "remedy": "penalty"}, 422, "/points"),
    ],
)
def test_an_impossible_remedy_is_refused_and_writes_nothing(table, more, status, pointer):
    table.record(LED)
    body = {"situation": "lead-out-of-turn", "remedy": "take-back", "answers": {"who": 1}} | more
    answer = table.keeper.post(path(table), body)
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
def test_no_remedy_applies_to_a_disproved_accusation(table, stranger, situation, answers, remedy):
    table.record(*REVOKE)
    said = stranger.get(path(table), {"situation": situation, **answers}).json()
    assert (said["disproved"], said["remedies"]) == (True, [])
    answer = carry_out(table, situation, remedy, answers, **({"points": 3} if remedy == "penalty" else {}))
    assert refusal(answer) == (422, "disproved")
    assert answer.json()["errors"][0]["detail"] == said["ruling"]["text"]
    assert table.row.version == 3


def test_impossible_errors_are_not_listed(table, stranger):
    table.record(play(0, "8MS"), play(1, "9MS"), play(2, "XM"))
    there = {each["situation"] for each in stranger.get(path(table)).json()["guides"]}
    assert not {"revoke", "not-protested"} & there
    assert {"lead-out-of-turn", "exposed-card", "claim"} <= there


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("who=1", 400, "missing-key"),
        ("hand=9", 422, "bad-value"),
        ("situation=revoke&situation=claim", 400, "duplicate-key"),
        ("situation=rain", 422, "unknown-situation"),
        ("situation=revoke&who=Bob", 422, "bad-value"),
        ("situation=revoke&hand=9", 422, "bad-value"),
        ("situation=revoke&hand=last", 400, "bad-query"),
        ("situation=revoke&why=1", 400, "unknown-parameter"),
        ("situation=revoke&next-played=no", 422, "unknown-question"),
    ],
)
def test_an_invalid_address_is_refused(table, stranger, query, status, code):
    table.record(LED)
    assert refusal(stranger.get(f"{path(table)}?{query}")) == (status, code)


def test_before_the_first_event_a_wrong_deal_is_simply_redealt(table):
    said = table.keeper.get(path(table), {"situation": "misdeal"}).json()
    assert (said["ruling"]["code"], said["answered"][0]["by"]) == ("again", "record")
    done = carry_out(table, "misdeal", "redeal").json()
    assert done["state"]["hand"]["phase"] == "play", "Nothing was recorded that would be void."


def test_an_earlier_hand_is_ruled_on_by_its_number(table):
    table.record(*REVOKE, {"type": "result", "tricks": [6, 3, 3]}, play(1, "8MS"))
    said = table.keeper.get(path(table), {"situation": "revoke", "hand": "1", "who": "1", "trick": "1"}).json()
    assert said["ruling"]["clauses"] == ["IR-5"]


def test_a_ruling_leaves_face_down_cards_face_down():
    table = open_table(game="ransom-trump")
    bob = holder(table.link("player", 1))
    sealed = {"type": "ransom", "seat": 1, "cards": ["9MS"], "sealed": True}
    assert bob.post(path(table, "events"), sealed).status_code == 201
    assert carry_out(table, "exposed-card", "note", {"who": 0}).status_code == 201
    assert table.row.choosing["chosen"] == [1]


def test_hidden_points_stay_hidden(stranger):
    table = open_table(**PIT)
    table.record(*FIRST)
    said = stranger.get(path(table), {"situation": "remark", "who": "0"}).json()
    assert all(each["effect"] is None for each in said["remedies"])
    assert not leaks(said)


# --- A table that holds findings back until the hand is over: what each caller gets from the API

BEFORE = (play(0, "8MS"), {"type": "hold-findings"}, play(1, "2WL"), play(2, "9MS"), play(2, "9LK"), play(0, "XL"))
PROOF = play(1, "3MW")
"""Bob did not follow the Diplomat, and shows a Moon."""


@pytest.fixture
def held(db: None):
    table = open_table()
    table.record(*BEFORE)
    return table


def found(answer):
    """Return the last hand's findings according to an answer."""
    told = answer.json()
    hand = told["hand"] if "hand" in told else told["state"]["hands"][-1]
    return [each["code"] for each in hand["irregularities"]]


def test_only_the_scorekeeper_sees_a_held_back_finding_during_the_hand(held, stranger):
    held.record(PROOF)
    callers = [held.keeper, stranger, holder(held.link("player", 1)), holder(held.link("spectator"))]
    assert [found(each.get(held.url)) for each in callers] == [["revoke"], [], [], []]
    held.record({"type": "result", "tricks": [4, 5, 3]})
    assert [found(each.get(held.url)) for each in callers] == [["revoke"]] * 4


def test_the_answer_to_the_proving_card_does_not_reveal_the_finding(held):
    bob, whole = holder(held.link("player", 1)), "?expand=hand"

    def all_found(answer):
        told = answer.json()
        ruled = [each["code"] for each in told["ruling"]["irregularities"]]
        return found(answer), ruled, told["state"]["hand"]["findings"]

    answer = bob.post(path(held, "events") + whole, PROOF)
    assert answer.status_code == 201
    assert all_found(answer) == ([], [], 0)
    assert found(bob.post(path(held, "undo") + whole, {})) == []
    assert all_found(held.keeper.post(path(held, "events") + whole, PROOF)) == (["revoke"], ["revoke"], 1)


def test_a_refusal_does_not_reveal_a_held_back_finding(held):
    held.record(PROOF)
    late = [
        caller.post(path(held, "events"), play(1, "AS"), headers={"If-Match": '"1"'})
        for caller in (holder(held.link("player", 1)), held.keeper)
    ]
    assert [found(answer) for answer in late] == [[], ["revoke"]]


def test_an_exported_record_does_not_reveal_a_held_back_finding(held, stranger):
    held.record(PROOF)
    asked = {"as": "text", "annotate": "1"}
    assert "revoke" not in stranger.get(path(held, "record"), asked).content.decode()
    held.record({"type": "tell-findings"})
    assert "revoke" in stranger.get(path(held, "record"), asked).content.decode()
    assert found(stranger.get(held.url)) == ["revoke"]


def test_an_irregularity_everyone_saw_is_shown_to_everyone(table, stranger):
    table.record(*BEFORE[:2], play(2, "9MS", accepted=True))
    assert found(stranger.get(table.url)) == ["out-of-turn"]


# --- GET tables/{code}/hands/{n}/audit/: a full audit of a hand


def test_a_hand_can_be_audited_after_the_next_one_has_begun(db, stranger):
    table = open_table(options={"tides": True})
    table.record(play(0, "8MS"), play(1, "XK"), play(2, "XM"))
    told = stranger.get(path(table, "hands/1/audit")).json()
    assert (told["complete"], told["clean"], told["plays"]) == (True, True, 3)
    assert told["verdict"]["code"] == "audit-clean"
    table.record({"type": "note", "text": "Again"}, play(1, "9MS"))
    assert stranger.get(path(table, "hands/1/audit")).json()["complete"]
    assert not stranger.get(path(table, "hands/2/audit")).json()["complete"]


def test_held_back_findings_stay_hidden(held, stranger):
    held.record(PROOF)
    told = stranger.get(path(held, "hands/1/audit")).json()
    assert (told["infractions"], told["verdict"]["code"]) == ([], "audit-so-far-clean")
    held.record({"type": "result", "tricks": [4, 5, 3]})
    (found,) = stranger.get(path(held, "hands/1/audit")).json()["infractions"]
    assert (found["code"], found["certainty"], found["seat"]) == ("revoke", "proved", 1)


# --- A finding names its log rows and its settlement; a log row has its position and author

SETTLED_REVOKE = (play(0, "8MS"), play(1, "AW"), play(2, "XM"), {"type": "note", "text": "Hm."}, play(1, "9MS"))


def findings(client, table):
    return client.get(table.url).json()["state"]["hands"][0]["irregularities"]


def log(client, table):
    return client.get(f"{table.url}events/").json()["events"]


@pytest.fixture
def revoked():
    """A table at which Bob showed a Moon after failing to follow Moons."""
    table = open_table()
    table.record(*SETTLED_REVOKE)
    return table


def test_a_finding_names_its_log_rows(revoked, stranger):
    (found,) = findings(stranger, revoked)
    assert (found["code"], found["event"], found["seq"]) == ("revoke", [0, 1], 2)
    assert (found["proved_by"], found["proved_by_seq"], found["settled"]) == ([[0, 4]], [5], None)


def test_a_finding_keeps_its_log_rows_when_positions_move(revoked, scorekeeper):
    client = revoked.keeper
    revoked.undo()
    client.post(f"{revoked.url}amendments/", {"seq": 4, "event": None})
    assert client.post(f"{revoked.url}events/", SETTLED_REVOKE[-1]).status_code == 201
    (found,) = findings(client, revoked)
    assert (found["proved_by"], found["proved_by_seq"]) == ([[0, 3]], [8])
    places = {row["seq"]: row["position"] for row in log(client, revoked)}
    assert places == {1: [0, 0], 2: [0, 1], 3: [0, 2], 4: None, 5: None, 6: None, 7: None, 8: [0, 3]}


def test_letting_a_finding_stand_is_an_event_that_settles_it(revoked):
    client = revoked.keeper
    (found,) = findings(client, revoked)
    (stand,) = [remedy for remedy in found["remedies"] if remedy["code"] == "stand"]
    (note,) = stand["events"]
    assert (note["type"], note["seat"], note["x_settles"]) == ("note", 1, [0, 1])
    assert client.post(f"{revoked.url}events/", {"events": stand["events"]}).status_code == 201
    settled = findings(client, revoked)[0]["settled"]
    assert (settled["how"], settled["seq"], settled["by"], settled["name"]) == ("note", 6, "scorekeeper", "")
    assert settled["at"]
    client.post(f"{revoked.url}undo/")
    assert findings(client, revoked)[0]["settled"] is None


def test_every_remedy_offered_now_can_be_recorded_unchanged(revoked):
    client = revoked.keeper
    for remedy in findings(client, revoked)[0]["remedies"]:
        if remedy["events"]:
            answer = client.post(f"{revoked.url}events/?dry_run=1", {"events": remedy["events"]})
            assert answer.status_code == 200, (remedy, answer.json())


# -- names of links -------------------------------------------------------------------------


def test_the_log_keeps_a_links_name(table, scorekeeper):
    made = scorekeeper.post(path(table, "links"), {"role": "player", "seat": 0, "name": " Ann’s phone "}).json()
    assert made["name"] == "Ann’s phone"
    ann = holder(made["token"])
    assert ann.post(f"{table.url}events/", play(0, "AM")).status_code == 201
    (row,) = log(ann, table)
    assert (row["by"], row["who"]) == ("player-0", {"role": "player", "seat": 0, "name": "Ann’s phone"})


def test_renaming_a_link_keeps_earlier_log_entries(table, scorekeeper):
    address = f"{table.url}links/"
    made = scorekeeper.post(address, {"role": "player", "seat": 0, "name": "Ann"}).json()
    holder(made["token"]).post(f"{table.url}events/", play(0, "AM"))
    key = {"Idempotency-Key": str(uuid4())}
    one = f"{address}{made['id']}/"
    for _ in range(2):
        assert scorekeeper.patch(one, {"name": "Anna"}, headers=key).json()["name"] == "Anna"
    assert [link["name"] for link in scorekeeper.get(address).json()["rights"]] == ["", "Anna"]
    assert [row["who"]["name"] for row in log(scorekeeper, table)] == ["Ann"]
    assert scorekeeper.patch(one, {}).json()["code"] == "missing-key"
    assert scorekeeper.patch(one, {"name": "\u200b"}).status_code in (400, 422)
    assert scorekeeper.patch(f"{address}99999/", {"name": "x"}).status_code == 404
    assert holder(made["token"]).patch(one, {"name": "x"}).status_code == 403


# --- A finding disproved by a later card moves no points; decisions based on it are named and can be undone

DENIED = [*NAMED, drop(1, "9C", "4D", constipated=True), *plays("0:5D 1:2S")]
CLEARED = plays("2:- 3:- 0:- 1:6H 2:KD")
PENALTY = {"type": "penalty", "seat": 1, "points": -7, "reason": "denied deuce", "x_settles": [0, 3]}


@pytest.fixture
def denied():
    """A table at which Bob, named as the King's holder, is proved to have denied a 2."""
    opened = open_table(game="american-deuce", seats=["Ann", "Bob", "Cy", "Dot"], first_dealer=0)
    opened.record(*DENIED)
    return opened


def state(table):
    return table.keeper.get(table.url).json()["state"]


def test_a_remedy_based_on_a_disproved_finding_is_named_with_its_undo(denied):
    denied.record(PENALTY)
    (settled,) = state(denied)["hands"][0]["irregularities"]
    assert (settled["code"], settled["settled"]["seq"]) == ("denied-deuce", 7)
    denied.record(*CLEARED)
    hand = state(denied)["hands"][0]
    (elsewhere,) = hand["irregularities"]
    assert (elsewhere["code"], elsewhere["seat"], elsewhere["settled"]) == ("king-elsewhere", 2, None)
    (gone,) = hand["withdrawn"]
    assert (gone["code"], gone["seat"], gone["seq"], gone["withdrawn_by_seq"]) == ("denied-deuce", 1, 4, 12)
    assert (gone["settled"]["how"], gone["settled"]["seq"], gone["undo"]) == ("penalty", 7, [7])
    assert state(denied)["totals"][1] == -7
    assert denied.keeper.post(f"{denied.url}amendments/", {"seq": 7, "event": None}).status_code == 201
    assert state(denied)["totals"] == [0, 0, 0, 0]
    assert state(denied)["hands"][0]["withdrawn"][0]["settled"] is None


def test_without_a_remedy_nothing_depends_on_a_disproved_finding(denied):
    denied.record(*CLEARED)
    (gone,) = state(denied)["hands"][0]["withdrawn"]
    assert (gone["settled"], gone["undo"]) == (None, [])


def test_a_ruling_after_the_card_settles_the_finding(denied):
    denied.record(*CLEARED, PENALTY | {"seat": 2})
    hand = state(denied)["hands"][0]
    assert hand["irregularities"][0]["settled"]["how"] == "penalty"
    assert hand["withdrawn"][0]["undo"] == []


def test_a_remedy_with_deletions_is_carried_out_step_by_step(denied):
    client = denied.keeper
    (found,) = state(denied)["hands"][0]["irregularities"]
    (again,) = [remedy for remedy in found["remedies"] if remedy["code"] == "redo-exchange"]
    rows = {tuple(row["position"]): row["seq"] for row in log(client, denied)}
    for position in again["strikes"]:
        done = client.post(f"{denied.url}amendments/", {"seq": rows[tuple(position)], "event": None})
        assert done.status_code == 201, done.json()
    answer = client.post(f"{denied.url}events/", {"events": again["events"]})
    assert answer.status_code == 201, answer.json()
    hand = state(denied)["hands"][0]
    assert (hand["irregularities"], hand["withdrawn"], hand["exchange"], hand["tricks"]) == ([], [], None, [])
