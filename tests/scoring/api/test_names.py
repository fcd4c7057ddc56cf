"""Names in the API: who is who at a table and in a group, and names that look alike."""

from itertools import product

import pytest

from scoring.groups.reads.group_export import full_export
from scoring.models import Group, HandSheet, Table
from tests.scoring.conftest import ACE_TRUMP, open_table, play
from tests.scoring.groups import make_group, result, round_trip
from tests.scoring.pages.conftest import Device

# --- Invisible or multi-line names are refused everywhere; others may use any letters

UNSEEN = (
    "\u200b", "\u200b\u200d\u2060", "\u202e\u202c", "\u2066\u2069", "\u200e", "\u3164", "\u115f\u1160", "\uffa0",
    "\u2800", "\ufe0f", "\U000e0041", "\u00ad", "\ufeff", "\u0301", "\x1b\x07", "\u180e", "\U0001d159", "\u2065",
    " \u200b ",
)  # fmt: skip
SEEN = ("Ann\u200b", "\u05d0\u05dc", "e\u0301", "\u738b", "7", "?", "\U0001f0a1", "\U0001faef", "\u200fA", "A\u3164")
TURNING = ("\u202eAnn", "Bo\u202b", "\u2067Cy", "\u202dDee\u202c", "E\u2069")
TURNED = "This name changes the direction of the text around it. Remove its direction marks."
SENTENCE = "This name is invisible: it needs a letter, a digit or a symbol."


def problem(answer):
    """Return the pointer and the text of the only error of an answer."""
    [error] = answer.json()["errors"]
    return answer.status_code, error["pointer"], error["detail"]


@pytest.mark.parametrize(("name", "why"), [*product(UNSEEN, [SENTENCE]), *product(TURNING, [TURNED])])
def test_invisible_and_turning_names_are_refused(stranger, name, why):
    answer = stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": ["Ann", name, "Cy"]})
    assert problem(answer) == (422, "/seats/1", why)
    assert problem(stranger.post("/api/v1/groups/", {"name": name})) == (422, "/name", why)
    assert not Table.objects.exists()


@pytest.mark.parametrize("name", SEEN)
def test_a_visible_name_may_contain_invisible_characters(stranger, name):
    told = stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": ["Eva", name, "Cy"]})
    assert told.status_code == 201


@pytest.mark.parametrize("address", ["tables/import/", "referee/judge/"])
def test_records_with_invisible_names_are_refused(stranger, address):
    answer = stranger.post(f"/api/v1/{address}", ACE_TRUMP | {"seats": ["Ann", "\u3164", "Cy"], "hands": []})
    assert problem(answer) == (422, "/seats/1", SENTENCE)


@pytest.mark.parametrize(("name", "why"), [("\u200b", SENTENCE), ("\u202eAnn", TURNED)])
def test_pages_refuse_names_with_the_same_message(name, why):
    device = Device()
    form = {"name": ["Ann", name, "Cy"], "dealer": "0", "end": "open"}
    record = f"Format: table-record/1\nGame: ace-trump\nSeats: Ann, {name}, Cy\nFirst dealer: Ann\n"
    for answer in (
        device.post("/new/ace-trump/", form),
        device.post(f"{device.open_table()}continue/", form),
        device.post("/import/", {"text": record}),
    ):
        assert answer.status_code == 422
        assert why in answer.content.decode()
    assert Table.objects.count() == 1


@pytest.mark.parametrize("name", TURNING)
def test_group_pages_refuse_turning_names_with_the_same_message(name):
    for form in ({"name": name, "people": "Ann"}, {"name": "Thursday", "people": f"Ann, {name}"}):
        answer = Device().post("/g/new/", form)
        assert answer.status_code == 422
        assert TURNED in answer.content.decode()


def test_an_old_table_with_such_a_name_can_still_be_read(table, scorekeeper):
    Table.objects.update(seats=["Ann", "\u200b", "Cy"])
    for shape in ("json", "text", "csv"):
        assert scorekeeper.get(f"{table.url}record/", {"as": shape}).status_code == 200


def test_a_claim_may_have_several_lines(ann, table):
    ann.post(f"{table.url}events/", {"type": "result", "tricks": [4, 4, 4]})
    ann.post(f"{table.url}events/", play(1, "8MS"))
    claim = {"about": {"hand": 1}, "claim": "First this.\nThen that.\tAnd so on."}
    answer = ann.post(f"{table.url}disputes/", claim)
    assert answer.status_code == 201, answer.json()


# --- The players of a table have distinguishable names, however these come in

pytestmark = pytest.mark.django_db
LOOKS_LIKE_ANN = (
    "Ann", " ann ", "ANN", "Ann\u200b", "A\u00adnn", "Ann\ufe0f", "\uff21nn", "A\u200dn\u2060n", "Ann\u2800",
)  # fmt: skip
RESULT = result(5, 4, 3)


def refused(answer, pointer, code="same-name"):
    """Return whether an answer names the duplicate name and what to do."""
    assert answer.status_code == 422, answer.content
    assert {(each["pointer"], each["code"]) for each in answer.json()["errors"]} == {(pointer, code)}
    assert "Add an initial" in answer.json()["errors"][0]["detail"]
    return True


@pytest.mark.parametrize("name", LOOKS_LIKE_ANN)
def test_a_new_table_refuses_a_name_that_looks_like_another(stranger, name):
    answer = stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": ["Ann", "Bob", name]})
    assert refused(answer, "/seats/2")
    assert answer.json()["code"] == "same-name"
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    "seats", [["Ann", "Anne", "Ann B"], ["Jos\u00e9", "Jose", "Joseph"], ["\u738b", "\u7389", "\U0001f0a1"]]
)
def test_names_that_look_different_are_accepted(stranger, seats):
    assert stranger.post("/api/v1/tables/", ACE_TRUMP | {"seats": seats}).status_code == 201


@pytest.mark.parametrize("name", LOOKS_LIKE_ANN)
def test_renaming_to_another_players_name_is_refused(name):
    table = open_table()
    keeper, url = table.keeper, table.url
    assert refused(keeper.patch(url, {"seats": ["Ann", name, "Cy"]}), "/seats/1")
    assert refused(keeper.post(f"{url}continue/", {"seats": ["Ann", "Bob", name]}), "/seats/2")
    assert table.row.seats == ["Ann", "Bob", "Cy"]
    swapped = keeper.patch(url, {"seats": ["Bob", "Ann", "Cy"]})
    assert (swapped.status_code, table.row.seats) == (200, ["Bob", "Ann", "Cy"])


@pytest.mark.parametrize("address", ["tables/import/", "referee/judge/"])
def test_a_record_with_duplicate_names_is_refused(stranger, address):
    record = ACE_TRUMP | {"seats": ["Ann", "Bob", "ann"], "hands": []}
    assert refused(stranger.post(f"/api/v1/{address}", record), "/seats/2")
    written = "Game: ace-trump\nSeats: Ann, Bob, Ann\nFirst dealer: Bob\n"
    answer = stranger.post(f"/api/v1/{address}", written, content_type="text/plain")
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "same-name")


def test_full_logs_and_archives_with_duplicate_names_are_refused(stranger):
    group = make_group()
    table = group.open_table()
    table.record(RESULT)
    told = full_export(table.row) | {"seats": ["Ann", "Bob", "Ann"]}
    assert refused(stranger.post("/api/v1/tables/import/", told), "/seats/2")
    archive = group.archive()
    double = archive.replace('["Ann","Bob","Cy"]', '["Ann","Bob","Ann"]')
    assert double != archive
    answer = stranger.post("/api/v1/groups/import/", {"text": double})
    assert refused(answer, "/1/seats/2", "bad-archive")
    assert Group.objects.count() == 1


def test_group_names_cannot_match_a_guest_at_the_same_table():
    group = make_group()
    table = group.open_table(seats=["Ann", "Bob", "Dee"])
    answer = group.member.patch(f"{group.url}people/{group.people()['Ann']}/", {"name": "dee"})
    assert (answer.status_code, answer.json()["code"]) == (422, "same-name")
    assert "At table" in answer.json()["errors"][0]["detail"]
    assert (table.row.seats, "Ann" in group.people()) == (["Ann", "Bob", "Dee"], True)


def test_a_merge_renames_no_one_to_a_guests_name_at_the_same_table():
    group = make_group("Ann", "Bob", "Cy", "Anne")
    people = group.people()
    group.open_table(seats=["Ann", "Bob", "Anne"], people=[None, people["Bob"], people["Anne"]])
    group.merge("Anne", "Ann")
    assert sorted(each["name"] for each in group.evening()["people"]) == ["Ann", "Ann (guest)", "Bob"]


def test_adopting_a_table_keeps_names_unique():
    group, table = make_group(), open_table(seats=["Anne", "Bob", "Ann"])
    assert refused(group.adopt(table, [group.people()["Ann"], None, None]), "/seats/2")
    assert table.row.group is None


def test_forgetting_a_person_keeps_names_unique():
    group = make_group()
    table = group.open_table(seats=["Player 2", "Bob", "Player 3"])
    group.forget("Bob")
    assert table.row.seats == ["Player 2", "Player 4", "Player 3"]


def test_an_old_table_with_duplicate_names_still_opens(stranger):
    table = open_table()
    table.record(RESULT)
    Table.objects.update(seats=["Ann", "Ann", "Cy"])
    assert table.keeper.get(table.url).json()["seats"] == ["Ann", "Ann", "Cy"]
    assert table.keeper.get(f"{table.url}record/?as=text").status_code == 200
    assert table.keeper.post(f"{table.url}events/", RESULT).status_code == 201
    assert table.go_on("Ann", "Anna", "Cy", **{"from": [0, 1, 2]}).row.carried == [10, 8, 6]
    assert stranger.get(f"/t/{table.code}/").status_code == 200


def test_continuing_players_are_identified_by_id():
    group = make_group()
    people = group.people()
    table = group.open_table(seats=["Annie", "Bob", "Zoe"], people=[people["Ann"], people["Bob"], None])
    table.record(RESULT)
    told = {"seats": ["Ann", "Cy", "Zoe"], "from": [0, None, 2], "people": [people["Bob"], people["Cy"], None]}
    wrong = table.keeper.post(f"{table.url}continue/", told)
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/people/0")
    after = table.go_on("Zoe", "Ann", "Cy", people=[None, people["Ann"], people["Cy"]])
    told = group.member.get(after.url).json()
    assert (told["carried"], told["people"]) == ([3, 5, 0], [None, people["Ann"], people["Cy"]])


# --- groups/{code}/people/: names, spellings, and duplicate people


def test_a_person_joins_a_group(group):
    made = group.member.post(f"{group.url}people/", {"name": "Dee", "aliases": ["Diana"], "colour": "sky"})
    assert made.status_code == 201
    assert made.json() == {
        "id": group.people()["Dee"], "name": "Dee", "aliases": ["Diana"], "colour": "sky", "merged_into": None,
        "distinct_from": [],
    }  # fmt: skip
    assert made.json() in group.read("people/")["people"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": "ANN"}, "/name"),
        ({"name": "Dee", "aliases": ["Bob"]}, "/aliases/0"),
        ({"name": "Dee", "colour": "beige"}, "/colour"),
    ],
)
def test_two_people_cannot_share_a_name(group, body, pointer):
    answer = group.member.post(f"{group.url}people/", body)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)


def test_a_renamed_person_is_renamed_at_every_table(group):
    table, ann = group.open_table(), group.people()["Ann"]
    table.record(result(12, 0, 0), result(12, 0, 0))
    before = table.keeper.get(table.url).json()
    assert HandSheet.objects.get().sheet is not None
    group.member.patch(f"{group.url}people/{ann}/", {"name": "Annegret", "aliases": ["Ann"]})
    after = table.keeper.get(table.url)
    assert after.json()["seats"] == ["Annegret", "Bob", "Cy"]
    assert after.json()["state"]["totals"] == before["state"]["totals"]
    assert "Ann " not in after.content.decode().replace("Annegret", "")
    assert table.keeper.post(f"{table.url}undo/").status_code == 201


def test_two_spellings_are_merged_and_split_again(group):
    ann, _anne = group.people()["Ann"], group.add("Anne")
    assert group.merge("Anne", "Ann")["merged_into"] == ann
    table = group.open_table(seats=["Anne", "Bob", "Cy"])
    assert group.member.get(table.url).json()["people"][0] == ann
    assert group.merge("Anne", None)["merged_into"] is None


def merge_problem(group, person, into):
    """Return the status and the code of a merge that is refused."""
    answer = group.member.post(f"{group.url}people/{person}/merge/", {"into": into})
    return answer.status_code, answer.json()["code"]


def test_people_at_one_table_are_distinct(group):
    group.open_table()
    people = group.people()
    assert merge_problem(group, people["Ann"], people["Bob"]) == (409, "sat-together")


def test_merges_cannot_be_chained(group):
    people = group.people()
    group.merge("Ann", "Bob")
    assert merge_problem(group, people["Cy"], people["Ann"])[1] == "already-merged"
    assert merge_problem(group, people["Cy"], people["Cy"])[1] == "already-merged"
    assert merge_problem(group, 0, people["Cy"])[0] == 404


def test_a_distinct_person_is_remembered_and_exported(group):
    ann, anne = group.people()["Ann"], group.add("Anne")
    answer = group.member.patch(f"{group.url}people/{anne}/", {"distinct_from": [ann]})
    assert (answer.status_code, answer.json()["distinct_from"]) == (200, [ann])
    back = round_trip(group)
    assert back.row.people.get(name="Anne").distinct_from == [back.people()["Ann"]]
    group.forget("Ann")
    told = {person["name"]: person["distinct_from"] for person in group.read("people/")["people"]}
    assert told["Anne"] == []


@pytest.mark.parametrize("others", [["x"], [None], [10**8], "self", 7])
def test_an_invalid_list_of_distinct_people_is_refused(group, others):
    ann = group.people()["Ann"]
    answer = group.member.patch(f"{group.url}people/{ann}/", {"distinct_from": [ann] if others == "self" else others})
    assert answer.status_code in (400, 422)
    assert answer.json()["errors"][0]["pointer"].startswith("/distinct_from")
