"""Helpers for devices: their taps, links and cookie."""

import re

from scoring.models import Role, Table
from scoring.tables.acts.opening import make_link as add_link
from tests.scoring.pages.conftest import Device


def tap(device, address, seat=0, card="8MS"):
    return device.tap(address, "play", seat=str(seat), cards=card).status_code


def address_of(table):
    return f"/t/{table.code}/"


def code_of(address):
    """Return the code in the address of a table's or group's page."""
    return address.split("/")[2]


def row_of(address):
    return Table.objects.get(code=code_of(address))


def made_url(answer):
    """Return the address of the link that a page has just made."""
    (url,) = re.findall(r'id="made-url">(?:http://testserver)?([^<]+)<', answer.content.decode())
    return url


def make_link(device, address, whom):
    """Make a link on a table's page; return its address."""
    return made_url(device.post(f"{address}links/", {"for": whom}))


def join(url):
    """Open a link on a new device."""
    device = Device()
    path, token = url.split("#")
    answer = device.post(path, {"token": token})
    assert answer.status_code == 302
    assert "token" not in answer["Location"]
    return device


def with_link(table, role, seat=None, *, device=None):
    """Open one of this table's links on a device, or on a new one."""
    device = device or Device()
    answer = device.post(f"{address_of(table)}join/", {"token": table.link(role, seat)})
    assert (answer.status_code, answer["Location"]) == (302, address_of(table))
    return device


def the_cookie(device, begins="device-"):
    (morsel,) = (morsel for name, morsel in device.cookies.items() if name.startswith(begins))
    return morsel


def joined(address, role, seat=None):
    """Return a new phone with a link of this role."""
    return join(f"{address}join/#{add_link(row_of(address), Role(role), seat=seat)}")


def of_a_player(address, seat):
    """Return the phone of a player."""
    return joined(address, Role.PLAYER, seat)


def shown(device, address):
    answer = device.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def disputes_of(address):
    return row_of(address).disputes
