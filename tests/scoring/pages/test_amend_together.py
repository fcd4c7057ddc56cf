"""Entries that were mistaken for one another: every further form knows the corrections before it."""

import html
import json
import re

import pytest

from scoring.models import Table
from scoring.queries.log import record
from tests.scoring.pages.reading import text


def play(seat, card):
    return {"type": "play", "seat": seat, "cards": [card]}


def one(kind, seat, card):
    return {"type": kind, "seat": seat, "cards": [card]}


def suit(seat, named):
    return {"type": "suit", "seat": seat, "suit": named}


def bid(seat, tricks):
    return {"type": "bid", "seat": seat, "tricks": tricks}


def opened(device, game, events, *, options=None, players=3, dealer=2):
    names = ["Ann", "Bob", "Cy", "Dee"][:players]
    told = {"format": "table-record/1", "game": game, "options": options or {}, "seats": names, "first_dealer": dealer}
    answer = device.post("/import/", {"text": json.dumps(told | {"hands": [{"events": hand} for hand in events]})})
    assert answer.status_code == 302, text(answer)
    return answer["Location"]


class Sheet:
    """The pages of a correction, on which nothing but what they offer can be tapped."""

    def __init__(self, device, address, seq):
        self.device, self.address = device, f"{address}amend/{seq}/"
        self.page = device.get(self.address)

    @property
    def markup(self):
        return self.page.content.decode()

    def form(self):
        return next(form for form in re.findall(r"<form.*?</form>", self.markup, re.DOTALL) if 'class="ask' in form)

    def struck(self):
        return re.findall(r'<button class="chip-button struck"[^>]*value="([^"]*)"', self.form())

    def tap(self, name, value):
        """Tap a card, a suit or a number."""
        form = self.form()
        controls = re.findall(rf'<(?:button|input)[^>]*name="{name}"[^>]*value="{re.escape(value)}"[^>]*>', form)
        assert [c for c in controls if not re.search(r" (aria-)?disabled", c)], f"no key {value}"
        data = hidden(form)
        data += re.findall(r'type="radio" name="(seat)" value="(\d)" checked', form)
        self.page = self.device.get(self.address, query([*data, (name, value)]))
        return self

    def fill(self, **numbers):
        """Choose a number for every player."""
        [(name, values)] = numbers.items()
        data = [(field, value) for field, value in hidden(self.form()) if not field.startswith(name)]
        data += [(f"{name}-{seat}", value) for seat, value in enumerate(values)]
        self.page = self.device.get(self.address, query(data))
        return self

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

    def send(self, label):
        form = next(f for f in re.findall(r"<form.*?</form>", self.markup, re.DOTALL) if f">{label}<" in f)
        self.page = self.device.get(self.address, query(hidden(form)))
        return self

    def save(self):
        assert "This changes" in text(self.page), text(self.page)
        assert self.device.post(self.address, query(hidden(self.markup))).status_code == 302
        return [hand["events"] for hand in record(Table.objects.get())["hands"]]


def hidden(markup):
    found = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', markup)
    return [(name, html.unescape(value)) for name, value in found]


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
    pytest.param("ace-trump", PLAYS, (1, 2), "cards", ("8MS", "XS"), {}, 3, id="cards"),
    pytest.param("ransom-trump", RANSOMS, (1, 2), "cards", ("XM", "AK"), {}, 3, id="ransoms"),
    pytest.param("wildcat-chicane", RULING, (1, 3), "cards", ("XM", "XY"), {}, 3, id="ruling-cards"),
    pytest.param("american-deuce", [suit(0, "S"), suit(1, "H"), suit(2, "C")], (1, 3), "suit", "SC", {}, 4, id="suits"),
]


@pytest.mark.parametrize(("game", "events", "rows", "field", "values", "options", "players"), SWAPPED)
@pytest.mark.parametrize("first", [0, 1])
def test_two_that_were_swapped_are_put_right_in_either_order(
    device, game, events, rows, field, values, options, players, first
):
    dealer = 0 if game == "american-deuce" else players - 1
    address = opened(device, game, [events], options=options, players=players, dealer=dealer)
    sheet = Sheet(device, address, rows[first]).tap(field, values[1 - first])
    sheet.follow("That one was wrong, too").tap(field, values[first])
    meant = [dict(event) for event in events]
    for row, value in zip(rows, reversed(values), strict=True):
        meant[row - 1][field] = [value] if field == "cards" else value
    assert sheet.save() == [meant]


def test_the_turned_card_and_a_card_that_was_played_are_swapped(device):
    for first, (row, name, value) in enumerate([(1, "card", "6H"), (5, "cards", "5H")]):
        Table.objects.all().delete()
        address = opened(device, "oh-hell", [TURNED], options={"largest": 3, "course": "down"})
        sheet = Sheet(device, address, row).tap(name, value).follow("That one was wrong, too")
        saved = sheet.tap(*(("cards", "5H"), ("card", "6H"))[first]).save()
        assert [saved[0][0]["card"], saved[0][4]["cards"]] == ["6H", ["5H"]]


@pytest.mark.parametrize("rows", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_three_cards_are_put_right_together(device, rows):
    """Every card was noted for the player before."""
    address = opened(device, "ace-trump", [PLAYS])
    meant = {1: "XS", 2: "XM", 3: "8MS"}
    sheet = Sheet(device, address, rows[0]).tap("cards", meant[rows[0]])
    for row in rows[1:]:
        sheet.follow("That one was wrong, too")
        assert f"amend/{row}/" in sheet.address
        sheet.tap("cards", meant[row])
    assert [event["cards"] for event in sheet.save()[0]] == [["XS"], ["XM"], ["8MS"]]


def hooked(device):
    """Bob, Cy and Ann, who deals, have bid for two tricks; Bob had said 2."""
    events = [bid(1, 1), bid(2, 0), bid(0, 0), play(1, "2C")]
    first = [bid(0, 1), bid(1, 0), bid(2, 1), {"type": "result", "tricks": [1, 0, 0]}]
    hands = [first, [{"type": "turn-up", "card": "5H"}, *events]]
    return opened(device, "oh-hell", hands, options={"largest": 2, "course": "up-down"})


def test_what_the_hook_forbids_is_judged_with_the_corrected_bid(device):
    sheet = Sheet(device, hooked(device), 6).tap("tricks", "2").follow("That one was wrong, too")
    assert sheet.struck() == ["0"]
    assert [event["tricks"] for event in sheet.tap("tricks", "1").save()[1][1:4]] == [2, 0, 1]


def test_the_later_bid_is_corrected_first(device):
    """By what is recorded it breaks the hook; with the bid that was wrong, too, it does not."""
    sheet = Sheet(device, hooked(device), 8).tap("tricks", "1")
    assert "The hook forbids 1" in text(sheet.page)
    sheet.follow("Another one, too").choose(6)
    assert [event["tricks"] for event in sheet.tap("tricks", "2").save()[1][1:4]] == [2, 0, 1]


def test_a_later_entry_that_is_irregular_then_can_have_been_so(device):
    sheet = Sheet(device, hooked(device), 6).tap("tricks", "2").send("It was so all the same")
    assert "Ann bids 0. It was so all the same." in text(sheet.page)
    assert "Now irregular: forbidden bid (Ann)" in text(sheet.page)
    events = sheet.save()[1]
    assert [event.get("accepted") for event in events[1:4]] == [None, None, True]


def test_a_later_entry_that_cannot_be_so_is_not_offered_as_it_was(device):
    sheet = Sheet(device, opened(device, "ace-trump", [PLAYS]), 1).tap("cards", "XS")
    assert "It was so all the same" not in text(sheet.page)


def test_another_correction_that_is_refused_can_be_changed(device):
    sheet = Sheet(device, opened(device, "ace-trump", [PLAYS]), 2).tap("cards", "8MS").follow("That one was wrong, too")
    sheet.tap("cards", "8MS")
    assert "Bob plays Diplomat" in text(sheet.page)
    sheet.follow("Change that correction")
    assert "amend/2/" in sheet.address
    assert [event["cards"] for event in sheet.tap("cards", "XS").save()[0]] == [["8MS"], ["XS"], ["XM"]]


def test_results_of_two_hands_are_corrected_together(device):
    hands = [[{"type": "result", "tricks": numbers}] for numbers in ([4, 4, 4], [6, 3, 3])]
    sheet = Sheet(device, opened(device, "ace-trump", hands), 1).fill(tricks=["5", "4", "3"])
    sheet.follow("Another one, too").follow("Hand after").choose(2).fill(tricks=["2", "5", "5"])
    assert [hand[0]["tricks"] for hand in sheet.save()] == [[5, 4, 3], [2, 5, 5]]


def left(*cards):
    return {"type": "result", "cards_left": list(cards)}


def reseating(device, second):
    hands = [[left(0, 5, 3, 4)], second]
    return opened(device, "american-deuce", hands, options={"reseat": "round"}, players=4, dealer=0)


@pytest.mark.parametrize("second", [[suit(0, "S"), suit(2, "H"), suit(3, "C")], [left(2, 3, 0, 1)]])
def test_a_score_that_seated_the_players_is_corrected_and_they_keep_their_seats(device, second):
    """Whether the next round no longer fits, or would be seated otherwise without a word."""
    sheet = Sheet(device, reseating(device, second), 1).fill(cards_left=["0", "3", "5", "4"])
    sheet.send("Keep the seats: only points change")
    assert "All later hands keep their seats." in text(sheet.page)
    assert "Cy -39" not in text(sheet.page)
    saved = sheet.save()
    assert saved[0] == [left(0, 3, 5, 4), {"type": "seating", "places": [1, 4, 2, 3]}]
    assert saved[1] == second


def test_who_would_sit_elsewhere_is_told_before_it_is_done(device):
    sheet = Sheet(device, reseating(device, [left(2, 3, 0, 1)]), 1).fill(cards_left=["0", "3", "5", "4"])
    assert "Hand 2: the seats would be Ann, Bob, Dee, Cy." in text(sheet.page)


def named_wrongly(device):
    """Two cards, a bid and the named suit are wrong; the wrong suit gave the lead of the second trick to Bob."""
    ransoms = [one("ransom", 0, "4MS"), one("ransom", 1, "8YK"), one("ransom", 2, "3SK")]
    named = [{"type": "trump", "seat": 1, "suit": "K"}, bid(1, 2), bid(2, 2), bid(0, 3)]
    first = [play(1, "XM"), play(2, "CMLY"), play(0, "7ML")]
    second = [play(1, "6LK"), play(2, "XL"), play(0, "4WL")]
    options = {"bidding": True, "courts": True}
    return opened(device, "ransom-trump", [[*ransoms, *named, *first, *second]], options=options, dealer=0)


@pytest.mark.parametrize("order", ["cards-bid-suit", "suit-bid-cards", "bid-suit-cards"])
def test_corrected_cards_go_to_whose_turn_it_is_by_a_corrected_suit(device, order):
    sheet = Sheet(device, named_wrongly(device), {"c": 11, "s": 4, "b": 5}[order[0]])
    for what in order.split("-"):
        if what != order.split("-")[0]:
            sheet.follow("Another one, too").choose({"cards": 11, "suit": 4, "bid": 5}[what])
        if what == "cards":
            sheet.tap("cards", "XL").follow("That one was wrong, too").tap("cards", "6LK")
        else:
            sheet.tap(*(("suit", "Y") if what == "suit" else ("tricks", "3")))
    assert "Trick 2 L Cy not Bob 6 L K Ann not Cy 4 W L Bob not Ann" in text(sheet.page)
    [saved] = sheet.save()
    assert (saved[3]["suit"], saved[4]["tricks"]) == ("Y", 3)
    assert [(each["seat"], *each["cards"]) for each in saved[10:]] == [(2, "XL"), (0, "6LK"), (1, "4WL")]


def test_back_from_what_changes_keeps_the_other_corrections(device):
    sheet = Sheet(device, opened(device, "ace-trump", [PLAYS]), 1).tap("cards", "XS").follow("That one was wrong, too")
    sheet.tap("cards", "8MS").follow("Back").tap("cards", "8MS")
    assert [event["cards"] for event in sheet.save()[0]] == [["XS"], ["8MS"], ["XM"]]
