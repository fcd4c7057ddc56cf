"""A table names the one before and the one after it; a private one only to whom it concerns."""

import pytest

from scoring.models import Role, Table
from scoring.services.tables import make_link
from tests.scoring.conftest import OpenTable, holder, open_table
from tests.scoring.pages.conftest import Device

NAMES = ["Ann", "Bob", "Cy"]


@pytest.fixture(params=["previous", "next"])
def side(request):
    return request.param


@pytest.fixture
def both(db):
    """Two public tables, of which the second continues the first."""
    first = open_table()
    told = holder(first.token).post(f"/api/v1/tables/{first.code}/continue/", {"seats": NAMES}).json()
    return {"next": first, "previous": OpenTable(told["code"], told["token"])}


@pytest.fixture
def asked(both, side):
    """The table that is asked for the other one, by what it calls that one."""
    return both[side]


@pytest.fixture
def other(both, side):
    return both["previous" if side == "next" else "next"]


def close(table):
    Table.objects.filter(code=table.code).update(private=True)


def named(client, table, side):
    return client.get(f"/api/v1/tables/{table.code}/").json()[side]


def test_public_tables_name_each_other_to_everybody(stranger, asked, other, side):
    assert named(stranger, asked, side) == other.code


def test_a_private_one_is_named_to_who_keeps_the_score(asked, other, side):
    close(other)
    assert named(holder(asked.token), asked, side) == other.code


@pytest.mark.parametrize("role", ["player", "spectator"])
def test_nobody_else_is_told_by_the_api(stranger, asked, other, side, role):
    close(other)
    assert named(stranger, asked, side) is None
    assert named(holder(asked.link(role, 1 if role == "player" else None)), asked, side) is None


def test_who_goes_on_is_told_both(db):
    first = open_table(private=True)
    told = holder(first.token).post(f"/api/v1/tables/{first.code}/continue/", {"seats": NAMES}).json()
    assert (told["private"], told["previous"]) == (True, first.code)


class TestOnThePage:
    """Ann's device keeps the score of both tables; the others have only what they are given."""

    @pytest.fixture
    def ann(self, db):
        device = Device()
        self.address = device.open_table()
        device.post(f"{self.address}continue/", {"name": NAMES})
        self.first, self.second = Table.objects.order_by("pk")
        close(self.second)
        return device

    def tells(self, device):
        return self.second.code in device.get(self.address).content.decode()

    def join(self, row, role):
        device = Device()
        device.post(f"/t/{row.code}/join/", {"token": make_link(row, role, seat=1 if role == Role.PLAYER else None)})
        return device

    def test_who_keeps_the_score_goes_on_there(self, ann):
        assert self.tells(ann)
        assert self.tells(self.join(self.first, Role.SCOREKEEPER))

    @pytest.mark.parametrize("role", list(Role))
    def test_so_does_a_device_with_a_link_to_it(self, ann, role):
        assert self.tells(self.join(self.second, role))

    @pytest.mark.parametrize("role", [None, Role.PLAYER, Role.SPECTATOR])
    def test_others_are_not_told(self, ann, role):
        device = Device() if role is None else self.join(self.first, role)
        assert not self.tells(device)
