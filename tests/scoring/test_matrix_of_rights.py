"""Every address, every role, a public and a private table: the outcome is the decided one.

The addresses come from the URL tables, so new ones are included automatically.
"""

import pytest

from tests.scoring.roles import ADDRESSES, EVERYBODY, PEOPLE, ROLES, Address, House, Rights, addresses, furnish

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


@pytest.fixture(params=[False, True], ids=["public", "private"])
def house(request, db, settings):
    for limit in ("WRONG_CODES_PER_HOUR", "WRITES_PER_MINUTE", "OPENINGS_PER_HOUR", "COSTLY_SECONDS_PER_MINUTE"):
        setattr(settings, limit, 0)
    return request.param, furnish(private=request.param)


def differences(house: House, address: Address, rights: Rights, *, private: bool) -> list[str]:
    """Return every outcome that differs from the decision."""
    roles = PEOPLE if address.part == "page" else ROLES
    expected = dict(zip(roles, rights.expected(private=private), strict=False))
    asked = FEW if rights is EVERYBODY else roles
    found = {role: house.outcome(address, role) for role in asked}
    return [
        f"{address.key}: {role} at a {'private' if private else 'public'} table: {found[role]}, not {expected[role]}"
        for role in asked
        if found[role] != expected[role]
    ]


@pytest.mark.smoke
def test_everyone_has_exactly_the_decided_rights(house):
    private, furnished = house
    known, wrong = decided(), []
    for address in addresses():
        rights = known.get(address.key)
        if rights is not None:
            wrong += differences(furnished, address, rights, private=private)
        elif furnished.takes(address):
            wrong.append(
                f"Nobody has decided who may {address.method.upper()} “{address.name}” ({address.pattern.pattern}): "
                f"add it to one of the rights in tests/scoring/roles.py."
            )
    assert not wrong, "\n".join(wrong)


def test_the_rights_matrix_lists_no_removed_address():
    there = {address.key for address in addresses()}
    assert decided().keys() - there == set()
