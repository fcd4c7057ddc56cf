"""Disputes on pages."""

import re

import pytest
from django.urls import reverse

from scoring.models import Link, Role, Table
from scoring.rulings.reads.disputes import SCOREKEEPER, who_rules
from scoring.tables.reads.log import record
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import code_of, disputes_of, joined, of_a_player, row_of, shown
from tests.scoring.pages.reading import text

# --- Calling the referee on the page, and settling the dispute


@pytest.fixture
def address(device):
    """A table at which Bob discards on the first trick and shows a Sun in the second."""
    return device.open_table(plays="8MS 4WL XM 2MK 3MW")


@pytest.fixture
def cy(address) -> Device:
    return of_a_player(address, 2)


def test_every_page_of_the_table_shows_that_the_referee_was_called(device, other, cy, address):
    raised = cy.post(f"{address}disputes/", {"claim": "Bob, you had a Sun!", "hand": "1", "about": "event-1"})
    assert raised.status_code == 302
    for who, page in ((device, address), (cy, address), (other, address), (other, f"{address}screen/")):
        told = shown(who, page)
        assert "Cy calls the referee" in told
        assert "Bob, you had a Sun!" in told
    assert "Bob, you had a Sun!" in shown(device, f"{address}hands/1/")
    assert "Dispute 1: Bob, you had a Sun!" in shown(device, f"{address}log/")


def test_the_hand_waits_for_a_ruling(device, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Stop!", "pause": "1"})
    assert "play is paused" in shown(device, address)
    refused = device.tap(address, "play", seat="", cards="7SK")
    assert refused.status_code == 409
    assert "The referee was called" in refused.content.decode()
    ruling = {"state": "overruled", "text": "Nothing is wrong.", "clause": "AT-5", "more": "IR-1, IR-2"}
    assert device.post(f"{address}disputes/1/ruling/", ruling).status_code == 302
    told = shown(cy, f"{address}disputes/1/")
    assert all(words in told for words in ("Nothing is wrong.", "AT-5", "IR-1", "IR-2"))
    assert device.tap(address, "play", seat="", cards="7SK").status_code == 302
    assert disputes_of(address) == {"raised": 1, "open": [], "paused": []}


def test_only_the_caller_can_resume_the_hand_and_withdraw_the_call(device, cy, address):
    bob = of_a_player(address, 1)
    cy.post(f"{address}disputes/", {"claim": "Stop!", "pause": "1"})
    assert "That’s not yours to decide" in bob.post(f"{address}disputes/1/withdrawal/").content.decode()
    cy.post(f"{address}disputes/1/pause/", {"paused": "0"})
    assert disputes_of(address)["paused"] == []
    cy.post(f"{address}disputes/1/withdrawal/")
    assert disputes_of(address)["open"] == []


SAID = {"state": "upheld", "text": "So it is."}


@pytest.mark.parametrize(
    ("settles", "told", "charges", "charged"),
    [
        (
            SAID | {"remedy": "0-0/stand"}, "So it is.",
            SAID | {"remedy": "points", "points": "2"}, "Ann: −2 points (So it is.)",
        ),
        (
            {"answer": "upheld:0-0/stand"}, "Let it stand and play on.",
            {"answer": "upheld:points", "points-typed": "3"}, "Ann: −3 points",
        ),
    ],
    ids=["in words", "by one button"],
)  # fmt: skip
def test_a_ruling_carries_out_its_remedy(device, cy, address, settles, told, charges, charged):
    device.tap(address, "play", seat="", cards="7SK")
    cy.post(f"{address}disputes/", {"claim": "Bob!", "hand": "1", "about": "event-1"})
    page = shown(device, f"{address}disputes/1/")
    assert 'value="upheld:0-0/stand"' in page
    assert "Bob had a Sun." in page
    assert "Decide now" in shown(device, address)
    assert device.post(f"{address}disputes/1/ruling/", settles).status_code == 302
    assert "Decide now" not in shown(device, address)
    page = text(device.get(f"{address}disputes/1/"))
    assert "Cy is right" in page
    assert told in page
    cy.post(f"{address}disputes/", {"claim": "Ann looked!"})
    device.post(f"{address}disputes/2/ruling/", {"seat": "0", **charges})
    assert charged in text(device.get(f"{address}log/"))


def test_each_remedy_names_its_irregularity(device, cy, address):
    device.tap(address, "play", seat="1", cards="7SK")
    device.tap(address, "play", seat="0", cards="9LK", accepted="1")
    cy.post(f"{address}disputes/", {"claim": "That was all wrong!", "hand": "1"})
    page = shown(device, f"{address}disputes/1/")
    answers = re.findall(r'<button class="price[^"]*" name="answer" value="([^"]*)">(.*?)</button>', page, re.DOTALL)
    said = {value: " ".join(re.sub(r"<[^>]+>", " ", shown).split()) for value, shown in answers}
    assert len({value.partition("/")[0] for value in said}) > 2
    assert len(set(said.values())) == len(said) == len(answers), "nothing stands there twice"
    assert "trick 1" in said["upheld:0-0/stand"]
    assert "Nothing was wrong" in said["overruled:"]
    asked = page.partition("How do you rule?")[2].partition("Or settle it together")[0]
    assert " checked" not in asked.replace("be checked", ""), "nothing is chosen before somebody chooses it"


def test_a_ruling_without_words_of_its_own_is_told_once(device, address):
    device.post(f"{address}disputes/", {"claim": "We disagree.", "pause": "1"})
    assert device.post(f"{address}disputes/1/ruling/", {"answer": "upheld:"}).status_code == 302
    assert text(device.get(f"{address}disputes/1/")).count("The call is right") == 1
    assert "Dispute 1: The call is right." in text(device.get(f"{address}log/"))


def test_only_the_players_concerned_are_asked_to_agree(device, cy, address):
    """Cy says that Bob revoked; Ann, whose card it was not, has nothing to agree to."""
    ann, bob = of_a_player(address, 0), of_a_player(address, 1)
    cy.post(f"{address}disputes/", {"claim": "Bob!", "hand": "1", "about": "event-1"})
    offered = {who: "settle it together" in shown(who, f"{address}disputes/1/") for who in (ann, bob, cy, device)}
    assert offered == {ann: False, bob: True, cy: True, device: True}
    assert "That’s not yours to decide" in ann.post(f"{address}disputes/1/agreement/", {"text": "No."}).content.decode()


def test_a_players_phone_cannot_carry_out_a_remedy(device, cy, address):
    bob = of_a_player(address, 1)
    Table.objects.update(ruled_by={"kind": "majority"})
    cy.post(f"{address}disputes/", {"claim": "Bob looked!"})
    ruling = {"state": "upheld", "text": "Looked.", "remedy": "points", "seat": "1", "points": "2"}
    for phone in (bob, cy):
        phone.post(f"{address}disputes/1/ruling/", ruling)
    assert disputes_of(address)["open"] == []
    assert cy.post(f"{address}disputes/1/remedy/").status_code == 409
    assert "Bob: −2" not in shown(device, f"{address}log/")
    device.post(f"{address}disputes/1/remedy/")
    assert "Bob: −2 points (Looked.)" in shown(device, f"{address}log/")


def test_an_unknown_kind_of_referee_is_refused_and_leaves_the_scorekeeper(device, address):
    assert device.post(f"{address}referee/", {"rules_by": "9999-12-31"}).status_code == 422
    row = row_of(address)
    assert row.ruled_by == {}
    row.ruled_by = {"kind": "9999-12-31"}
    assert who_rules(row) == SCOREKEEPER


def test_a_spectators_phone_rules_if_the_table_made_it_neutral(device, cy, address):
    neutral = joined(address, Role.SPECTATOR)
    device.post(f"{address}referee/", {"rules_by": "neutral", "link": str(Link.objects.get(role=Role.SPECTATOR).pk)})
    assert 'value="neutral" checked' in shown(device, f"{address}settings/")
    cy.post(f"{address}disputes/", {"claim": "Hm."})
    assert "The neutral phone decides." in shown(device, f"{address}disputes/1/")
    assert [phone.post(f"{address}disputes/1/ruling/", SAID).status_code for phone in (device, neutral)] == [409, 302]


def test_a_disputes_page_updates_and_keeps_unsent_text(device, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Ann looked!"})
    page = cy.get(f"{address}disputes/1/").content.decode()
    assert f'data-stream="{reverse("table-stream", args=[code_of(address)])}"' in page
    asks = re.search(r'hx-get="([^"]+)"', page)
    assert asks is not None
    htmx = {"HX-Request": "true"}
    assert cy.get(asks[1], headers=htmx).status_code == 204
    device.tap(address, "play", seat="", cards="7SK")
    assert cy.get(asks[1], headers=htmx).status_code == 204, "It is the same dispute."
    device.post(f"{address}disputes/1/ruling/", SAID)
    assert "So it is." in cy.get(asks[1], headers=htmx).content.decode()


def test_spectators_can_read_a_dispute_without_a_link(other, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Hm."})
    page = shown(other, f"{address}disputes/1/")
    assert "<form" not in page.split("<main")[1].split("</main")[0]
    assert other.post(f"{address}disputes/1/dance/").status_code == 404
    assert other.get(f"{address}disputes/9/").status_code == 404


def test_a_dispute_can_point_at_a_trick_a_card_or_a_score_line(device, address):
    for about, chosen in (("trick-1", "trick-1"), ("seq-2", "event-1"), ("line-0", "line-0")):
        assert f'value="{chosen}" checked' in shown(device, f"{address}disputes/?hand=1&about={about}")
    for part, about in (("hands/1/", "trick-1"), ("hands/1/", "line-0"), ("amend/2/", "seq-2")):
        assert f"about={about}" in shown(device, f"{address}{part}")
    for odd in (
        "hand=99&about=trick-1",
        "hand=x&about=event-999",
        "about=line-70",
        "about=seq-x&hand=1",
        "about=&hand=",
    ):
        shown(device, f"{address}disputes/?{odd}")
    assert device.post(f"{address}disputes/", {"claim": "x", "hand": "1", "about": "event-99"}).status_code == 409
    assert device.post(f"{address}disputes/", {"claim": " "}).status_code == 422


def test_a_dispute_can_point_at_an_earlier_hand(device, address):
    device.tap(address, "play", seat="", cards="9LK")
    device.tap(address, "result", tricks=["1", "4", "7"])
    device.tap(address, "play", seat="", cards="8MS")
    assert 'value="trick-2" checked' in shown(device, f"{address}disputes/?hand=1&about=trick-2")
    assert 'value="trick-2"' not in shown(device, f"{address}disputes/?hand=2")


def test_open_disputes_are_shown_before_the_game_can_be_ended(device, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Hm."})
    asked = device.tap(address, "end")
    assert asked.status_code == 409
    assert "Disputes are still open" in asked.content.decode()
    assert device.tap(address, "end", **{"all-the-same": "1"}).status_code == 302
    assert "Cy calls the referee" in shown(device, address)
    device.post(f"{address}disputes/1/ruling/", SAID)
    assert disputes_of(address)["open"] == []


def test_an_accepted_irregularity_shows_who_accepted_it(device):
    address = device.open_table()
    play = {"seat": "2", "cards": "5SW", "accepted": "1", "why": "we were talking"}
    assert device.tap(address, "play", **play).status_code == 302
    for part in ("?open=lines", "hands/1/", "log/"):
        assert "we were talking" in shown(device, f"{address}{part}")
    (hand,) = device.get(f"/api/v1/tables/{code_of(address)}/").json()["state"]["hands"]
    accepted = hand["irregularities"][0]["accepted"]
    assert (accepted["by"], accepted["why"]) == ("scorekeeper", "we were talking")


def test_held_back_findings_stay_hidden_on_the_page(device, cy, other, address):
    device.tap(address, "hold-findings")
    device.tap(address, "play", seat="", cards="7SK")
    cy.post(f"{address}disputes/", {"claim": "Bob!", "hand": "1", "about": "event-1"})
    for who in (cy, other):
        told = shown(who, f"{address}disputes/1/")
        assert "This table announces rule breaks only at the end of the hand." in told
        assert "Revoke" not in told


def test_disputes_work_in_german(device, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Halt!", "pause": "1"})
    told = device.get(f"{address}disputes/1/", headers={"Accept-Language": "de"}).content.decode()
    assert all(word in told for word in ("Streitfall 1", "Was die Aufzeichnung zeigt", "Weiterspielen"))


def test_unnamed_phones_are_distinguished_when_choosing_the_neutral_one(device, address):
    for whom in ("scorekeeper", "spectator") * 2:
        device.post(f"{address}links/", {"for": whom})
    offered = re.findall(r'name="link"[^>]*><span>([^<]*)</span>', shown(device, f"{address}settings/"))
    assert offered[0].strip() == "this phone"
    assert len(set(offered)) == len(offered) == 5


# --- Disproved findings, decisions based on them, and exchanges redone with one tap

SUITS = "0:S 1:H 2:C"


@pytest.fixture
def denied(device):
    """A table at which Bob, named as the King's holder, showed a 2 after denying that he had one."""
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0)
    device.taps(address, "suit", SUITS)
    device.tap(address, "drop-deuce", king="1", constipated="1", given="9C", returned="4D")
    device.taps(address, "play", "0:5D 1:2S")
    return address


def pass_and_play(device, address, passing, plays=""):
    for seat in passing:
        assert device.tap(address, "pass", seat=seat).status_code == 302
    device.taps(address, "play", plays)


CLEARED = ("230", "1:6H 2:KD")
"""Three players pass, and Cy shows the King."""


def test_a_penalty_based_on_a_disproved_finding_says_so_and_can_be_removed(device, denied):
    answer = device.post(f"{denied}settle/", {"finding": "0-0", "remedy": "penalty", "points": "7"})
    assert answer.status_code == 302
    pass_and_play(device, denied, *CLEARED)
    page = device.get(denied)
    told = text(page)
    assert "Denied deuce: Bob disproved" in told
    assert "Bob was said to hold the king of diamonds but didn’t, so nothing was owed." in told
    assert "This relies on something since disproved:" in told
    (row,) = (entry.seq for entry in Table.objects.get().log.all() if (entry.event or {}).get("type") == "penalty")
    assert f"{denied}amend/{row}/?strike=1" in page.content.decode()


def test_a_disproved_finding_without_a_decision_is_shown_alone(device, denied):
    pass_and_play(device, denied, *CLEARED)
    told = text(device.get(denied))
    assert "Denied deuce: Bob disproved" in told
    assert "This relies on something since disproved:" not in told


def test_one_tap_redoes_an_exchange(device, denied):
    answer = device.post(f"{denied}settle/", {"finding": "0-0", "remedy": "redo-exchange"})
    assert answer.status_code == 302, text(answer)
    (hand,) = record(Table.objects.get())["hands"]
    assert [event["type"] for event in hand["events"]] == ["suit", "suit", "suit", "note"]
    assert device.tap(denied, "drop-deuce", king="1", constipated="", given="2S", returned="4D").status_code == 302


def test_one_tap_hands_over_a_deuce_late(device, denied):
    pass_and_play(device, denied, "230")
    answer = device.post(f"{denied}settle/", {"finding": "0-0", "remedy": "claim-deuce"})
    assert answer.status_code == 302, text(answer)
    events = record(Table.objects.get())["hands"][0]["events"]
    assert events[-2] == {"type": "put-right", "given": "?", "returned": "?"}
    assert (events[-1]["type"], events[-1]["x_settles"]) == ("note", [0, 3])


def test_a_leader_without_the_required_combination_gets_a_pass_key(device):
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0, **{"option-count_lock": "1"})
    device.taps(address, "suit", SUITS)
    device.tap(address, "play", seat="0", cards=["3S", "3H"])
    pass_and_play(device, address, "123")
    page = device.get(address)
    assert 'id="do-pass"' in page.content.decode()
    assert "If Ann has no such combination, the lead passes on." in text(page)
    pass_and_play(device, address, "0")
    assert record(Table.objects.get())["hands"][0]["events"][-1] == {"type": "pass", "seat": 0}


@pytest.mark.parametrize(("remedy", "told"), [("penalty", "Cy: −7 points"), ("stand", "Note: Let it stand")])
def test_a_correction_lists_decisions_made_because_of_the_mistake(device, remedy, told):
    """Cy's discarded Ace of Waves was recorded by mistake; the real card followed suit."""
    address = device.open_table(plays="0:8MS 1:XM 2:AW 2:9MS")
    decision = {"finding": "0-0", "remedy": remedy} | ({"points": "7"} if remedy == "penalty" else {})
    assert device.post(f"{address}settle/", decision).status_code == 302
    followed = text(device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "3MW", "rethread": "1"}))
    assert "No longer a rule break: revoke (Cy)" in followed
    assert f"Ruled because of it, and still on record: {told}" in followed
    kept = text(device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "AL"}))
    assert "Ruled because of it" not in kept, "that card was none that followed either"


def test_the_undo_label_is_shortened_to_fit_the_felt(device):
    address = device.open_table(plays="0:8MS")
    remark = "a remark that goes on for very much longer than anybody can read on the felt"
    device.tap(address, "note", text=f"{remark} {remark}")
    device.post(f"{address}amend/1/", {"event": "play", "seat": "0", "cards": "9MS", "version": "2"})
    felt = device.get(address).content.decode().partition('class="felt-foot"')[2].partition("</p>")[0]
    assert "Corrected. Undo will remove:" in felt
    assert len(felt.partition("remove: ")[2].partition("<")[0]) <= 50
