"""From one table to the next: phones carry over, points come back, and later tables follow corrections."""

import re

import pytest
from django.utils import timezone

from scoring.models import Group, Link, Person, Role, Table
from scoring.tables.pages.forms import RULE
from tests.scoring.pages.phones import join, make_link
from tests.scoring.pages.reading import text
from tests.scoring.pages.test_groups import open_table


@pytest.fixture
def address(device):
    """A table of Ann, Bob and Cy whose score this device keeps."""
    return device.open_table()


@pytest.fixture
def bob(device, address):
    """Bob's own phone."""
    phone = join(make_link(device, address, "player:1"))
    phone.get(address)
    return phone


def code_of(address):
    return address.strip("/").split("/")[-1]


def one_hand(device, address, *tricks):
    """Record a hand: 5 tricks for Ann, 4 for Bob and 3 for Cy, or others."""
    assert device.tap(address, "result", tricks=tricks or (5, 4, 3)).status_code == 302


def over(device, address):
    one_hand(device, address)
    device.tap(address, "end")


def play_again(device, address, game="ace-trump", **more):
    """Open the next table with the form for the same people, or with changes; return its address."""
    form = {"name": ["Ann", "Bob", "Cy"], "dealer": "0", "end": "open", "after": code_of(address)} | more
    return device.post(f"/new/{game}/", form)["Location"]


def plays(phone, address):
    """Return whose phone this is at a table, according to its page."""
    page = phone.get(address).content.decode()
    return "own-phone" in page and "You are watching" not in page


def test_players_phones_carry_over_when_the_table_continues_with_others(device, bob, address):
    one_hand(device, address)
    after = device.post(f"{address}continue/", {"name": ["Dee", "Cy", "Bob"]})["Location"]
    assert "Players’ own phones come along" in text(device.get(f"{after}continue/"))
    assert f'href="{after}"' in bob.get(address).content.decode()
    assert plays(bob, after)
    link = Link.objects.get(table__code=code_of(after), role=Role.PLAYER)
    assert link.seat == 2
    assert bob.tap(after, "play", seat="2", cards="8MS").status_code in (302, 409)
    assert bob.tap(after, "play", seat="0", cards="8MS").status_code == 403
    assert bob.post(f"{after}links/", {"for": "scorekeeper"}).status_code == 403


def test_players_phones_carry_over_when_the_same_people_play_again(device, bob, address):
    over(device, address)
    form = device.get(f"/new/ace-trump/?again={code_of(address)}").content.decode()
    assert f'name="after" value="{code_of(address)}"' in form
    after = play_again(device, address)
    shown = bob.get(address)
    assert "Your next game is at another table: Go to that table" in text(shown)
    assert f'href="{after}"' in shown.content.decode()
    assert plays(bob, after)


def test_players_phones_carry_over_to_another_game(device, bob, address):
    over(device, address)
    form = device.get(f"/new/ransom-trump/?name=Ann&name=Bob&name=Cy&after={code_of(address)}").content.decode()
    assert f"after={code_of(address)}&amp;name=Ann" in form
    assert plays(bob, play_again(device, address, "ransom-trump", name=["Bob", "Cy", "Ann"]))


def test_turned_off_links_stay_off(device, bob, address):
    make_link(device, address, "player:0")
    Link.objects.filter(taken__isnull=False, role=Role.PLAYER).update(revoked=timezone.now())
    over(device, address)
    after = play_again(device, address)
    assert not plays(bob, after)
    assert not Link.objects.filter(table__code=code_of(after), role=Role.PLAYER).exists()


def test_a_leaving_players_phone_is_not_carried_over(device, bob, address):
    over(device, address)
    assert not plays(bob, play_again(device, address, name=["Ann", "Robert", "Cy"]))


def test_knowing_the_code_does_not_carry_players_phones_over(device, other, bob, address):
    over(device, address)
    assert 'name="after"' not in other.get(f"/new/ace-trump/?again={code_of(address)}").content.decode()
    assert not plays(bob, play_again(other, address))
    assert "another table" not in text(bob.get(address))
    assert plays(bob, address)


def test_a_private_next_table_is_shown_only_to_its_players(device, other, bob, address):
    over(device, address)
    other.get(address)
    after = play_again(device, address, private="1")
    assert after in bob.get(address).content.decode()
    assert after not in other.get(address).content.decode()


def test_a_member_plays_on_within_the_group(device, other, thursday):
    first = open_table(device, thursday)["Location"]
    phone = join(make_link(device, first, "player:2"))
    phone.get(first)
    over(device, first)
    form = device.get(f"/new/ace-trump/?again={code_of(first)}").content.decode()
    group = code_of(thursday)
    assert f'name="group" value="{group}"' in form
    after = play_again(device, first, group=group)
    row = Table.objects.get(code=code_of(after))
    assert row.group == Group.objects.get(code=group)
    assert row.after == Table.objects.get(code=code_of(first))
    assert plays(phone, after)
    evening = f"{thursday}evenings/{row.evening.isoformat()}/"
    assert f'href="{evening}"' in device.get(after).content.decode()
    assert "/evenings/" not in phone.get(after).content.decode()


# -- playing again, by one tap ----------------------------------------------------------------


def test_one_tap_plays_again_under_the_same_rules_with_the_next_dealer(device):
    address = device.open_table(**{f"{RULE}ties": "1"})
    bob = join(make_link(device, address, "player:1"))
    bob.get(address)
    over(device, address)
    before = Table.objects.get()
    assert "Play again · Ann deals" in text(device.get(address))
    after = device.post(f"{address}again/")["Location"]
    row = Table.objects.get(code=code_of(after))
    assert (row.seats, row.options, row.end, row.after) == (before.seats, before.options, before.end, before)
    assert row.first_dealer == 0
    assert plays(bob, after)
    for phone in (device, bob):
        assert phone.post(f"{address}again/")["Location"] == after
        assert f'href="{after}"' in phone.get(address).content.decode()
    assert Table.objects.count() == 2


def test_a_device_that_may_not_seat_these_people_gets_the_form(device, other, bob, address):
    over(device, address)
    for phone in (other, bob):
        form = phone.post(f"{address}again/")["Location"]
        assert form == f"/new/ace-trump/?again={code_of(address)}"
    assert Table.objects.count() == 1


def test_an_unfinished_game_is_not_played_again(device, address):
    assert "/new/ace-trump/" in device.post(f"{address}again/")["Location"]


# -- leaving, and coming back ----------------------------------------------------------------


def go_on(device, address, *names, **more):
    return device.post(f"{address}continue/", {"name": list(names), **more})["Location"]


def carried(address):
    return Table.objects.get(code=code_of(address)).carried


def test_a_returning_player_keeps_the_earlier_points(device, address):
    one_hand(device, address)
    second = go_on(device, address, "Ann", "Cy", "Dee")
    one_hand(device, second, 1, 1, 10)
    form = device.get(f"{second}continue/")
    assert "Back, with the points they left with Bob 4" in text(form)
    assert 'value="Bob"' in device.get(f"{second}continue/?name=Bob").content.decode()
    third = go_on(device, second, "Ann", "bob", "Dee", "Eve", newcomer="lowest")
    assert carried(third) == [6, 4, 10, 4]
    one_hand(device, third, 1, 1, 1, 6)
    fourth = go_on(device, third, "Cy", "Bob", "Eve")
    assert carried(fourth) == [4, 5, 10]


def test_a_player_returning_to_a_partnership_gets_its_total(device):
    first = device.open_table(names=("Ann", "Bob", "Cy", "Dee"), **{f"{RULE}partners": "1"})
    one_hand(device, first, 5, 2, 1, 1)
    second = go_on(device, first, "Ann", "Bob", "Cy", "Eve")
    third = go_on(device, second, "Ann", "Dee", "Cy", "Eve")
    assert carried(third) == carried(second) == [6, 3, 6, 3]


def test_a_person_can_return_under_another_name(device, thursday):
    first = open_table(device, thursday)["Location"]
    one_hand(device, first)
    second = go_on(device, first, "Ann", "Cy")
    row = Table.objects.get(code=code_of(first))
    person = row.people.get(seat=1).person
    person.aliases = ["Robert"]
    person.save()
    assert carried(go_on(device, second, "Ann", "Cy", "Robert")) == [5, 3, 4]
    assert Person.objects.count() == 3


# --- Acts at a continued table: their changes at later tables are shown first

CHANGES = "This changes a later table, too Then at the next table, with Ann, Bob and Dee"


@pytest.fixture
def continued(device, revoked):
    """The table at which Bob revoked, and the next one, with Ann 5, Bob 4, Dee 0."""
    one_hand(device, revoked)
    return revoked, go_on(device, revoked, "Ann", "Bob", "Dee")


def do_it(device, page):
    """Submit the form that confirms what was shown."""
    form = next(
        form
        for form in re.findall(r'<form[^>]* method="post">.*?</form>', page, re.DOTALL)
        if 'name="later-tables"' in form
    )
    fields = dict(re.findall(r'name="([\w-]+)" value="([^"]*)"', form))
    return device.post(re.findall(r'action="([^"]+)"', form)[0], fields)


GUIDED = {"situation": "revoke", "answer-who": "1", "answer-trick": "1", "remedy": "penalty", "points": "2"}
RULING = {"state": "upheld", "text": "Late it is", "remedy": "points", "seat": "1", "points": "3"}
ACTS = {
    "points taken away": ("record/", {"event": "penalty", "seat": "1", "points": "3", "points-way": "takes"}, 1),
    "the remedy of a finding": ("settle/", {"finding": "0-0", "remedy": "penalty", "points": "2"}, 2),
    "a guided ruling": ("guide/carry-out/", GUIDED, 2),
    "a ruling on a dispute": ("disputes/1/ruling/", RULING, 1),
}


@pytest.mark.parametrize(("path", "fields", "left"), ACTS.values(), ids=ACTS)
def test_changes_at_later_tables_are_previewed(device, continued, path, fields, left):
    address, after = continued
    if path.startswith("disputes"):
        device.post(f"{address}disputes/", {"claim": "Bob was late"})
    first = Table.objects.get(next__isnull=False)
    before = first.log.count()
    answer = device.post(address + path, fields)
    assert answer.status_code == 409
    assert f"{CHANGES} Bob 4 to {left}" in text(answer)
    assert (carried(after), first.log.count()) == ([5, 4, 0], before)
    assert do_it(device, answer.content.decode()).status_code == 302
    assert carried(after) == [5, left, 0]
    assert first.log.count() > before


def test_an_act_without_point_changes_needs_no_confirmation(device, continued):
    address, after = continued
    assert device.tap(address, "note", text="The soup is ready.").status_code == 302
    assert device.post(f"{address}settle/", {"finding": "0-0", "remedy": "stand"}).status_code == 302
    assert carried(after) == [5, 4, 0]
