"""What holds at every address of the product, whoever comes: its headers, and that looking changes nothing."""

from urllib.parse import urlsplit

import pytest
from django.apps import apps
from django.db.models import Max
from django.test import Client

from scoring.models import Group, Table
from tests.scoring.roles import Address, House, addresses, furnish

pytestmark = pytest.mark.django_db
PEOPLE = ("scorekeeper", "member", "nobody")
NOTED = {"Device", "DeviceTable", "DeviceGroup", "Tally", "Link", "GroupLink"}
"""Where it is noted that a device has looked at something."""


@pytest.fixture
def house(db, settings) -> House:
    for limit in ("WRONG_CODES_PER_HOUR", "OPENINGS_PER_HOUR", "COSTLY_SECONDS_PER_MINUTE"):
        setattr(settings, limit, 0)
    return furnish(private=False)


def looked_at(house: House, method: str = "get"):
    """Yield every address with what each of a few people are answered there."""
    seen: set[str] = set()
    for address in addresses():
        if address.part == "live" or (path := house.path(address)) in seen:
            continue
        seen.add(path)
        for role in PEOPLE:
            yield address, getattr(house.client(address, role), method)(path)


def kept() -> dict[str, object]:
    """Return how much is kept, and of which version."""
    models = [each for each in apps.get_app_config("scoring").get_models() if each.__name__ not in NOTED]
    counts: dict[str, object] = {each.__name__: each._default_manager.count() for each in models}
    versions = (each.objects.aggregate(most=Max("version"))["most"] for each in (Table, Group))
    return counts | {"versions": tuple(versions)}


def wrong_headers(address: Address, answer) -> list[str]:
    """Return what an answer lacks."""
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
        "no keeping between": address.part != "page" or "private" in told["Cache-Control"] or is_kept_by_none(told),
        "no way elsewhere": not urlsplit(told.get("Location", "")).netloc,
    }
    return [f"{address.key}: {need}" for need, is_met in needs.items() if not is_met]


def is_kept_by_none(told) -> bool:
    return "no-store" in told["Cache-Control"] or "no-cache" in told["Cache-Control"]


def test_looking_changes_nothing_and_every_answer_protects_its_reader(house):
    before = kept()
    wrong = [each for address, answer in looked_at(house) for each in wrong_headers(address, answer)]
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert kept() == before


def test_no_address_says_back_what_it_was_sent(house):
    for address in addresses():
        if address.part != "live":
            answer = Client().generic("TRACE", house.path(address), HTTP_X_SECRET="said-in-secret")
            assert answer.status_code == 405, address.key
            assert b"said-in-secret" not in answer.content
