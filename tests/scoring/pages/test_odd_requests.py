"""Whatever stands in an address, a query or a form: a page answers it, and never by breaking."""

import random

import pytest
from django.test import override_settings
from django.urls import get_resolver

from scoring.models import Table
from scoring.pages.show.forms import read_number
from tests.scoring.conftest import play

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
ROUNDS = 12


def addresses(code, group="ABCDEFGH"):
    """Return an address for every path of the pages, by the names in it: those of a table, and those of a group."""
    holes = {
        "game": "ace-trump",
        "question": "trick",
        "act": "ruling",
        "number": 1,
        "other": 2,
        "seq": 1,
        "shape": "json",
        "table": code,
        "day": "2026-11-23",
    }
    resolver = get_resolver("scoring.pages.urls")
    for name in resolver.reverse_dict:
        if isinstance(name, str):
            ((path, wanted),) = resolver.reverse_dict.getlist(name)[0][0][:1]
            whole = holes | {"code": group if path.startswith("g/") else code}
            yield name, "/" + path % {hole: whole[hole] for hole in wanted}


@override_settings(WRITES_PER_MINUTE=0, WRONG_CODES_PER_HOUR=0)
def test_no_page_breaks_on_odd_parameters(device):
    chance = random.Random(5)
    address = device.open_table()
    device.tap(address, "play", seat=0, cards="XS")
    group = device.post("/g/new/", {"name": "Thursday", "people": "Ann"})["Location"]
    met = set()
    for name, page in addresses(address.split("/")[2], group.split("/")[2]):
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
def test_what_looks_like_a_number_and_is_none_stays_a_text(number):
    assert read_number(number) == number


@pytest.mark.parametrize(("text", "number"), [("5", 5), ("-5", -5), ("+5", 5), ("007", 7)])
def test_a_number_with_its_sign_is_read(text, number):
    assert read_number(text) == number


def test_a_seat_that_is_no_number_is_refused_with_a_sentence(device):
    address = device.open_table()
    answer = device.tap(address, "play", seat="-+1", cards="XS")
    assert answer.status_code == 422
    assert "A whole number is needed here." in answer.content.decode()


def test_nul_gets_into_no_name_and_no_note(device):
    assert device.post("/new/ace-trump/", {"name": ["An\0n", "Bob", "Cy"], "dealer": "0"}).status_code == 400
    assert not Table.objects.exists()
    address = device.open_table()
    assert device.tap(address, "note", text="x\0y").status_code == 400
    assert Table.objects.get().version == 0
    assert device.get(address, {"depth": "\0"}).status_code == 400
    assert device.get("/t/ab%00cd/").status_code == 400


@pytest.mark.parametrize("address", ["", "share/", "log/"])
@pytest.mark.parametrize("host", ["a" * 2400, "x y", "a" * 260 + ":80"])
def test_a_host_that_cannot_be_is_refused(device, address, host):
    page = device.open_table()
    answer = device.get(f"{page}{address}", headers={"Host": host})
    assert answer.status_code == 400
    assert "That was not understood" in answer.content.decode()


def test_the_api_refuses_it_with_a_problem(table, scorekeeper):
    address = f"/api/v1/tables/{table.code}/"
    for answer in (
        scorekeeper.get(address, headers={"Host": "a" * 2400}),
        scorekeeper.get(f"{address}events/", {"after": "\0"}),
        scorekeeper.get(f"{address}record/", {"as": "\0"}),
        scorekeeper.post(f"{address}events/?x=%00", play(0, "XS")),
    ):
        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"
    assert scorekeeper.get("/api/v1/tables/ab%00cd/").status_code == 404
    assert table.row.version == 0
