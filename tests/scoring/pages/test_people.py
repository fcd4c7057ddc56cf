"""The people of a group on pages: two spellings that are one person, or two; whose name is forgotten."""

import re

import pytest

from scoring.models import Group, GroupLink, Person, Table
from tests.scoring.groups import Thursday
from tests.scoring.pages.reading import text

pytestmark = pytest.mark.django_db


def people():
    return {person.name: person.pk for person in Person.objects.all()}


@pytest.fixture
def anne(device, thursday):
    """Anne, whose name is much like Ann's."""
    device.post(f"{thursday}people/", {"name": "Anne"})
    return people()["Anne"]


def test_it_works(device, thursday, anne):
    page = text(device.get(f"{thursday}people/"))
    assert "Is Anne the same as Ann?" in page
    assert "Yes, one person" in page
    assert "No, two people" in page


def test_that_two_are_two_people_is_remembered(device, thursday, anne):
    ann = people()["Ann"]
    device.post(f"{thursday}people/{anne}/distinct/", {"other": str(ann)})
    assert "Is Anne the same as Ann?" not in text(device.get(f"{thursday}people/"))
    member = Thursday(Group.objects.get().code, "")
    assert {each.pk: each.distinct_from for each in member.row.people.all()}[anne] == [ann]


def test_who_was_somebody_new_at_a_new_table_is_not_asked_about_again(device, thursday):
    form = {"name": ["Anne", "Bob"], "dealer": "0", "end": "open", "group": thursday.split("/")[2], "spelt-Anne": "new"}
    assert device.post("/new/ace-trump/", form).status_code == 302
    assert "Is Anne the same as Ann?" not in text(device.get(f"{thursday}people/"))


def test_two_are_merged_after_one_question(device, thursday, anne):
    ann = people()["Ann"]
    page = device.get(f"{thursday}people/").content.decode()
    assert f'href="?merge={anne}&amp;into={ann}#sure"' in page
    assert not re.search(r"<form[^>]*/merge/", page), "one tap merges nobody"
    asked = device.get(f"{thursday}people/?merge={anne}&into={ann}")
    assert "Merge Anne into Ann?" in text(asked)
    assert Person.objects.get(pk=anne).merged_into is None
    assert f'action="{thursday}people/{anne}/merge/"' in asked.content.decode()
    device.post(f"{thursday}people/{anne}/merge/", {"into": str(ann)})
    assert Person.objects.get(pk=anne).merged_into_id == ann


@pytest.mark.parametrize("query", ["?merge=&into=", "?merge=1&into=1", "?merge=x&into=99999999999", "?merge=1"])
def test_nothing_is_asked_about_nobody(device, thursday, query):
    answer = device.get(f"{thursday}people/{query}")
    assert (answer.status_code, "Merge" in text(answer).replace("Merge people", "")) == (200, False)


def test_nobody_is_chosen_beforehand_as_the_same_person(device, thursday):
    page = device.get(f"{thursday}people/").content.decode()
    for choice in re.findall(r'<select[^>]*name="into"[^>]*>(.*?)</select>', page, re.DOTALL):
        assert choice.strip().startswith('<option value="">')
    assert 'name="into" required' in page


def test_another_name_forgets_nobody_and_says_so(device, thursday):
    ann = people()["Ann"]
    answer = device.post(f"{thursday}people/{ann}/forget/", {"name": "Anna"})
    assert answer.status_code == 422
    assert "That isn’t Ann’s name. Nothing was forgotten." in text(answer)
    assert "Ann" in people()
    assert device.post(f"{thursday}people/{ann}/forget/", {"name": " ann "}).status_code == 302
    assert "Ann" not in people()


def test_another_name_deletes_no_group_and_says_so(device, thursday):
    answer = device.post(f"{thursday}delete/", {"name": "Friday"})
    assert answer.status_code == 422
    assert "That isn’t the name of this group. Nothing was deleted." in text(answer)
    assert Group.objects.exists()
    assert device.post(f"{thursday}delete/", {"name": "Thursday"})["Location"] == "/"
    assert not Group.objects.exists()


def test_a_phone_is_turned_off_after_one_question(device, thursday):
    device.post(f"{thursday}links/", {"role": "member", "name": "Bob’s phone"})
    page = device.get(f"{thursday}links/").content.decode()
    link = GroupLink.objects.get(name="Bob’s phone").pk
    asking = re.findall(r'<details class="confirm">.*?</details>', page, re.DOTALL)
    (mine,) = [each for each in asking if f'action="{thursday}links/{link}/' in each]
    assert "Turn off Bob’s phone’s link? It stops working at once" in mine
    assert page.count(f'action="{thursday}links/{link}/') == 1


def test_a_name_that_a_guest_has_is_taken(device, thursday):
    form = {"name": ["Ann", "Bob", "Cy"], "dealer": "0", "end": "open", "group": thursday.split("/")[2]}
    device.post("/new/ace-trump/", form)
    Table.objects.get().people.filter(seat=1).delete()
    answer = device.post(f"{thursday}people/{people()['Ann']}/", {"name": "Cyril"})
    assert answer.status_code == 302
    Person.objects.filter(name="Bob").delete()
    taken = device.post(f"{thursday}people/{people()['Cyril']}/", {"name": "bob"})
    assert taken.status_code == 422
    assert "somebody else is called bob" in text(taken)
    assert Table.objects.get().seats[0] == "Cyril"
