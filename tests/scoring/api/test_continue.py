"""POST tables/{code}/continue/"""

import pytest

from tests.scoring.conftest import OpenTable, holder, open_table, play

RESULT = {"type": "result", "tricks": [5, 4, 3]}


@pytest.fixture
def table(db):
    """A table of three with a house rule, after one hand that Cy dealt."""
    table = open_table(options={"ties": "early"}, end={"kind": "score", "value": 50})
    table.record(RESULT)
    return table


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/continue/"


def test_it_works(ann, eve, table, url):
    answer = ann.post(url, {"seats": ["Ann", "Cy", "Dee"], "from": [0, 2, None]})
    assert answer.status_code == 201, answer.json()
    after = answer.json()
    assert (after["seats"], after["carried"], after["previous"]) == (["Ann", "Cy", "Dee"], [5, 3, 0], table.code)
    assert (after["state"]["options"]["ties"], after["state"]["end"]["value"]) == ("early", 50)
    assert after["state"]["totals"] == [5, 3, 0]
    assert after["token"]
    before = eve.get(f"/api/v1/tables/{table.code}/").json()
    assert (before["next"], before["state"]["finished"]) == (after["code"], True)
    assert table.row.log.last().event == {"type": "end"}


def test_names_tell_who_stayed(ann, url):
    after = ann.post(url, {"seats": ["Cy", "Dee", "Ann"], "newcomer": "lowest"}).json()
    assert after["carried"] == [3, 3, 5]


def test_the_deal_goes_on_as_it_would_have(ann, url):
    """Ann would have dealt the second hand."""
    assert ann.post(url, {"seats": ["Dee", "Cy", "Ann"]}).json()["first_dealer"] == 2


def test_without_the_next_dealer_the_deal_goes_on_clockwise(ann, url):
    assert ann.post(url, {"seats": ["Dee", "Cy", "Bob"]}).json()["first_dealer"] == 2


def test_the_table_may_say_who_deals(ann, url):
    assert ann.post(url, {"seats": ["Ann", "Bob", "Cy"], "first_dealer": 1}).json()["first_dealer"] == 1


def test_somebody_leaves(ann, url):
    after = ann.post(url, {"seats": ["Bob", "Cy"]}).json()
    assert (after["carried"], after["first_dealer"]) == ([4, 3], 0)


def test_nobody_comes_or_goes_during_a_hand(ann, table, url):
    table.record(play(1, "8MS"))
    answer = ann.post(url, {"seats": ["Ann", "Bob"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "hand-running")


def test_the_game_has_its_numbers_of_players(ann, table, url):
    answer = ann.post(url, {"seats": ["Ann"]})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-players")
    assert table.row.version == 1


def test_a_table_is_continued_once(ann, url):
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).status_code == 201
    answer = ann.post(url, {"seats": ["Ann", "Bob"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "already-continued")


def test_a_finished_table_goes_on_too(ann, table, url):
    table.record({"type": "end"})
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).json()["first_dealer"] == 0
    assert table.row.version == 2


def test_a_void_hand_is_dealt_by_its_dealer(ann, table, url):
    table.record(play(1, "8MS"), {"type": "redeal"})
    assert ann.post(url, {"seats": ["Ann", "Bob"]}).json()["first_dealer"] == 0


def test_before_the_first_deal_nothing_is_carried(db):
    table = open_table()
    after = holder(table.token).post(f"/api/v1/tables/{table.code}/continue/", {"seats": ["Ann", "Bob", "Cy", "Di"]})
    assert (after.json()["carried"], after.json()["first_dealer"]) == ([0, 0, 0, 0], 2)
    assert table.row.finished


def test_a_private_table_is_followed_by_a_private_one(ann, eve, table, url):
    ann.patch(f"/api/v1/tables/{table.code}/", {"private": True})
    after = ann.post(url, {"seats": ["Ann", "Bob"]}).json()
    assert after["private"]
    assert eve.get(f"/api/v1/tables/{after['code']}/").status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({}, 400, "/seats"),
        ({"seats": ["Ann", "Bob"], "from": [0]}, 422, "/from"),
        ({"seats": ["Ann", "Bob"], "from": [0, 0]}, 422, "/from"),
        ({"seats": ["Ann", "Bob"], "from": [0, 3]}, 422, "/from"),
        ({"seats": ["Ann", "Bob"], "from": [0, "1"]}, 400, "/from/1"),
        ({"seats": ["Ann", "Bob"], "newcomer": "rich"}, 422, "/newcomer"),
        ({"seats": ["Ann", "Bob"], "newcomer": []}, 422, "/newcomer"),
        ({"seats": ["Ann", "Bob"], "first_dealer": 2}, 422, "/first_dealer"),
        ({"seats": ["Ann", "Bob"], "game": "chess"}, 400, "/game"),
    ],
)
def test_what_is_wrong_is_named(ann, table, url, body, status, pointer):
    answer = ann.post(url, body)
    assert answer.status_code == status
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert table.row.version == 1


def test_whoever_has_not_seen_the_table_as_it_is_is_told(ann, url):
    assert ann.post(url, {"seats": ["Ann", "Bob"]}, HTTP_IF_MATCH='"0"').status_code == 412


@pytest.fixture
def pairs(db):
    """A table of two pairs, Ann with Cy and Bob with Dot."""
    told = {"seats": ["Ann", "Bob", "Cy", "Dot"], "options": {"partners": True}, "carried": [7, 3, 7, 3]}
    table = open_table(**told)
    return holder(table.token), f"/api/v1/tables/{table.code}/continue/"


def test_whoever_joins_a_partnership_begins_with_its_total(pairs):
    keeper, url = pairs
    after = keeper.post(url, {"seats": ["Ann", "Bob", "Eve", "Dot"]}).json()
    assert after["carried"] == [7, 3, 7, 3]


def test_players_of_two_pairs_cannot_form_one_with_two_totals(pairs):
    keeper, url = pairs
    answer = keeper.post(url, {"seats": ["Ann", "Cy", "Bob", "Dot"]})
    assert answer.status_code == 422
    assert "are partners and start from one total" in str(answer.json())


# -- house rules that follow the number of players -------------------------------------------

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
    text = me.get(f"{url}record/?as=text").content.decode()
    again = me.post("/api/v1/tables/import/", {"text": text}).json()
    assert holder(again["token"]).get(f"/api/v1/tables/{again['code']}/record/").json() == record
    cells = me.get(f"{url}record/?as=csv").content.decode()
    again = me.post("/api/v1/tables/import/", {"csv": cells}).json()
    assert holder(again["token"]).get(f"/api/v1/tables/{again['code']}/record/").json() == record


def test_hands_before_are_hands_of_a_course(stranger):
    told = {**OH_HELL, "seats": FIVE, "first_dealer": 0}
    assert stranger.post("/api/v1/tables/", {**told, "hands_before": 19}).status_code == 422
    answer = stranger.post(
        "/api/v1/tables/", {"game": "ace-trump", "seats": FIVE, "first_dealer": 0, "hands_before": 1}
    )
    assert answer.json()["errors"][0]["pointer"] == "/hands_before"
