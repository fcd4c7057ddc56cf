"""Points that a table takes away or gives, from a browser without scripts: a penalty takes, whatever is typed."""

import pytest

from scoring.models import Table
from tests.scoring.pages.german import GermanPhone
from tests.scoring.pages.reading import text
from tests.scoring.pages.test_settle import settle


def last_event():
    return Table.objects.get().log.latest("seq").event


def test_a_penalty_chosen_for_a_revoke_is_taken_from_the_offender(device, revoked):
    assert settle(device, revoked, "penalty", points="5", **{"points-typed": ""}).status_code == 302
    assert (last_event()["seat"], last_event()["points"]) == (1, -5)
    assert "Bob −5" in text(device.get(revoked))


@pytest.mark.parametrize(
    ("chosen", "points"),
    [
        ({"points": "5", "points-way": "takes"}, -5),
        ({"points": "5", "points-way": "gives"}, 5),
        ({"points-typed": "7", "points-way": "takes"}, -7),
        ({"points": "", "points-typed": " 12 ", "points-way": "gives"}, 12),
        ({"points": "5", "points-typed": "7", "points-way": "takes"}, -7),
        ({"points-typed": "-7", "points-way": "takes"}, -7),
        ({"points": "-7"}, -7),
    ],
    ids=["taken", "given", "typed", "typed and given", "typed counts before chosen", "a minus is no plus", "as it is"],
)
def test_a_score_is_changed_by_what_is_chosen_or_typed(device, chosen, points):
    address = device.open_table()
    device.tap(address, "play", seat="0", cards="8MS")
    assert device.tap(address, "penalty", seat="2", **chosen).status_code == 302
    assert last_event() == {"type": "penalty", "seat": 2, "points": points}


@pytest.mark.parametrize("typed", ["", "0", "x", "99999"])
def test_a_penalty_without_a_number_asks_for_one(device, revoked, typed):
    answer = settle(device, revoked, "penalty", **{"points-typed": typed})
    assert answer.status_code == 422
    assert "Choose how many points the penalty takes away." in text(answer)
    assert last_event()["type"] == "play"


def test_the_forms_say_what_a_number_does(device, revoked):
    page = text(device.get(revoked))
    assert "Points taken away" in page
    assert "Record the penalty" in page
    assert "For each point: Bob from 0 to −1" in page
    assert "take away give" in page
    german = text(GermanPhone().get(revoked))
    assert "Je Punkt: Bob von 0 auf −1" in german


def test_a_correction_begins_with_what_was_recorded(device):
    address = device.open_table()
    device.tap(address, "play", seat="0", cards="8MS")
    device.tap(address, "penalty", seat="2", points="7", **{"points-way": "gives"})
    page = device.get(f"{address}amend/2/").content.decode()
    assert '<input type="radio" name="points-way" value="gives" checked>' in page
    assert 'name="points-typed" min="1" max="9999" value="7"' in page
