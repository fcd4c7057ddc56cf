"""Correcting entries on a page, one or several together."""

import html
import json
import re
from random import Random

import pytest

from scoring.models import Table
from scoring.tables.presenters.log_lines import history
from scoring.tables.reads.log import log, record, standing_events
from scoring.tables.reads.page_facts import hand_events
from scoring.tables.reads.state import standing
from tests.games.discovery import RANDOM
from tests.scoring.conftest import play
from tests.scoring.groups import result
from tests.scoring.pages.phones import of_a_player
from tests.scoring.pages.reading import text
from tests.scoring.services.test_importing import valid_part
from tests.seeds import sampled

# --- Correcting an entry on the page: the trick, the card, the right card, and a preview


@pytest.fixture
def address(device):
    """A table at which Cy has just won the first trick."""
    return device.open_table(plays="0:8MS 1:XS 2:XM")


def hidden(markup):
    found = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', markup)
    return [(name, html.unescape(value)) for name, value in found]


def fields_of(page):
    return dict(hidden(page.content.decode()))


def seats():
    return [event["seat"] for event in record(Table.objects.get())["hands"][0]["events"]]


WRONG_CARD = {"event": "play", "seat": "0", "cards": "9MS", "version": "3"}
"""A correction of the first card."""


def test_a_card_correction_previews_its_effects(device, address):
    assert f'href="{address}amend/?hand=1#trick-1"' in device.get(address).content.decode()
    chosen = device.get(f"{address}amend/?hand=1").content.decode()
    assert 'id="trick-1"' in chosen
    assert f'href="{address}amend/3/"' in chosen
    assert 'value="2MK"' in device.get(f"{address}amend/3/").content.decode()
    shown = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "2MK"})
    assert "Bob 0 to 1" in text(shown)
    assert "Cy 1 to 0" in text(shown)
    assert "Trick 1: Bob instead of Cy" in text(shown)
    assert Table.objects.get().version == 3
    saved = device.post(f"{address}amend/3/", fields_of(shown) | {"why": "misread"})
    assert (saved.status_code, saved["Location"]) == (302, address)
    table = Table.objects.get()
    assert record(table)["hands"][0]["events"][2]["cards"] == ["2MK"]
    assert log(table)[-1].reason == "misread"
    assert "misread" in text(device.get(f"{address}log/"))


def test_an_entry_can_be_deleted(device, address):
    shown = device.get(f"{address}amend/3/", {"strike": "1"})
    assert "It never happened." in text(shown)
    device.post(f"{address}amend/3/", {"strike": "1", "version": "3"})
    assert len(record(Table.objects.get())["hands"][0]["events"]) == 2


def test_the_correction_form_starts_with_what_was_recorded(device, address):
    device.tap(address, "penalty", seat="2", points="-3", reason="late")
    page = device.get(f"{address}amend/4/").content.decode()
    assert 'value="takes" checked' in page
    assert 'name="points" value="3" checked' in page
    assert 'value="late"' in page
    assert re.search(r'name="seat" value="2"[^>]* checked', page)
    given = {"event": "penalty", "seat": "2", "points": "-4", "reason": "very late"}
    shown = device.get(f"{address}amend/4/", given)
    device.post(f"{address}amend/4/", fields_of(shown) | {"why": "it was more"})
    assert log(Table.objects.get())[-1].event == {"type": "penalty", "seat": 2, "points": -4, "reason": "very late"}


def test_correcting_a_result_starts_with_its_numbers(device):
    address = device.open_table()
    device.tap(address, "result", tricks=["3", "4", "5"])
    page = device.get(f"{address}amend/1/").content.decode()
    assert re.findall(r'name="tricks-\d" value="(\d)" checked', page) == ["3", "4", "5"]


def test_htmx_gets_only_the_fragment(device, address):
    headers = {"HX-Request": "true"}
    answer = device.get(f"{address}amend/3/", headers=headers)
    assert answer.content.decode().lstrip().startswith('<div class="page amend" id="amend"')
    answer = device.post(f"{address}amend/3/", {"strike": "1"}, headers=headers)
    assert answer["HX-Redirect"] == address


def test_correcting_a_slip_that_changed_the_winner_moves_later_cards(device, address):
    """Cy's 3MW was tapped as XM: Cy seemed to win, and the next cards were recorded for the wrong players."""
    device.taps(address, "play", "9MS 4MS")
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


def test_an_entry_that_no_longer_fits_is_named_and_undone(device, address):
    device.taps(address, "play", "9MS 4MS 5SW 3MW 2MK")
    stopped = device.get(f"{address}amend/3/", {"event": "play", "seat": "2", "cards": "3MW"})
    assert stopped.status_code == 409
    assert "What came later still fits, up to here: Cy plays" in text(stopped)
    assert "has already been played" in text(stopped)
    shown = device.get(f"{address}amend/3/", fields_of(stopped))
    assert "Taken back: tap these again" in text(shown)
    assert len(re.findall("Bob|Cy|Ann", text(shown))) > 3
    device.post(f"{address}amend/3/", fields_of(shown))
    assert seats() == [0, 1, 2, 1, 2, 0]
    device.tap(address, "play", seat="", cards="2MK")
    assert seats() == [0, 1, 2, 1, 2, 0, 1]


def test_undo_continues_into_the_previous_hand(device):
    """A deleted card leaves a hand unfinished, so the next one could not have begun."""
    address = device.open_table()
    device.tap(address, "result", tricks=["3", "4", "5"])
    device.tap(address, "play", seat="", cards="9MS")
    stopped = device.get(f"{address}amend/1/", {"strike": "1"})
    assert stopped.status_code == 409
    shown = device.get(f"{address}amend/1/", fields_of(stopped))
    device.post(f"{address}amend/1/", fields_of(shown))
    assert record(Table.objects.get())["hands"] == []


def test_a_card_shows_who_played_it_and_in_which_trick(device, address):
    shown = device.get(f"{address}amend/", {"card": "XS"})
    assert re.search(r"Bob plays .* Trick 1 ✓ Cy", text(shown))
    assert f'action="{address}amend/2/"' in shown.content.decode()
    assert device.get(f"{address}amend/", {"card": "AK"}).status_code == 404


def test_the_table_stays_in_place_under_a_correction_sheet(device, address):
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{address}"}
    shown = device.get(f"{address}amend/3/", {"strike": "1"}, headers=headers)
    assert shown["HX-Push-Url"] == "false"
    done = device.post(f"{address}amend/3/", {"strike": "1"}, headers=headers)
    assert done.status_code == 204
    assert json.loads(done["HX-Trigger"]) == {"amended": {"address": address, "version": 4, "taps": []}}


def test_a_hand_a_correction_would_make_impossible_is_named(device):
    address = opened(device, "ace-pit", [{"type": "result", "points": [130, 100]}], [], players=2, dealer=0)
    answer = device.get(f"{address}amend/1/", {"strike": "1"})
    assert answer.status_code == 409
    assert "Then hand 2 could never have been dealt. Undo the last entry instead." in text(answer)


@pytest.mark.parametrize(
    ("row", "seat", "status", "said"),
    [(1, "1", 409, "It really happened"), (3, "2", 422, "has already been played")],
    ids=["irregular", "impossible"],
)
def test_irregular_corrections_can_be_accepted_and_impossible_ones_cannot(device, address, row, seat, status, said):
    answer = device.get(f"{address}amend/{row}/", {"event": "play", "seat": seat, "cards": "8MS"})
    assert (answer.status_code, said in text(answer)) == (status, True)


def test_malformed_addresses_are_answered(device, address):
    for given in ({"event": "dance"}, {"event": "play", "seat": "x"}, {"event": "play", "seat": "9", "cards": "XX"}):
        assert device.get(f"{address}amend/3/", given).status_code in (409, 422)
    assert device.get(f"{address}amend/", {"hand": "9"}).status_code == 404
    assert device.get(f"{address}amend/", {"hand": "-1", "trick": "x"}).status_code == 200
    assert device.get(f"{address}amend/", {"trick": "99"}).status_code == 200
    assert "is gone" in text(device.get(f"{address}amend/99/"))
    assert device.get(f"{device.open_table()}amend/").status_code == 404, "nothing is there to be corrected"


def test_a_stale_page_corrects_nothing(device, address):
    answer = device.post(f"{address}amend/3/", {"strike": "1", "version": "2"})
    assert answer.status_code == 409
    assert Table.objects.get().version == 3


def test_another_device_cannot_correct_entries(device, other, address):
    assert other.get(f"{address}amend/")["Location"] == address
    assert other.post(f"{address}amend/3/", {"strike": "1"})["Location"] == address
    assert "amend/" not in other.get(address).content.decode()
    assert Table.objects.get().version == 3


@pytest.mark.parametrize("game", RANDOM)
def test_every_entry_of_every_game_can_be_opened(device, game):
    told = (valid_part(RANDOM[game](Random(seed))) for seed in range(50))
    data = next(data for data in told if data and any(hand["events"] for hand in data["hands"]))
    address = device.bring(data)
    row = Table.objects.get()
    at = standing(row)
    for number in range(len(data["hands"])):
        hand = hand_events(at, number)
        assert hand is not None
        shown = history(at, hand)
        assert len([e for part in shown["tricks"] for e in part["entries"]]) == len(data["hands"][number]["events"])
        assert device.get(f"{address}amend/", {"hand": str(number + 1)}).status_code == 200
    one_of_each = {(entry.event["type"], entry.event.get("seat")): entry for entry in log(row)}
    for entry in sampled([*one_of_each.values()]):
        assert device.get(f"{address}amend/{entry.seq}/").status_code == 200


@pytest.mark.parametrize(
    "also", ["{", "[]", '{"seq": 1}', '{"seq": "x", "event": null}', '{"seq": 1, "event": 5}', "1"]
)
def test_a_malformed_correction_form_is_a_bad_request(device, address, also):
    given = {"event": "play", "seat": "2", "cards": "2MK", "also": also}
    assert device.get(f"{address}amend/3/", given).status_code in (400, 422)
    assert device.post(f"{address}amend/3/", given | {"version": "3"}).status_code in (400, 422)
    assert device.get(f"{address}amend/3/", {"also": also}).status_code in (400, 422)
    assert Table.objects.get().version == 3


def undo_button(page):
    return html.unescape("".join(re.findall(r'<button class="tool" id="undo"[^>]*>', page.content.decode())))


def test_undo_names_the_entry_if_it_is_not_the_latest(device, other, address):
    assert "aria-label" not in undo_button(device.get(address))
    device.post(f"{address}amend/1/", WRONG_CARD)
    page = device.get(address)
    assert 'aria-label="Undo: Cy plays Huntress (Crown of Moons)"' in undo_button(page)
    assert "Corrected. Undo will remove: Cy’s Huntress" in text(page)
    assert "Undo will remove" not in text(other.get(address))
    told = device.tap(address, "play", htmx=True, seat="2", cards="8MS")
    assert "aria-label" not in undo_button(told)
    assert "Corrected." not in text(told)
    device.post(f"{address}undo/")
    page = device.get(address)
    assert "Undo: Cy plays Huntress" in undo_button(page)
    assert "Corrected." not in text(page), "an undo goes on backwards, as everybody expects"


def recorded(address):
    table = Table.objects.get(code=address.split("/")[2])
    return [(row.event["type"], row.event.get("seat"), row.event.get("cards")) for row in standing_events(table)]


def test_an_undone_event_can_be_recorded_again_once(device, other, address):
    before = recorded(address)
    device.post(f"{address}undo/", {"version": "3"})
    page = text(device.get(address))
    assert "Took back: Cy’s Huntress. Redo" in page
    assert "Took back" not in text(other.get(address))
    for _ in range(2):  # a slow phone, tapped twice
        assert device.post(f"{address}redo/", {"version": "4"}).status_code == 302
    assert recorded(address) == before
    assert Table.objects.get().version == 5
    page = text(device.get(address))
    assert "Took back" not in page
    assert "Corrected" not in page


def test_an_undo_is_not_restored_after_another_event(device, address):
    device.post(f"{address}undo/", {"version": "3"})
    device.tap(address, "play", seat="2", cards="9MS")
    for version in ("4", "5", ""):
        late = device.post(f"{address}redo/", {"version": version})
        assert late.status_code == 412
        assert "Something else has been recorded since." in text(late)
    assert Table.objects.get().version == 5


def test_one_tap_undoes_a_correction(device, address):
    before = recorded(address)
    device.post(f"{address}amend/1/", WRONG_CARD)
    assert "Undo the correction" in text(device.get(address))
    assert device.post(f"{address}redo/", {"version": "4"}).status_code == 302
    assert recorded(address) == before


@pytest.mark.parametrize("event", ["end", "note"])
def test_the_end_of_a_game_is_recorded_again_too(device, address, event):
    device.tap(address, event, **({"text": "Well played."} if event == "note" else {}))
    before = recorded(address)
    device.post(f"{address}undo/")
    assert "Took back: " in text(device.get(address))
    device.post(f"{address}redo/")
    assert recorded(address) == before
    assert Table.objects.get().finished is (event == "end")


def test_players_restore_only_their_own_entries(device, address):
    bob = of_a_player(address, 1)
    device.post(f"{address}undo/")
    assert bob.post(f"{address}redo/").status_code == 403


# --- Swapped entries: every further form knows the earlier corrections


def one(kind, seat, card):
    return {"type": kind, "seat": seat, "cards": [card]}


def suit(seat, named):
    return {"type": "suit", "seat": seat, "suit": named}


def bid(seat, tricks):
    return {"type": "bid", "seat": seat, "tricks": tricks}


def opened(device, game, *hands, players=3, dealer=2, **options):
    """Import a record of these hands; return its address."""
    names = ["Ann", "Bob", "Cy", "Dee"][:players]
    told = {"format": "table-record/1", "game": game, "options": options, "seats": names, "first_dealer": dealer}
    return device.bring(told | {"hands": [{"events": hand} for hand in hands]})


class Sheet:
    """The correction pages, on which a test can tap only what they offer."""

    def __init__(self, device, address, seq):
        self.device = device
        self.go(f"{address}amend/{seq}/")

    @property
    def markup(self):
        return self.page.content.decode()

    def form(self):
        return next(form for form in re.findall(r"<form.*?</form>", self.markup, re.DOTALL) if 'class="ask' in form)

    def struck(self):
        return re.findall(r'<button class="[^"]*struck"[^>]*value="([^"]*)"', self.form())

    def tap(self, name, value):
        """Tap a card, a suit or a number."""
        form = self.form()
        controls = re.findall(rf'<(?:button|input)[^>]*name="{name}"[^>]*value="{re.escape(value)}"[^>]*>', form)
        assert [c for c in controls if not re.search(r" (aria-)?disabled", c)], f"no key {value}"
        data = hidden(form)
        data += re.findall(r'type="radio" name="(seat)" value="(\d)" checked', form)
        return self.ask([*data, (name, value)])

    def fill(self, **numbers):
        """Choose a number for every player."""
        [(name, values)] = numbers.items()
        data = [(field, value) for field, value in hidden(self.form()) if not field.startswith(name)]
        data += [(f"{name}-{seat}", value) for seat, value in enumerate(values)]
        return self.ask(data)

    def choose(self, row):
        """Tap an entry in the list."""
        [there] = re.findall(rf'id="entry-{row}" href="([^"]*)"', self.markup)
        return self.go(there)

    def follow(self, label):
        """Tap a button of the refusal."""
        [there] = re.findall(rf'<a class="button"[^>]* href="([^"]*)"[^>]*>{label}<', self.markup)
        return self.go(there)

    def go(self, there):
        self.address, self.page = html.unescape(there).partition("?")[0], self.device.get(html.unescape(there))
        return self

    def ask(self, fields):
        self.page = self.device.get(self.address, query(fields))
        return self

    def send(self, label):
        form = next(f for f in re.findall(r"<form.*?</form>", self.markup, re.DOTALL) if f">{label}<" in f)
        return self.ask(hidden(form))

    def save(self):
        assert "What changes" in text(self.page), text(self.page)
        assert self.device.post(self.address, query(hidden(self.markup))).status_code == 302
        return [hand["events"] for hand in record(Table.objects.get())["hands"]]


def query(pairs):
    data: dict[str, list[str]] = {}
    for name, value in pairs:
        data.setdefault(name, []).append(value)
    return data


RANSOMS = [one("ransom", 0, "XM"), one("ransom", 1, "AK"), one("ransom", 2, "XY")]
RULING = [one("ruling-card", seat, card) for seat, card in enumerate(("XM", "AK", "XY"))]
PLAYS = [play(0, "8MS"), play(1, "XS"), play(2, "XM")]
TURNED = [{"type": "turn-up", "card": "5H"}, bid(0, 1), bid(1, 1), bid(2, 0), play(0, "6H")]
SWAPPED = [
    pytest.param("ace-trump", PLAYS, (1, 2), "cards", ("8MS", "XS"), id="cards"),
    pytest.param("ransom-trump", RANSOMS, (1, 2), "cards", ("XM", "AK"), id="ransoms"),
    pytest.param("wildcat-chicane", RULING, (1, 3), "cards", ("XM", "XY"), id="ruling-cards"),
    pytest.param("american-deuce", [suit(0, "S"), suit(1, "H"), suit(2, "C")], (1, 3), "suit", "SC", id="suits"),
]


@pytest.mark.parametrize(("game", "events", "rows", "field", "values"), SWAPPED)
@pytest.mark.parametrize("first", [0, 1])
def test_two_swapped_cards_can_be_corrected_in_either_order(device, game, events, rows, field, values, first):
    more = {"players": 4, "dealer": 0} if game == "american-deuce" else {}
    address = opened(device, game, events, **more)
    sheet = Sheet(device, address, rows[first]).tap(field, values[1 - first])
    sheet.follow("That one was wrong too").tap(field, values[first])
    meant = [dict(event) for event in events]
    for row, value in zip(rows, reversed(values), strict=True):
        meant[row - 1][field] = [value] if field == "cards" else value
    assert sheet.save() == [meant]


@pytest.mark.parametrize(
    ("row", "first", "then"),
    [(1, ("card", "6H"), ("cards", "5H")), (5, ("cards", "5H"), ("card", "6H"))],
    ids=["the turned card first", "the played card first"],
)
def test_the_turned_card_and_a_played_card_can_be_swapped(device, row, first, then):
    address = opened(device, "oh-hell", TURNED, largest=3, course="down")
    [saved] = Sheet(device, address, row).tap(*first).follow("That one was wrong too").tap(*then).save()
    assert [saved[0]["card"], saved[4]["cards"]] == ["6H", ["5H"]]


@pytest.mark.parametrize("rows", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_three_cards_can_be_corrected_together(device, rows):
    """Every card was recorded for the previous player."""
    address = opened(device, "ace-trump", PLAYS)
    meant = {1: "XS", 2: "XM", 3: "8MS"}
    sheet = Sheet(device, address, rows[0]).tap("cards", meant[rows[0]])
    for row in rows[1:]:
        sheet.follow("That one was wrong too")
        assert f"amend/{row}/" in sheet.address
        sheet.tap("cards", meant[row])
    assert [event["cards"] for event in sheet.save()[0]] == [["XS"], ["XM"], ["8MS"]]


def hooked(device):
    """Bob, Cy and Ann, who deals, have bid for two tricks; Bob had said 2."""
    events = [bid(1, 1), bid(2, 0), bid(0, 0), play(1, "2C")]
    first = [bid(0, 1), bid(1, 0), bid(2, 1), result(1, 0, 0)]
    return opened(device, "oh-hell", first, [{"type": "turn-up", "card": "5H"}, *events], largest=2, course="up-down")


def test_the_hook_applies_to_the_corrected_bid(device):
    sheet = Sheet(device, hooked(device), 6).tap("tricks", "2").follow("That one was wrong too")
    assert sheet.struck() == ["0"]
    assert [event["tricks"] for event in sheet.tap("tricks", "1").save()[1][1:4]] == [2, 0, 1]


def test_a_later_bid_can_be_corrected_first(device):
    """By itself the correction breaks the hook; together with the earlier bid's correction it does not."""
    sheet = Sheet(device, hooked(device), 8).tap("tricks", "1")
    assert "The hook rules out 1" in text(sheet.page)
    sheet.follow("Fix another card too").choose(6)
    assert [event["tricks"] for event in sheet.tap("tricks", "2").save()[1][1:4]] == [2, 0, 1]


def test_a_later_entry_made_irregular_can_be_accepted(device):
    sheet = Sheet(device, hooked(device), 6).tap("tricks", "2").send("It really happened")
    assert "Ann bids 0. It really happened." in text(sheet.page)
    assert "Now a rule break: forbidden bid (Ann)" in text(sheet.page)
    events = sheet.save()[1]
    assert [event.get("accepted") for event in events[1:4]] == [None, None, True]


def test_a_later_entry_made_impossible_cannot_be_kept(device):
    sheet = Sheet(device, opened(device, "ace-trump", PLAYS), 1).tap("cards", "XS")
    assert "It really happened" not in text(sheet.page)


def test_another_correction_that_is_refused_can_be_changed(device):
    sheet = Sheet(device, opened(device, "ace-trump", PLAYS), 2).tap("cards", "8MS").follow("That one was wrong too")
    sheet.tap("cards", "8MS")
    assert "Bob plays Diplomat" in text(sheet.page)
    sheet.follow("Change that correction")
    assert "amend/2/" in sheet.address
    assert [event["cards"] for event in sheet.tap("cards", "XS").save()[0]] == [["8MS"], ["XS"], ["XM"]]


def test_the_results_of_two_hands_can_be_corrected_together(device):
    address = opened(device, "ace-trump", [result(4, 4, 4)], [result(6, 3, 3)])
    sheet = Sheet(device, address, 1).fill(tricks=["5", "4", "3"])
    sheet.follow("Fix another card too").follow("Hand after").choose(2).fill(tricks=["2", "5", "5"])
    assert [hand[0]["tricks"] for hand in sheet.save()] == [[5, 4, 3], [2, 5, 5]]


def left(*cards):
    return {"type": "result", "cards_left": list(cards)}


def reseating(device, second):
    return opened(device, "american-deuce", [left(0, 5, 3, 4)], second, reseat="round", players=4, dealer=0)


@pytest.mark.parametrize("second", [[suit(0, "S"), suit(2, "H"), suit(3, "C")], [left(2, 3, 0, 1)]])
def test_correcting_a_score_can_keep_the_seats(device, second):
    """Whether the next round no longer fits, or would be reseated silently."""
    sheet = Sheet(device, reseating(device, second), 1).fill(cards_left=["0", "3", "5", "4"])
    sheet.send("Keep the seats: only points change")
    assert "All later hands keep their seats." in text(sheet.page)
    assert "Cy -39" not in text(sheet.page)
    saved = sheet.save()
    assert saved[0] == [left(0, 3, 5, 4), {"type": "seating", "places": [1, 4, 2, 3]}]
    assert saved[1] == second


def test_a_changed_seating_is_shown_before_it_is_applied(device):
    sheet = Sheet(device, reseating(device, [left(2, 3, 0, 1)]), 1).fill(cards_left=["0", "3", "5", "4"])
    assert "Hand 2: the seats would be Ann, Bob, Dee, Cy." in text(sheet.page)


def named_wrongly(device):
    """Two cards, a bid and the named suit are wrong; the wrong suit gave Bob the lead of the second trick."""
    ransoms = [one("ransom", 0, "4MS"), one("ransom", 1, "8YK"), one("ransom", 2, "3SK")]
    named = [{"type": "trump", "seat": 1, "suit": "K"}, bid(1, 2), bid(2, 2), bid(0, 3)]
    first = [play(1, "XM"), play(2, "CMLY"), play(0, "7ML")]
    second = [play(1, "6LK"), play(2, "XL"), play(0, "4WL")]
    events = [*ransoms, *named, *first, *second]
    return opened(device, "ransom-trump", events, bidding=True, courts=True, dealer=0)


@pytest.mark.parametrize("order", ["cards-bid-suit", "suit-bid-cards", "bid-suit-cards"])
def test_corrected_cards_follow_the_turn_of_a_corrected_suit(device, order):
    sheet = Sheet(device, named_wrongly(device), {"c": 11, "s": 4, "b": 5}[order[0]])
    for what in order.split("-"):
        if what != order.split("-")[0]:
            sheet.follow("Fix another card too").choose({"cards": 11, "suit": 4, "bid": 5}[what])
        if what == "cards":
            sheet.tap("cards", "XL").follow("That one was wrong too").tap("cards", "6LK")
        else:
            sheet.tap(*(("suit", "Y") if what == "suit" else ("tricks", "3")))
    assert re.search(r"Trick 2 \D*Cy not Bob 6 6 \w+ Ann not Cy 4 4 Sailor Bob not Ann", text(sheet.page))
    [saved] = sheet.save()
    assert (saved[3]["suit"], saved[4]["tricks"]) == ("Y", 3)
    assert [(each["seat"], *each["cards"]) for each in saved[10:]] == [(2, "XL"), (0, "6LK"), (1, "4WL")]


def test_going_back_keeps_the_other_corrections(device):
    sheet = Sheet(device, opened(device, "ace-trump", PLAYS), 1).tap("cards", "XS").follow("That one was wrong too")
    sheet.tap("cards", "8MS").follow("Back").tap("cards", "8MS")
    assert [event["cards"] for event in sheet.save()[0]] == [["XS"], ["8MS"], ["XM"]]
