"""Every address: who may do what, security headers, and reads that change nothing."""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls.converters import IntConverter
from django.utils import timezone

from scoring.models import HandSheet
from tests.scoring.api.conftest import kept
from tests.scoring.groups import make_group
from tests.scoring.roles import ADDRESSES, EVERYBODY, LIMITS, PEOPLE, ROLES, Address, House, Rights, addresses, furnish
from tests.seeds import as_often_as

# --- Every role, a public and a private table: the outcome is the decided one

pytestmark = pytest.mark.django_db
FEW = ("nobody", "wrong", "member")
"""The callers tested at addresses open to everyone: the others would add nothing."""


def decided() -> dict[str, Rights]:
    """Return the decided rights of every address."""
    found: dict[str, Rights] = {}
    for rights, lines in ADDRESSES.items():
        for line in lines.strip().splitlines():
            method, _colon, names = line.strip().partition(": ")
            for name in names.split():
                assert f"{method} {name}" not in found, f"{method} {name} stands twice in the matrix."
                found[f"{method} {name}"] = rights
    return found


@pytest.fixture
def no_limits(settings):
    for limit in LIMITS:
        setattr(settings, limit, 0)


def differences(house: House, address: Address, rights: Rights, *, private: bool) -> list[str]:
    """Return every outcome that differs from the decision."""
    roles = PEOPLE if address.part == "page" else ROLES
    expected = dict(zip(roles, rights.expected(private=private), strict=False))
    found = {role: house.outcome(address, role) for role in (FEW if rights is EVERYBODY else roles)}
    return [
        f"{address.key}: {role} at a {'private' if private else 'public'} table: {outcome}, not {expected[role]}"
        for role, outcome in found.items()
        if outcome != expected[role]
    ]


@pytest.mark.smoke
@pytest.mark.parametrize("private", [False, True], ids=["public", "private"])
def test_everyone_has_exactly_the_decided_rights(no_limits, private):
    house, known, wrong = furnish(private=private), decided(), []
    assert known.keys() <= {each.key for each in addresses()}
    for address in addresses():
        rights = known.get(address.key)
        if rights is not None:
            wrong += differences(house, address, rights, private=private)
        elif house.takes(address):
            wrong.append(
                f"Nobody has decided who may {address.method.upper()} “{address.name}” ({address.pattern.pattern}): "
                f"add it to one of the rights in tests/scoring/roles.py."
            )
    assert not wrong, "\n".join(wrong)


# --- What holds at every address for every caller

LOOKERS = ("scorekeeper", "member", "nobody")
LOOKING = as_often_as(always=len(LOOKERS), quick=1)
"""The number of callers that look at one address: they take turns, if not all do."""
NOTED = {"Device", "DeviceTable", "DeviceGroup", "Tally", "Link", "GroupLink"}
"""The rows that record a device's visit."""


@pytest.fixture
def house(no_limits) -> House:
    return furnish(private=False)


def looked_at(house: House, **more: str):
    """Yield every address with the answers a few callers get."""
    seen: set[str] = set()
    for turn, address in enumerate(addresses()):
        if address.part == "live" or (path := house.path(address)) in seen:
            continue
        seen.add(path)
        for role in [role for place, role in enumerate(LOOKERS) if (place - turn) % len(LOOKERS) < LOOKING]:
            yield address, house.client(address, role).get(path, **more)


NOT_KEPT_BETWEEN = re.compile("private|no-store|no-cache")


def wrong_headers(address: Address, answer) -> list[str]:
    """Return the headers an answer lacks."""
    told = answer.headers
    policy = told.get("Content-Security-Policy", "")
    kind = told.get("Content-Type", "")
    needs = {
        "nosniff": told.get("X-Content-Type-Options") == "nosniff",
        "no frames": told.get("X-Frame-Options") == "DENY" and "frame-ancestors 'none'" in policy,
        "no foreign parts": "default-src 'none'" in policy and "base-uri 'none'" in policy,
        "no referrer elsewhere": told.get("Referrer-Policy") in ("same-origin", "no-referrer"),
        "a window of its own": told.get("Cross-Origin-Opener-Policy") == "same-origin",
        "a kind": not answer.getvalue() or bool(kind),
        "a charset": not kind.startswith("text/") or "charset=utf-8" in kind,
        "no keeping between": address.part != "page" or bool(NOT_KEPT_BETWEEN.search(told["Cache-Control"])),
        "no way elsewhere": not urlsplit(told.get("Location", "")).netloc,
    }
    return [f"{address.key}: {need}" for need, is_met in needs.items() if not is_met]


def test_get_requests_change_nothing_and_set_security_headers(house):
    before = kept(but=NOTED)
    wrong = [each for address, answer in looked_at(house) for each in wrong_headers(address, answer)]
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert kept(but=NOTED) == before


@pytest.mark.parametrize("number", [2**53 + 1, 2**63, 10**30, "9" * 5000], ids=["exact", "64 bits", "10^30", "digits"])
def test_impossible_numbers_in_addresses_are_not_found(house, number):
    answers = {}
    for address in addresses():
        numbers = [name for name, kind in address.pattern.pattern.converters.items() if isinstance(kind, IntConverter)]
        for name in numbers:
            path = replace(house, arguments={**house.arguments, f"{address.name} {name}": number}).path(address)
            for role in LOOKERS:
                answers[address.key, name, role] = house.client(address, role).generic(address.method, path).status_code
    assert len(answers) > 90
    assert [key for key, status in answers.items() if status != 404] == []


def test_error_answers_do_not_echo_the_request(house):
    for address in addresses():
        if address.part != "live":
            answer = Client().generic("TRACE", house.path(address), HTTP_X_SECRET="said-in-secret")
            assert answer.status_code == 405, address.key
            assert b"said-in-secret" not in answer.content


WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


def full_disk(execute, sql, params, many, context):
    """Refuse all writes, as SQLite does on a full disk."""
    if sql.lstrip().upper().startswith(WRITES):
        raise OperationalError("database or disk is full")
    return execute(sql, params, many, context)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", [True, False], ids=["first-look", "known"])
def test_reads_work_on_a_full_disk(db, settings, first):
    settings.WRONG_CODES_PER_HOUR = 3
    house = furnish(private=False)
    Client(REMOTE_ADDR="192.0.2.9").get("/t/22222222/")
    if not first:
        assert max(answer.status_code for _, answer in looked_at(house, REMOTE_ADDR="192.0.2.9")) < 429
    HandSheet.objects.update(sheet=None)  # as after a corrected name
    with connection.execute_wrapper(full_disk):
        answers = [(address.key, answer.status_code) for address, answer in looked_at(house, REMOTE_ADDR="192.0.2.9")]
        unknown = [f"/{part}/3333333{n}/" for part in ("t", "api/v1/tables") for n in range(5, 8)]
        wrong = {Client(REMOTE_ADDR="192.0.2.9").get(path).status_code for path in unknown}
    assert [each for each in answers if each[1] >= 429] == []
    assert wrong == {404}


@pytest.mark.django_db(transaction=True)
def test_statistics_work_on_a_full_disk_after_a_table_ran_out_of_time():
    group = make_group("Ann", "Bob", "Cy")
    table = group.open_table(end={"kind": "time", "value": 60})
    table.record({"type": "result", "tricks": [6, 4, 2]})
    table.row.log.update(at=timezone.now() - timedelta(hours=2))
    with connection.execute_wrapper(full_disk):
        for path in ("statistics/", "statistics/?part=ratings", "archive/?as=history", "archive/?as=statistics"):
            assert group.member.get(f"{group.url}{path}").status_code == 200, path
    assert group.member.get(f"{group.url}statistics/").json()["people"][0]["tables"] == 1, "counted once there is room"


HISTORY = re.compile(r"g(roups)?/<str:code>/(tables/$|evenings|statistics|rulings|archive|history|export|what-if)")


def test_history_requests_do_not_run_on_the_card_thread():
    views = {route: each.pattern.callback for each in addresses() if HISTORY.match(route := str(each.pattern.pattern))}
    assert len(views) > 15
    shown = {route: getattr(view, "cls", view) for route, view in views.items()}
    marked = {route for route, view in shown.items() if hasattr(view, "looks_back") or hasattr(view, "costly")}
    assert shown.keys() - marked == set()
