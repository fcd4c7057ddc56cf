"""Disputes in the API, and what a record keeps of them."""

import pytest
from rest_framework.test import APIClient

from scoring.models import Dispute, Table
from scoring.operating.reads import differences
from scoring.rulings.acts.dispute_index import rebuild_disputes
from scoring.tables.acts.holding import state_cache
from tests.scoring.conftest import holder, open_table, play
from tests.scoring.groups import brought, make_group

# --- tables/{code}/disputes/: calling the referee, and the outcome

TRICK = [play(0, "8MS"), play(1, "4WL"), play(2, "XM")]
CLAIM = {"claim": "Bob, you had a Sun!", "about": {"hand": 1, "event": 1}}
FINE = {"type": "penalty", "seat": 1, "points": -1, "reason": "revoke"}


@pytest.fixture
def table(table):
    """The table with a trick played."""
    table.record(*TRICK)
    return table


def stands(table):
    """Return whether all data derived from the log matches it."""
    row = table.row
    return differences(row) == [] and rebuild_disputes(row) == []


def test_a_dispute_is_raised_and_ruled_on(ann, cy, url, table):
    answer = cy.post(f"{url}disputes/", CLAIM)
    assert answer.status_code == 201, answer.json()
    raised = answer.json()["dispute"]
    assert (raised["id"], raised["status"], raised["seat"], raised["claim"]) == (1, "open", 2, "Bob, you had a Sun!")
    assert raised["about"] == {"hand": 1, "event": 1, "trick": None, "score_line": None, "seq": 2}
    assert ann.get(url).json()["disputes"] == {"open": [1], "paused": []}
    ruled = ann.post(
        f"{url}disputes/1/acts/",
        {"act": "rule", "status": "overruled", "text": "He showed none later.", "clauses": ["AT-5"]},
    )
    assert ruled.status_code == 201, ruled.json()
    made = ruled.json()["dispute"]
    assert (made["status"], made["decision"]["text"], made["decision"]["clauses"], made["decision"]["by"]) == (
        "overruled", "He showed none later.", ["AT-5"], "scorekeeper",
    )  # fmt: skip
    assert ann.get(url).json()["disputes"] == {"open": [], "paused": []}
    assert [each["id"] for each in ann.get(f"{url}disputes/").json()["disputes"]] == [1]
    assert stands(table)


def test_a_dispute_starts_with_the_evidence_of_the_record(ann, bob, url):
    ann.post(f"{url}events/", {"events": [play(2, "2MK"), play(0, "3MW"), play(1, "7SK")]})
    bob.post(f"{url}disputes/", CLAIM)
    record = ann.get(f"{url}disputes/1/").json()["evidence"]
    assert (record["event"]["cards"], record["trick"]["number"], record["held"]) == (["4WL"], 1, False)
    assert [found["code"] for found in record["findings"]] == ["revoke"]
    assert record["findings"][0]["certainty"] == "proved"
    assert record["unchecked"]
    assert ann.get(f"{url}disputes/1/").json()["situation"] == "revoke"


def test_a_ruling_and_its_remedy_are_atomic(ann, cy, url, table):
    cy.post(f"{url}disputes/", CLAIM)
    version = table.row.version
    ruling = {
        "act": "rule",
        "status": "upheld",
        "text": "A point for it.",
        "clauses": ["IR-4"],
        "remedy": [FINE, play(0, "5SW")],
    }
    refused = ann.post(f"{url}disputes/1/acts/", ruling)
    assert (refused.status_code, refused.json()["code"]) == (409, "out-of-turn")
    assert refused.json()["errors"][0]["pointer"] == "/remedy/1"
    assert table.row.version == version
    made = ann.post(f"{url}disputes/1/acts/", ruling | {"remedy": [FINE | {"x_settles": [0, 1]}]}).json()
    assert made["version"] == version + 2
    assert made["dispute"]["decision"]["carried_out"] is True
    assert ann.get(url).json()["state"]["totals"] == [0, -1, 1]
    assert stands(table)


def test_a_guided_ruling_keeps_its_questions_and_answers(ann, cy, url):
    cy.post(f"{url}disputes/", {"claim": "You showed a card."})
    answers = [{"question": "partners", "answer": "no"}]
    ruling = {
        "act": "rule",
        "status": "upheld",
        "text": "Pick it up.",
        "clauses": ["IR-7"],
        "tree": "exposed-card",
        "answers": answers,
    }
    made = ann.post(f"{url}disputes/1/acts/", ruling).json()["dispute"]["decision"]
    assert (made["tree"], made["answers"]) == ("exposed-card", answers)
    assert Dispute.objects.get().situation == "exposed-card"


def test_a_ruling_is_final(ann, cy, url):
    cy.post(f"{url}disputes/", CLAIM)
    ruling = {"act": "rule", "status": "upheld", "text": "So it is."}
    assert ann.post(f"{url}disputes/1/acts/", ruling).status_code == 201
    for act in (ruling, {"act": "withdraw"}, {"act": "agree", "text": "x"}, {"act": "pause", "paused": True}):
        answer = ann.post(f"{url}disputes/1/acts/", act)
        assert (answer.status_code, answer.json()["code"]) == (409, "dispute-decided")
    assert ann.post(f"{url}disputes/1/acts/", {"act": "carry-out"}).json()["code"] == "no-remedy-left"
    assert ann.post(f"{url}disputes/2/acts/", ruling).json()["code"] == "no-such-dispute"


def test_the_player_who_raised_a_dispute_can_withdraw_it(bob, cy, url, table):
    cy.post(f"{url}disputes/", CLAIM)
    assert bob.post(f"{url}disputes/1/acts/", {"act": "withdraw"}).json()["code"] == "not-the-referee"
    answer = cy.post(f"{url}disputes/1/acts/", {"act": "withdraw", "text": "I was wrong."})
    assert answer.json()["dispute"]["status"] == "withdrawn"
    assert table.row.disputes["open"] == []


def test_two_phones_settle_a_dispute_by_agreeing(bob, cy, url, table):
    dan = holder(table.link("player", 0))
    cy.post(f"{url}disputes/", CLAIM)
    assert dan.post(f"{url}disputes/1/acts/", {"act": "agree", "text": "A point."}).json()["code"] == "not-the-referee"
    assert bob.post(f"{url}disputes/1/acts/", {"act": "agree"}).status_code == 422
    offered = bob.post(f"{url}disputes/1/acts/", {"act": "agree", "text": "One point to Cy."}).json()["dispute"]
    assert (offered["status"], offered["proposal"]["seat"]) == ("open", 1)
    bob.post(f"{url}disputes/1/acts/", {"act": "agree", "text": "One point to Cy."})
    agreed = cy.post(f"{url}disputes/1/acts/", {"act": "agree"}).json()["dispute"]
    assert (agreed["status"], agreed["decision"]["text"]) == ("agreed", "One point to Cy.")
    assert stands(table)


@pytest.mark.parametrize("keeps", [True, False])
def test_an_agreement_can_include_a_remedy(ann, bob, cy, url, table, keeps):
    cy.post(f"{url}disputes/", CLAIM)
    offer = {"act": "agree", "text": "One point.", "remedy": [FINE]}
    offered = bob.post(f"{url}disputes/1/acts/", offer).json()["dispute"]
    assert offered["proposal"]["remedy"] == [FINE]
    agreed = (ann if keeps else cy).post(f"{url}disputes/1/acts/", {"act": "agree"}).json()["dispute"]
    decision = agreed["decision"]
    assert (agreed["status"], decision["remedy"], decision["carried_out"]) == ("agreed", [FINE], keeps)
    if not keeps:
        assert ann.post(f"{url}disputes/1/acts/", {"act": "carry-out"}).status_code == 201
    assert ann.get(url).json()["state"]["totals"] == [0, -1, 1]
    assert stands(table)


def test_the_same_words_with_another_remedy_are_a_different_offer(bob, cy, url, table):
    cy.post(f"{url}disputes/", CLAIM)
    bob.post(f"{url}disputes/1/acts/", {"act": "agree", "text": "One point.", "remedy": [FINE]})
    other = {"act": "agree", "text": "One point.", "remedy": [FINE | {"points": -2}]}
    assert cy.post(f"{url}disputes/1/acts/", other).json()["dispute"]["status"] == "open"
    assert bob.post(f"{url}disputes/1/acts/", {"act": "agree"}).json()["dispute"]["status"] == "agreed"


def test_the_majority_decides_if_the_table_chose_so(ann, bob, cy, url, table):
    assert ann.patch(url, {"rules_by": "majority"}).json()["rules_by"] == "majority"
    dan = holder(table.link("player", 0))
    cy.post(f"{url}disputes/", CLAIM)
    upheld = {"act": "rule", "status": "upheld", "text": "Yes.", "remedy": [FINE]}
    assert ann.post(f"{url}disputes/1/acts/", upheld).json()["code"] == "not-the-referee"
    assert cy.post(f"{url}disputes/1/acts/", upheld).json()["dispute"]["status"] == "open"
    voted = bob.post(f"{url}disputes/1/acts/", {"act": "rule", "status": "overruled", "text": "No."}).json()["dispute"]
    assert [(vote["seat"], vote["vote"]) for vote in voted["votes"]] == [(1, "overruled"), (2, "upheld")]
    made = dan.post(f"{url}disputes/1/acts/", upheld).json()["dispute"]
    assert (made["status"], made["decision"]["by"], made["decision"]["carried_out"]) == ("upheld", "majority", False)
    assert bob.post(f"{url}disputes/1/acts/", {"act": "carry-out"}).status_code == 403
    done = ann.post(f"{url}disputes/1/acts/", {"act": "carry-out"}).json()["dispute"]
    assert done["decision"]["carried_out"] is True
    assert ann.get(url).json()["state"]["totals"] == [0, -1, 1]
    assert ann.post(f"{url}disputes/1/acts/", {"act": "carry-out"}).json()["code"] == "no-remedy-left"


def test_a_neutral_phone_decides_if_the_table_names_one(ann, bob, cy, dee, url, table):
    links = {link["role"]: link["id"] for link in ann.get(f"{url}links/").json()["rights"]}
    assert ann.patch(url, {"rules_by": "neutral", "referee": links["player"]}).status_code == 422
    assert ann.patch(url, {"rules_by": "neutral"}).status_code == 422
    assert ann.patch(url, {"referee": links["spectator"]}).json()["referee"] == links["spectator"]
    cy.post(f"{url}disputes/", CLAIM)
    ruling = {"act": "rule", "status": "upheld", "text": "It was a revoke.", "clauses": ["AT-5"], "remedy": [FINE]}
    for other in (ann, bob):
        assert other.post(f"{url}disputes/1/acts/", ruling).json()["code"] == "not-the-referee"
    made = dee.post(f"{url}disputes/1/acts/", ruling).json()["dispute"]
    assert (made["decision"]["by"], made["decision"]["carried_out"]) == ("neutral", False)
    assert ann.post(f"{url}disputes/1/acts/", {"act": "carry-out"}).status_code == 201
    ann.delete(f"{url}links/{links['spectator']}/")
    cy.post(f"{url}disputes/", CLAIM)
    assert ann.post(f"{url}disputes/2/acts/", ruling | {"remedy": []}).status_code == 201


PROVED = [play(2, "2MK"), play(0, "3MW"), play(1, "7SK")]
"""Bob shows the 7 of Suns, with which he could have followed suit."""


def settled(client, url):
    """How the table's only finding was settled."""
    (finding,) = client.get(url).json()["state"]["hands"][-1]["irregularities"]
    return finding["settled"] and (finding["settled"]["how"], finding["settled"]["by"])


@pytest.mark.parametrize("about", [{"hand": 1, "event": 1}, {"hand": 1, "event": 5}, {"hand": 1, "trick": 1}])
@pytest.mark.parametrize("rules_by", ["scorekeeper", "neutral", "majority", "agreement"])
def test_ruling_on_a_finding_settles_it(ann, bob, cy, dee, url, table, rules_by, about):
    ann.post(f"{url}events/", {"events": PROVED})
    links = {link["role"]: link["id"] for link in ann.get(f"{url}links/").json()["rights"]}
    if rules_by != "agreement":
        ann.patch(url, {"rules_by": rules_by, **({"referee": links["spectator"]} if rules_by == "neutral" else {})})
    cy.post(f"{url}disputes/", CLAIM | {"about": about})
    assert settled(ann, url) is None
    ruling = {"act": "rule", "status": "upheld", "text": "Two points at our table."}
    if rules_by == "agreement":
        bob.post(f"{url}disputes/1/acts/", {"act": "agree", "text": "Two points."})
        assert cy.post(f"{url}disputes/1/acts/", {"act": "agree"}).json()["dispute"]["status"] == "agreed"
    for client in {"scorekeeper": (ann,), "neutral": (dee,), "majority": (bob, cy)}.get(rules_by, ()):
        assert settled(ann, url) is None
        assert client.post(f"{url}disputes/1/acts/", ruling).status_code == 201
    assert settled(ann, url)[0] == "note"
    assert stands(table)
    ann.post(f"{url}undo/")
    assert settled(ann, url) is None


def test_the_remedy_of_a_finding_settles_it_once(ann, cy, url, table):
    ann.post(f"{url}events/", {"events": PROVED})
    cy.post(f"{url}disputes/", CLAIM)
    fine = FINE | {"x_settles": [0, 1]}
    ann.post(f"{url}disputes/1/acts/", {"act": "rule", "status": "upheld", "text": "Yes.", "remedy": [fine]})
    assert settled(ann, url)[0] == "penalty"


def test_a_ruling_made_before_the_proof_reopens(ann, cy, url):
    cy.post(f"{url}disputes/", CLAIM)
    ann.post(f"{url}disputes/1/acts/", {"act": "rule", "status": "overruled", "text": "He says that he had none."})
    ann.post(f"{url}events/", {"events": PROVED})
    assert settled(ann, url) is None


def test_a_guided_ruling_about_a_finding_settles_it(ann, url):
    ann.post(f"{url}events/", {"events": PROVED})
    body = {"situation": "revoke", "answers": {"who": 1, "trick": 1, "hand-over": "yes"}, "remedy": "stand"}
    assert ann.post(f"{url}guide/", body).status_code == 201
    assert settled(ann, url)[0] == "note"


def test_the_hand_waits_if_the_caller_asks(ann, bob, cy, url):
    cy.post(f"{url}disputes/", CLAIM | {"pause": True})
    waits = ann.post(f"{url}events/", play(2, "2MK"))
    assert (waits.status_code, waits.json()["code"]) == (409, "table-paused")
    assert ann.post(f"{url}events/", {"type": "note", "text": "Tea?"}).status_code == 201
    assert bob.post(f"{url}disputes/1/acts/", {"act": "pause", "paused": False}).status_code == 403
    assert cy.post(f"{url}disputes/1/acts/", {"act": "pause", "paused": False}).status_code == 201
    assert cy.post(f"{url}disputes/1/acts/", {"act": "pause", "paused": False}).status_code == 201
    assert ann.post(f"{url}events/", play(2, "2MK")).status_code == 201
    ann.post(f"{url}disputes/1/acts/", {"act": "pause", "paused": True})
    assert ann.post(f"{url}events/", play(0, "3MW")).json()["code"] == "table-paused"
    ann.post(f"{url}disputes/1/acts/", {"act": "rule", "status": "overruled", "text": "Play on."})
    assert ann.post(f"{url}events/", play(0, "3MW")).status_code == 201


def test_a_dispute_survives_the_next_deal_and_is_removed_by_undo(ann, cy, url, table):
    cy.post(f"{url}disputes/", CLAIM)
    ann.post(f"{url}events/", {"type": "redeal"})
    ann.post(f"{url}events/", play(0, "8MS"))
    assert ann.get(url).json()["disputes"]["open"] == [1]
    ann.post(f"{url}disputes/1/acts/", {"act": "rule", "status": "upheld", "text": "Yes."})
    ann.post(f"{url}undo/")
    assert ann.get(f"{url}disputes/1/").json()["status"] == "open"
    assert stands(table)
    seq = ann.get(f"{url}disputes/1/").json()["seq"]
    assert ann.post(f"{url}amendments/", {"seq": seq, "event": None, "reason": "a joke"}).status_code == 201
    assert ann.get(f"{url}disputes/").json()["disputes"] == []
    assert stands(table)
    assert cy.post(f"{url}disputes/", {"claim": "Again."}).json()["dispute"]["id"] == 2


def test_a_disputes_subject_moves_with_amendments(ann, cy, url):
    ann.post(f"{url}amendments/", {"seq": 1, "event": play(0, "5SW")})
    cy.post(f"{url}disputes/", {"claim": "That card!", "about": {"hand": 1, "event": 2}})
    note = {"type": "note", "text": "Hm."}
    assert ann.get(f"{url}disputes/1/").json()["about"]["event"] == 2
    ann.post(f"{url}events/", note)
    seq = ann.get(f"{url}events/").json()["events"][-1]["seq"]
    ann.post(f"{url}amendments/", {"seq": seq, "event": None})
    record = ann.get(f"{url}record/").json()
    assert record["hands"][0]["events"][3]["x_dispute"]["about"] == {"hand": 0, "event": 2}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/claim"),
        ({"claim": " "}, "/claim"),
        ({"claim": "x", "about": {"hand": 3}}, "/about/hand"),
        ({"claim": "x", "about": {"hand": 1, "event": 3}}, "/about/event"),
        ({"claim": "x", "about": {"hand": 1, "trick": 5}}, "/about/trick"),
        ({"claim": "x", "about": {"hand": 1, "score_line": 90}}, "/about/score_line"),
        ({"claim": "x", "about": {"event": 0, "trick": 1}}, "/about"),
        ({"claim": "x", "about": 3}, "/about"),
        ({"claim": "x", "seat": 9}, ""),
    ],
)
def test_an_unknown_target_is_refused(ann, url, table, body, pointer):
    answer = ann.post(f"{url}disputes/", body)
    assert answer.status_code in (400, 422)
    assert not pointer or answer.json()["errors"][0]["pointer"] == pointer
    assert table.row.version == 3


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"act": "rule"},
        {"act": "dance"},
        {"act": "rule", "status": "upheld", "text": "\u200b"},
        {"act": "pause"},
        {"act": "pause", "paused": True, "text": "x"},
        {"act": "carry-out", "remedy": []},
        {"act": "withdraw", "status": "upheld"},
        {"status": "upheld", "text": "x"},
        {"act": "rule", "status": "open", "text": "x"},
        {"act": "rule", "status": "upheld"},
        {"act": "rule", "status": "upheld", "text": "x", "clauses": ["AT-999"]},
        {"act": "rule", "status": "upheld", "text": "x", "remedy": [{"type": "dance"}]},
        {
            "act": "rule",
            "status": "upheld",
            "text": "x",
            "remedy": [{"type": "note", "text": "x", "x_dispute": {"id": 4}}],
        },
        {"act": "rule", "status": "upheld", "text": "x", "tree": "t", "answers": [[[[[[1]]]]]]},
    ],
)
def test_missing_and_extra_fields_of_an_act_are_refused(ann, cy, url, table, body):
    cy.post(f"{url}disputes/", CLAIM)
    assert ann.post(f"{url}disputes/1/acts/", body).status_code in (400, 422)
    assert table.row.version == 4


def test_an_event_cannot_inject_a_dispute(ann, url, table):
    for mark in ({"id": 1}, {"of": 1, "state": "upheld"}):
        note = {"type": "note", "text": "x", "x_dispute": mark}
        for path, body in (("events", note), ("amendments", {"seq": 1, "event": note})):
            answer = ann.post(f"{url}{path}/", body)
            assert (answer.status_code, answer.json()["code"]) == (422, "bad-value"), answer.json()
    assert table.row.disputes == {}


def test_players_can_raise_a_dispute_only_for_their_own_seat(bob, url):
    assert bob.post(f"{url}disputes/", CLAIM | {"seat": 0}).json()["code"] == "not-your-seat"
    assert bob.post(f"{url}disputes/", CLAIM).status_code == 201


def test_secret_choices_stay_hidden(db):
    table = open_table(game="ransom-trump")
    clients = [holder(table.link("player", seat)) for seat in range(3)]
    url = table.url
    sealed = {"type": "ransom", "seat": 1, "cards": ["5SW"], "sealed": True}
    assert clients[1].post(f"{url}events/", sealed).status_code == 201
    raised = clients[2].post(f"{url}disputes/", {"claim": "Bob looked!"})
    assert raised.status_code == 201, raised.json()
    assert clients[0].get(url).json()["sealed"] == [1]
    told = str(clients[0].get(f"{url}disputes/1/").json()) + str(clients[0].get(f"{url}record/").json())
    assert "5SW" not in told
    clients[0].post(f"{url}disputes/1/acts/", {"act": "agree", "text": "Never mind."})
    assert clients[0].get(url).json()["sealed"] == [1]


def test_held_back_findings_stay_hidden_in_disputes(ann, bob, url):
    ann.post(f"{url}events/", {"type": "hold-findings"})
    ann.post(f"{url}events/", {"events": [play(2, "2MK"), play(0, "3MW"), play(1, "7SK")]})
    raised = bob.post(f"{url}disputes/", CLAIM).json()["dispute"]
    assert raised["situation"] == "card"
    record = bob.get(f"{url}disputes/1/").json()["evidence"]
    assert (record["findings"], record["held"]) == ([], True)
    assert "revoke" not in str(bob.get(f"{url}events/").json())


# --- Records with disputes round-trip byte for byte in every format, and so do the disputes

pytestmark = pytest.mark.django_db


UPHELD = {
    "act": "rule",
    "status": "upheld",
    "text": "He had; „so“.",
    "clauses": ["IR-4"],
    "remedy": [FINE | {"x_settles": [0, 1]}],
}
LISTED = ("number", "state", "situation", "ruling", "decided")


def heated(table):
    """Play an evening with many disputes: upheld with a remedy, agreed, voted on, withdrawn, left open."""
    ann, bob, cy = table.keeper, holder(table.link("player", 1)), holder(table.link("player", 2))
    url = table.url
    plays = [play(0, "8MS"), play(1, "4WL"), play(2, "XM"), play(2, "2MK"), play(0, "3MW"), play(1, "7SK")]
    acts = [
        (ann, "events/", {"events": plays}),
        (cy, "disputes/", {"claim": "Bob, you had a Sun!", "about": {"hand": 1, "event": 1}, "pause": True}),
        (ann, "disputes/1/acts/", UPHELD),
        (bob, "disputes/", {"claim": "Cy looked at my cards.", "about": {"hand": 1, "trick": 2}}),
        (bob, "disputes/2/acts/", {"act": "agree", "text": "We forget it."}),
        (cy, "disputes/2/acts/", {"act": "agree"}),
        (ann, "events/", {"type": "redeal"}),
        (ann, "events/", play(0, "5SW")),
        (ann, "disputes/", {"claim": "That was no lead.", "seat": 2}),
        (ann, "disputes/3/acts/", {"act": "withdraw", "text": "It was."}),
        (cy, "disputes/", {"claim": "Still: Bob had a Sun.", "about": {"hand": 1, "score_line": 0}}),
    ]
    for client, path, body in acts:
        answer = client.post(f"{url}{path}", body)
        assert answer.status_code == 201, (path, answer.json())
    # An entry before the disputed one is deleted, so later ones move up in the record.
    note = {"type": "note", "text": "first"}
    assert ann.post(f"{url}amendments/", {"seq": 1, "event": play(0, "9MS")}).status_code == 201
    assert ann.post(f"{url}events/", note).status_code == 201
    return url


def told(url):
    """Return a table's disputes without the parts specific to its own log."""
    found = APIClient().get(f"{url}disputes/").json()["disputes"]
    for each in found:
        for said in (each, each["about"], each["decision"] or {}, *each["votes"]):
            said.pop("seq", None)
    return found


@pytest.mark.parametrize("shape", ["json", "text"])
def test_a_record_round_trips_byte_for_byte(shape):
    url = heated(open_table())
    record = APIClient().get(f"{url}record/?as={shape}").content
    brought = {"text": record.decode()} if shape == "text" else APIClient().get(f"{url}record/").json()
    answer = APIClient().post("/api/v1/tables/import/", brought)
    assert answer.status_code == 201, answer.json()
    back = f"/api/v1/tables/{answer.json()['code']}/"
    assert APIClient().get(f"{back}record/?as={shape}").content == record
    assert told(back) == told(url)
    assert [each["status"] for each in told(back)] == ["upheld", "agreed", "withdrawn", "open"]
    row = Table.objects.get(code=answer.json()["code"])
    assert (differences(row), rebuild_disputes(row)) == ([], [])
    assert row.disputes["open"] == [4]


def test_an_archive_round_trips_byte_for_byte():
    group = make_group("Ann", "Bob", "Cy")
    url = heated(group.open_table())
    group.member.patch(group.url, {"shares_rulings": True})
    row = Table.objects.get(code=url.split("/")[-2])
    Table.objects.filter(pk=row.pk).update(ruled_by={"kind": "majority"}, shares_rulings=True)
    assert brought(group.archive()).archive() == group.archive()
    (back,) = Table.objects.exclude(pk=row.pk)
    assert told(f"/api/v1/tables/{back.code}/") == told(url)
    assert APIClient().get(f"/api/v1/tables/{back.code}/").json()["rules_by"] == "majority"
    assert Dispute.objects.filter(table=back).count() == 4


def test_derived_lists_can_be_rebuilt_from_the_log():
    url = heated(open_table())
    row = Table.objects.get(code=url.split("/")[-2])
    kept = list(Dispute.objects.filter(table=row).values_list(*LISTED))
    Dispute.objects.all().delete()
    Table.objects.filter(pk=row.pk).update(disputes={})
    state_cache.drop(row.code)
    row.refresh_from_db()
    assert len(rebuild_disputes(row)) == 2
    assert differences(row) != []
    rebuild_disputes(row, write=True)
    assert list(Dispute.objects.filter(table=row).values_list(*LISTED)) == kept
    row.refresh_from_db()
    assert (differences(row), rebuild_disputes(row)) == ([], [])


@pytest.mark.parametrize(
    "mark",
    [
        3, None, [], {}, {"id": "1"}, {"id": 0}, {"id": -1}, {"id": True}, {"id": 1, "about": 4, "at": "x", "by": 3},
        {"of": 7, "state": "upheld"}, {"of": 1, "state": "maybe"}, {"id": 1, "about": {"hand": 9, "event": "1"}},
        {"id": 1, "situation": ["x"], "pause": "yes"},
    ],
)  # fmt: skip
def test_wrong_markup_from_another_program_is_ignored(mark):
    events = [
        play(0, "8MS"),
        {"type": "note", "text": "x", "x_dispute": mark},
        {"type": "note", "text": "y", "x_dispute": mark},
    ]
    record = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2, "hands": [{"events": events}]}
    answer = APIClient().post("/api/v1/tables/import/", record)
    assert answer.status_code == 201, answer.json()
    url, page = f"/api/v1/tables/{answer.json()['code']}/", f"/t/{answer.json()['code']}/"
    assert len(told(url)) <= 1
    for each in told(url):
        assert APIClient().get(f"{url}disputes/{each['id']}/").status_code == 200
        assert APIClient().get(f"{page}disputes/{each['id']}/").status_code == 200
    for path in ("", "log/", "disputes/", "hands/1/", "screen/"):
        assert APIClient().get(f"{page}{path}").status_code == 200
    assert differences(Table.objects.get()) == []
