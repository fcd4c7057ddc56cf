"""Helpers for devices: their taps, links and cookie."""

from scoring.models import Role, Table
from scoring.tables.acts.opening import make_link
from tests.scoring.pages.conftest import Device


def tap(device, address, seat=0, card="8MS"):
    return device.tap(address, "play", seat=str(seat), cards=card).status_code


def address_of(table):
    return f"/t/{table.code}/"


def with_link(table, role, seat=None, *, device=None):
    """Open one of this table's links on a device, or on a new one."""
    device = device or Device()
    answer = device.post(f"{address_of(table)}join/", {"token": table.link(role, seat)})
    assert (answer.status_code, answer["Location"]) == (302, address_of(table))
    return device


def the_cookie(device, begins="device-"):
    (morsel,) = (morsel for name, morsel in device.cookies.items() if name.startswith(begins))
    return morsel


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
