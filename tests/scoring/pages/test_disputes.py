"""Calling the referee on the page, and settling what was called for."""

import json
import re
from uuid import uuid4

import pytest
from django.urls import reverse

from scoring.models import Role, Table
from scoring.queries.dispute_rights import who_rules
from scoring.queries.disputes import SCOREKEEPER
from scoring.services.tables import make_link
from tests.scoring.pages.conftest import Device


@pytest.fixture
def address(device):
    """A table at which Bob discards on the first trick and shows a Sun in the second."""
    address = device.open_table()
    for card in ("8MS", "4WL", "XM", "2MK", "3MW"):
        device.tap(address, "play", seat="", cards=card)
    return address


@pytest.fixture
def cy(address) -> Device:
    return of_a_player(address, 2)


def of_a_player(address, seat):
    """Return the phone of a player."""
    row = Table.objects.get(code=address.split("/")[2])
    player = Device()
    player.open_link(f"{address}join/#{make_link(row, Role.PLAYER, seat=seat)}")
    return player


def shown(device, address):
    answer = device.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def state(address):
    return Table.objects.get(code=address.split("/")[2]).disputes


def test_every_page_of_the_table_shows_that_the_referee_was_called(device, other, cy, address):
    raised = cy.post(f"{address}disputes/", {"claim": "Bob, you had a Sun!", "hand": "0", "about": "event-1"})
    assert raised.status_code == 302
    for who, page in ((device, address), (cy, address), (other, address), (other, f"{address}screen/")):
        told = shown(who, page)
        assert "Cy calls the referee" in told
        assert "Bob, you had a Sun!" in told
    assert "Bob, you had a Sun!" in shown(device, f"{address}hands/1/")
    assert "Dispute 1: Bob, you had a Sun!" in shown(device, f"{address}log/")


def test_the_hand_waits_until_it_is_ruled(device, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Stop!", "pause": "1"})
    assert "the hand waits" in shown(device, address)
    refused = device.tap(address, "play", seat="", cards="7SK")
    assert refused.status_code == 409
    assert "The referee was called" in refused.content.decode()
    ruling = {"state": "overruled", "text": "Nothing is wrong.", "clause": "AT-5", "more": "IR-1, IR-2"}
    assert device.post(f"{address}disputes/1/ruling/", ruling).status_code == 302
    told = shown(cy, f"{address}disputes/1/")
    assert "Nothing is wrong." in told
    assert all(clause in told for clause in ("AT-5", "IR-1", "IR-2"))
    assert device.tap(address, "play", seat="", cards="7SK").status_code == 302
    assert state(address) == {"raised": 1, "open": [], "paused": []}


def test_who_called_lets_the_hand_go_on_and_takes_it_back(device, cy, address):
    bob = of_a_player(address, 1)
    cy.post(f"{address}disputes/", {"claim": "Stop!", "pause": "1"})
    assert "Somebody else decides that" in bob.post(f"{address}disputes/1/withdrawal/").content.decode()
    cy.post(f"{address}disputes/1/pause/", {"paused": "0"})
    assert state(address)["paused"] == []
    cy.post(f"{address}disputes/1/withdrawal/")
    assert state(address)["open"] == []


def test_a_remedy_is_carried_out_with_the_ruling(device, cy, address):
    device.tap(address, "play", seat="", cards="7SK")
    cy.post(f"{address}disputes/", {"claim": "Bob!", "hand": "0", "about": "event-1"})
    page = shown(device, f"{address}disputes/1/")
    assert 'value="0-0/stand"' in page
    assert "Revoke: Bob" in page
    device.post(f"{address}disputes/1/ruling/", {"state": "upheld", "text": "So it is.", "remedy": "0-0/stand"})
    assert "Decide now" not in shown(device, address)
    cy.post(f"{address}disputes/", {"claim": "Ann looked!"})
    points = {"state": "upheld", "text": "Looked.", "remedy": "points", "seat": "0", "points": "2"}
    device.post(f"{address}disputes/2/ruling/", points)
    assert "Ann: −2 points (Looked.)" in shown(device, f"{address}log/")


def test_each_remedy_says_which_irregularity_it_is_for(device, cy, address):
    device.tap(address, "play", seat="1", cards="7SK")
    device.tap(address, "play", seat="0", cards="9LK", accepted="1")
    cy.post(f"{address}disputes/", {"claim": "That was all wrong!", "hand": "0"})
    page = shown(device, f"{address}disputes/1/")
    choices = re.findall(
        r'<p class="muted">([^<]+)</p>|name="remedy" value="([^"]*)"', page.partition("What puts it right")[2]
    )
    groups: list[str] = []
    found: dict[str, str] = {}
    for heading, value in choices:
        if heading:
            groups.append(" ".join(heading.split()))
        elif "/" in value:
            found.setdefault(value.partition("/")[0], groups[-1])
    assert len(found) > 1
    assert len({*found.values()}) == len(found), found
    assert any("Bob" in each and "trick 1" in each for each in groups)


def test_two_phones_agree(device, cy, address):
    bob = of_a_player(address, 1)
    cy.post(f"{address}disputes/", {"claim": "Bob!", "hand": "0", "about": "event-1"})
    bob.post(f"{address}disputes/1/agreement/", {"text": "A point to Cy."})
    assert "I agree" in shown(cy, f"{address}disputes/1/")
    cy.post(f"{address}disputes/1/agreement/")
    assert "both sides" in shown(device, f"{address}disputes/1/")
    assert state(address)["open"] == []


def test_agreeing_is_offered_to_those_it_is_about(device, cy, address):
    """Cy says that Bob revoked; Ann, whose card it was not, has nothing to agree on."""
    ann, bob = of_a_player(address, 0), of_a_player(address, 1)
    cy.post(f"{address}disputes/", {"claim": "Bob!", "hand": "0", "about": "event-1"})
    offered = {who: "agree between yourselves" in shown(who, f"{address}disputes/1/") for who in (ann, bob, cy, device)}
    assert offered == {ann: False, bob: True, cy: True, device: True}
    assert "Somebody else decides that" in ann.post(f"{address}disputes/1/agreement/", {"text": "No."}).content.decode()


def test_a_players_phone_carries_out_no_remedy(device, cy, address):
    """A ruling of most players waits for who keeps the score."""
    bob = of_a_player(address, 1)
    Table.objects.filter(code=address.split("/")[2]).update(ruled_by={"kind": "majority"})
    cy.post(f"{address}disputes/", {"claim": "Bob looked!"})
    ruling = {"state": "upheld", "text": "Looked.", "remedy": "points", "seat": "1", "points": "2"}
    for phone in (bob, cy):
        phone.post(f"{address}disputes/1/ruling/", ruling)
    assert state(address)["open"] == []
    assert cy.post(f"{address}disputes/1/remedy/").status_code == 409
    assert "Bob: −2" not in shown(device, f"{address}log/")
    device.post(f"{address}disputes/1/remedy/")
    assert "Bob: −2 points (Looked.)" in shown(device, f"{address}log/")


def test_nobody_else_is_let_decide(device, address):
    assert device.post(f"{address}referee/", {"rules_by": "9999-12-31"}).status_code == 422
    row = Table.objects.get(code=address.split("/")[2])
    assert row.ruled_by == {}
    row.ruled_by = {"kind": "9999-12-31"}
    assert who_rules(row) == SCOREKEEPER


def test_a_neutral_phone_that_watches_rules_where_the_table_says_so(device, cy, other, address):
    row = Table.objects.get(code=address.split("/")[2])
    make_link(row, Role.SPECTATOR)
    link = row.links.get(role="spectator")
    device.post(f"{address}referee/", {"rules_by": "neutral", "link": str(link.pk)})
    cy.post(f"{address}disputes/", {"claim": "Hm."})
    assert "The neutral phone decides." in shown(device, f"{address}disputes/1/")
    refused = device.post(f"{address}disputes/1/ruling/", {"state": "upheld", "text": "No."})
    assert refused.status_code == 409
    page = shown(device, f"{address}settings/")
    assert 'value="neutral" checked' in page


def test_the_page_of_a_dispute_follows_it_and_leaves_what_is_written_meanwhile(device, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Ann looked!"})
    page = cy.get(f"{address}disputes/1/").content.decode()
    assert f'data-stream="{reverse("table-stream", args=[address.split("/")[2]])}"' in page
    asks = re.search(r'hx-get="([^"]+)"', page)
    assert asks is not None
    htmx = {"HX-Request": "true"}
    assert cy.get(asks[1], headers=htmx).status_code == 204
    device.tap(address, "play", seat="", cards="7SK")
    assert cy.get(asks[1], headers=htmx).status_code == 204, "It is the same dispute."
    device.post(f"{address}disputes/1/ruling/", {"state": "upheld", "text": "So it is."})
    assert "So it is." in cy.get(asks[1], headers=htmx).content.decode()


def test_who_has_no_link_looks_on(other, cy, address):
    assert other.post(f"{address}disputes/", {"claim": "Hey!"}).status_code == 403
    cy.post(f"{address}disputes/", {"claim": "Hm."})
    page = shown(other, f"{address}disputes/1/")
    assert "<form" not in page.split("<main")[1].split("</main")[0]
    for act in ("ruling", "agreement", "withdrawal", "pause", "remedy"):
        assert other.post(f"{address}disputes/1/{act}/", {"state": "upheld", "text": "x"}).status_code == 403
    assert other.post(f"{address}disputes/1/dance/").status_code == 404
    assert other.get(f"{address}disputes/9/").status_code == 404


def test_one_can_point_at_a_trick_a_card_and_a_line(device, address):
    assert 'value="trick-1" checked' in shown(device, f"{address}disputes/?hand=0&about=trick-1")
    assert 'value="event-1" checked' in shown(device, f"{address}disputes/?hand=0&about=seq-2")
    assert 'value="line-0" checked' in shown(device, f"{address}disputes/?hand=0&about=line-0")
    assert "about=trick-1" in shown(device, f"{address}hands/1/")
    assert "about=line-0" in shown(device, f"{address}hands/1/")
    assert "about=seq-2" in shown(device, f"{address}amend/2/")
    for odd in (
        "hand=99&about=trick-1",
        "hand=x&about=event-999",
        "about=line-70",
        "about=seq-x&hand=0",
        "about=&hand=",
    ):
        shown(device, f"{address}disputes/?{odd}")
    assert device.post(f"{address}disputes/", {"claim": "x", "hand": "0", "about": "event-99"}).status_code == 409
    assert device.post(f"{address}disputes/", {"claim": " "}).status_code == 422


def test_one_can_point_at_what_happened_in_an_earlier_hand(device, address):
    device.tap(address, "play", seat="", cards="9LK")
    device.tap(address, "result", tricks=["1", "4", "7"])
    device.tap(address, "play", seat="", cards="8MS")
    assert 'value="trick-2" checked' in shown(device, f"{address}disputes/?hand=0&about=trick-2")
    assert 'value="trick-2"' not in shown(device, f"{address}disputes/?hand=1")


def test_open_disputes_are_asked_for_before_the_end_is_agreed(device, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Hm."})
    asked = device.tap(address, "end")
    assert asked.status_code == 409
    assert "Disputes are still open" in asked.content.decode()
    assert device.tap(address, "end", **{"all-the-same": "1"}).status_code == 302
    told = shown(device, address)
    assert "Cy calls the referee" in told
    device.post(f"{address}disputes/1/ruling/", {"state": "upheld", "text": "Late, but true."})
    assert state(address)["open"] == []


def test_the_word_of_who_let_it_stand_is_where_the_irregularity_is(device):
    address = device.open_table()
    play = {"seat": "2", "cards": "5SW", "accepted": "1", "why": "we were talking"}
    assert device.tap(address, "play", **play).status_code == 302
    for page in (f"{address}?open=lines", f"{address}hands/1/", f"{address}log/"):
        assert "we were talking" in shown(device, page)
    code = address.split("/")[2]
    hand = json.loads(device.get(f"/api/v1/tables/{code}/").content)["state"]["hands"][0]
    accepted = hand["irregularities"][0]["accepted"]
    assert (accepted["by"], accepted["why"]) == ("scorekeeper", "we were talking")


def test_what_is_held_back_is_held_back_on_the_page(device, cy, other, address):
    device.tap(address, "hold-findings")
    device.tap(address, "play", seat="", cards="7SK")
    cy.post(f"{address}disputes/", {"claim": "Bob!", "hand": "0", "about": "event-1"})
    for who in (cy, other):
        told = shown(who, f"{address}disputes/1/")
        assert "This table hears of what is proved when the hand is over." in told
        assert "Revoke" not in told


def test_it_speaks_german(device, cy, address):
    cy.post(f"{address}disputes/", {"claim": "Halt!", "pause": "1"})
    told = device.get(f"{address}disputes/1/", headers={"Accept-Language": "de"}).content.decode()
    assert all(word in told for word in ("Streitfall 1", "Was die Aufzeichnung sagt", "Die Runde geht weiter"))


def test_a_form_sent_twice_calls_once(cy, address):
    headers = {"Idempotency-Key": str(uuid4())}
    for _ in range(2):
        assert cy.post(f"{address}disputes/", {"claim": "Hm."}, headers=headers).status_code == 302
    assert state(address)["raised"] == 1


def test_phones_without_a_name_are_told_apart_when_the_neutral_one_is_chosen(device, address):
    for _ in range(2):
        device.post(f"{address}links/", {"for": "scorekeeper"})
        device.post(f"{address}links/", {"for": "spectator"})
    page = device.get(f"{address}settings/").content.decode()
    offered = re.findall(r"<option[^>]*>([^<]*)</option>", page[page.index('id="link"') :])
    assert offered[0].strip() == "this phone"
    assert len(offered) == 5
    assert len(set(offered)) == 5
