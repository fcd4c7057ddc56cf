"""What was disproved at a table, what rests on it, and an exchange that is done again with one tap."""

import pytest

from scoring.models import Table
from scoring.queries.log import record
from tests.scoring.pages.reading import text

SUITS = (("0", "S"), ("1", "H"), ("2", "C"))


@pytest.fixture
def denied(device):
    """A table at which Bob, named as the King's holder, has shown a 2 after he denied having one."""
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0)
    for seat, suit in SUITS:
        device.tap(address, "suit", seat=seat, suit=suit)
    device.tap(address, "drop-deuce", king="1", constipated="1", given="9C", returned="4D")
    device.tap(address, "play", seat="0", cards="5D")
    device.tap(address, "play", seat="1", cards="2S")
    return address


def play(device, address, *acts):
    for seat, card in acts:
        fields = {"seat": seat, "cards": card} if card else {"seat": seat}
        assert device.tap(address, "play" if card else "pass", **fields).status_code == 302


CLEARED = (("2", ""), ("3", ""), ("0", ""), ("1", "6H"), ("2", "KD"))


def test_a_penalty_that_rests_on_what_was_disproved_says_so_and_can_be_taken_out(device, denied):
    answer = device.post(f"{denied}settle/", {"finding": "0-0", "remedy": "penalty", "points": "7"})
    assert answer.status_code == 302
    play(device, denied, *CLEARED)
    page = device.get(denied).content.decode()
    told = text(device.get(denied))
    assert "Denied deuce: Bob disproved" in told
    assert "Bob was said to hold the king of diamonds and did not: nothing was owed." in told
    assert "This rests on what was disproved:" in told
    (row,) = (entry.seq for entry in Table.objects.get().log.all() if (entry.event or {}).get("type") == "penalty")
    assert f"{denied}amend/{row}/?strike=1" in page


def test_without_a_decision_only_the_finding_is_told(device, denied):
    play(device, denied, *CLEARED)
    told = text(device.get(denied))
    assert "Denied deuce: Bob disproved" in told
    assert "This rests on what was disproved:" not in told


def test_an_exchange_is_done_again_with_one_tap(device, denied):
    answer = device.post(f"{denied}settle/", {"finding": "0-0", "remedy": "redo-exchange"})
    assert answer.status_code == 302, text(answer)
    (hand,) = record(Table.objects.get())["hands"]
    assert [event["type"] for event in hand["events"]] == ["suit", "suit", "suit", "note"]
    assert device.tap(denied, "drop-deuce", king="1", constipated="", given="2S", returned="4D").status_code == 302


def test_a_deuce_is_handed_over_late_with_one_tap(device, denied):
    play(device, denied, ("2", ""), ("3", ""), ("0", ""))
    answer = device.post(f"{denied}settle/", {"finding": "0-0", "remedy": "claim-deuce"})
    assert answer.status_code == 302, text(answer)
    events = record(Table.objects.get())["hands"][0]["events"]
    assert events[-2] == {"type": "put-right", "given": "?", "returned": "?"}
    assert (events[-1]["type"], events[-1]["x_settles"]) == ("note", [0, 3])


def test_a_leader_without_such_a_combination_has_a_key_to_pass(device):
    address = device.open_table("american-deuce", ["Ann", "Bob", "Cy", "Dot"], dealer=0, **{"option-count_lock": "1"})
    for seat, suit in SUITS:
        device.tap(address, "suit", seat=seat, suit=suit)
    device.tap(address, "play", seat="0", cards=["3S", "3H"])
    play(device, address, ("1", ""), ("2", ""), ("3", ""))
    page = device.get(address)
    assert 'id="do-pass"' in page.content.decode()
    assert "If Ann has no such combination, the lead passes on." in text(page)
    play(device, address, ("0", ""))
    assert "Bob" in text(device.get(address))
    assert record(Table.objects.get())["hands"][0]["events"][-1] == {"type": "pass", "seat": 0}


@pytest.mark.parametrize(("remedy", "told"), [("penalty", "Cy: −7 points"), ("stand", "Note: Let it stand")])
def test_a_correction_says_what_was_decided_because_of_the_mistake(device, remedy, told):
    """Cy was said to have discarded the Ace of Waves, and it was a card that followed."""
    address = device.open_table()
    plays = (("0", "8MS"), ("1", "XM"), ("2", "AW"), ("2", "9MS"))
    for seat, card in plays:
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
    decision = {"finding": "0-0", "remedy": remedy} | ({"points": "7"} if remedy == "penalty" else {})
    assert device.post(f"{address}settle/", decision).status_code == 302
    shown = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "3MW", "rethread": "1"})
    assert "No longer irregular: revoke (Cy)" in text(shown)
    assert f"Decided because of it, and still recorded: {told}" in text(shown)
    kept = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "AL"})
    assert "Decided because of it" not in text(kept), "that card was none that followed either"


def test_what_undo_takes_back_has_room_on_the_felt(device):
    address = device.open_table()
    device.tap(address, "play", seat="0", cards="8MS")
    device.tap(
        address, "note", text="a remark that goes on for very much longer than anybody can read on the felt " * 2
    )
    device.post(f"{address}amend/1/", {"event": "play", "seat": "0", "cards": "9MS", "version": "2"})
    felt = device.get(address).content.decode().partition('class="felt-foot"')[2].partition("</p>")[0]
    assert "Corrected. Undo now takes back:" in felt
    assert len(felt.partition("takes back: ")[2].partition("<")[0]) <= 50
