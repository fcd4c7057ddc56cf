"""A phone is a person: its seats follow from that, and a table's code alone grants none."""

import re
from datetime import timedelta

import pytest
from django.db.models import F

from scoring.groups.acts import group_access
from scoring.models import GroupLink, Link, Person, Role, SeatRequest, SecretChoice, Table
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import code_of, made_url
from tests.scoring.pages.reading import text

CROWN, SUN = "XM", "XY"


def say(device, group, name, **more):
    """Tap a name on the page that asks who this is."""
    person = Person.objects.get(group__code=code_of(group), name=name).pk
    return device.post(f"{group}who/", {"person": person, **more})


def invite(device, group, role="member"):
    """Make an invitation that opens the group on any phone; return its token."""
    return made_url(device.post(f"{group}links/", {"role": role})).partition("#")[2]


def accept(phone, group, token):
    return phone.post(f"{group}join/", {"token": token})


def guest(group, token):
    """Return a new phone that has opened the group and is asked who it is."""
    phone = Device()
    assert accept(phone, group, token)["Location"] == f"{group}who/"
    return phone


@pytest.fixture
def invitation(device, thursday):
    return invite(device, thursday)


@pytest.fixture
def phone_of(device, thursday, invitation):
    """Open the group on another phone, and tap a name."""
    say(device, thursday, "Ann")

    def opened(name):
        phone = guest(thursday, invitation)
        assert say(phone, thursday, name).status_code == 302
        return phone

    return opened


def link_of(name):
    return GroupLink.objects.get(person__name=name)


def table_of(device, thursday, game="ransom-trump"):
    return device.open_table(game, group=code_of(thursday))


def plays_here(phone, table):
    return 'class="table own-phone' in phone.get(table).content.decode()


def lays(phone, table, seat, card):
    """Choose a card in secret; return the status."""
    return phone.tap(table, "ransom", seat=str(seat), cards=card).status_code


def answer(phone, table, **said):
    """Answer the only waiting request at a table."""
    return phone.post(f"{table}requests/{SeatRequest.objects.get().pk}/", said)


def let_in(device, table, seat):
    """Ask for a seat from a new phone, and let it in."""
    phone = Device()
    phone.post(f"{table}who/", {"seat": str(seat)})
    answer(device, table, yes="1")
    return phone


def minutes_pass(minutes):
    SeatRequest.objects.update(at=F("at") - timedelta(minutes=minutes))


# --- Who are you?


def test_a_phone_that_may_only_watch_is_not_asked_who_it_is(device, thursday):
    assert accept(Device(), thursday, invite(device, thursday, "viewer"))["Location"] == thursday


def test_the_groups_creator_keeps_the_score_by_name(device):
    made = device.post("/g/new/", {"name": "Thursday", "people": "Ann, Bob, Cy"})
    group = made["Location"].removesuffix("who/")
    assert "Who are you?" in text(device.get(made["Location"]))
    assert say(device, group, "Ann")["Location"] == group
    table = device.open_table(group=code_of(group), plays="0:8MS")
    assert "Ann (scorekeeper)" in text(device.get(f"{table}log/"))


def test_a_phone_that_opened_the_link_is_asked_once_who_it_is(thursday, phone_of, invitation):
    bob = phone_of("Bob")
    assert accept(bob, thursday, invitation)["Location"] == thursday
    assert GroupLink.objects.filter(person__name="Bob").count() == 1


def test_a_phones_seat_exists_at_every_table_of_the_group(device, thursday, phone_of):
    bob = phone_of("Bob")
    for game in ("ransom-trump", "ace-trump"):
        assert plays_here(bob, table_of(device, thursday, game))
    assert not Link.objects.filter(role=Role.PLAYER).exclude(seat=1).exists()


def test_a_spectator_has_no_seat(device, thursday, phone_of, invitation):
    phone_of("Bob")
    dee = guest(thursday, invitation)
    assert dee.post(f"{thursday}who/", {"watch": "1"})["Location"] == thursday
    assert not plays_here(dee, table_of(device, thursday))


def test_a_newcomer_joins_the_group_once_identified(thursday, phone_of, invitation):
    phone_of("Bob")
    dora, anne = guest(thursday, invitation), guest(thursday, invitation)
    assert dora.post(f"{thursday}who/", {"name": "Dora"}).status_code == 302
    assert "Is Anne the same person as Ann?" in text(anne.post(f"{thursday}who/", {"name": "Anne"}))
    anne.post(f"{thursday}who/", {"name": "Anne", "spelt": "new"})
    assert {*Person.objects.values_list("name", flat=True)} == {"Ann", "Bob", "Cy", "Dora", "Anne"}
    assert {*GroupLink.objects.filter(phone=True).values_list("person__name", flat=True)} >= {"Dora", "Anne"}


def test_a_persons_second_phone_takes_over_after_a_question(device, thursday, phone_of, invitation):
    old, new = phone_of("Bob"), guest(thursday, invitation)
    table = table_of(device, thursday)
    assert plays_here(old, table)
    assert "Bob already has a phone here." in text(say(new, thursday, "Bob"))
    assert not plays_here(new, table)
    assert say(new, thursday, "Bob", instead="1").status_code == 302
    assert plays_here(new, table)
    assert not plays_here(old, table)
    assert "Who are you?" in text(old.get(thursday))


def test_one_tap_changes_the_person_and_seat_of_a_phone(device, thursday, phone_of):
    phone, table = phone_of("Bob"), table_of(device, thursday)
    assert lays(phone, table, 1, CROWN) == 302
    say(phone, thursday, "Cy")
    assert lays(phone, table, 1, SUN) == 403
    assert plays_here(phone, table)
    assert lays(phone, table, 2, SUN) == 302


def test_another_phone_cannot_open_a_sealed_choice(device, thursday, phone_of, invitation):
    old, new = phone_of("Bob"), guest(thursday, invitation)
    table = table_of(device, thursday)
    plays_here(old, table)
    lays(old, table, 1, CROWN)
    assert "Show your choice" in text(old.get(table))
    say(new, thursday, "Bob", instead="1")
    assert plays_here(new, table)
    for phone in (new, device):
        assert "Show your choice" not in text(phone.get(table))
    assert SecretChoice.objects.get().device is not None


def test_the_scorekeeper_chooses_in_secret_too_if_others_have_phones(device, thursday, phone_of):
    bob, table = phone_of("Bob"), table_of(device, thursday)
    assert plays_here(bob, table)
    assert lays(device, table, 0, CROWN) == 302
    assert "Huntress" not in text(bob.get(f"{table}log/"))
    assert "Show your choice" in text(device.get(table))
    assert "Chosen so far: Ann" in text(bob.get(table))
    assert lays(bob, table, 1, SUN) == 302
    assert lays(device, table, 2, "XW") == 302
    assert "Ann offers Huntress" in text(bob.get(f"{table}log/"))


# --- Turned off


def test_turning_off_a_phone_ends_its_seat_and_score_at_every_table(device, thursday, phone_of):
    bob, table, second = phone_of("Bob"), table_of(device, thursday), table_of(device, thursday, "ace-trump")
    plays_here(bob, table)
    assert bob.post(f"{second}keep/").status_code == 302
    assert bob.tap(second, "play", seat="0", cards="8MS").status_code == 302
    page = text(device.get(f"{thursday}links/"))
    assert all(words in page for words in ("Who joined", "last seen"))
    device.post(f"{thursday}links/{link_of('Bob').pk}/revoke/")
    assert lays(bob, table, 1, CROWN) == 403
    assert bob.post(f"{second}undo/").status_code == 403
    assert bob.tap(second, "play", seat="1", cards="2WL").status_code == 403
    assert not plays_here(bob, table)
    assert bob.get(thursday).status_code == 404


def test_a_phone_turned_off_cannot_return_with_an_older_invitation(device, thursday, phone_of, invitation):
    bob, told = phone_of("Bob"), "This phone was turned off. Its old links don’t bring it back"
    other = invite(device, thursday)
    device.post(f"{thursday}links/{link_of('Bob').pk}/revoke/")
    for _again in range(2):
        refused = accept(bob, thursday, invitation)
        assert (refused.status_code, told in text(refused)) == (404, True)
        assert bob.get(thursday).status_code == 404
        bob.post(f"{thursday}forget/")
    assert told in text(accept(bob, thursday, other)), "which it might have made for itself"
    assert accept(bob, thursday, invite(device, thursday))["Location"] == f"{thursday}who/"
    assert accept(Device(), thursday, invitation).status_code == 302, "other phones come by the invitation"


def test_phones_turned_off_with_their_invitation_can_return_with_another(device, thursday, phone_of):
    bob = phone_of("Bob")
    other = invite(device, thursday)
    device.post(f"{thursday}links/{link_of('Bob').invited_by}/revoke/")
    assert accept(bob, thursday, other)["Location"] == f"{thursday}who/"


def test_turning_off_an_invitation_can_turn_off_its_phones(device, thursday, phone_of):
    bob, table = phone_of("Bob"), table_of(device, thursday)
    assert plays_here(bob, table)
    assert "So does the 1 phone that joined with it." in text(device.get(f"{thursday}links/"))
    device.post(f"{thursday}links/{link_of('Bob').invited_by}/revoke/")
    assert lays(bob, table, 1, CROWN) == 403


def test_a_seat_turned_off_at_the_table_stays_off(device, thursday, phone_of):
    bob, table = phone_of("Bob"), table_of(device, thursday)
    assert plays_here(bob, table)
    device.post(f"{table}links/{Link.objects.get(role=Role.PLAYER).pk}/revoke/")
    assert not plays_here(bob, table)
    bob.post(f"{table}forget/")
    assert not plays_here(bob, table)


def test_a_phone_is_named_after_its_person(device, thursday, phone_of):
    phone_of("Bob")
    person = Person.objects.get(name="Bob").pk
    device.post(f"{thursday}people/{person}/", {"name": "Robert", "aliases": "", "colour": "sky"})
    assert GroupLink.objects.get(person=person).name == "Robert"


def test_a_forgotten_person_owns_no_phone(device, thursday, phone_of):
    bob = phone_of("Bob")
    device.post(f"{thursday}people/{Person.objects.get(name='Bob').pk}/forget/", {"name": "Bob"})
    assert not GroupLink.objects.filter(answered__isnull=False, person=None).exists()
    assert "Who are you?" in text(bob.get(thursday))
    assert "Bob" not in text(device.get(f"{thursday}links/"))


# --- With a table's code alone


def test_the_code_alone_creates_a_request_but_no_seat(device, other):
    table = device.open_table("ransom-trump")
    assert other.post(f"{table}who/", {"seat": "1"})["Location"] == table
    assert "You asked to join as Bob. Now it’s up to the scorekeeper." in text(other.get(table))
    assert lays(other, table, 1, CROWN) == 403
    assert "Bob wants to join." in text(device.get(table))
    answer(device, table, yes="1")
    assert plays_here(other, table)
    assert lays(other, table, 1, CROWN) == 302
    assert "wants to join" not in text(device.get(table))


def test_a_refused_client_waits_before_retrying(device, other):
    table = device.open_table("ransom-trump")
    other.post(f"{table}who/", {"seat": "1"})
    answer(device, table, no="1")
    assert "The scorekeeper said no." in text(other.get(table))
    assert other.post(f"{table}who/", {"seat": "2"}).status_code == 409
    minutes_pass(11)
    assert other.post(f"{table}who/", {"seat": "2"}).status_code == 302


def test_only_a_players_old_phone_can_let_in_the_new_one(device, other):
    table = device.open_table("ransom-trump")
    old, cy = let_in(device, table, 1), let_in(device, table, 2)
    assert "Is this Bob’s new phone?" in text(other.post(f"{table}who/", {"seat": "1"}))
    other.post(f"{table}who/", {"seat": "1", "instead": "1"})
    assert "Another phone wants to be Bob’s." not in text(cy.get(table))
    assert answer(cy, table, yes="1").status_code == 409
    assert "Another phone wants to be Bob’s." in text(old.get(table))
    answer(old, table, yes="1")
    assert (plays_here(other, table), plays_here(old, table), plays_here(cy, table)) == (True, False, True)


def test_the_number_of_waiting_seat_requests_is_limited(device):
    table = device.open_table("ransom-trump")
    answers = [Device().post(f"{table}who/", {"seat": "1"}).status_code for _ in range(9)]
    assert answers == [302] * 8 + [409]


# --- Taking over the score

TAKES_OVER = "Bob’s phone keeps score from here on"


def test_a_member_can_take_over_the_score_and_everyone_is_told(device, thursday, phone_of):
    bob, cy, table = phone_of("Bob"), phone_of("Cy"), table_of(device, thursday, "ace-trump")
    plays_here(cy, table)
    bob.post(f"{table}keep/")
    assert bob.tap(table, "play", seat="0", cards="8MS").status_code == 302
    log = text(cy.get(f"{table}log/"))
    assert all(words in log for words in (TAKES_OVER, "Bob (scorekeeper)"))
    assert TAKES_OVER in text(device.get(table))
    device.post(f"{table}keep/")
    assert "keeps score from here on" not in text(device.get(table))
    assert device.tap(table, "play", seat="1", cards="2WL").status_code == 302, "both can record"


def test_without_a_group_taking_over_needs_agreement_or_a_minute(device):
    table = device.open_table("ransom-trump")
    bob, cy = let_in(device, table, 1), let_in(device, table, 2)
    bob.post(f"{table}keep/")
    assert Link.objects.filter(role=Role.SCOREKEEPER).count() == 1
    assert "Bob wants to keep score." in text(cy.get(table))
    bob.post(f"{table}keep/")
    assert Link.objects.filter(role=Role.SCOREKEEPER).count() == 1, "not before the others had a minute"
    minutes_pass(1)
    bob.post(f"{table}keep/")
    assert Link.objects.filter(role=Role.SCOREKEEPER, seat=1).exists()
    assert TAKES_OVER in text(cy.get(f"{table}log/"))


def test_another_player_can_refuse_a_takeover(device):
    table = device.open_table("ransom-trump")
    bob, cy = let_in(device, table, 1), let_in(device, table, 2)
    bob.post(f"{table}keep/")
    answer(cy, table, no="1")
    minutes_pass(2)
    assert bob.post(f"{table}keep/").status_code == 409
    assert Link.objects.filter(role=Role.SCOREKEEPER).count() == 1


# --- The scorekeeper's phone has an owner, too


def test_the_scorekeeper_sees_their_own_win_and_can_agree(device, thursday, phone_of):
    phone_of("Bob")
    table = device.open_table(group=code_of(thursday), end="hands", **{"end-hands": "1"})
    device.tap(table, "result", tricks=["9", "2", "1"])
    assert "You win" in text(device.get(table))
    assert device.post(f"{table}hands/1/confirm/").status_code == 302
    assert "Ann agrees with hand 1" in text(device.get(f"{table}log/"))
    assert Table.objects.get().finished


def test_without_a_group_the_scorekeeper_can_name_themselves(device):
    table = device.open_table()
    assert device.post(f"{table}who/", {"seat": "2"})["Location"] == table
    device.tap(table, "play", seat="0", cards="8MS")
    assert "Cy (scorekeeper)" in text(device.get(f"{table}log/"))


def test_a_scorekeeper_cannot_be_a_player_who_has_a_phone(device):
    """Otherwise it could agree with a hand in that player's place."""
    table = device.open_table()
    device.post(f"{table}links/", {"for": "player:1"})
    refused = device.post(f"{table}who/", {"seat": "1"})
    assert (refused.status_code, "Bob already has a phone here." in text(refused)) == (409, True)
    assert Link.objects.get(role=Role.SCOREKEEPER).seat is None


def test_a_television_shows_who_takes_over_the_score(device, thursday, phone_of, other):
    bob, table = phone_of("Bob"), table_of(device, thursday, "ace-trump")
    bob.post(f"{table}keep/")
    assert TAKES_OVER in text(other.get(f"{table}screen/"))
    bob.tap(table, "play", seat="0", cards="8MS")
    assert TAKES_OVER not in text(other.get(f"{table}screen/"))


# --- A phone that leaves


def test_a_phone_that_leaves_the_group_gives_up_its_seats_and_person(device, thursday, phone_of):
    bob, table = phone_of("Bob"), table_of(device, thursday)
    assert plays_here(bob, table)
    bob.post(f"{thursday}forget/")
    assert lays(bob, table, 1, CROWN) == 403
    assert plays_here(phone_of("Bob"), table), "nobody asks whether it is a new phone"


def test_a_cleared_phone_has_no_owner(device, thursday, phone_of):
    bob = phone_of("Bob")
    bob.post("/device/forget/", {"sure": "1"})
    assert not GroupLink.objects.filter(person__name="Bob").exists()
    assert bob.get(thursday).status_code == 404


def test_a_handed_over_phone_keeps_its_person(device, thursday, phone_of, other):
    bob, table = phone_of("Bob"), table_of(device, thursday)
    assert plays_here(bob, table)
    token = re.findall(r"take/#([\w-]+)", bob.post("/device/move/").content.decode())[0]
    assert other.post("/device/take/", {"token": token}).status_code == 302
    assert plays_here(other, table)
    assert not plays_here(bob, table)


def test_an_invitation_with_no_room_for_another_phone_claims_no_one(thursday, phone_of, invitation, monkeypatch):
    phone_of("Bob")
    monkeypatch.setattr(group_access, "MOST_LINKS", 3)
    late = guest(thursday, invitation)
    assert late.get(thursday).status_code == 200
    assert "Too many links" in text(say(late, thursday, "Cy"))
    assert not GroupLink.objects.filter(person__name="Cy").exists()
