"""Colors and initials of people: permanent, and the same at every table of their group."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.groups.acts.people import add_person, change_person, forget_person, merge_people
from scoring.groups.reads.looks import marks
from scoring.models import Person, Table
from scoring.tables.acts.keys import Caller
from scoring.tables.presenters.people import at_table
from tests.scoring.conftest import OpenTable, holder, open_table, play
from tests.scoring.groups import Thursday, make_group

pytestmark = pytest.mark.django_db
BY = Caller()


@pytest.fixture
def group() -> Thursday:
    return make_group("Ann", "Bob", "Cy")


def seats(table: OpenTable) -> list[tuple[str, str]]:
    return [(who.mark, who.colour) for who in at_table(Table.objects.get(code=table.code))]


def test_a_new_person_gets_the_least_used_color(group):
    assert [person.colour for person in Person.objects.order_by("pk")] == ["blue", "orange", "green"]
    assert add_person(group.code, "Dee", BY).colour == "pink"
    assert add_person(group.code, "Eve", BY, colour="yellow").colour == "yellow"
    assert add_person(group.code, "Flo", BY).colour == "purple"


def test_group_tables_color_people_consistently_and_guests_by_seat(group):
    table = group.open_table(seats=["Cy", "Gast", "Ann"])
    assert seats(table) == [("C", "green"), ("G", "orange"), ("A", "blue")]
    assert seats(open_table()) == [("A", "blue"), ("B", "orange"), ("C", "green")]


def test_two_people_with_the_same_color_differ_at_a_table(group):
    people = group.people()
    change_person(group.code, people["Cy"], {"colour": "blue"}, BY)
    assert seats(group.open_table()) == [("A", "blue"), ("B", "orange"), ("C", "green")]


def test_tables_follow_changes_to_colors_names_merges_and_forgetting(group):
    table, people = group.open_table(), group.people()
    change_person(group.code, people["Ann"], {"colour": "sky"}, BY)
    assert seats(table)[0] == ("A", "sky")
    alma = add_person(group.code, "Alma", BY)
    assert seats(table)[0] == ("An", "sky")
    merge_people(group.code, people["Ann"], alma.pk, BY)
    assert seats(table)[0] == ("A", "blue")
    merge_people(group.code, people["Ann"], None, BY)
    change_person(group.code, alma.pk, {"name": "Zoe"}, BY)
    assert seats(table)[0] == ("A", "sky")
    forget_person(group.code, people["Ann"], BY)
    assert seats(table) == [("P", "blue"), ("B", "orange"), ("C", "green")]


def test_a_table_moved_into_a_group_shows_its_people(group):
    change_person(group.code, group.people()["Cy"], {"colour": "red"}, BY)
    table = open_table()
    group.adopt(table)
    assert [colour for _mark, colour in seats(table)] == ["blue", "orange", "red"]


def test_a_card_at_a_group_table_needs_no_query_for_colors(group, client):
    counts = []
    for table in (open_table(), group.open_table()):
        table.record(play(0, "8MS"))
        with CaptureQueriesContext(connection) as asked:
            holder(table.token).post(f"/api/v1/tables/{table.code}/events/", {"events": [play(1, "9MS")]})
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_initials_differ_whenever_the_names_allow_it():
    names = ("Anna", "Anna Maria", "Annika", "Ben", "Karl Abel", "Karl Berg", "", "Ö")
    assert marks(names) == ("An", "AM", "Ai", "B", "KA", "KB", "", "Ö")
