"""Helpers for devices: their taps, links and cookie."""

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
