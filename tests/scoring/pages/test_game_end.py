"""The end of a game: its best hand, its curve, what was ruled, and the picture to send."""

import re
from xml.etree import ElementTree

import pytest

from tests.scoring.pages.german import GermanPhone
from tests.scoring.pages.reading import text
from tests.scoring.pages.test_replay import REVOKE

THREE = {"names": ["Ann", "Bob", "Cy"], "end": "hands", "end-hands": "2"}


def result(device, address, *tricks):
    assert device.tap(address, "result", tricks=[str(each) for each in tricks]).status_code == 302


def drawn(device, address):
    """Return the words in the picture, one after the other."""
    answer = device.get(f"{address}picture/")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml"
    assert re.fullmatch(r'attachment; filename="[0-9A-Z]{8}\.svg"', answer["Content-Disposition"])
    assert "http" not in answer.content.decode().replace("http://www.w3.org/2000/svg", "")
    return [
        " ".join("".join(each.itertext()).split()) for each in ElementTree.fromstring(answer.content).iter() if each
    ]


@pytest.fixture
def address(device):
    """A game of two hands, over: in the first a revoke was proved, in the second the table took points."""
    address = device.open_table(**THREE)
    for seat, card in REVOKE:
        assert device.tap(address, "play", seat=seat, cards=card).status_code == 302
    result(device, address, 5, 4, 3)
    device.tap(address, "penalty", seat="2", points="2", **{"points-way": "takes", "reason": "talked"})
    result(device, address, 2, 7, 3)
    return address


def test_the_best_hand_of_the_game_is_named(device, other, address):
    for page in (address, f"{address}screen/"):
        assert "Best hand, 7 points: Bob (hand 2)." in text(other.get(page))


def test_all_who_made_the_best_hand_are_named(device):
    address = device.open_table(names=["Ann", "Bob", "Cy"], end="hands", **{"end-hands": "2"})
    result(device, address, 6, 4, 2)
    assert "Best hand" not in text(device.get(address))
    result(device, address, 2, 4, 6)
    assert "Best hand, 6 points: Ann (hand 1), Cy (hand 2)." in text(device.get(address))


def test_partners_made_it_together(device):
    names = ["Ann", "Bob", "Cy", "Dot"]
    address = device.open_table(names=names, end="hands", **{"end-hands": "2", "option-partners": "1"})
    result(device, address, 4, 1, 3, 1)
    result(device, address, 1, 3, 2, 3)
    assert "Best hand, 7 points: Ann &amp; Cy (hand 1)." in text(device.get(address))


def test_one_hand_alone_is_not_the_best(device):
    address = device.open_table(names=["Ann", "Bob", "Cy"], end="hands", **{"end-hands": "1"})
    result(device, address, 5, 4, 3)
    assert "wins." in text(device.get(address))
    assert "Best hand" not in text(device.get(address))


def test_the_curve_is_put_together_when_somebody_opens_it(device, address):
    assert "curve-line" not in device.get(address).content.decode()
    assert device.get(f"{address}?open=curve").content.decode().count('class="curve-line"') == 3


def test_what_was_ruled_is_told_with_its_clauses_when_somebody_opens_it(device, other, address):
    assert "talked" not in text(other.get(address)).split("Irregularities")[0]
    page = other.get(f"{address}?open=rulings")
    said = text(page)
    assert "Revoke: Bob proved · trick 1" in said
    assert re.search(r'class="clause" href="/games/ace-trump/#AT-\d+"', page.content.decode())
    assert "Cy: −2 points (talked)" in said
    assert "Bedienfehler: Bob" in text(GermanPhone().get(f"{address}?open=rulings"))


def test_what_settled_it_stands_beside_it(device, address):
    device.post(f"{address}settle/", {"finding": "0-0", "remedy": "stand"})
    said = text(device.get(f"{address}?open=rulings"))
    assert re.search(r"Revoke: Bob proved · trick 1 (?:[A-Z]+-\d+ )+✓ Note: Let it stand", said)
    assert said.count("Let it stand (revoke") <= 1, "not among the decisions of the last hand, too"


def test_a_game_without_a_ruling_offers_none(device):
    address = device.open_table(**THREE)
    result(device, address, 5, 4, 3)
    result(device, address, 5, 4, 3)
    assert "What was ruled" not in text(device.get(address))


def test_the_picture_ranks_everybody_with_points_and_curve(device, other, address):
    said = " ".join(drawn(other, address))
    assert "Ace Trump" in said
    assert "2 hands" in said
    assert said.index("1. Bob 11") < said.index("2. Ann 7") < said.index("3. Cy 4")
    assert "Best hand, 7 points: Bob (hand 2)." in said
    assert f'href="{address}picture/"' in other.get(address).content.decode()


def test_there_is_no_picture_before_the_end_nor_of_hidden_points(device):
    address = device.open_table(**THREE)
    result(device, address, 5, 4, 3)
    assert device.get(f"{address}picture/").status_code == 404
    pit = device.open_table("ace-pit", ["Ann", "Bob"], 1, **{"option-totals": "1", "end": "hands", "end-hands": "1"})
    assert device.get(f"{pit}picture/").status_code == 404
    device.tap(pit, "result", points=["70", "75"])
    assert "75" in " ".join(drawn(device, pit))


def test_a_private_table_gives_its_picture_to_who_has_a_link(device, other):
    address = device.open_table(names=["Ann", "Bob", "Cy"], end="hands", **{"end-hands": "1", "private": "1"})
    result(device, address, 5, 4, 3)
    assert other.get(f"{address}picture/").status_code == 404
    assert "1. Ann 5" in " ".join(drawn(device, address))


def test_a_name_is_a_name_in_the_picture(device):
    address = device.open_table(names=["<b>&", "B" * 60, "Cy"], end="hands", **{"end-hands": "1"})
    result(device, address, 5, 4, 3)
    said = " ".join(drawn(device, address))
    assert "<b>&" in said
    assert "B" * 27 + "…" in said


def test_a_tap_on_a_game_that_has_ended_is_told_that_it_is_over(device, address):
    """On a slow line a card is tapped before the page shows that the game has ended."""
    for version in ("1", ""):
        late = device.tap(address, "play", seat="0", cards="8MS", version=version)
        assert late.status_code == 412
        assert "The game is over" in text(late)
        assert "was faster" not in text(late)


def test_what_a_finished_table_still_takes_is_told_that_somebody_was_faster(device, address):
    late = device.tap(address, "note", text="Well played.", version="1")
    assert late.status_code == 412
    assert "Somebody else was faster" in text(late)
