"""Changing house rules between two hands, on the page of the table (REC-23)."""

import re
from html import unescape

import pytest

from scoring.models import Table, TableEvent
from tests.scoring.pages.reading import text

RESULT = {"tricks": ["5", "4", "3"]}


@pytest.fixture
def address(device):
    opened = device.open_table(names=["Ann", "Bob", "Cy"])
    device.tap(opened, "result", **RESULT)
    return opened


def version(address):
    return Table.objects.get(code=address.split("/")[2]).version


def agree(device, address, **fields):
    """Send the form as the page has it, with these fields chosen."""
    body = {"version": version(address)} | {f"option-{key}": value for key, value in fields.items()}
    return device.post(f"{address}rules/", body)


def shown(device, address):
    return text(device.get(address))


def test_it_works(device, address):
    page = text(device.get(f"{address}rules/"))
    assert "From hand 2 on We play Ace Trump" in page
    assert "Leave them as they are" in page
    assert agree(device, address, ties="1").status_code == 302
    said = TableEvent.objects.get(seq=2).event
    assert said == {"type": "rules", "options": {"ties": "early"}}


def test_every_phone_hears_of_it_and_sees_by_what_each_hand_is_played(device, other, address):
    agree(device, address, ties="1")
    assert "New house rules from the next hand on" in shown(other, address)
    device.tap(address, "result", **RESULT)
    looked = shown(other, address)
    assert "New house rules" not in looked
    assert "since hand 2" in looked
    assert "New:" in looked, "the score sheet says where they began"
    assert "House rules from the next hand on" in shown(other, f"{address}log/")
    assert "What the table decided House rules from the next hand on" in shown(other, f"{address}hands/1/")
    assert "House rules of this hand" in shown(other, f"{address}hands/2/")
    assert "House rules of this hand" not in shown(other, f"{address}hands/1/")


def test_what_depends_on_a_choice_is_brought_in_line_and_told_before_it_is_recorded(device, address):
    body = {"version": version(address), "look": "1", "was": "", "option-trump": "2"}
    drawn = device.post(f"{address}rules/", body, headers={"HX-Request": "true"}).content.decode()
    assert "We agree: so from hand 2 on" in unescape(drawn)
    assert re.search(r'name="option-fixed_trump"\s+value="1" checked', drawn)
    agree(device, address, trump="2")
    assert TableEvent.objects.get(seq=2).event["options"] == {"trump": "fixed", "fixed_trump": "M"}


def test_a_name_for_rules_chooses_all_of_them(device, address):
    body = {"version": version(address), "preset": "1", "was": ""}
    drawn = device.post(f"{address}rules/", body, headers={"HX-Request": "true"}).content.decode()
    assert "New:" in drawn


def test_where_nothing_changes_nothing_is_recorded(device, address):
    assert agree(device, address).status_code == 302
    assert version(address) == 1


def test_in_the_middle_of_a_hand_and_for_others_the_page_says_who_and_when(device, other, address):
    assert "Whoever keeps the score records" in text(other.get(f"{address}rules/"))
    assert agree(other, address, ties="1").status_code == 403
    device.tap(address, "play", seat="1", cards="8MS")
    assert "between two hands" in text(device.get(f"{address}rules/"))
    assert agree(device, address, ties="1").status_code == 422
    assert version(address) == 2


def test_a_form_that_is_out_of_date_records_nothing(device, address):
    body = {"version": 0, "option-ties": "1"}
    assert device.post(f"{address}rules/", body).status_code == 412
    assert version(address) == 1


def test_cards_that_left_the_pack_keep_their_faces(device, address):
    agree(device, address, excuse="1")
    for seat, card in ((1, "E"), (2, "AM"), (0, "AS")):
        assert device.tap(address, "play", seat=str(seat), cards=card).status_code == 302
    device.tap(address, "result", **RESULT)
    agree(device, address)
    assert Table.objects.get(code=address.split("/")[2]).version == 7
    assert "Excuse" in shown(device, f"{address}hands/2/")
