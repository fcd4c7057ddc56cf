"""Whatever people are called and write: on every page it is words, and never a piece of the page."""

from html.parser import HTMLParser

from scoring.models import Role, Table
from scoring.services.tables import make_link
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.reading import UNFOLDED
from tests.scoring.pages.test_odd_requests import addresses

ODD = "\"'><x-odd>{{ 6*7 }}%(number)s"
WRITTEN = "?name=%22%27%3E%3Cx-odd%3E&code=%22%27%3E%3Cx-odd%3E&strike=1&why=%22%27%3E%3Cx-odd%3E"
HTMX = {"HX-Request": "true"}


class Elements(HTMLParser):
    """Collects the names of all elements and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found |= {tag, *(name for name, _ in attrs)}


def test_no_page_takes_what_people_write_for_its_own(device):
    address = device.open_table(names=[f"{ODD}{seat}" for seat in "ABC"])
    code = address.strip("/").split("/")[1]
    group = device.post("/g/new/", {"name": ODD, "people": f"{ODD}D\n{ODD}E"})["Location"]
    device.post(f"{group}links/", {"role": "viewer", "name": ODD})
    for seat, card in enumerate(("8MS", "XS", "XM")):
        assert device.tap(address, "play", seat=str(seat), cards=card).status_code == 302
    device.tap(address, "note", text=ODD)
    device.tap(address, "penalty", seat="0", points="1", reason=ODD)
    device.post(f"{address}amend/1/", {"event": "play", "seat": "0", "cards": "9WY", "why": ODD})
    player, looks_on = Device(), Device()
    player.post(f"{address}join/", {"token": make_link(Table.objects.get(), Role.PLAYER, seat=1)})
    met = 0
    for phone in (device, player, looks_on):
        for _name, page in addresses(code, group.split("/")[2]):
            for query, headers in (("", {}), (UNFOLDED, HTMX), (WRITTEN, {})):
                answer = phone.get(page + query, headers=headers)
                if answer.get("Content-Type", "").startswith("text/html"):
                    shown = answer.content.decode()
                    met += "&lt;x-odd&gt;" in shown
                    assert not [name for name in Elements(shown).found if "odd" in name or "<" in name], page + query
                    assert "42%(number)s" not in shown, page + query
    assert met > 30
