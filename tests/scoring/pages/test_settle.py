"""A proved revoke at a table: what was done beside what contradicts it, and one tap for what the table decides."""

import json
import re

import pytest

from scoring.models import Table
from scoring.queries.log import record
from tests.scoring.pages.german import GermanPhone
from tests.scoring.pages.reading import text

TRICKS = [("0", "8MS"), ("1", "2WL"), ("2", "9MS"), ("2", "9LK"), ("0", "XL"), ("1", "3MW")]
"""Bob does not follow the Diplomat with the Origin, and shows the Journey, a Moon."""
NEXT = [("0", "2SY"), ("1", "7WY"), ("2", "6SY")]


@pytest.fixture
def address(device):
    address = device.open_table()
    for seat, card in TRICKS:
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
    return address


def settle(device, address, remedy, finding="0", **more):
    return device.post(f"{address}settle/", {"finding": finding, "remedy": remedy, **more})


def events():
    return [entry.event for entry in Table.objects.get().log.order_by("seq") if entry.event]


def test_the_act_stands_beside_the_card_that_contradicts_it(device, address):
    page = text(device.get(address))
    done, against = page.index("Done in trick 1"), page.index("What contradicts it")
    assert "Bob plays Origin (2 of Waves and Leaves)" in page[done:against]
    assert "Bob plays Journey (3 of Moons and Waves)" in page[against:]
    assert "AT-5 " in page
    assert "What it comes to is known once Bob has won the next trick" in page


def test_each_remedy_says_what_it_does_to_the_totals_before_it_is_chosen(device, address):
    device.tap(address, "result", tricks=["4", "5", "3"])
    page = text(device.get(address))
    assert "Bob 5 → 0" in page
    assert {"Ann 4 → 0", "Bob 5 → 0", "Cy 3 → 0"} <= set(re.findall(r"\w+ \d+ → \d+", page))
    assert "No total changes." in page


def test_tricks_are_given_up_with_one_tap(device, address):
    for seat, card in NEXT:
        device.tap(address, "play", seat=seat, cards=card)
    assert {"Bob 1 → 0", "Cy 1 → 2"} <= set(re.findall(r"\w+ \d+ → \d+", text(device.get(address))))
    assert settle(device, address, "bridge").status_code == 302
    assert (events()[-1]["type"], events()[-1]["x_settles"]) == ("transfer", [0, 1])
    page = text(device.get(address))
    assert "settled" in page
    assert "Do this" not in page


def test_letting_it_stand_is_a_remark_in_the_record(device, address):
    assert "Done in trick 1" in text(device.get(address))
    settle(device, address, "stand")
    assert events()[-1]["text"].startswith("Let it stand")
    assert "raised" not in device.get(address).content.decode()


def test_a_finding_asks_again_when_the_hand_is_over(device, address):
    device.tap(address, "play", seat="0", cards="2SY")
    assert "finding raised" not in device.get(address).content.decode()
    for seat, card in NEXT[1:]:
        device.tap(address, "play", seat=seat, cards=card)
    device.tap(address, "result", tricks=["4", "5", "3"])
    assert "finding raised" in device.get(address).content.decode()


def test_what_cannot_be_done_now_is_not_done(device, other, address):
    assert settle(device, address, "bridge").status_code == 412
    assert settle(device, address, "hang").status_code == 412
    assert settle(device, address, "stand", finding="7").status_code == 412
    assert settle(device, address, "stand", finding="²").status_code == 412
    assert settle(device, address, "stand", version="3").status_code == 412
    assert settle(other, address, "stand").status_code == 403
    assert len(events()) == len(TRICKS)


def test_an_irregular_event_can_be_put_right_recorded_or_looked_up(device, address):
    page = device.tap(address, "play", seat="2", cards="4MS")
    assert page.status_code == 409
    for choice in ("Wrong tap", "It was played like that", "A word why", "Read the rule"):
        assert choice in text(page)


def test_a_penalty_that_the_table_agrees_on_settles_the_finding(device, address):
    assert settle(device, address, "penalty", points="x").status_code == 422
    assert settle(device, address, "penalty", points="99999").status_code == 422
    settle(device, address, "penalty", points="-2")
    assert {key: events()[-1][key] for key in ("type", "seat", "points", "x_settles")} == {
        "type": "penalty",
        "seat": 1,
        "points": -2,
        "x_settles": [0, 1],
    }
    assert "finding raised" not in device.get(address).content.decode()


# -- proofs by counting ------------------------------------------------------------------------


def counted(device, players, cards, **hand):
    """Bring a record of one hand that counting proves something about; return its page and address."""
    plays = [{"type": "play", "seat": int(each[0]), "cards": [each[2:]]} for each in cards.split()]
    seats = ["Ann", "Bob", "Cy", "Dot"][:players]
    told = {"game": "ace-trump", "seats": seats, "first_dealer": players - 1, "hands": [{"events": plays, **hand}]}
    address = device.post("/import/", {"text": json.dumps(told)})["Location"]
    return device.get(address).content.decode(), address


CY = {"known": {"2": ["AL", "AY", "AK", "2WL", "3LY", "4WL", "4YK", "5YK", "6LK", "7WY", "8WL", "8YK"]}}


def test_a_proof_by_counting_shows_the_acts_beside_the_cards_without_room(device):
    page, address = counted(device, 4, "0:XM 1:AS 2:AL 3:AY")
    said = text(device.get(address))
    assert "Of AM, 2MK, 3MW, 4MS, 5ML, 6MW, 7ML, 8MS and 9MS only 8 can lie with Ann: Bob, Cy and Dot said" in said
    assert said.index("Not all of this can have been right") < said.index("Cards without enough room")
    assert "Counting alone does not say whose act it was." in said
    assert 'class="agreed"' not in page
    told = GermanPhone().get(address).content.decode()
    assert "ist bei Ann nur 8-mal Platz: Bob, Cy und Dot haben so gespielt" in told


def test_a_single_suspect_can_be_given_a_penalty(device):
    page, address = counted(device, 3, "0:8MS 1:XW 2:2WL", **CY)
    said = text(device.get(address))
    assert "only 11 can lie with Ann: Bob said" in said
    assert "This cannot have been right" in said
    assert "Counting alone does not say whose act it was." not in said
    assert 'class="agreed"' in page
    assert settle(device, address, "penalty", points="-2").status_code == 302
    assert (events()[-1]["type"], events()[-1]["seat"], events()[-1]["points"]) == ("penalty", 1, -2)
    told = GermanPhone().get(address).content.decode()
    assert "ist bei Ann nur 11-mal Platz: Bob hat so gespielt" in told


# -- two revokes of one player, and amendments around them -------------------------------------

TWICE = [*TRICKS[:3], ("2", "4MS"), ("0", "6MW"), ("1", "5YK"), ("0", "9LK"), ("1", "2MK")]
"""Bob denies Moons and Suns twice, with the Origin and with the Soldier, and then shows a Moon."""


@pytest.fixture
def twice(device):
    address = device.open_table()
    for seat, card in TWICE:
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
        if card == "8MS":
            device.tap(address, "note", text="The soup is ready.")
    return address


def raised(device, address):
    """Return the numbers of the findings that ask for a decision now."""
    return re.findall(r'class="finding raised over" id="finding-(\d)"', device.get(address).content.decode())


def strike(device, address, seq):
    version = Table.objects.get().version
    answer = device.post(f"{address}amend/{seq}/", {"strike": "1", "version": str(version)})
    assert answer.status_code == 302, text(answer)


def test_two_revokes_are_told_apart_and_settled_one_after_the_other(device, twice):
    assert raised(device, twice) == ["0", "1"]
    assert "Decide (2)" in text(device.get(twice))
    settle(device, twice, "stand", finding="0")
    assert events()[-1]["x_settles"] == [0, 2]
    assert raised(device, twice) == ["1"]
    assert "Decide (" not in text(device.get(twice))
    settle(device, twice, "penalty", finding="1", points="-3")
    assert events()[-1]["x_settles"] == [0, 6]
    assert raised(device, twice) == []


def test_what_was_settled_stays_settled_when_an_earlier_entry_is_struck_or_changed(device, twice):
    settle(device, twice, "stand", finding="1")
    assert raised(device, twice) == ["0"]
    strike(device, twice, 2)
    assert raised(device, twice) == ["0"]
    note = record(Table.objects.get())["hands"][0]["events"][-1]
    assert note["x_settles"] == [0, 5], "the record that is taken away names it where it stands now"
    other = {"event": "play", "seat": "1", "cards": "3LY", "version": "11"}
    assert device.post(f"{twice}amend/3/", other).status_code == 302
    assert raised(device, twice) == ["0"]


def test_a_record_keeps_what_was_settled_when_it_is_taken_away_and_brought_back(device, twice):
    settle(device, twice, "stand", finding="0")
    strike(device, twice, 2)
    told = record(Table.objects.get())
    answer = device.post("/import/", {"text": json.dumps(told)})
    assert answer.status_code == 302
    assert record(Table.objects.latest("pk")) == told
    assert raised(device, str(answer["Location"])) == ["1"]


def test_a_decision_about_what_is_struck_names_nothing(device, twice):
    settle(device, twice, "stand", finding="1")
    undone = len(events())
    for _ in range(2):
        device.post(f"{twice}undo/", {})
    assert "x_settles" not in str(record(Table.objects.get())), undone
