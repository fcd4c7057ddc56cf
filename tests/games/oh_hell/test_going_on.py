"""Going on with other people at Oh Hell: house rules and the course of hands follow the number of players."""

import pytest
from rest_framework.test import APIClient

from referee.engine.reading import load_event
from scoring.models import Table
from scoring.services.keys import Caller
from scoring.services.recording import record_events
from tests.scoring.conftest import OpenTable, holder, open_table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import text

OH_HELL = {"game": "oh-hell", "end": {"kind": "course"}}
FIVE = ["Ann", "Bob", "Cy", "Dee", "Eve"]


def oh_hell(seats, hands=0, **more):
    """A table of Oh Hell after so many hands, each recorded by bids and a result."""
    table = open_table(**OH_HELL, seats=list(seats), **more)
    for _ in range(hands):
        state = holder(table.token).get(f"/api/v1/tables/{table.code}/").json()["state"]
        size, dealer = state["next"]["hand_size"][0], state["next"]["dealer"]
        left = [(dealer + place) % len(seats) for place in range(1, len(seats) + 1)]
        bid = [{"type": "bid", "seat": seat, "tricks": 0} for seat in left[:-1]]
        last = 1 if size != 1 else 0
        table.record(*bid, {"type": "bid", "seat": left[-1], "tricks": last})
        table.record({"type": "result", "tricks": [size, *[0] * (len(seats) - 1)]})
    return table


def went_on(table, seats, **more):
    answer = holder(table.token).post(f"/api/v1/tables/{table.code}/continue/", {"seats": [*seats], **more})
    assert answer.status_code == 201, answer.json()
    return answer.json()


@pytest.mark.parametrize(("before", "after", "largest"), [(3, 6, 8), (3, 7, 7), (5, 6, 8), (6, 5, 10), (7, 3, 10)])
def test_a_default_that_follows_the_players_follows_the_new_number(db, before, after, largest):
    names = [*FIVE, "Flo", "Gus"]
    table = oh_hell(names[:before])
    assert "largest" not in table.row.options
    told = went_on(table, names[:after])
    assert told["state"]["options"]["largest"] == largest
    assert "largest" not in holder(told["token"]).get(f"/api/v1/tables/{told['code']}/record/").json()["options"]


def test_a_chosen_rule_that_so_many_cannot_keep_is_named_and_can_be_changed(db):
    table = oh_hell(FIVE, options={"largest": 10})
    assert table.row.options["largest"] == 10
    url = f"/api/v1/tables/{table.code}/continue/"
    answer = holder(table.token).post(url, {"seats": [*FIVE, "Flo"]})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/options/largest")
    assert answer.json()["errors"][0]["detail"] == "Largest hand cannot be 10; it takes a whole number from 1 to 8."
    told = went_on(table, [*FIVE, "Flo"], options={"largest": 8})
    assert (told["state"]["options"]["largest"], told["state"]["next"]["hand_size"][0]) == (8, 8)


def test_a_rule_changed_between_two_hands_is_chosen(db):
    table = oh_hell(FIVE, hands=1)
    table.record({"type": "rules", "options": {"hook": False}})
    told = went_on(table, [*FIVE, "Flo"])
    assert (told["state"]["options"]["largest"], told["state"]["options"]["hook"]) == (8, False)


@pytest.mark.parametrize(
    ("before", "after", "hands", "sizes"),
    [
        (3, 4, 2, [8, 7]),  # 10 9 | 8 7
        (5, 6, 1, [8, 7]),  # 10 | 9 would come: the largest there is
        (5, 6, 4, [6, 5]),
        (6, 5, 2, [6, 5]),
        (5, 6, 11, [3, 4]),  # on the way up
        (5, 6, 17, [8]),  # 9 would come, then 10: one more of 8
    ],
)
def test_the_course_of_hands_goes_on(db, before, after, hands, sizes):
    names = [*FIVE, "Flo"]
    told = went_on(oh_hell(names[:before], hands), names[:after])
    table = OpenTable(told["code"], told["token"])
    me, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    found: list[int] = []
    while len(found) < len(sizes):
        coming = me.get(url).json()["state"]["next"]
        found.append(coming["hand_size"][0])
        seats = [(coming["dealer"] + place) % after for place in range(1, after + 1)]
        table.record(
            *({"type": "bid", "seat": seat, "tricks": int(seat == seats[-1] and found[-1] > 1)} for seat in seats)
        )
        table.record({"type": "result", "tricks": [found[-1], *[0] * (after - 1)]})
    assert found == sizes
    assert me.get(url).json()["state"]["finished"] == (hands == 17)
    assert me.get(url).json()["state"]["hands"][0]["hand_of_course"]
    record = me.get(f"{url}record/").json()
    again = me.post("/api/v1/tables/import/", record).json()
    assert holder(again["token"]).get(f"/api/v1/tables/{again['code']}/record/").json() == record
    written = me.get(f"{url}record/?as=text").content.decode()
    again = me.post("/api/v1/tables/import/", {"text": written}).json()
    assert holder(again["token"]).get(f"/api/v1/tables/{again['code']}/record/").json() == record
    cells = me.get(f"{url}record/?as=csv").content.decode()
    again = me.post("/api/v1/tables/import/", {"csv": cells}).json()
    assert holder(again["token"]).get(f"/api/v1/tables/{again['code']}/record/").json() == record


def test_hands_before_are_hands_of_a_course(db):
    stranger = APIClient()
    told = {**OH_HELL, "seats": FIVE, "first_dealer": 0}
    assert stranger.post("/api/v1/tables/", {**told, "hands_before": 19}).status_code == 422
    answer = stranger.post(
        "/api/v1/tables/", {"game": "ace-trump", "seats": FIVE, "first_dealer": 0, "hands_before": 1}
    )
    assert answer.json()["errors"][0]["pointer"] == "/hands_before"


def test_secret_choices_stay_while_an_earlier_table_is_corrected(db):
    options = {"bidding": "together", "largest": 3, "hook": False}
    table = open_table(game="oh-hell", options=options)
    told = went_on(table, ["Ann", "Bob", "Dee"])
    second = OpenTable(told["code"], told["token"])
    second.record({"type": "turn-up", "card": "2H"})
    record_events(second.code, [load_event({"type": "bid", "seat": 0, "tricks": 1})], Caller(), secret=True)
    before = second.row.choosing
    assert before["chosen"] == [0]
    table.record({"type": "penalty", "seat": 0, "points": 7})
    assert second.row.choosing == before
    assert second.row.carried == [7, 0, 0]


@pytest.fixture
def device(db):
    return Device()


def test_a_rule_that_so_many_cannot_keep_is_asked_for_by_its_name(device):
    five = ("Ann", "Bob", "Cy", "Dee", "Eve")
    address = device.open_table("oh-hell", five, **{"option-largest": "9"})
    answer = device.post(f"{address}continue/", {"name": [*five, "Flo"]})
    assert answer.status_code == 422
    assert "Largest hand cannot be 9; it takes a whole number from 1 to 8." in text(answer)
    assert 'name="option-largest" value="8"' in answer.content.decode()
    answer = device.post(f"{address}continue/", {"name": [*five, "Flo"], "option-largest": "8"})
    assert answer.status_code == 302
    assert Table.objects.get(previous__isnull=False).options["largest"] == 8


def test_a_sixth_player_joins_oh_hell_as_it_is_usually_played(device):
    five = ("Ann", "Bob", "Cy", "Dee", "Eve")
    address = device.open_table("oh-hell", five)
    assert "The course of hands goes on" in text(device.get(f"{address}continue/"))
    assert device.post(f"{address}continue/", {"name": [*five, "Flo"]}).status_code == 302
