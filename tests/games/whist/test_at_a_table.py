"""Whist at a table: honors are claimed in the place where everyone looks after a hand."""

import pytest

from tests.referee.telling import exercises
from tests.scoring.pages.conftest import Device

pytestmark = pytest.mark.django_db
SEATS = ("Ann", "Bob", "Cy", "Dee")


def scene_of(page: str) -> str:
    return page.partition('id="scene"')[2].partition("</section>")[0]


@exercises("WH-7")
def test_honors_are_claimed_beside_the_result_of_the_hand():
    device = Device()
    address = device.open_table("whist", SEATS, 3, **{"option-honours": "1"})
    assert "claim-honours" not in device.get(address).content.decode()
    device.post(f"{address}record/", {"event": "result", "tricks-0": "8", "tricks-1": "5"})
    page = device.get(address).content.decode()
    assert page.count('id="claim-honours"') == scene_of(page).count('id="claim-honours"') == 1
    assert 'id="more-honours"' not in page
    assert device.tap(address, "honours", seat="1", held="3").status_code == 302
    assert "claim-honours" not in device.get(address).content.decode()
