"""Malformed requests, repeated forms, and the markup of every page."""

import random
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.test import override_settings
from django.urls import get_resolver

from scoring.models import Table
from scoring.tables.presenters.forms import read_number
from tests.scoring.conftest import play
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import code_of, of_a_player
from tests.scoring.pages.reading import UNFOLDED

# --- Whatever is in an address, query or form, a page answers without a 500

ODD = (
    "", " ", "-+1", "+-5", "--", "-", "+", "0", "-1", "9" * 9, "9" * 30, "1e9", "1.5", "\u0663", "\u00b2", "\uff11",
    "nul\0here", "\u3164", "\u202e", "\U0001f0a1", "XS", "XS,XK", "?", "../../", "//evil.example/", "=1+1", "a" * 5000,
    "[]", "{}", "null", "true", "'", '"', "<b>", "%00", "%", "scorekeeper", "player:-1", "player:1", "player:9999",
)  # fmt: skip
NAMES = (
    "event", "seat", "cards", "card", "suit", "points", "winner", "tricks", "tricks-0", "bid", "text", "why", "strike",
    "accepted", "version", "token", "depth", "rules_by",
    "hand", "again", "name", "dealer", "end", "end-points", "end-hands", "group",
    "private", "for", "next", "language", "code", "to", "by", "finding", "remedy", "offender", "option-trump", "part",
)  # fmt: skip
EVENTS = ("play", "note", "penalty", "transfer", "redeal", "end", "trick", "result", "bid", "pass", "suit")
ROUNDS = 8


def addresses(code, group="ABCDEFGH"):
    """Return an address for every page path, by parameter names: those of a table, and those of a group."""
    holes = {"game": "ace-trump", "question": "trick", "act": "ruling", "number": 1, "other": 2, "seq": 1}
    holes |= {"shape": "json", "book": "2" * 24, "table": code, "day": "2026-11-23"}
    resolver = get_resolver("scoring.page_urls")
    for name in resolver.reverse_dict:
        if isinstance(name, str):
            ((path, wanted),) = resolver.reverse_dict.getlist(name)[0][0][:1]
            whole = holes | {"code": group if path.startswith("g/") else code}
            yield name, "/" + path % {hole: whole[hole] for hole in wanted}


@override_settings(WRITES_PER_MINUTE=0, WRONG_CODES_PER_HOUR=0)
def test_no_page_breaks_on_unexpected_parameters(device):
    chance = random.Random(5)
    address = device.open_table(plays="XS")
    group = device.post("/g/new/", {"name": "Thursday", "people": "Ann"})["Location"].removesuffix("who/")
    met = set()
    for name, page in addresses(code_of(address), code_of(group)):
        for number in range(ROUNDS):
            given = {key: chance.choice(ODD) for key in chance.sample(NAMES, 8)}
            if number % 2:
                given["event"] = chance.choice(EVENTS)
            for ask in (device.get, device.post):
                answer = ask(page, given)
                assert answer.status_code < 500, (name, given)
                met.add(answer.status_code)
    assert {200, 302, 400, 404, 405, 422} <= met


@pytest.mark.parametrize("number", ["-+1", "+-5", "--1", "1-", "\u0663", "\u00b2", "9" * 10, "", "-"])
def test_text_that_looks_like_a_number_stays_text(number):
    assert read_number(number) == number


@pytest.mark.parametrize(("text", "number"), [("5", 5), ("-5", -5), ("+5", 5), ("007", 7)])
def test_a_number_with_a_sign_is_accepted(text, number):
    assert read_number(text) == number


def test_a_seat_that_is_not_a_number_is_refused_with_a_sentence(device):
    address = device.open_table()
    answer = device.tap(address, "play", seat="-+1", cards="XS")
    assert (answer.status_code, "This must be a whole number." in answer.content.decode()) == (422, True)


def test_nul_is_refused_in_names_and_notes(device):
    assert device.post("/new/ace-trump/", {"name": ["An\0n", "Bob", "Cy"], "dealer": "0"}).status_code == 400
    assert not Table.objects.exists()
    address = device.open_table()
    assert device.tap(address, "note", text="x\0y").status_code == 400
    assert Table.objects.get().version == 0
    assert device.get(address, {"depth": "\0"}).status_code == 400
    assert device.get("/t/ab%00cd/").status_code == 400


@pytest.mark.parametrize("address", ["", "share/", "log/"])
@pytest.mark.parametrize("host", ["a" * 2400, "x y", "a" * 260 + ":80"])
def test_an_invalid_host_is_refused(device, address, host):
    page = device.open_table()
    answer = device.get(f"{page}{address}", headers={"Host": host})
    assert (answer.status_code, "We didn’t understand that" in answer.content.decode()) == (400, True)


def test_the_api_refuses_an_invalid_host_with_a_problem(table, scorekeeper):
    for answer in (
        scorekeeper.get(table.url, headers={"Host": "a" * 2400}),
        scorekeeper.get(f"{table.url}events/", {"after": "\0"}),
        scorekeeper.get(f"{table.url}record/", {"as": "\0"}),
        scorekeeper.post(f"{table.url}events/?x=%00", play(0, "XS")),
    ):
        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"
    assert scorekeeper.get("/api/v1/tables/ab%00cd/").status_code == 404
    assert table.row.version == 0


# --- Names and texts are plain text on every page, never markup

MARKUP_ODD = "\"'><x-odd>{{ 6*7 }}%(number)s"
WRITTEN = "?name=%22%27%3E%3Cx-odd%3E&code=%22%27%3E%3Cx-odd%3E&strike=1&why=%22%27%3E%3Cx-odd%3E"
HTMX = {"HX-Request": "true"}


class Elements(HTMLParser):
    """Collects the names of a page's elements and attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found |= {tag, *(name for name, _ in attrs)}


def test_user_text_is_never_treated_as_markup(device):
    address = device.open_table(names=[f"{MARKUP_ODD}{seat}" for seat in "ABC"])
    made = device.post("/g/new/", {"name": MARKUP_ODD, "people": f"{MARKUP_ODD}D\n{MARKUP_ODD}E"})
    group = made["Location"].removesuffix("who/")
    device.post(f"{group}links/", {"role": "viewer", "name": MARKUP_ODD})
    device.taps(address, "play", "0:8MS 1:XS 2:XM")
    device.tap(address, "note", text=MARKUP_ODD)
    device.tap(address, "penalty", seat="0", points="1", reason=MARKUP_ODD)
    device.post(f"{address}amend/1/", {"event": "play", "seat": "0", "cards": "9WY", "why": MARKUP_ODD})
    player, looks_on = of_a_player(address, 1), Device()
    met = 0
    for phone in (device, player, looks_on):
        for _name, page in addresses(code_of(address), code_of(group)):
            for query, headers in (("", {}), (UNFOLDED, HTMX), *([(WRITTEN, {})] if phone is device else [])):
                answer = phone.get(page + query, headers=headers)
                if answer.get("Content-Type", "").startswith("text/html"):
                    shown = answer.content.decode()
                    met += "&lt;x-odd&gt;" in shown
                    assert not [name for name in Elements(shown).found if "odd" in name or "<" in name], page + query
                    assert "42%(number)s" not in shown, page + query
    assert met > 30


# --- A form sent again with its key is recorded once; a tap in turn needs no seat


def send(device, address, act="record", *, key=None, **fields):
    headers = {"HX-Request": "true", "Idempotency-Key": str(key or uuid4())}
    return device.post(f"{address}{act}/", fields, headers=headers)


def tap(device, address, card, version, **more):
    """Tap a card in turn on a page that shows this version."""
    return send(device, address, **{"event": "play", "seat": "", "cards": card, "version": str(version), **more})


def bid(device, address, version, **more):
    return send(device, address, event="bid", seat="", tricks="2", version=str(version), **more)


def played():
    events = [entry.event for entry in Table.objects.get().log.filter(event__isnull=False)]
    return [(event["seat"], *event["cards"]) for event in events]


def versions(answer):
    """Return the version that the request recorded, and the table's."""
    assert answer.status_code == 200
    return answer["Recorded-Version"], answer["Table-Version"]


def test_the_answer_to_a_tap_names_its_version(device):
    address = device.open_table()
    assert versions(tap(device, address, "8MS", 0)) == ("1", "1")
    assert played() == [(0, "8MS")]


def test_a_repeated_tap_is_recognized_after_later_entries(device):
    address, key = device.open_table(**{"option-bidding": "1"}), uuid4()
    for version in range(2):
        bid(device, address, version)
    bid(device, address, 2, key=key)
    tap(device, address, "8MS", 3)
    assert versions(bid(device, address, 2, key=key)) == ("3", "4"), "although no bid is asked for anymore"
    assert Table.objects.get().version == 4


def test_two_undos_with_one_key_undo_once(device):
    address, key = device.open_table(), uuid4()
    for version, card in enumerate(("8MS", "XS")):
        tap(device, address, card, version)
    for _ in range(2):
        assert versions(send(device, address, "undo", key=key, version="2")) == ("3", "3")
    assert Table.objects.get().log.filter(amended_by=None, event__isnull=False).count() == 1


def test_a_refused_form_may_be_sent_again_with_its_key(device):
    address, key = device.open_table(), uuid4()
    assert tap(device, address, "8MS", 0, seat="1", key=key).status_code == 409
    device.tap(address, "play", seat="0", cards="XS", version="0")
    assert tap(device, address, "8MS", 1, seat="1", key=key).status_code == 200
    assert played() == [(0, "XS"), (1, "8MS")]


def test_a_repeated_trick_tapped_offline_is_recognized_too(device):
    address = device.open_table()
    for _ in range(2):
        for version, card in enumerate(("8MS", "XS", "XM")):
            assert versions(tap(device, address, card, version))[0] == str(version + 1)
    assert played() == [(0, "8MS"), (1, "XS"), (2, "XM")]


def test_a_repeated_last_bid_is_recognized_after_bidding_has_ended(device):
    address = device.open_table(**{"option-bidding": "1"})
    for version in (0, 0, 1, 1, 2, 2):
        assert bid(device, address, version).status_code == 200
    assert Table.objects.get().version == 3


@pytest.mark.parametrize(
    "other", [{"cards": "XS"}, {"cards": "8MS", "seat": "1"}, {"cards": "8MS", "accepted": "1"}, {"version": "1"}]
)
def test_a_different_tap_is_a_conflict(device, other):
    address = device.open_table()
    tap(device, address, "8MS", 0)
    if "version" in other:
        send(device, address, "undo", version="1")
    assert tap(device, address, "8MS", **{"version": 0} | other).status_code == 412


def test_a_penalty_is_not_recorded_twice_at_the_same_moment(device):
    address = device.open_table(plays="8MS")
    for _ in range(2):
        send(device, address, event="penalty", seat="1", points="-5", version="1")
    assert Table.objects.get().version == 2
