"""The result of a whole hand, from a browser without scripts: a mistake keeps the numbers, and what was made shows."""

import re

import pytest

from tests.scoring.pages.reading import text

FOUR = ("ace-trump", ["Ann", "Bob", "Cy", "Dot"])
CHOSEN = re.compile(r'name="tricks-(\d)" value="(\d+)" checked')


def numbers(*tricks):
    return {f"tricks-{seat}": str(number) for seat, number in enumerate(tricks)}


def test_a_wrong_sum_keeps_the_numbers_beside_what_is_wrong(device):
    address = device.open_table(*FOUR)
    answer = device.tap(address, "result", **numbers(3, 3, 3, 3))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "these numbers add up to 12" in text(answer)
    assert CHOSEN.findall(page) == [("0", "3"), ("1", "3"), ("2", "3"), ("3", "3")]
    assert 'id="other-result" open>' in page
    assert 'href="#kept">Change it</a>' in page
    assert "over-all" not in page.split("<section")[1], "nothing lies over the form"
    assert "checked" not in device.get(address).content.decode().split('data-event="result"')[1].split("</form>")[0]


def test_numbers_that_are_typed_are_kept_too(device):
    address = device.open_table("ace-pit", ["Ann", "Bob"])
    page = device.tap(address, "result", **{"points-0": "20", "points-1": "33"}).content.decode()
    assert re.findall(r'name="points-(\d)"[^>]* value="(\d+)"', page) == [("0", "20"), ("1", "33")]


def test_a_change_of_a_score_that_cannot_be_is_kept_too(device):
    address = device.open_table()
    device.tap(address, "play", seat="0", cards="8MS")
    typed = {"points-typed": "many", "points-way": "gives", "reason": "for the soup"}
    page = device.tap(address, "penalty", seat="1", **typed).content.decode()
    assert 'id="more" open>' in page
    assert 'value="many"' in page
    assert 'value="for the soup"' in page


def test_a_second_hand_keeps_its_numbers_although_the_first_was_just_over(device):
    address = device.open_table(*FOUR)
    assert "Record the result" in text(device.get(address))
    assert device.tap(address, "result", **numbers(2, 3, 1, "")).status_code == 302
    page = device.tap(address, "result", **numbers(3, 3, 3, 3)).content.decode()
    assert 'id="after-hand-1" open>' in page, "the cards and forms of the next hand wait behind it"
    assert len(CHOSEN.findall(page)) == 4


@pytest.mark.parametrize(
    ("event", "fields", "recorded"),
    [
        ("penalty", {"seat": "1", "points": "5", "points-way": "takes"}, "Recorded: Bob: −5 points"),
        ("transfer", {"from_seat": "0", "to_seat": "1", "tricks": "1"}, "Recorded: 1 trick from Ann to Bob"),
    ],
)
def test_what_the_table_decides_is_confirmed(device, event, fields, recorded):
    address = device.open_table()
    for seat, card in (("0", "8MS"), ("1", "2MK"), ("2", "3MW")):
        device.tap(address, "play", seat=seat, cards=card)
    assert device.tap(address, event, **fields).status_code == 302
    assert recorded in text(device.get(address))
    device.tap(address, "play", seat="0", cards="9MS")
    assert "Recorded:" not in text(device.get(address))
