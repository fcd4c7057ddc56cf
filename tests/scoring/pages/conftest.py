"""The scorekeeper's device, and one that has only the code."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.scoring.groups import Thursday, make_group
from tests.scoring.pages.reading import faults

REVOKE = "0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW"
"""Bob does not follow the Diplomat with the Origin, and shows the Journey, a Moon."""


class Device(Client):
    """A browser without scripts; on every page it checks ids, references and forms."""

    def request(self, **request: Any) -> Any:
        answer = super().request(**request)
        if answer.get("Content-Type", "").startswith("text/html") and not answer.streaming:
            assert faults(answer.content.decode()) == []
        return answer

    def open_table(self, game="ace-trump", names=("Ann", "Bob", "Cy"), dealer=2, *, plays="", **more) -> str:
        """Open a table through the form, play these cards as `taps` does, and return its address."""
        form = {"name": list(names), "dealer": str(dealer), "end": "open"} | more
        answer = self.post(f"/new/{game}/", form)
        assert answer.status_code == 302, answer.content.decode()
        self.taps(answer["Location"], "play", plays)
        return str(answer["Location"])

    def bring(self, record: dict[str, Any]) -> str:
        """Import a record through the form; return the table's address."""
        answer = self.post("/import/", {"text": json.dumps(record)})
        assert answer.status_code == 302, answer.content.decode()
        return str(answer["Location"])

    def open_link(self, url: str) -> HttpResponse:
        """Send the token in the link's fragment, as its page does."""
        path, token = url.split("#")
        answer = self.post(path, {"token": token}, follow=True)
        assert isinstance(answer, HttpResponse)
        return answer

    def join(self, group: Thursday) -> "Device":
        """Open the link of the group's first member."""
        assert self.post(f"/g/{group.code}/join/", {"token": group.token}).status_code == 302
        return self

    def tap(self, address: str, event: str, *, htmx: bool = False, **fields) -> HttpResponse:
        """Submit an event's form as the page now has it."""
        headers = {"HX-Request": "true"} if htmx else {}
        answer = self.post(f"{address}record/", {"event": event, **fields}, headers=headers)
        assert isinstance(answer, HttpResponse)
        return answer

    def taps(self, address: str, event: str, told: str) -> None:
        """Submit an event's form once for each word, and have it recorded.

        "0:7H+9H" is seat 0 with two cards, "8MS" a card in turn, and "1:8MS!" a rule break that the table accepts.
        """
        for word in told.split():
            seat, _, value = word.removesuffix("!").rpartition(":")
            fields: dict[str, Any] = {"seat": seat, FIELDS.get(event, "cards"): value.split("+")}
            fields |= {"accepted": "1"} if word.endswith("!") else {}
            assert self.tap(address, event, **fields).status_code == 302, word


FIELDS = {"bid": "tricks", "suit": "suit"}
"""The field of an event's form that `taps` fills in, if it is not the cards."""


@pytest.fixture
def device(db: None) -> Device:
    """The device that opens tables."""
    return Device()


@pytest.fixture
def other(db: None) -> Device:
    """Another person's device."""
    return Device()


@pytest.fixture
def group(db: None) -> Thursday:
    """The Thursday round: Ann, Bob and Cy."""
    return make_group()


@pytest.fixture
def phone(device: Device, group: Thursday) -> Device:
    """The device of a member of the group."""
    return device.join(group)


@pytest.fixture
def thursday(device):
    """The address of a group created on this device."""
    answer = device.post("/g/new/", {"name": "Thursday", "people": "Ann\nBob, Cy"})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"]).removesuffix("who/")


@pytest.fixture
def revoked(device):
    """The address of a table with a proved revoke by Bob."""
    return device.open_table(plays=REVOKE)
