"""Secret choices on the players' own phones."""

import re

import pytest

from tests.scoring.pages.reading import UNFOLDED, tells, text
from tests.scoring.pages.test_sharing import join, make_link


@pytest.fixture
def address(device):
    return device.open_table("ransom-trump")


@pytest.fixture
def phones(device, address):
    return [join(make_link(device, address, f"player:{seat}")) for seat in range(3)]


def offer(phone, address, seat, card):
    return phone.tap(address, "ransom", seat=str(seat), cards=card, version="0")


def test_it_works(device, phones, address):
    assert "Only you see it" in text(phones[0].get(address))
    assert offer(phones[0], address, 0, "2MK").status_code == 302
    assert "You have chosen. Nobody sees it until all have." in text(phones[0].get(address))
    assert "Change your choice" in text(phones[0].get(address))
    for watcher in (device, phones[1]):
        assert "Have chosen: Ann" in text(watcher.get(address))
        assert "Ann has chosen" in text(watcher.get(address + UNFOLDED))
    assert "Still choosing: Bob, Cy" in text(device.get(address))
    assert "Still choosing: you, Cy" in text(phones[1].get(address))
    offer(phones[0], address, 0, "XW")
    offer(phones[1], address, 1, "9WY")
    offer(phones[2], address, 2, "XM")
    page = text(device.get(f"{address}log/"))
    assert "Ann offers" in page
    assert page.count("has chosen") == 3
    assert "Have chosen" not in text(device.get(address))


def test_two_of_the_same_are_chosen_again_by_all(device, phones, address):
    offer(phones[0], address, 0, "2MK")
    offer(phones[1], address, 1, "XM")
    offer(phones[2], address, 2, "XM")
    for watcher in (device, *phones):
        assert "These choices do not go together: everybody chooses again." in text(watcher.get(address))
    assert "These choices do not go together; everybody chooses again" in text(device.get(f"{address}log/"))


def test_the_fragment_that_answers_a_tap_has_it_face_down(phones, address):
    answer = phones[0].tap(address, "ransom", htmx=True, seat="0", cards="2MK")
    shown = re.sub(r'<fieldset class="pad.*?</fieldset>', "", answer.content.decode(), flags=re.DOTALL)
    shown, folds = re.subn(r'<details class="peek" id="peek">.*?</details>', "", shown, flags=re.DOTALL)
    assert folds == 1
    assert not tells(shown, "2MK")
    assert not tells(shown, "Author")


def test_one_phone_enters_them_all_after_the_real_reveal(device, address):
    for seat, card in enumerate(("2MK", "XM", "9WY")):
        assert device.tap(address, "ransom", seat=str(seat), cards=card).status_code == 302
    assert "Choose" not in text(device.get(address))


def test_one_phone_enters_the_others_beside_a_choice_face_down(device, phones, address):
    offer(phones[0], address, 0, "2MK")
    page = device.get(address).content.decode()
    assert re.search(r"✓ Ann<", page)
    assert re.search(r'name="seat" value="1" checked', page)
    for card in ("XM", "9WY"):
        assert device.tap(address, "ransom", seat="", cards=card).status_code == 302
    log = text(device.get(f"{address}log/"))
    assert "Ann offers Author" in log
    assert "Bob offers Huntress" in log
    assert "Cy offers Darkness" in log
