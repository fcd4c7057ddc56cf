"""Correcting an entry on the page: the trick, the card, the right card, and what changes before it is saved."""

import html
import json
import re
from random import Random

import pytest

from scoring.models import Table
from scoring.pages.show.history import history
from scoring.queries.log import log, record
from scoring.queries.page_facts import hand_events
from scoring.queries.state import standing
from tests.games.discovery import RANDOM
from tests.scoring.pages.reading import text
from tests.scoring.services.test_importing import valid_part


@pytest.fixture
def address(device):
    """A table at which Cy has just won the first trick."""
    address = device.open_table()
    for seat, card in enumerate(("8MS", "XS", "XM")):
        device.tap(address, "play", seat=str(seat), cards=card)
    return address


def test_it_works(device, address):
    page = device.get(address)
    assert f'href="{address}amend/?hand=0#trick-1"' in page.content.decode()
    chosen = device.get(f"{address}amend/?hand=0")
    assert 'id="trick-1"' in chosen.content.decode()
    assert f'href="{address}amend/3/"' in chosen.content.decode()
    pad = device.get(f"{address}amend/3/")
    assert 'value="2MK"' in pad.content.decode()
    shown = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "2MK"})
    assert "Bob 0 to 1" in text(shown)
    assert "Cy 1 to 0" in text(shown)
    assert "Trick 1: Bob instead of Cy" in text(shown)
    assert Table.objects.get().version == 3
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.content.decode()))
    saved = device.post(f"{address}amend/3/", fields | {"why": "misread"})
    assert (saved.status_code, saved["Location"]) == (302, address)
    table = Table.objects.get()
    assert record(table)["hands"][0]["events"][2]["cards"] == ["2MK"]
    assert log(table)[-1].reason == "misread"
    assert "misread" in text(device.get(f"{address}log/"))


def test_an_entry_can_be_struck(device, address):
    shown = device.get(f"{address}amend/3/", {"strike": "1"})
    assert "It never happened." in text(shown)
    device.post(f"{address}amend/3/", {"strike": "1", "version": "3"})
    assert len(record(Table.objects.get())["hands"][0]["events"]) == 2


def test_the_form_begins_with_what_was_recorded(device, address):
    device.tap(address, "penalty", seat="2", points="-3", reason="late")
    page = device.get(f"{address}amend/4/").content.decode()
    assert 'value="takes" checked' in page
    assert 'name="points" value="3" checked' in page
    assert 'value="late"' in page
    assert re.search(r'name="seat" value="2"[^>]* checked', page)
    given = {"event": "penalty", "seat": "2", "points": "-4", "reason": "very late"}
    shown = device.get(f"{address}amend/4/", given)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.content.decode()))
    device.post(f"{address}amend/4/", fields | {"why": "it was more"})
    assert log(Table.objects.get())[-1].event == {"type": "penalty", "seat": 2, "points": -4, "reason": "very late"}


def test_a_result_begins_with_its_numbers(device):
    address = device.open_table()
    device.tap(address, "result", tricks=["3", "4", "5"])
    page = device.get(f"{address}amend/1/").content.decode()
    assert re.findall(r'name="tricks-\d" value="(\d)" checked', page) == ["3", "4", "5"]


def test_htmx_gets_the_fragment_alone(device, address):
    headers = {"HX-Request": "true"}
    answer = device.get(f"{address}amend/3/", headers=headers)
    assert answer.content.decode().lstrip().startswith('<div class="page amend" id="amend"')
    answer = device.post(f"{address}amend/3/", {"strike": "1"}, headers=headers)
    assert answer["HX-Redirect"] == address


def fields_of(page):
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode()))


def seats():
    return [event["seat"] for event in record(Table.objects.get())["hands"][0]["events"]]


def test_a_slip_that_changed_who_won_is_put_right_with_the_cards_after_it(device, address):
    """Cy's 3MW was tapped as XM: Cy seemed to win, and the next cards were booked on the wrong people."""
    for card in ("9MS", "4MS"):
        device.tap(address, "play", seat="", cards=card)
    assert seats() == [0, 1, 2, 2, 0]
    shown = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "3MW"})
    assert shown.status_code == 200
    assert "Trick 1: Bob instead of Cy" in text(shown)
    assert "These cards move with it" in text(shown)
    assert re.search(r"Trick 2 .*Bob not Cy .*Cy not Ann", text(shown))
    saved = device.post(f"{address}amend/3/", fields_of(shown) | {"why": "mis-tapped"})
    assert (saved.status_code, saved["Location"]) == (302, address)
    assert seats() == [0, 1, 2, 1, 2]
    assert "Corrected: Bob plays" in text(device.get(f"{address}log/"))


def test_what_cannot_follow_is_named_and_taken_back(device, address):
    for card in ("9MS", "4MS", "5SW", "3MW", "2MK"):
        device.tap(address, "play", seat="", cards=card)
    stopped = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "3MW"})
    assert stopped.status_code == 409
    assert "What came later can follow, up to here: Cy plays" in text(stopped)
    assert "has been played already" in text(stopped)
    shown = device.get(f"{address}amend/3/", fields_of(stopped))
    assert "Taken back, to be tapped again" in text(shown)
    assert len(re.findall("Bob|Cy|Ann", text(shown))) > 3
    device.post(f"{address}amend/3/", fields_of(shown))
    assert seats() == [0, 1, 2, 1, 2, 0]
    device.tap(address, "play", seat="", cards="2MK")
    assert seats() == [0, 1, 2, 1, 2, 0, 1]


def test_taking_back_goes_across_hands(device):
    """A struck card leaves a hand unfinished, and then the next one could not have begun."""
    address = device.open_table()
    device.tap(address, "result", tricks=["3", "4", "5"])
    device.tap(address, "play", seat="", cards="9MS")
    stopped = device.get(f"{address}amend/1/", {"strike": "1"})
    assert stopped.status_code == 409
    shown = device.get(f"{address}amend/1/", fields_of(stopped))
    device.post(f"{address}amend/1/", fields_of(shown))
    assert record(Table.objects.get())["hands"] == []


def test_a_card_says_who_played_it_and_in_which_trick(device, address):
    shown = device.get(f"{address}amend/", {"card": "XS"})
    assert re.search(r"Bob plays .* Trick 1 ✓ Cy", text(shown))
    assert f'action="{address}amend/2/"' in shown.content.decode()
    assert device.get(f"{address}amend/", {"card": "AK"}).status_code == 404


def test_a_correction_over_the_table_leaves_the_table_where_it_is(device, address):
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{address}"}
    shown = device.get(f"{address}amend/3/", {"strike": "1"}, headers=headers)
    assert shown["HX-Push-Url"] == "false"
    done = device.post(f"{address}amend/3/", {"strike": "1"}, headers=headers)
    assert (done.status_code, json.loads(done["HX-Trigger"])) == (
        204,
        {"amended": {"address": address, "version": 4, "taps": []}},
    )


def test_a_hand_that_could_then_not_be_dealt_is_named(device):
    hands = [{"events": [{"type": "result", "points": [130, 100]}]}, {"events": []}]
    told = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "hands": hands}
    address = device.post("/import/", {"text": json.dumps(told)})["Location"]
    answer = device.get(f"{address}amend/1/", {"strike": "1"})
    assert answer.status_code == 409
    assert "Hand 2 could then never have been dealt. Take back the last entry instead." in text(answer)


def test_what_is_irregular_can_have_been_so(device, address):
    answer = device.get(f"{address}amend/1/", {"event": "play", "seat": "1", "cards": "8MS"})
    assert answer.status_code == 409
    assert "It was so all the same" in text(answer)


def test_what_is_impossible_is_refused(device, address):
    answer = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "8MS"})
    assert answer.status_code == 422
    assert "has been played already" in text(answer)


def test_nonsense_is_answered(device, address):
    for given in ({"event": "dance"}, {"event": "play", "seat": "x"}, {"event": "play", "seat": "9", "cards": "XX"}):
        assert device.get(f"{address}amend/3/", given).status_code in (409, 422)
    assert device.get(f"{address}amend/", {"hand": "9"}).status_code == 404
    assert device.get(f"{address}amend/", {"hand": "-1", "trick": "x"}).status_code == 200
    assert device.get(f"{address}amend/", {"trick": "99"}).status_code == 200
    assert "is gone" in text(device.get(f"{address}amend/99/"))


def test_an_old_page_corrects_nothing(device, address):
    answer = device.post(f"{address}amend/3/", {"strike": "1", "version": "2"})
    assert answer.status_code == 409
    assert Table.objects.get().version == 3


def test_another_device_cannot(device, other, address):
    assert other.get(f"{address}amend/")["Location"] == address
    assert other.post(f"{address}amend/3/", {"strike": "1"})["Location"] == address
    assert "amend/" not in other.get(address).content.decode()
    assert Table.objects.get().version == 3


def test_an_empty_table_has_nothing_to_correct(device):
    assert device.get(f"{device.open_table()}amend/").status_code == 404


@pytest.mark.parametrize("game", RANDOM)
def test_every_entry_of_every_game_can_be_opened(device, game):
    told = (valid_part(RANDOM[game](Random(seed))) for seed in range(50))
    data = next(data for data in told if data and any(hand["events"] for hand in data["hands"]))
    address = device.post("/import/", {"text": json.dumps(data)})["Location"]
    row = Table.objects.get()
    at = standing(row)
    for number in range(len(data["hands"])):
        hand = hand_events(at, number)
        assert hand is not None
        shown = history(at, hand)
        assert len([e for part in shown.tricks for e in part.entries]) == len(data["hands"][number]["events"])
        assert device.get(f"{address}amend/", {"hand": str(number)}).status_code == 200
    one_of_each = {(entry.event["type"], entry.event.get("seat")): entry for entry in log(row)}
    for entry in one_of_each.values():
        assert device.get(f"{address}amend/{entry.seq}/").status_code == 200


def hrefs(answer, label):
    return [html.unescape(there) for there in re.findall(rf'href="([^"]*)"[^>]*>{label}<', answer.content.decode())]


def test_another_entry_is_chosen_with_the_first_one_in_mind(device, address):
    shown = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "2MK"})
    [further] = hrefs(shown, "Another one, too")
    listed = device.get(further)
    first = next(there for there in re.findall(r'href="([^"]*)"', listed.content.decode()) if "amend/1/" in there)
    assert "Cy plays Author" in text(device.get(html.unescape(first)))


@pytest.mark.parametrize(
    "also", ["{", "[]", '{"seq": 1}', '{"seq": "x", "event": null}', '{"seq": 1, "event": 5}', "1"]
)
def test_a_correction_that_no_page_wrote_is_a_bad_request(device, address, also):
    given = {"event": "play", "seat": "2", "cards": "2MK", "also": also}
    assert device.get(f"{address}amend/3/", given).status_code in (400, 422)
    assert device.post(f"{address}amend/3/", given | {"version": "3"}).status_code in (400, 422)
    assert device.get(f"{address}amend/3/", {"also": also}).status_code in (400, 422)
    assert Table.objects.get().version == 3


def undo_button(page):
    return html.unescape("".join(re.findall(r'<button class="button" id="undo"[^>]*>', page.content.decode())))


def test_undo_says_what_it_takes_back_where_that_is_not_what_was_done_last(device, other, address):
    assert "aria-label" not in undo_button(device.get(address))
    device.post(f"{address}amend/1/", {"event": "play", "seat": "0", "cards": "9MS", "version": "3"})
    page = device.get(address)
    assert 'aria-label="Undo: Cy plays Huntress (Crown of Moons)"' in undo_button(page)
    assert "Corrected. Undo now takes back: Cy plays Huntress" in text(page)
    assert "Undo now takes back" not in text(other.get(address))
    told = device.tap(address, "play", htmx=True, seat="2", cards="8MS")
    assert "aria-label" not in undo_button(told)
    assert "Corrected." not in text(told)
    device.post(f"{address}undo/")
    page = device.get(address)
    assert "Undo: Cy plays Huntress" in undo_button(page)
    assert "Corrected." not in text(page), "an undo goes on backwards, as everybody expects"


def test_a_card_that_was_played_stays_a_key_for_who_keeps_the_score(device, address):
    key = re.search(r'<button class="card[^"]*"[^>]*value="XM"[^>]*>', device.get(address).content.decode())
    assert key
    assert 'type="button" aria-disabled="true"' in key[0], "it can be reached, and plays nothing"
    question = device.get("/ask/ace-trump/trick/?cards=XM").content.decode()
    assert 'aria-disabled="true"' not in question
